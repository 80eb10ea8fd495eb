package burraco.examples

import burraco.Moves
import burraco.kotlin.connect
import burraco.kotlin.createTable
import burraco.kotlin.description
import burraco.kotlin.moves
import com.google.protobuf.ByteString

/** The lines that the README begins with; a test compares the two. */
internal suspend fun turn(target: String) {
    // begin
    connect(target).use { client ->
        val table = client.createTable()
        val seat = table.turn!!
        table.play(seat, Moves.draw())
        val legal = table.legal(seat)
        legal.moves.forEach { println(it.description) }
        table.play(seat, Moves.discard(legal.getDiscards(0)))
        store(table.state) // client.resumeTable(state) goes on from it
    }
    // end
}

private fun store(state: ByteString) = println("${state.size()} bytes to keep")
