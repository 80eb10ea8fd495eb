package burraco.kotlin

import burraco.IllegalMoveException
import burraco.Moves
import burraco.RulesException
import burraco.Viewers
import burraco.v1.Accepted
import burraco.v1.ApplyMovesRequest
import burraco.v1.ApplyMovesResponse
import burraco.v1.CheckMovesRequest
import burraco.v1.CheckMovesResponse
import burraco.v1.CreateMatchRequest
import burraco.v1.CreateMatchResponse
import burraco.v1.GetViewRequest
import burraco.v1.GetViewResponse
import burraco.v1.IssueSeatTokenRequest
import burraco.v1.IssueSeatTokenResponse
import burraco.v1.LegalMoves
import burraco.v1.ListLegalMovesRequest
import burraco.v1.ListLegalMovesResponse
import burraco.v1.Phase
import burraco.v1.Preset
import burraco.v1.Reason
import burraco.v1.Rejected
import burraco.v1.ScoreDealResponse
import burraco.v1.View
import burraco.v1.ViewerUpdate
import burraco.v1.Violation
import com.google.protobuf.ByteString
import com.google.protobuf.MessageLite
import io.grpc.Status
import io.grpc.StatusException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import java.time.Duration
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNull
import kotlin.test.assertSame
import kotlin.test.assertTrue

class CoroutineTableTest {
    private val first = ByteString.copyFromUtf8("first state")
    private val second = ByteString.copyFromUtf8("second state")
    private val wrong = Violation.newBuilder().setReason(Reason.REASON_MUST_DRAW_FIRST).setText("Draw first.").build()
    private lateinit var service: FakeService

    @Test
    fun `a new table is where the first deal is`() = table({ error("not asked") }) { table ->
        assertEquals(first, table.state)
        assertEquals(0, table.revision)
        assertEquals(Phase.PHASE_DRAW, table.phase)
        assertEquals(2, table.turn)
        assertEquals(listOf("token 0"), table.seatTokens)
        assertEquals(1, table.updates.size)
        val sent = service.requests[0] as CreateMatchRequest
        assertEquals(Preset.PRESET_ITALIAN, sent.rules.preset)
        assertTrue(sent.hasGivenSeats())
        assertEquals("an id", sent.requestId)
    }

    @Test
    fun `an accepted move moves the table`() {
        val accepted =
            Accepted.newBuilder().setState(second).setRevision(1).setPhase(Phase.PHASE_DEAL_OVER).build()
        table({ ApplyMovesResponse.newBuilder().setAccepted(accepted).build() }) { table ->
            assertEquals(accepted, table.play(2, Moves.draw()) { listLegalMoves = true })
            assertEquals(second, table.state)
            assertEquals(second, table.positions.value.state())
            assertEquals(1, table.revision)
            assertNull(table.turn)
            val expected = ApplyMovesRequest.newBuilder().setState(first).setSeat(2).addMoves(Moves.draw())
                .setExpectedRevision(0).setListLegalMoves(true).build()
            assertEquals<MessageLite>(expected, service.requests[1])
        }
    }

    @Test
    fun `the next deal is asked for by the seat that is named`() = table({
        ApplyMovesResponse.newBuilder().setAccepted(Accepted.newBuilder().setState(second)).build()
    }) { table ->
        table.nextDeal()
        table.nextDeal(2)
        assertEquals(listOf(0, 2), service.requests.drop(1).map { (it as ApplyMovesRequest).seat })
    }

    @Test
    fun `a deal without a score sheet is not counted`() = table({ ScoreDealResponse.getDefaultInstance() }) { table ->
        assertFailsWith<RulesException> { table.score() }
    }

    @Test
    fun `what a table asks for is not an option`() = table({
        when (it) {
            is ApplyMovesRequest ->
                ApplyMovesResponse.newBuilder().setAccepted(Accepted.newBuilder().setState(first)).build()
            is GetViewRequest -> GetViewResponse.newBuilder().setView(View.getDefaultInstance()).build()
            else -> IssueSeatTokenResponse.newBuilder().setSeatToken("another").setState(first).build()
        }
    }) { table ->
        table.play(0, Moves.draw()) { setState(second).setSeat(3).addMoves(Moves.resign()).setExpectedRevision(7) }
        table.view(0) { setState(second).setViewer(Viewers.spectator()) }
        table.issueSeatToken(0) { setState(second).setSeat(3) }
        val expected = listOf<MessageLite>(
            ApplyMovesRequest.newBuilder().setState(first).addMoves(Moves.draw()).setExpectedRevision(0).build(),
            GetViewRequest.newBuilder().setState(first).setViewer(Viewers.seat(0)).build(),
            IssueSeatTokenRequest.newBuilder().setState(first).build(),
        )
        assertEquals(expected, service.requests.drop(1))
    }

    @Test
    fun `a refused move changes nothing`() = table({
        ApplyMovesResponse.newBuilder().setRejected(Rejected.newBuilder().addViolations(wrong)).build()
    }) { table ->
        val before = table.position
        val refused = assertFailsWith<IllegalMoveException> { table.play(2, Moves.meld("7S 8S 9S")) }
        assertEquals(listOf(wrong), refused.violations())
        assertSame(before, table.position)
    }

