import burraco.Moves
import burraco.kotlin.connect
import burraco.kotlin.createTable
import burraco.kotlin.description
import burraco.kotlin.moves
import kotlinx.coroutines.runBlocking

fun main() = runBlocking {
    connect("127.0.0.1:50051").use { client ->
        val table = client.createTable()
        val seat = checkNotNull(table.turn) // nobody is to move when a deal is over
        table.play(seat, Moves.draw())
        val legal = table.legal(seat)
        legal.moves.forEach { println(it.description) }
        table.play(seat, Moves.discard(legal.getDiscards(0)))
        // The state is what to keep of a match: client.resumeTable(state) goes on from it.
        println("Revision ${table.revision}, a state of ${table.state.size()} bytes")
    }
}
