package burraco.conformance.kotlin

import burraco.conformance.ChannelCaller
import burraco.conformance.Tally
import burraco.conformance.UnaryCall
import burraco.conformance.Vectors
import burraco.kotlin.connect
import io.grpc.CallOptions
import io.grpc.Channel
import io.grpc.Metadata
import io.grpc.MethodDescriptor
import io.grpc.StatusException
import io.grpc.kotlin.ClientCalls
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.runBlocking
import java.nio.file.Path
import kotlin.system.exitProcess

/** Makes the vectors' calls as the coroutine stubs do; their JSON is the Java client's part. */
private object Suspending : UnaryCall {
    override fun <Q, A> call(
        channel: Channel,
        method: MethodDescriptor<Q, A>,
        options: CallOptions,
        headers: Metadata,
        request: Q,
    ): A = runBlocking {
        try {
            ClientCalls.unaryRpc(channel, method, request, options, headers)
        } catch (failure: StatusException) {
            throw failure.status.asRuntimeException(failure.trailers)
        }
    }
}

/**
 * Runs the vectors and the scripted match; the exit code is 1 when something failed, 2 when it is not said what to run.
 */
public fun main() {
    val target = required("BURRACO_TARGET", "HOST:PORT of a server with the manifest's environment")
    val arbiterTarget: String? = System.getenv("BURRACO_ARBITER_TARGET")
    val vectors = Vectors(Path.of(required("BURRACO_VECTORS", "the folder of manifest.json")))
    val tally = Tally()
    ChannelCaller(Suspending, target, arbiterTarget).use { vectors.run(it, arbiterTarget != null, tally) }
    val wrong = runBlocking { playTwice(target, vectors.metadata().getValue("burraco-api-key")) }
    wrong.forEach { println("FAILED match, $it") }
    tally.add("match", if (wrong.isEmpty()) Tally.End.PASSED else Tally.End.FAILED)
    exitProcess(if (tally.print()) 0 else 1)
}

/** Plays the match twice at once on one connection, compares, and tells all that was not as it has to be. */
private suspend fun playTwice(target: String, apiKey: String): List<String> =
    connect(target) { apiKey(apiKey) }.use { client ->
        coroutineScope {
            val (one, other) = List(2) { async { ScriptedMatch(client).play() } }.awaitAll()
            val different = listOf("two matches of one seed: ${one.result}, ${other.result}")
            one.wrong + other.wrong + if (one.result == other.result) emptyList() else different
        }
    }

private fun required(name: String, meaning: String): String = System.getenv(name) ?: run {
    System.err.println("Set $name: $meaning.")
    exitProcess(2)
}
