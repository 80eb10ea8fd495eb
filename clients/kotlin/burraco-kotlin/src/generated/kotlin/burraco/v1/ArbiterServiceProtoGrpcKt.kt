package burraco.v1

import burraco.v1.ArbiterServiceGrpc.getServiceDescriptor
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
import io.grpc.kotlin.ClientCalls.unaryRpc
import io.grpc.kotlin.ServerCalls.unaryServerMethodDefinition
import io.grpc.kotlin.StubFor
import kotlin.String
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.jvm.JvmOverloads
import kotlin.jvm.JvmStatic

/**
 * Holder for Kotlin coroutine-based client and server APIs for burraco.v1.ArbiterService.
 */
public object ArbiterServiceGrpcKt {
  public const val SERVICE_NAME: String = ArbiterServiceGrpc.SERVICE_NAME

  @JvmStatic
  public val serviceDescriptor: ServiceDescriptor
    get() = getServiceDescriptor()

  public val inspectStateMethod: MethodDescriptor<InspectStateRequest, InspectStateResponse>
    @JvmStatic
    get() = ArbiterServiceGrpc.getInspectStateMethod()

  public val importStateMethod: MethodDescriptor<ImportStateRequest, ImportStateResponse>
    @JvmStatic
    get() = ArbiterServiceGrpc.getImportStateMethod()

  /**
   * A stub for issuing RPCs to a(n) burraco.v1.ArbiterService service as suspending coroutines.
   */
  @StubFor(ArbiterServiceGrpc::class)
  public class ArbiterServiceCoroutineStub @JvmOverloads constructor(
    channel: Channel,
    callOptions: CallOptions = DEFAULT,
  ) : AbstractCoroutineStub<ArbiterServiceCoroutineStub>(channel, callOptions) {
    override fun build(channel: Channel, callOptions: CallOptions): ArbiterServiceCoroutineStub = ArbiterServiceCoroutineStub(channel, callOptions)

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
    public suspend fun inspectState(request: InspectStateRequest, headers: Metadata = Metadata()): InspectStateResponse = unaryRpc(
      channel,
      ArbiterServiceGrpc.getInspectStateMethod(),
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
    public suspend fun importState(request: ImportStateRequest, headers: Metadata = Metadata()): ImportStateResponse = unaryRpc(
      channel,
      ArbiterServiceGrpc.getImportStateMethod(),
      request,
      callOptions,
      headers
    )
  }

  /**
   * Skeletal implementation of the burraco.v1.ArbiterService service based on Kotlin coroutines.
   */
  public abstract class ArbiterServiceCoroutineImplBase(
    coroutineContext: CoroutineContext = EmptyCoroutineContext,
  ) : AbstractCoroutineServerImpl(coroutineContext) {
    /**
     * Returns the response to an RPC for burraco.v1.ArbiterService.InspectState.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun inspectState(request: InspectStateRequest): InspectStateResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.ArbiterService.InspectState is unimplemented"))

    /**
     * Returns the response to an RPC for burraco.v1.ArbiterService.ImportState.
     *
     * If this method fails with a [StatusException], the RPC will fail with the corresponding
     * [io.grpc.Status].  If this method fails with a [java.util.concurrent.CancellationException], the RPC will fail
     * with status `Status.CANCELLED`.  If this method fails for any other reason, the RPC will
     * fail with `Status.UNKNOWN` with the exception as a cause.
     *
     * @param request The request from the client.
     */
    public open suspend fun importState(request: ImportStateRequest): ImportStateResponse = throw StatusException(UNIMPLEMENTED.withDescription("Method burraco.v1.ArbiterService.ImportState is unimplemented"))

    final override fun bindService(): ServerServiceDefinition = builder(getServiceDescriptor())
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = ArbiterServiceGrpc.getInspectStateMethod(),
      implementation = ::inspectState
    ))
      .addMethod(unaryServerMethodDefinition(
      context = this.context,
      descriptor = ArbiterServiceGrpc.getImportStateMethod(),
      implementation = ::importState
    )).build()
  }
}
