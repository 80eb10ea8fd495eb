package burraco.v1

import burraco.v1.GameServiceGrpc.getServiceDescriptor
import io.grpc.CallOptions
import io.grpc.CallOptions.DEFAULT
import io.grpc.Channel
import io.grpc.Metadata
import io.grpc.MethodDescriptor
import io.grpc.ServerServiceDefinition
import io.grpc.ServerServiceDefinition.builder
import io.grpc.ServiceDescriptor
import io.grpc.Status.UNIMPLEMENTED
import io.grpc.StatusException
import io.grpc.kotlin.AbstractCoroutineServerImpl
import io.grpc.kotlin.AbstractCoroutineStub
import io.grpc.kotlin.ClientCalls.bidiStreamingRpc
import io.grpc.kotlin.ClientCalls.unaryRpc
import io.grpc.kotlin.ServerCalls.bidiStreamingServerMethodDefinition
import io.grpc.kotlin.ServerCalls.unaryServerMethodDefinition
import io.grpc.kotlin.StubFor
import kotlin.String
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.jvm.JvmOverloads
import kotlin.jvm.JvmStatic
import kotlinx.coroutines.flow.Flow

/**
 * Holder for Kotlin coroutine-based client and server APIs for burraco.v1.GameService.
 */
public object GameServiceGrpcKt {
  public const val SERVICE_NAME: String = GameServiceGrpc.SERVICE_NAME

  @JvmStatic
  public val serviceDescriptor: ServiceDescriptor
    get() = getServiceDescriptor()

  public val commitSeedMethod: MethodDescriptor<CommitSeedRequest, CommitSeedResponse>
    @JvmStatic
    get() = GameServiceGrpc.getCommitSeedMethod()

  public val createMatchMethod: MethodDescriptor<CreateMatchRequest, CreateMatchResponse>
    @JvmStatic
    get() = GameServiceGrpc.getCreateMatchMethod()

  public val applyMovesMethod: MethodDescriptor<ApplyMovesRequest, ApplyMovesResponse>
    @JvmStatic
    get() = GameServiceGrpc.getApplyMovesMethod()

  public val checkMovesMethod: MethodDescriptor<CheckMovesRequest, CheckMovesResponse>
    @JvmStatic
    get() = GameServiceGrpc.getCheckMovesMethod()

  public val listLegalMovesMethod: MethodDescriptor<ListLegalMovesRequest, ListLegalMovesResponse>
    @JvmStatic
    get() = GameServiceGrpc.getListLegalMovesMethod()

  public val getViewMethod: MethodDescriptor<GetViewRequest, GetViewResponse>
    @JvmStatic
    get() = GameServiceGrpc.getGetViewMethod()

  public val scoreDealMethod: MethodDescriptor<ScoreDealRequest, ScoreDealResponse>
    @JvmStatic
    get() = GameServiceGrpc.getScoreDealMethod()

  public val explainMeldMethod: MethodDescriptor<ExplainMeldRequest, ExplainMeldResponse>
    @JvmStatic
    get() = GameServiceGrpc.getExplainMeldMethod()

  public val suggestMovesMethod: MethodDescriptor<SuggestMovesRequest, SuggestMovesResponse>
    @JvmStatic
    get() = GameServiceGrpc.getSuggestMovesMethod()

  public val replayMatchMethod: MethodDescriptor<ReplayMatchRequest, ReplayMatchResponse>
    @JvmStatic
    get() = GameServiceGrpc.getReplayMatchMethod()

  public val streamApplyMovesMethod:
      MethodDescriptor<StreamApplyMovesRequest, StreamApplyMovesResponse>
    @JvmStatic
    get() = GameServiceGrpc.getStreamApplyMovesMethod()

  public val issueSeatTokenMethod: MethodDescriptor<IssueSeatTokenRequest, IssueSeatTokenResponse>
    @JvmStatic
    get() = GameServiceGrpc.getIssueSeatTokenMethod()

  public val listPresetsMethod: MethodDescriptor<ListPresetsRequest, ListPresetsResponse>
    @JvmStatic
    get() = GameServiceGrpc.getListPresetsMethod()

  public val getRulesMethod: MethodDescriptor<GetRulesRequest, GetRulesResponse>
    @JvmStatic
    get() = GameServiceGrpc.getGetRulesMethod()

