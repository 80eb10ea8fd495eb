package burraco.kotlin

import burraco.IllegalMoveException
import burraco.RulesException
import burraco.v1.Accepted
import burraco.v1.ApplyMovesRequest
import burraco.v1.ApplyMovesResponse
import burraco.v1.ListPresetsRequest
import burraco.v1.ListPresetsResponse
import burraco.v1.Reason
import burraco.v1.Rejected
import burraco.v1.StreamApplyMovesRequest
import burraco.v1.StreamApplyMovesResponse
import burraco.v1.Violation
import com.google.protobuf.ByteString
import com.google.protobuf.MessageLite
import io.grpc.Metadata
import io.grpc.Status
import io.grpc.StatusException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import java.time.Duration
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue
import kotlin.time.Duration.Companion.seconds

class ClientTest {
    private val state = ByteString.copyFromUtf8("a state")
    private val presets = ListPresetsRequest.getDefaultInstance()

    @Test
    fun `an answer comes back`() = served({ ListPresetsResponse.getDefaultInstance() }) { service ->
        connect(service.target) { apiKey("a-key") }.use { client ->
            assertEquals(ListPresetsResponse.getDefaultInstance(), client.await { listPresets(presets) })
        }
    }

    @Test
    fun `a language goes with every call and stream, and one beside it leaves it as it is`() =
        served({ if (it is StreamApplyMovesRequest) streamed(it) else ListPresetsResponse.getDefaultInstance() }) {
            connect(it.target) { apiKey("a-key").language("pl, en;q=0.5") }.use { client ->
                client.await { listPresets(presets) }
                client.inLanguage("it").await { listPresets(presets) }
                client.applyMoves(listOf(ApplyMovesRequest.getDefaultInstance()).asFlow()).toList()
            }
            assertEquals(listOf("pl, en;q=0.5", "it", "pl, en;q=0.5"), sent(it, "accept-language"))
            assertEquals(List(3) { "a-key" }, sent(it, "burraco-api-key"))
        }

    @Test
    fun `a call that the server cancelled may succeed later`() =
        served({ throw StatusException(Status.CANCELLED) }) { service ->
            connect(service.target).use { client ->
                assertTrue(assertFailsWith<RulesException> { client.await { listPresets(presets) } }.isTransient)
            }
        }

    @Test
    fun `a failed call is a RulesException, of the bare stub a StatusException`() =
        served({ throw StatusException(Status.ABORTED.withDescription("another revision")) }) { service ->
            connect(service.target).use { client ->
                val failed = assertFailsWith<RulesException> { client.await { listPresets(presets) } }
                assertEquals("ABORTED: another revision", failed.message)
                assertFailsWith<StatusException> { client.coroutines.listPresets(presets) }
            }
        }

    @Test
    fun `a call whose replica is gone is made again`() {
        var failures = 3
        served({
            if (failures-- > 0) throw StatusException(Status.UNAVAILABLE) else ListPresetsResponse.getDefaultInstance()
        }) { service ->
            connect(service.target).use { client -> client.await { listPresets(presets) } }
            assertEquals(4, service.requests.size)
        }
    }

    @Test
    fun `a call that is not answered ends with the deadline`() = served({ awaitCancellation() }) { service ->
        connect(service.target) { timeout(Duration.ofMillis(300)) }.use { client ->
            val late = assertFailsWith<RulesException> { client.await { listPresets(presets) } }
            assertEquals(Status.Code.DEADLINE_EXCEEDED, late.code())
        }
    }

    @Test
    fun `a cancelled call is cancelled, not failed, and the server hears of it`() {
        val asked = CompletableDeferred<Unit>()
        val cancelled = CompletableDeferred<Unit>()
        served({
            asked.complete(Unit)
            try {
                awaitCancellation()
            } finally {
                cancelled.complete(Unit)
            }
        }) { service ->
            connect(service.target) { timeout(Duration.ofSeconds(60)) }.use { client ->
                var ended: Throwable? = null
                val job = launch {
                    try {
                        client.await { listPresets(presets) }
                    } catch (end: Throwable) {
                        ended = end
                        throw end
                    }
                }
                withTimeout(20.seconds) {
                    asked.await()
                    job.cancelAndJoin()
                    cancelled.await()
                }
                assertTrue(ended is CancellationException, "$ended")
            }
        }
    }

    @Test
    fun `a stream tells what came of each request, in order`() = served(::streamed) { service ->
        connect(service.target).use { client ->
            val requests = (0..3).map { ApplyMovesRequest.newBuilder().setSeat(it).build() }
            val outcomes = client.applyMoves(requests.asFlow()).toList()
            assertEquals(4, outcomes.size)
            assertEquals(40, outcomes[0].getOrThrow().revision)
            val refused = outcomes[1].exceptionOrNull() as IllegalMoveException
            assertEquals(listOf(Reason.REASON_NOT_YOUR_TURN), refused.reasons())
            val failed = outcomes[2].exceptionOrNull() as RulesException
            assertEquals("INVALID_ARGUMENT: no state", failed.message)
            assertEquals(Status.Code.UNKNOWN, (outcomes[3].exceptionOrNull() as RulesException).code())
        }
    }

    @Test
    fun `a stream that fails is a RulesException to whoever collects`() =
        served({ throw StatusException(Status.PERMISSION_DENIED.withDescription("a seat")) }) { service ->
            connect(service.target).use { client ->
                val requests = listOf(ApplyMovesRequest.getDefaultInstance()).asFlow()
                val failed = assertFailsWith<RulesException> { client.applyMoves(requests).toList() }
                assertEquals(Status.Code.PERMISSION_DENIED, failed.code())
            }
        }

    @Test
    fun `a failure of the requests themselves stays what it is`() = served(::streamed) { service ->
        connect(service.target).use { client ->
            val requests = flow<ApplyMovesRequest> { error("the queue is broken") }
            val failed = assertFailsWith<IllegalStateException> { client.applyMoves(requests).toList() }
            assertEquals("the queue is broken", failed.message)
        }
    }

    private suspend fun streamed(message: MessageLite): MessageLite {
        val answer = StreamApplyMovesResponse.newBuilder()
        when ((message as StreamApplyMovesRequest).request.seat) {
            0 -> answer.response = ApplyMovesResponse.newBuilder()
                .setAccepted(Accepted.newBuilder().setState(state).setRevision(40)).build()
            1 -> answer.response = ApplyMovesResponse.newBuilder().setRejected(
                Rejected.newBuilder().addViolations(Violation.newBuilder().setReason(Reason.REASON_NOT_YOUR_TURN)),
            ).build()
            2 -> answer.status = burraco.rpc.Status.newBuilder().setCode(3).setMessage("no state").build()
        }
        return answer.build()
    }

    private fun sent(service: FakeService, name: String): List<String?> =
        service.headers.map { it.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)) }

    private fun served(
        answers: suspend (MessageLite) -> MessageLite,
        test: suspend CoroutineScope.(FakeService) -> Unit,
    ) = FakeService(answers).use { service -> runBlocking { test(service) } }
}
