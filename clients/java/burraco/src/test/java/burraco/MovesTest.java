package burraco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import burraco.v1.Card;
import burraco.v1.CardCount;
import burraco.v1.Discard;
import burraco.v1.LegalMoves;
import burraco.v1.MeldKind;
import burraco.v1.MeldReading;
import burraco.v1.Move;
import burraco.v1.MoveGroup;
import burraco.v1.MoveKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class MovesTest {
  @Test
  void constructorsSetWhatTheyAreNamedFor() {
    assertTrue(Moves.draw().hasDrawStock());
    assertTrue(Moves.takePile().hasTakePile());
    assertEquals(Cards.cards("7S 8S JK"), Moves.meld("7S 8S JK").getMeld().getCardsList());
    assertFalse(Moves.meld("7S 8S JK").getMeld().hasReading());
    assertEquals(3, Moves.layOff(3, "9S").getLayOff().getMeldId());
    assertEquals(Card.CARD_9S, Moves.layOff(3, Cards.cards("JK"), Card.CARD_9S).getLayOff().getWildAs());
    assertEquals(Card.CARD_KC, Moves.discard("KC").getDiscard().getCard());
    assertEquals(Card.CARD_6D, Moves.replaceWild(2, "6D").getReplaceWild().getCard());
    assertEquals(Card.CARD_UNSPECIFIED, Moves.knock().getKnock().getDiscard());
    assertTrue(Moves.knock().hasKnock());
    Move arranged = Moves.knock(Card.CARD_2D, List.of(Cards.cards("7S 8S 9S"), Cards.cards("KS KH KD")));
    assertEquals(Cards.cards("KS KH KD"), arranged.getKnock().getMelds(1).getCardsList());
    assertEquals(Card.CARD_2D, arranged.getKnock().getDiscard());
  }

  @Test
  void aReadingIsSentWhereOneIsNamed() {
    MeldReading reading =
        MeldReading.newBuilder().setKind(MeldKind.MELD_KIND_SEQUENCE).setWildAs(Card.CARD_9S).build();
    assertEquals(reading, Moves.meld(Cards.cards("7S 8S JK"), reading).getMeld().getReading());
  }

  @Test
  void movesAreDescribedInAFewWords() {
    assertEquals("draw stock", Moves.describe(Moves.draw()));
    assertEquals("meld 7S 8S JK", Moves.describe(Moves.meld("7S 8S JK")));
    assertEquals("lay off 10S on meld 2", Moves.describe(Moves.layOff(2, "10S")));
    assertEquals("discard KC", Moves.describe(Moves.discard("KC")));
    assertEquals("replace the wild of meld 2 by 6D", Moves.describe(Moves.replaceWild(2, "6D")));
    assertEquals("knock with 3H", Moves.describe(Moves.knock("3H")));
    assertEquals("knock", Moves.describe(Moves.knock()));
    assertEquals("no move", Moves.describe(Move.getDefaultInstance()));
    assertEquals("discard card 99", Moves.describe(Move.newBuilder()
        .setDiscard(Discard.newBuilder().setCardValue(99)).build()));
    assertEquals("meld 7S card 0", Moves.describe(Moves.meld(List.of(Card.CARD_7S, Card.CARD_UNSPECIFIED))));
  }

  @ParameterizedTest
  @EnumSource(
      value = MoveKind.class,
      names = {
        "MOVE_KIND_DRAW_STOCK", "MOVE_KIND_TAKE_PILE", "MOVE_KIND_PASS_UPCARD", "MOVE_KIND_DECLARE_STALEMATE",
        "MOVE_KIND_NEXT_DEAL", "MOVE_KIND_RESIGN", "MOVE_KIND_TIME_OUT_TURN", "MOVE_KIND_CALL_TIME"
      })
  void simpleMovesAreMadeByKind(MoveKind kind) {
    assertEquals(kind.name(), "MOVE_KIND_" + Moves.simple(kind).getKindCase().name());
  }

  @ParameterizedTest
  @EnumSource(
      value = MoveKind.class,
      names = {"MOVE_KIND_MELD", "MOVE_KIND_UNSPECIFIED", "UNRECOGNIZED"})
  void noOtherKindIsSimple(MoveKind kind) {
    assertThrows(IllegalArgumentException.class, () -> Moves.simple(kind));
  }

  @Test
  void aListExpandsToEveryMoveOnce() {
    LegalMoves legal = LegalMoves.newBuilder()
        .addSimple(MoveKind.MOVE_KIND_DRAW_STOCK)
        .addSimple(MoveKind.MOVE_KIND_RESIGN)
        .addDiscards(Card.CARD_7S)
        .addGroups(MoveGroup.newBuilder()
            .setKind(MoveKind.MOVE_KIND_MELD)
            .addAllRequired(Cards.cards("KS"))
            .addOptional(count("KH", 2))
            .addOptional(count("KD", 1))
            .setMinOptional(2)
            .setMaxOptional(3)
            .addAllWildChoices(Cards.cards("2S JK"))
            .setCount(6))
        .addGroups(MoveGroup.newBuilder()
            .setKind(MoveKind.MOVE_KIND_REPLACE_WILD)
            .setMeldId(4)
            .addRequired(Card.CARD_6D)
            .setCount(1))
        .addGroups(MoveGroup.newBuilder().setKind(MoveKind.MOVE_KIND_KNOCK).setCount(1))
        .setCount(11)
        .build();
    assertEquals(
        List.of(
            "draw stock", "resign", "discard 7S",
            "meld KS KH KH 2S", "meld KS KH KH JK", "meld KS KH KD 2S", "meld KS KH KD JK",
            "meld KS KH KH KD 2S", "meld KS KH KH KD JK",
            "replace the wild of meld 4 by 6D", "knock"),
        Moves.expand(legal).map(Moves::describe).collect(Collectors.toList()));
    assertEquals(legal.getCount(), Moves.expand(legal).count());
  }

  @Test
  void randomGroupsExpandToEverySelectionThatTheDefinitionAllows() {
    Random random = new Random(20);
    for (int round = 0; round < 300; round++) {
      MoveGroup.Builder group = MoveGroup.newBuilder().setKind(MoveKind.MOVE_KIND_LAY_OFF).setMeldId(1);
      List<Card> faces = Cards.cards("AS 3H 5D 7C 9S");
      List<Card> physical = new ArrayList<>();
      for (Card face : faces.subList(0, random.nextInt(faces.size() + 1))) {
        int copies = 1 + random.nextInt(2);
        group.addOptional(CardCount.newBuilder().setCard(face).setCount(copies));
        for (int copy = 0; copy < copies; copy++) {
          physical.add(face);
        }
      }
      group.setMinOptional(random.nextInt(3)).setMaxOptional(group.getMinOptional() + random.nextInt(3));
      if (random.nextBoolean()) {
        group.addAllWildChoices(Cards.cards("2S JK"));
      }
      group.setCount(bruteForce(group.build(), physical).size());
      List<List<Card>> made = Moves.expand(group.build())
          .map(move -> move.getLayOff().getCardsList().stream().sorted().collect(Collectors.toList()))
          .collect(Collectors.toList());
      assertEquals(bruteForce(group.build(), physical), new HashSet<>(made));
      assertEquals(made.size(), new HashSet<>(made).size(), "a selection twice");
    }
  }

  @ParameterizedTest
  @MethodSource("listsOfANewerService")
  void whatThisClientIsTooOldForIsRefusedAtOnce(String why, LegalMoves.Builder legal) {
    RulesException refused = assertThrows(RulesException.class, () -> Moves.expand(legal.build()));
    assertEquals("UNKNOWN: " + why + ": this client is older than the service", refused.getMessage());
  }

  private static Stream<Arguments> listsOfANewerService() {
    MoveGroup.Builder meld = MoveGroup.newBuilder().setKind(MoveKind.MOVE_KIND_MELD).setCount(1);
    MoveGroup.Builder replacing = MoveGroup.newBuilder().setKind(MoveKind.MOVE_KIND_REPLACE_WILD).setCount(1);
    MoveGroup.Builder knock = MoveGroup.newBuilder().setKind(MoveKind.MOVE_KIND_KNOCK).setCount(1);
    String card = "a card of a legal move is not known";
    String many = "a group chooses among more than 424 cards";
    return Stream.of(
        arguments("no simple move has the kind UNRECOGNIZED", list().addSimpleValue(99)),
        arguments("no simple move has the kind MOVE_KIND_MELD", list().addSimple(MoveKind.MOVE_KIND_MELD)),
        arguments("no group of moves has the kind 99", list().addGroups(meld.clone().setKindValue(99))),
        arguments(card, list().addDiscardsValue(99)),
        arguments(card, list().addGroups(meld.clone().addRequiredValue(99))),
        arguments(card, list().addGroups(meld.clone().addWildChoicesValue(99))),
        arguments(card, list().addGroups(meld.clone().addOptional(CardCount.newBuilder().setCardValue(99)))),
        arguments(
            "a move of the kind MOVE_KIND_REPLACE_WILD has another number of cards", list().addGroups(replacing)),
        arguments(
            "a move of the kind MOVE_KIND_KNOCK has another number of cards",
            list().addGroups(knock.addAllRequired(Cards.cards("7S 8S")))),
        // As unsigned numbers these are 4,294,967,294 and 2,147,483,647 cards.
        arguments(many, list().addGroups(meld.clone().addOptional(count("7S", -2)).setMaxOptional(1))),
        arguments(many, list().addGroups(meld.clone().addOptional(count("7S", Integer.MAX_VALUE)).setMaxOptional(1))),
        arguments(
            "a group stands for 2 legal moves, of which 1 are known", list().addGroups(meld.clone().setCount(2))),
        arguments(
            "the list stands for 1 legal moves, of which 2 are known",
            list().addDiscards(Card.CARD_7S).addDiscards(Card.CARD_8S)));
  }

  private static LegalMoves.Builder list() {
    return LegalMoves.newBuilder().setCount(1);
  }

  /** Every subset of the cards themselves, as a set of selections: slow, and plainly what the contract says. */
  private static Set<List<Card>> bruteForce(MoveGroup group, List<Card> physical) {
    Set<List<Card>> found = new HashSet<>();
    List<List<Card>> wilds = group.getWildChoicesCount() == 0
        ? List.of(List.of())
        : group.getWildChoicesList().stream().map(List::of).collect(Collectors.toList());
    for (int subset = 0; subset < 1 << physical.size(); subset++) {
      int size = Integer.bitCount(subset);
      if (size < group.getMinOptional() || size > group.getMaxOptional()) {
        continue;
      }
      for (List<Card> wild : wilds) {
        List<Card> selection = new ArrayList<>(wild);
        for (int at = 0; at < physical.size(); at++) {
          if ((subset >> at & 1) == 1) {
            selection.add(physical.get(at));
          }
        }
        selection.sort(null);
        found.add(selection);
      }
    }
    return found;
  }

  private static CardCount count(String card, int count) {
    return CardCount.newBuilder().setCard(Cards.card(card)).setCount(count).build();
  }
}
