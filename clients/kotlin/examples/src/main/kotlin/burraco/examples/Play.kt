package burraco.examples

import burraco.IllegalMoveException
import burraco.Moves
import burraco.kotlin.CoroutineTable
import burraco.kotlin.connect
import burraco.kotlin.createTable
import burraco.kotlin.hand
import burraco.kotlin.moves
import burraco.kotlin.pretty
import burraco.v1.LegalMoves
import burraco.v1.Move
import burraco.v1.MoveKind
import burraco.v1.Phase
import kotlinx.coroutines.runBlocking

/**
 * Plays a match of four to its end: whoever is to move draws, lays as many cards as he can, and discards the first that
 * may go; where none of that is legal he does what else is, and gives up only when nothing else is there.
 *
 * The server is `BURRACO_TARGET`; one that asks back ends for an API key gets `BURRACO_API_KEY`.
 */
public fun main(): Unit = runBlocking {
    val target = System.getenv("BURRACO_TARGET") ?: "127.0.0.1:50051"
    connect(target) { apiKey(System.getenv("BURRACO_API_KEY")) }.use { client ->
        val table = client.createTable()
        tryTooEarly(table)
        while (table.phase != Phase.PHASE_MATCH_OVER) {
            playDeal(table)
            val view = table.view()
            val points = view.sidesList.joinToString { "side ${it.side} has ${it.matchPoints} points" }
            println("deal ${view.dealNumber}: $points")
        }
        println("won by side ${table.view().result.winningSidesList} after ${table.revision} moves")
    }
}

/** A refusal says everything that is wrong with a move, and changes nothing. */
private suspend fun tryTooEarly(table: CoroutineTable) {
    val seat = checkNotNull(table.turn)
    val hand = table.view(seat).hand(seat)
    println("seat $seat holds ${hand.pretty}")
    try {
        table.play(seat, Moves.discard(hand.first()))
    } catch (refused: IllegalMoveException) {
        println("refused: ${refused.message}")
    }
}

/** Plays every seat in turn to the end of the deal, or of the next one where a deal has ended. */
internal suspend fun playDeal(table: CoroutineTable) {
    if (table.phase == Phase.PHASE_DEAL_OVER) table.nextDeal()
    var legal = table.legal(checkNotNull(table.turn))
    while (true) {
        val seat = table.turn ?: return
        legal = table.play(seat, choose(legal)) { listLegalMoves = true }.legalMoves
    }
}

internal fun choose(legal: LegalMoves): Move {
    if (MoveKind.MOVE_KIND_DRAW_STOCK in legal.simpleList) return Moves.draw()
    val longest = legal.groupsList.maxByOrNull { it.requiredCount + it.maxOptional }
    return longest?.moves?.last() // the last has the most cards
        ?: legal.discardsList.firstOrNull()?.let(Moves::discard)
        ?: legal.moves.minBy { it.hasResign() }
}