    @Test
    fun `a failed call changes nothing`() = table({ throw StatusException(Status.ABORTED) }) { table ->
        val before = table.position
        assertFailsWith<RulesException> { table.play(2, Moves.draw()) }
        assertFailsWith<RulesException> { table.issueSeatToken(1) }
        assertSame(before, table.position)
    }

    @Test
    fun `a revocation changes state and revision alone`() = table({
        IssueSeatTokenResponse.newBuilder().setSeatToken("another").setState(second).setRevision(1).build()
    }) { table ->
        assertEquals("another", table.issueSeatToken(1) { revoke = true }.seatToken)
        assertEquals(second, table.state)
        assertEquals(1, table.revision)
        assertEquals(2, table.turn)
        assertTrue((service.requests[1] as IssueSeatTokenRequest).revoke)
    }

    @Test
    fun `questions are asked of the state at hand`() {
        val legal = LegalMoves.newBuilder().setCount(7).build()
        val view = View.newBuilder().setRevision(9).build()
        table({
            when (it) {
                is CheckMovesRequest -> CheckMovesResponse.newBuilder().addViolations(wrong).build()
                is ListLegalMovesRequest -> ListLegalMovesResponse.newBuilder().setLegalMoves(legal).build()
                else -> GetViewResponse.newBuilder().setView(view).build()
            }
        }) { table ->
            assertEquals(listOf(wrong), table.check(2, Moves.draw()))
            assertEquals(legal, table.legal(2, maxMoves = 50))
            assertEquals(view, table.view(1))
            assertEquals(view, table.view())
            assertEquals(first, (service.requests[1] as CheckMovesRequest).state)
            assertEquals(50, (service.requests[2] as ListLegalMovesRequest).maxMoves)
            assertEquals(Viewers.seat(1), (service.requests[3] as GetViewRequest).viewer)
            assertEquals(Viewers.spectator(), (service.requests[4] as GetViewRequest).viewer)
        }
    }

    @Test
    fun `a part that was not sent is no empty one`() = table({
        when (it) {
            is CheckMovesRequest -> CheckMovesResponse.getDefaultInstance()
            is ListLegalMovesRequest -> ListLegalMovesResponse.getDefaultInstance()
            is ApplyMovesRequest ->
                ApplyMovesResponse.newBuilder().setAccepted(Accepted.newBuilder().setState(second).setTurn(1)).build()
            else -> GetViewResponse.getDefaultInstance()
        }
    }) { table ->
        val calls = listOf<suspend () -> Any>(
            { table.check(2, Moves.draw()) },
            { table.legal(2) },
            { table.play(2, Moves.draw()) { listLegalMoves = true } },
            { table.view() },
        )
        val failures = calls.map { call -> assertFailsWith<RulesException> { call() } }
        val lacking = listOf("violations, and does not say legal", "legal_moves", "legal_moves", "view")
        assertEquals(lacking.map { "UNKNOWN: the answer has no $it" }, failures.map { it.message })
        assertEquals(first, table.state)
    }

    @Test
    fun `a kept state is resumed by a view of it`() = FakeService {
        GetViewResponse.newBuilder().setView(View.newBuilder().setRevision(41).setTurn(0)).build()
    }.use { service ->
        runBlocking {
            patient(service.target).use { client ->
                val resumed = client.resumeTable(second, seat = 3)
                assertEquals(second, resumed.state)
                assertEquals(41, resumed.revision)
                assertEquals(0, resumed.turn)
                assertEquals(Viewers.seat(3), (service.requests[0] as GetViewRequest).viewer)
            }
        }
    }

    @Test
    fun `moves of many coroutines are made one after the other`() = table({
        val revision = (it as ApplyMovesRequest).expectedRevision
        ApplyMovesResponse.newBuilder().setAccepted(Accepted.newBuilder().setState(first).setRevision(revision + 1))
            .build()
    }) { table ->
        withContext(Dispatchers.Default) {
            repeat(20) { launch { table.play(0, Moves.draw()) } }
        }
        assertEquals(20, table.revision)
        assertEquals(20, service.requests.drop(1).map { (it as ApplyMovesRequest).expectedRevision }.distinct().size)
    }

    private fun table(answers: suspend (MessageLite) -> MessageLite, test: suspend (CoroutineTable) -> Unit) {
        service = FakeService { if (it is CreateMatchRequest) created() else answers(it) }
        service.use {
            runBlocking {
                patient(service.target).use { client -> test(client.createTable { requestId = "an id" }) }
            }
        }
    }

    /** None of these tests is about deadlines, and the machine may be busy. */
    private fun patient(target: String) = connect(target) { timeout(Duration.ofSeconds(30)) }

    private fun created(): CreateMatchResponse {
        val view = View.newBuilder().setPhase(Phase.PHASE_DRAW).setTurn(2)
        return CreateMatchResponse.newBuilder()
            .setState(first).addUpdates(ViewerUpdate.newBuilder().setView(view)).addSeatTokens("token 0").build()
    }
}