  /**
   * A stub for issuing RPCs to a(n) burraco.v1.GameService service as suspending coroutines.
   */
  @StubFor(GameServiceGrpc::class)
  public class GameServiceCoroutineStub @JvmOverloads constructor(
    channel: Channel,
    callOptions: CallOptions = DEFAULT,
  ) : AbstractCoroutineStub<GameServiceCoroutineStub>(channel, callOptions) {
    override fun build(channel: Channel, callOptions: CallOptions): GameServiceCoroutineStub = GameServiceCoroutineStub(channel, callOptions)

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun commitSeed(request: CommitSeedRequest, headers: Metadata = Metadata()): CommitSeedResponse = unaryRpc(
      channel,
      GameServiceGrpc.getCommitSeedMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun createMatch(request: CreateMatchRequest, headers: Metadata = Metadata()): CreateMatchResponse = unaryRpc(
      channel,
      GameServiceGrpc.getCreateMatchMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun applyMoves(request: ApplyMovesRequest, headers: Metadata = Metadata()): ApplyMovesResponse = unaryRpc(
      channel,
      GameServiceGrpc.getApplyMovesMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun checkMoves(request: CheckMovesRequest, headers: Metadata = Metadata()): CheckMovesResponse = unaryRpc(
      channel,
      GameServiceGrpc.getCheckMovesMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun listLegalMoves(request: ListLegalMovesRequest, headers: Metadata = Metadata()): ListLegalMovesResponse = unaryRpc(
      channel,
      GameServiceGrpc.getListLegalMovesMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun getView(request: GetViewRequest, headers: Metadata = Metadata()): GetViewResponse = unaryRpc(
      channel,
      GameServiceGrpc.getGetViewMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun scoreDeal(request: ScoreDealRequest, headers: Metadata = Metadata()): ScoreDealResponse = unaryRpc(
      channel,
      GameServiceGrpc.getScoreDealMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun explainMeld(request: ExplainMeldRequest, headers: Metadata = Metadata()): ExplainMeldResponse = unaryRpc(
      channel,
      GameServiceGrpc.getExplainMeldMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun suggestMoves(request: SuggestMovesRequest, headers: Metadata = Metadata()): SuggestMovesResponse = unaryRpc(
      channel,
      GameServiceGrpc.getSuggestMovesMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun replayMatch(request: ReplayMatchRequest, headers: Metadata = Metadata()): ReplayMatchResponse = unaryRpc(
      channel,
      GameServiceGrpc.getReplayMatchMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Returns a [Flow] that, when collected, executes this RPC and emits responses from the
     * server as they arrive.  That flow finishes normally if the server closes its response with
     * [`Status.OK`][io.grpc.Status], and fails by throwing a [StatusException] otherwise.  If
     * collecting the flow downstream fails exceptionally (including via cancellation), the RPC
     * is cancelled with that exception as a cause.
     *
     * The [Flow] of requests is collected once each time the [Flow] of responses is
     * collected. If collection of the [Flow] of responses completes normally or
     * exceptionally before collection of `requests` completes, the collection of
     * `requests` is cancelled.  If the collection of `requests` completes
     * exceptionally for any other reason, then the collection of the [Flow] of responses
     * completes exceptionally for the same reason and the RPC is cancelled with that reason.
     *
     * @param requests A [Flow] of request messages.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return A flow that, when collected, emits the responses from the server.
     */
    public fun streamApplyMoves(requests: Flow<StreamApplyMovesRequest>, headers: Metadata = Metadata()): Flow<StreamApplyMovesResponse> = bidiStreamingRpc(
      channel,
      GameServiceGrpc.getStreamApplyMovesMethod(),
      requests,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun issueSeatToken(request: IssueSeatTokenRequest, headers: Metadata = Metadata()): IssueSeatTokenResponse = unaryRpc(
      channel,
      GameServiceGrpc.getIssueSeatTokenMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun listPresets(request: ListPresetsRequest, headers: Metadata = Metadata()): ListPresetsResponse = unaryRpc(
      channel,
      GameServiceGrpc.getListPresetsMethod(),
      request,
      callOptions,
      headers
    )

    /**
     * Executes this RPC and returns the response message, suspending until the RPC completes
     * with [`Status.OK`][io.grpc.Status].  If the RPC completes with another status, a corresponding
     * [StatusException] is thrown.  If this coroutine is cancelled, the RPC is also cancelled
     * with the corresponding exception as a cause.
     *
     * @param request The request message to send to the server.
     *
     * @param headers Metadata to attach to the request.  Most users will not need this.
     *
     * @return The single response from the server.
     */
    public suspend fun getRules(request: GetRulesRequest, headers: Metadata = Metadata()): GetRulesResponse = unaryRpc(
      channel,
      GameServiceGrpc.getGetRulesMethod(),
      request,
      callOptions,
      headers
    )
  }

  /**
   * Skeletal implementation of the burraco.v1.GameService service based on Kotlin coroutines.
   */
  public abstract class GameServiceCoroutineImplBase(
    coroutineContext: CoroutineContext = EmptyCoroutineContext,
  ) : AbstractCoroutineServerImpl(coroutineContext) {
    /**
     * Returns the response to an RPC for burraco.v1.GameService.CommitSeed.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun commitSeed(request: CommitSeedRequest): CommitSeedResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.CommitSeed is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.CreateMatch.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun createMatch(request: CreateMatchRequest): CreateMatchResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.CreateMatch is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.ApplyMoves.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun applyMoves(request: ApplyMovesRequest): ApplyMovesResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.ApplyMoves is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.CheckMoves.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun checkMoves(request: CheckMovesRequest): CheckMovesResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.CheckMoves is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.ListLegalMoves.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun listLegalMoves(request: ListLegalMovesRequest): ListLegalMovesResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.ListLegalMoves is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.GetView.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun getView(request: GetViewRequest): GetViewResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.GetView is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.ScoreDeal.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun scoreDeal(request: ScoreDealRequest): ScoreDealResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.ScoreDeal is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.ExplainMeld.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun explainMeld(request: ExplainMeldRequest): ExplainMeldResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.ExplainMeld is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.SuggestMoves.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun suggestMoves(request: SuggestMovesRequest): SuggestMovesResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.SuggestMoves is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.ReplayMatch.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun replayMatch(request: ReplayMatchRequest): ReplayMatchResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.ReplayMatch is unimplemented"))

    /**
     * Returns a [Flow] of responses to an RPC for burraco.v1.GameService.StreamApplyMoves.
     *
     * If creating or collecting the returned flow fails with a [StatusException], the RPC
     * will fail with the corresponding [io.grpc.Status].  If it fails with a
     * [java.util.concurrent.CancellationException], the RPC will fail with status `Status.CANCELLED`.  If creating
     * or collecting the returned flow fails for any other reason, the RPC will fail with
     * `Status.UNKNOWN` with the exception as a cause.
     *
     * @param requests A [Flow] of requests from the client.  This flow can be
     *        collected only once and throws [java.lang.IllegalStateException] on attempts to collect
     *        it more than once.
     */
    public open fun streamApplyMoves(requests: Flow<StreamApplyMovesRequest>): Flow<StreamApplyMovesResponse> = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.StreamApplyMoves is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.IssueSeatToken.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun issueSeatToken(request: IssueSeatTokenRequest): IssueSeatTokenResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.IssueSeatToken is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.ListPresets.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun listPresets(request: ListPresetsRequest): ListPresetsResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.ListPresets is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.GameService.GetRules.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun getRules(request: GetRulesRequest): GetRulesResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.GameService.GetRules is unimplemented"))

    final override fun bindService(): ServerServiceDefinition = builder(getServiceDescriptor())
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getCommitSeedMethod(),
      implementation = ::commitSeed
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getCreateMatchMethod(),
      implementation = ::createMatch
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getApplyMovesMethod(),
      implementation = ::applyMoves
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getCheckMovesMethod(),
      implementation = ::checkMoves
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getListLegalMovesMethod(),
      implementation = ::listLegalMoves
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getGetViewMethod(),
      implementation = ::getView
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getScoreDealMethod(),
      implementation = ::scoreDeal
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getExplainMeldMethod(),
      implementation = ::explainMeld
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getSuggestMovesMethod(),
      implementation = ::suggestMoves
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getReplayMatchMethod(),
      implementation = ::replayMatch
    ))
      .addMethod(bidiStreamingServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getStreamApplyMovesMethod(),
      implementation = ::streamApplyMoves
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getIssueSeatTokenMethod(),
      implementation = ::issueSeatToken
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getListPresetsMethod(),
      implementation = ::listPresets
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = GameServiceGrpc.getGetRulesMethod(),
      implementation = ::getRules
    )).build()
  }
}
