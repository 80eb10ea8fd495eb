package burraco.examples

import burraco.Moves
import burraco.conformance.Vectors
import burraco.kotlin.card
import burraco.kotlin.cards
import burraco.kotlin.connect
import burraco.kotlin.createTable
import burraco.v1.LegalMoves
import burraco.v1.MatchEnd
import burraco.v1.MoveGroup
import burraco.v1.MoveKind
import burraco.v1.Preset
import com.google.protobuf.ByteString
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import java.nio.file.Path
import java.time.Duration
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNotEquals
import kotlin.test.assertNull

class PlayTest {
    @Test
    fun `whatever is legal is played, and giving up is the last of all`() {
        val meld = MoveGroup.newBuilder()
            .setKind(MoveKind.MOVE_KIND_MELD).addAllRequired("7S 8S 9S".cards).setCount(1).build()
        val legal = LegalMoves.newBuilder()
        assertFailsWith<NoSuchElementException> { choose(legal.build()) }
        assertEquals(Moves.resign(), choose(legal.addSimple(MoveKind.MOVE_KIND_RESIGN).setCount(1).build()))
        assertEquals(Moves.takePile(), choose(legal.addSimple(MoveKind.MOVE_KIND_TAKE_PILE).setCount(2).build()))
        assertEquals(Moves.discard("KC"), choose(legal.addDiscards("KC".card).setCount(3).build()))
        assertEquals(Moves.meld("7S 8S 9S"), choose(legal.addGroups(meld).setCount(4).build()))
        assertEquals(Moves.draw(), choose(legal.addSimple(MoveKind.MOVE_KIND_DRAW_STOCK).setCount(5).build()))
    }

    /** Of two players the stock can run out (B2-12): then the pile has to be taken. */
    @ParameterizedTest
    @EnumSource(
        names = ["PRESET_ITALIAN", "PRESET_TWO_PLAYER", "PRESET_RAMINO", "PRESET_GIN", "PRESET_SCALA_40"],
    )
    @EnabledIfEnvironmentVariable(named = "BURRACO_TARGET", matches = ".+")
    fun `every deal is played to its end on the real server`(preset: Preset) {
        val key = Vectors(Path.of(System.getenv("BURRACO_VECTORS"))).metadata()["burraco-api-key"]
        val seeds = List(DEALS) { ByteString.copyFrom(ByteArray(31) + it.toByte()) }
        connect(System.getenv("BURRACO_TARGET")) { apiKey(key).timeout(Duration.ofSeconds(30)) }.use { client ->
            for (seed in seeds) runBlocking {
                val table = client.createTable(preset) { givenSeed = seed }
                playDeal(table)
                assertNull(table.turn)
                assertNotEquals(MatchEnd.MATCH_END_RESIGNED, table.view().result.matchEnd)
            }
        }
    }

    private companion object {
        const val DEALS = 8
    }
}
