package burraco.kotlin

import burraco.v1.ApplyMovesRequest
import burraco.v1.ApplyMovesResponse
import burraco.v1.CheckMovesRequest
import burraco.v1.CheckMovesResponse
import burraco.v1.CreateMatchRequest
import burraco.v1.CreateMatchResponse
import burraco.v1.GameServiceGrpcKt.GameServiceCoroutineImplBase
import burraco.v1.GetViewRequest
import burraco.v1.GetViewResponse
import burraco.v1.IssueSeatTokenRequest
import burraco.v1.IssueSeatTokenResponse
import burraco.v1.ListLegalMovesRequest
import burraco.v1.ListLegalMovesResponse
import burraco.v1.ListPresetsRequest
import burraco.v1.ListPresetsResponse
import burraco.v1.ScoreDealRequest
import burraco.v1.ScoreDealResponse
import burraco.v1.StreamApplyMovesRequest
import burraco.v1.StreamApplyMovesResponse
import com.google.protobuf.MessageLite
import io.grpc.Metadata
import io.grpc.ServerCall
import io.grpc.ServerCallHandler
import io.grpc.ServerInterceptor
import io.grpc.ServerInterceptors
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.map
import java.util.concurrent.CopyOnWriteArrayList

/** A server that answers as a test says, over the transport that the tests run on, and remembers what it was asked. */
internal class FakeService(private val answers: suspend (MessageLite) -> MessageLite) :
    GameServiceCoroutineImplBase(), AutoCloseable, ServerInterceptor {
    val requests = CopyOnWriteArrayList<MessageLite>()
    val headers = CopyOnWriteArrayList<Metadata>()
    private val server = serve(ServerInterceptors.intercept(this, this))
    val target = "127.0.0.1:${server.port}"

    override fun <Q, A> interceptCall(call: ServerCall<Q, A>, metadata: Metadata, next: ServerCallHandler<Q, A>):
        ServerCall.Listener<Q> {
        headers += metadata
        return next.startCall(call, metadata)
    }

    override suspend fun createMatch(request: CreateMatchRequest) = answer<CreateMatchResponse>(request)

    override suspend fun applyMoves(request: ApplyMovesRequest) = answer<ApplyMovesResponse>(request)

    override suspend fun checkMoves(request: CheckMovesRequest) = answer<CheckMovesResponse>(request)

    override suspend fun getView(request: GetViewRequest) = answer<GetViewResponse>(request)

    override suspend fun listLegalMoves(request: ListLegalMovesRequest) = answer<ListLegalMovesResponse>(request)

    override suspend fun issueSeatToken(request: IssueSeatTokenRequest) = answer<IssueSeatTokenResponse>(request)

    override suspend fun scoreDeal(request: ScoreDealRequest) = answer<ScoreDealResponse>(request)

    override suspend fun listPresets(request: ListPresetsRequest) = answer<ListPresetsResponse>(request)

    override fun streamApplyMoves(requests: Flow<StreamApplyMovesRequest>) =
        requests.map { answer<StreamApplyMovesResponse>(it) }

    override fun close() {
        server.shutdownNow().awaitTermination()
    }

    @Suppress("UNCHECKED_CAST") // a test answers each request with its own kind of response
    private suspend fun <A> answer(request: MessageLite): A {
        requests += request
        return answers(request) as A
    }
}
