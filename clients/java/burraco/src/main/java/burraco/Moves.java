package burraco;

import burraco.v1.CallTime;
import burraco.v1.Card;
import burraco.v1.CardGroup;
import burraco.v1.DeclareStalemate;
import burraco.v1.Discard;
import burraco.v1.DrawStock;
import burraco.v1.Knock;
import burraco.v1.LayMeld;
import burraco.v1.LayOff;
import burraco.v1.LegalMoves;
import burraco.v1.MeldReading;
import burraco.v1.Move;
import burraco.v1.MoveGroup;
import burraco.v1.MoveKind;
import burraco.v1.NextDeal;
import burraco.v1.PassUpcard;
import burraco.v1.ReplaceWild;
import burraco.v1.Resign;
import burraco.v1.TakePile;
import burraco.v1.TimeOutTurn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Moves: a constructor for each, and every single move of a list of legal ones. */
public final class Moves {
  private Moves() {}

  /** Draw the top card of the stock. */
  public static Move draw() {
    return Move.newBuilder().setDrawStock(DrawStock.getDefaultInstance()).build();
  }

  /** Take the discard pile. */
  public static Move takePile() {
    return Move.newBuilder().setTakePile(TakePile.getDefaultInstance()).build();
  }

  /** Lay a new meld, of cards as text: {@code "7S 8S 9S"}. */
  public static Move meld(String cards) {
    return meld(Cards.cards(cards));
  }

  /** Lay a new meld. */
  public static Move meld(Iterable<Card> cards) {
    return meld(cards, MeldReading.getDefaultInstance());
  }

  /** Lay a new meld in this reading, where the rules leave a choice. */
  public static Move meld(Iterable<Card> cards, MeldReading reading) {
    LayMeld.Builder laid = LayMeld.newBuilder().addAllCards(cards);
    if (!reading.equals(MeldReading.getDefaultInstance())) {
      laid.setReading(reading);
    }
    return Move.newBuilder().setMeld(laid).build();
  }

  /** Add cards, as text, to a meld on the table, all together. */
  public static Move layOff(int meldId, String cards) {
    return layOff(meldId, Cards.cards(cards));
  }

  /** Add cards to a meld on the table, all together. */
  public static Move layOff(int meldId, Iterable<Card> cards) {
    return layOff(meldId, cards, Card.CARD_UNSPECIFIED);
  }

  /**
   * Add cards to a meld on the table; {@code wildAs} is what an added wild is to stand for, where the rules leave a
   * choice.
   */
  public static Move layOff(int meldId, Iterable<Card> cards, Card wildAs) {
    return Move.newBuilder()
        .setLayOff(LayOff.newBuilder().setMeldId(meldId).addAllCards(cards).setWildAs(wildAs))
        .build();
  }

  /** Discard a card, as text, which ends the turn. */
  public static Move discard(String card) {
    return discard(Cards.card(card));
  }

  /** Discard a card, which ends the turn. */
  public static Move discard(Card card) {
    return Move.newBuilder().setDiscard(Discard.newBuilder().setCard(card)).build();
  }

  /** Put a card, as text, in the place of a meld's joker, and take the joker. Not a move of Burraco. */
  public static Move replaceWild(int meldId, String card) {
    return replaceWild(meldId, Cards.card(card));
  }

  /** Put a card in the place of a meld's joker, and take the joker. Not a move of Burraco. */
  public static Move replaceWild(int meldId, Card card) {
    return Move.newBuilder()
        .setReplaceWild(ReplaceWild.newBuilder().setMeldId(meldId).setCard(card))
        .build();
  }

  /** Knock without a discard: big gin. A move of Gin only. */
  public static Move knock() {
    return knock(Card.CARD_UNSPECIFIED);
  }

  /** Knock with a discard, as text. A move of Gin only. */
  public static Move knock(String discard) {
    return knock(Cards.card(discard));
  }

  /** Knock with a discard. A move of Gin only. */
  public static Move knock(Card discard) {
    return knock(discard, List.of());
  }

  /** Knock with a discard and melds of the knocker's own choice. A move of Gin only. */
  public static Move knock(Card discard, Iterable<? extends Iterable<Card>> melds) {
    Knock.Builder knock = Knock.newBuilder().setDiscard(discard);
    melds.forEach(meld -> knock.addMelds(CardGroup.newBuilder().addAllCards(meld)));
    return Move.newBuilder().setKnock(knock).build();
  }

  /** Pass the first up-card. A move of Gin only. */
  public static Move passUpcard() {
    return Move.newBuilder().setPassUpcard(PassUpcard.getDefaultInstance()).build();
  }

  /** End the deal because a one-card pile goes round. */
  public static Move declareStalemate() {
    return Move.newBuilder().setDeclareStalemate(DeclareStalemate.getDefaultInstance()).build();
  }

  /** Deal again once a deal is over. */
  public static Move nextDeal() {
    return Move.newBuilder().setNextDeal(NextDeal.getDefaultInstance()).build();
  }

  /** Give up the match. */
  public static Move resign() {
    return Move.newBuilder().setResign(Resign.getDefaultInstance()).build();
  }

