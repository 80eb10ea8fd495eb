package burraco.kotlin

import burraco.Burraco
import burraco.Position
import burraco.RulesException
import burraco.v1.Accepted
import burraco.v1.ApplyMovesRequest
import burraco.v1.GameServiceGrpcKt.GameServiceCoroutineStub
import burraco.v1.StreamApplyMovesRequest
import burraco.v1.StreamApplyMovesResponse
import io.grpc.StatusException
import io.grpc.StatusRuntimeException
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.catch
import kotlinx.coroutines.flow.map

/**
 * Connects to the service; the connection itself is made by the first call. [options] says what it is to be like:
 * `connect("dns:///burraco.internal:50051") { tls().apiKey(key) }`.
 */
public fun connect(target: String, options: Burraco.Builder.() -> Unit = {}): Burraco =
    Burraco.builder(target).apply(options).connect()

/** The generated stub with suspending calls. They fail with [StatusException]; those of [await] do not. */
public val Burraco.coroutines: GameServiceCoroutineStub
    get() = GameServiceCoroutineStub(channel())

/**
 * Makes a call of the stub: `client.await { getRules(request) }`.
 *
 * @throws RulesException if the call fails
 */
public suspend fun <T> Burraco.await(call: suspend GameServiceCoroutineStub.() -> T): T =
    try {
        coroutines.call()
    } catch (failure: StatusException) {
        throw RulesException.of(failure)
    } catch (failure: StatusRuntimeException) {
        throw RulesException.of(failure)
    }

/**
 * Applies moves as requests come, over one stream, and tells what came of each, in order; for back ends that pipeline.
 *
 * A request stands alone: one whose moves are illegal ([burraco.IllegalMoveException]) or that fails ([RulesException])
 * is a failed [Result], and the stream goes on.
 *
 * @throws RulesException to whoever collects, if the stream itself fails
 */
public fun Burraco.applyMoves(requests: Flow<ApplyMovesRequest>): Flow<Result<Accepted>> =
    coroutines
        .streamApplyMoves(requests.map { StreamApplyMovesRequest.newBuilder().setRequest(it).build() })
        .map(::outcome)
        .catch { failure ->
            if (failure is StatusException || failure is StatusRuntimeException) throw RulesException.of(failure)
            throw failure
        }

private fun outcome(answer: StreamApplyMovesResponse): Result<Accepted> = runCatching {
    if (answer.hasStatus()) throw RulesException.of(answer.status)
    Position.accepted(answer.response)
}
