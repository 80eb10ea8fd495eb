package burraco.conformance.kotlin

import burraco.Burraco
import burraco.IllegalMoveException
import burraco.Moves
import burraco.RulesException
import burraco.kotlin.CoroutineTable
import burraco.kotlin.await
import burraco.kotlin.createTable
import burraco.kotlin.hand
import burraco.kotlin.moves
import burraco.kotlin.resumeTable
import burraco.v1.LegalMoves
import burraco.v1.Move
import burraco.v1.Phase
import burraco.v1.Reason
import com.google.protobuf.ByteString
import io.grpc.Status

/** A match of Burraco from a given seed to its end, played with the coroutine layer alone: the same each time. */
internal class ScriptedMatch(private val client: Burraco) {
    /** How a match went; it passed when nothing was [wrong]. */
    data class Outcome(val result: String, val wrong: List<String>)

    private val wrong = mutableListOf<String>()

    suspend fun play(): Outcome = try {
        Outcome(playToTheEnd(), wrong)
    } catch (refused: IllegalMoveException) {
        stopped(refused)
    } catch (failed: RulesException) {
        stopped(failed)
    } catch (stuck: StuckException) {
        stopped(stuck)
    }

    private fun stopped(why: Exception) = Outcome("none", wrong + "the match stopped: $why")

    private suspend fun playToTheEnd(): String {
        val table = client.createTable {
            requestId = "scripted-match"
            givenSeed = ByteString.copyFromUtf8("a seed of the conformance match.")
        }
        checkFailures(table)
        checkLanguages(table)
        var moves = 0
        while (table.phase != Phase.PHASE_MATCH_OVER) {
            if (moves++ == MOST_MOVES) throw StuckException("no end after $MOST_MOVES moves")
            val seat = table.turn
            if (seat == null) table.nextDeal() else table.play(seat, choose(table.legal(seat)))
        }
        val result = table.view().result
        expect("whether somebody has won", true, result.winningSidesCount > 0)
        expect("revision after every move", moves.toLong(), table.revision)
        return "$moves moves, points ${result.matchPointsList}, won by side ${result.winningSidesList}"
    }

    /** Draws; melds and lays off as many cards as it can; discards the first card that may go. */
    private fun choose(legal: LegalMoves): Move {
        val all = legal.moves.toList()
        expect("moves that the list expands to", legal.count, all.size.toLong())
        return all.find { it.hasDrawStock() }
            ?: all.filter { laid(it) > 0 }.maxByOrNull(::laid)
            ?: all.find { it.hasDiscard() }
            ?: all.firstOrNull()
            ?: throw StuckException("no legal move")
    }

    private fun laid(move: Move): Int = move.meld.cardsCount + move.layOff.cardsCount

    private suspend fun checkFailures(table: CoroutineTable) {
        val before = table.position
        val seat = table.turn ?: throw StuckException("nobody is to move in a new match")
        val early = Moves.discard(table.view(seat).hand(seat).first())
        try {
            table.play(seat, early)
            wrong += "a discard before the draw was accepted"
        } catch (refused: IllegalMoveException) {
            expect("reasons of the refusal", listOf(Reason.REASON_MUST_DRAW_FIRST), refused.reasons())
            expect("violations by the check", refused.violations(), table.check(seat, early))
        }
        expect("the table after a refusal", before, table.position)
        try {
            client.resumeTable(ByteString.copyFromUtf8("no state"))
            wrong += "bytes that are no state were accepted"
        } catch (failed: RulesException) {
            expect("code for bytes that are no state", Status.Code.INVALID_ARGUMENT, failed.code())
            expect("whether it has a reason", true, failed.reason() != Reason.REASON_UNSPECIFIED)
        }
        val late = before.apply(seat, listOf(Moves.draw())).setExpectedRevision(before.revision() + 7).build()
        try {
            client.await { applyMoves(late) }
            wrong += "a move on another revision was accepted"
        } catch (failed: RulesException) {
            expect("code for another revision", Status.Code.ABORTED, failed.code())
            expect("reason for another revision", Reason.REASON_REVISION_MISMATCH, failed.reason())
        }
    }

    /** Violations are in the language of the client that a table was made with. */
    private suspend fun checkLanguages(table: CoroutineTable) {
        val seat = table.turn ?: throw StuckException("nobody is to move in a new match")
        val early = Moves.discard(table.view(seat).hand(seat).first())
        val italian = client.inLanguage("it").resumeTable(table.state)
        val texts = listOf(italian, table).map { it.check(seat, early).single().text }
        val expected =
            listOf("Prima pesca dal tallone o prendi dagli scarti.", "Draw from the stock or take the pile first.")
        expect("a violation in Italian and in English", expected, texts)
    }

    private fun expect(what: String, expected: Any, actual: Any) {
        if (expected != actual) wrong += "$what: expected $expected, actual $actual"
    }

    /** The match cannot go on. */
    private class StuckException(message: String) : Exception(message)

    private companion object {
        const val MOST_MOVES = 20_000
    }
}
