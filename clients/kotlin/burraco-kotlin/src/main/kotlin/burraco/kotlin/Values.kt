package burraco.kotlin

import burraco.Cards
import burraco.Moves
import burraco.Views
import burraco.v1.Card
import burraco.v1.LegalMoves
import burraco.v1.Move
import burraco.v1.MoveGroup
import burraco.v1.View
import java.util.stream.Stream

/** Reads one card: `"7S".card`. @throws IllegalArgumentException naming the text and what is accepted */
public val String.card: Card get() = Cards.card(this)

/** Reads cards parted by spaces or commas: `"7S 8S JK".cards`. @throws IllegalArgumentException as [card] does */
public val String.cards: List<Card> get() = Cards.cards(this)

/** One card so that [card] reads it again: `7S`. */
public val Card.text: String get() = Cards.text(this)

/** One card with its suit's sign, for showing: `7♠`. */
public val Card.pretty: String get() = Cards.pretty(this)

/** Cards parted by spaces, so that [cards] reads them again. */
public val Iterable<Card>.text: String get() = Cards.text(this)

/** Cards with their suits' signs: `7♠ 10♥ JK`. */
public val Iterable<Card>.pretty: String get() = Cards.pretty(this)

/**
 * Every single move that the list stands for, each once: `count` in all.
 *
 * @throws burraco.RulesException at once, before the first move, if there are some that this client is too old to know
 */
public val LegalMoves.moves: Sequence<Move> get() = repeatable { Moves.expand(this) }

/** Every single move of a group: `count` in all. @throws burraco.RulesException as that of a list does */
public val MoveGroup.moves: Sequence<Move> get() = repeatable { Moves.expand(this) }

/** A stream can be gone through once. The first one finds at once whether it can be made at all. */
private fun repeatable(expand: () -> Stream<Move>): Sequence<Move> {
    expand()
    return Sequence { expand().iterator() }
}

/** A move in a few words, for logs: `lay off 10S on meld 2`. */
public val Move.description: String get() = Moves.describe(this)

/** The cards of a seat; empty when they are hidden from the viewer. */
public fun View.hand(seat: Int): List<Card> = Views.hand(this, seat)

/** The discard pile from its bottom to its top, or its top card alone, as the rules have it. */
public val View.discardPile: List<Card> get() = Views.discardPile(this)
