package burraco;

import burraco.v1.Card;
import burraco.v1.View;
import java.util.List;

/**
 * The fields of a view that the generated code has numbered, as {@code hand} and {@code hand_count} would share a
 * getter.
 */
public final class Views {
  private Views() {}

  /** The cards of a seat; empty when they are hidden from the viewer. */
  public static List<Card> hand(View view, int seat) {
    return view.getSeats(seat).getHand5List();
  }

  /** Number of cards in a seat's hand. */
  public static int handCount(View view, int seat) {
    return view.getSeats(seat).getHandCount4();
  }

  /** The discard pile from its bottom to its top, or its top card alone, as the rules have it. */
  public static List<Card> discardPile(View view) {
    return view.getDiscard13List();
  }

  /** Cards in the discard pile. */
  public static int discardCount(View view) {
    return view.getDiscardCount12();
  }
}
