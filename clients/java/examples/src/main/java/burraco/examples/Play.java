package burraco.examples;

import burraco.Burraco;
import burraco.Cards;
import burraco.IllegalMoveException;
import burraco.Moves;
import burraco.Table;
import burraco.Views;
import burraco.v1.Accepted;
import burraco.v1.Card;
import burraco.v1.LegalMoves;
import burraco.v1.Move;
import burraco.v1.MoveGroup;
import burraco.v1.MoveKind;
import burraco.v1.Phase;
import burraco.v1.View;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Plays a match of four to its end: whoever is to move draws, lays as many cards as he can, and discards the first that
 * may go; where none of that is legal he does what else is, and gives up only when nothing else is there.
 */
public final class Play {
  private Play() {}

  /** The server is {@code BURRACO_TARGET}; one that asks back ends for an API key gets {@code BURRACO_API_KEY}. */
  public static void main(String[] arguments) {
    String target = System.getenv().getOrDefault("BURRACO_TARGET", "127.0.0.1:50051");
    try (Burraco client = Burraco.builder(target).apiKey(System.getenv("BURRACO_API_KEY")).connect()) {
      Table table = Table.create(client);
      tryTooEarly(table);
      while (table.phase() != Phase.PHASE_MATCH_OVER) {
        playDeal(table);
        View view = table.view();
        System.out.println("deal " + view.getDealNumber() + ": side 0 has " + view.getSides(0).getMatchPoints()
            + " points, side 1 has " + view.getSides(1).getMatchPoints());
      }
      System.out.println("won by side " + table.view().getResult().getWinningSidesList()
          + " after " + table.revision() + " moves");
    }
  }

  /** A refusal says everything that is wrong with a move, and changes nothing. */
  private static void tryTooEarly(Table table) {
    int seat = table.turn().orElseThrow();
    List<Card> hand = Views.hand(table.view(seat), seat);
    System.out.println("seat " + seat + " holds " + Cards.pretty(hand));
    try {
      table.play(seat, Moves.discard(hand.get(0)));
    } catch (IllegalMoveException refused) {
      System.out.println("refused: " + refused.getMessage());
    }
  }

  /** Plays every seat in turn to the end of the deal, or of the next one where a deal has ended. */
  static void playDeal(Table table) {
    if (table.phase() == Phase.PHASE_DEAL_OVER) {
      table.nextDeal();
    }
    LegalMoves legal = table.legal(table.turn().orElseThrow());
    while (table.turn().isPresent()) {
      Accepted accepted = table.play(
          table.turn().getAsInt(), List.of(choose(legal)), request -> request.setListLegalMoves(true));
      legal = accepted.getLegalMoves();
    }
  }

  static Move choose(LegalMoves legal) {
    if (legal.getSimpleList().contains(MoveKind.MOVE_KIND_DRAW_STOCK)) {
      return Moves.draw();
    }
    Optional<MoveGroup> longest = legal.getGroupsList().stream()
        .max(Comparator.comparingInt(group -> group.getRequiredCount() + group.getMaxOptional()));
    return longest
        .flatMap(group -> Moves.expand(group).reduce((earlier, later) -> later)) // the last has the most cards
        .or(() -> legal.getDiscardsList().stream().findFirst().map(Moves::discard))
        .or(() -> Moves.expand(legal).min(Comparator.comparing(Move::hasResign)))
        .orElseThrow();
  }
}
