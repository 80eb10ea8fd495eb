package burraco.kotlin

import burraco.Moves
import burraco.RulesException
import burraco.v1.Card
import burraco.v1.LegalMoves
import burraco.v1.MoveGroup
import burraco.v1.MoveKind
import burraco.v1.SeatView
import burraco.v1.View
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith

class ValuesTest {
    @Test
    fun `cards are read from text and written to it`() {
        assertEquals(Card.CARD_7S, "7s".card)
        assertEquals(listOf(Card.CARD_10H, Card.CARD_JOKER), "10H, JK".cards)
        assertEquals("10H JK", "10H, JK".cards.text)
        assertEquals("7♠", "7S".card.pretty)
        assertEquals("7♠ 10♥", "7S 10H".cards.pretty)
        assertEquals("KC", Card.CARD_KC.text)
        assertFailsWith<IllegalArgumentException> { "1S".card }
    }

    @Test
    fun `a list of legal moves is gone through as often as one likes`() {
        val legal = LegalMoves.newBuilder()
            .addSimple(MoveKind.MOVE_KIND_DRAW_STOCK)
            .addDiscards("7S".card)
            .addGroups(
                MoveGroup.newBuilder().setKind(MoveKind.MOVE_KIND_LAY_OFF).setMeldId(2).addAllRequired("8S".cards)
                    .addAllWildChoices("2S JK".cards).setCount(2),
            )
            .setCount(4)
            .build()
        val expected = listOf("draw stock", "discard 7S", "lay off 8S 2S on meld 2", "lay off 8S JK on meld 2")
        assertEquals(expected, legal.moves.map { it.description }.toList())
        assertEquals(expected.size, legal.moves.count())
        assertEquals(2, legal.getGroups(0).moves.count())
    }

    @Test
    fun `what this client is too old for is refused before the first move`() {
        val newer = LegalMoves.newBuilder()
            .addSimple(MoveKind.MOVE_KIND_DRAW_STOCK).addSimpleValue(99).setCount(2).build()
        assertFailsWith<RulesException> { newer.moves }
        assertFailsWith<RulesException> { MoveGroup.newBuilder().setKindValue(99).build().moves }
    }

    @Test
    fun `hands and piles are found`() {
        val view = View.newBuilder()
            .addSeats(SeatView.newBuilder().addAllHand5("7S JK".cards)).addAllDiscard13("KC".cards).build()
        assertEquals("7S JK", view.hand(0).text)
        assertEquals("KC", view.discardPile.text)
        assertEquals("discard KC", Moves.discard(view.discardPile.last()).description)
    }
}