  /** Complete an absent player's turn; for back ends only. */
  public static Move timeOutTurn() {
    return Move.newBuilder().setTimeOutTurn(TimeOutTurn.getDefaultInstance()).build();
  }

  /** Say that the tournament clock has run out; for back ends only. */
  public static Move callTime() {
    return Move.newBuilder().setCallTime(CallTime.getDefaultInstance()).build();
  }

  /**
   * The move without arguments of this kind.
   *
   * @throws IllegalArgumentException if moves of the kind have arguments, or the kind is newer than this client
   */
  public static Move simple(MoveKind kind) {
    return withoutArguments(kind).orElseThrow(() -> new IllegalArgumentException(
        "no move without arguments has the kind " + kind + ": if the service sent it, this client is too old"));
  }

  private static Optional<Move> withoutArguments(MoveKind kind) {
    return switch (kind) {
      case MOVE_KIND_DRAW_STOCK -> Optional.of(draw());
      case MOVE_KIND_TAKE_PILE -> Optional.of(takePile());
      case MOVE_KIND_PASS_UPCARD -> Optional.of(passUpcard());
      case MOVE_KIND_DECLARE_STALEMATE -> Optional.of(declareStalemate());
      case MOVE_KIND_NEXT_DEAL -> Optional.of(nextDeal());
      case MOVE_KIND_RESIGN -> Optional.of(resign());
      case MOVE_KIND_TIME_OUT_TURN -> Optional.of(timeOutTurn());
      case MOVE_KIND_CALL_TIME -> Optional.of(callTime());
      default -> Optional.empty();
    };
  }

  /**
   * Goes through every single move that the list stands for, each once: {@code legal.getCount()} in all.
   *
   * @throws RulesException at once, before the first move, if there are some that this client is too old to know
   */
  public static Stream<Move> expand(LegalMoves legal) {
    List<Move> single = legal.getSimpleList().stream()
        .map(kind -> withoutArguments(kind).orElseThrow(() -> Expansion.older("no simple move has the kind " + kind)))
        .collect(Collectors.toCollection(ArrayList::new));
    Expansion.checkKnown(legal.getDiscardsList());
    legal.getDiscardsList().stream().map(Moves::discard).forEach(single::add);
    List<Stream<Move>> groups = legal.getGroupsList().stream().map(Moves::expand).collect(Collectors.toList());
    long grouped = legal.getGroupsList().stream().mapToLong(MoveGroup::getCount).sum();
    Expansion.checkCount("the list", legal.getCount(), single.size() + grouped);
    return Stream.concat(single.stream(), groups.stream().flatMap(moves -> moves));
  }

  /**
   * Goes through every single move of a group: {@code group.getCount()} in all.
   *
   * @throws RulesException at once, before the first move, if there are some that this client is too old to know
   */
  public static Stream<Move> expand(MoveGroup group) {
    Function<List<Card>, Move> ofCards = moveOf(group);
    Expansion.check(group);
    return Expansion.selections(group).map(ofCards);
  }

  /** How a move of a group is made of its cards. */
  private static Function<List<Card>, Move> moveOf(MoveGroup group) {
    return switch (group.getKind()) {
      case MOVE_KIND_MELD -> cards -> meld(cards);
      case MOVE_KIND_LAY_OFF -> cards -> layOff(group.getMeldId(), cards);
      case MOVE_KIND_REPLACE_WILD -> cards -> replaceWild(group.getMeldId(), cards.get(0));
      case MOVE_KIND_KNOCK -> cards -> cards.isEmpty() ? knock() : knock(cards.get(0));
      default -> throw Expansion.older("no group of moves has the kind " + group.getKindValue());
    };
  }

  /** Says a move in a few words, for logs: {@code lay off 10S on meld 2}. */
  public static String describe(Move move) {
    return switch (move.getKindCase()) {
      case KIND_NOT_SET -> "no move";
      case MELD -> "meld " + shown(move.getMeld().getCardsValueList());
      case LAY_OFF -> "lay off " + shown(move.getLayOff().getCardsValueList()) + " on meld "
          + move.getLayOff().getMeldId();
      case DISCARD -> "discard " + shown(List.of(move.getDiscard().getCardValue()));
      case REPLACE_WILD -> "replace the wild of meld " + move.getReplaceWild().getMeldId() + " by "
          + shown(List.of(move.getReplaceWild().getCardValue()));
      case KNOCK -> move.getKnock().getDiscard() == Card.CARD_UNSPECIFIED
          ? "knock"
          : "knock with " + shown(List.of(move.getKnock().getDiscardValue()));
      default -> move.getKindCase().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    };
  }

  /** Cards by number: a log has to say those too that are none, or that a newer service has. */
  private static String shown(List<Integer> numbers) {
    return numbers.stream()
        .map(number -> {
          Card card = Card.forNumber(number);
          return card == null || card == Card.CARD_UNSPECIFIED ? "card " + number : Cards.text(card);
        })
        .collect(Collectors.joining(" "));
  }
}
