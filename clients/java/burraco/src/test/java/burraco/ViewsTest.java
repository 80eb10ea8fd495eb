package burraco;

import static org.junit.jupiter.api.Assertions.assertEquals;

import burraco.v1.SeatView;
import burraco.v1.View;
import org.junit.jupiter.api.Test;

class ViewsTest {
  @Test
  void handsAndPilesAreFound() {
    View view = View.newBuilder()
        .addSeats(SeatView.newBuilder().setHandCount4(11))
        .addSeats(SeatView.newBuilder().setHandCount4(2).addAllHand5(Cards.cards("7S JK")))
        .setDiscardCount12(3)
        .addAllDiscard13(Cards.cards("KC"))
        .build();
    assertEquals(Cards.cards("7S JK"), Views.hand(view, 1));
    assertEquals(Cards.cards(""), Views.hand(view, 0));
    assertEquals(11, Views.handCount(view, 0));
    assertEquals(Cards.cards("KC"), Views.discardPile(view));
    assertEquals(3, Views.discardCount(view));
  }
}
