package burraco.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Opens sealed states and seals open ones.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class ArbiterServiceGrpc {

  private ArbiterServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "burraco.v1.ArbiterService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<burraco.v1.InspectStateRequest,
      burraco.v1.InspectStateResponse> getInspectStateMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "InspectState",
      requestType = burraco.v1.InspectStateRequest.class,
      responseType = burraco.v1.InspectStateResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.InspectStateRequest,
      burraco.v1.InspectStateResponse> getInspectStateMethod() {
    io.grpc.MethodDescriptor<burraco.v1.InspectStateRequest, burraco.v1.InspectStateResponse> getInspectStateMethod;
    if ((getInspectStateMethod = ArbiterServiceGrpc.getInspectStateMethod) == null) {
      synchronized (ArbiterServiceGrpc.class) {
        if ((getInspectStateMethod = ArbiterServiceGrpc.getInspectStateMethod) == null) {
          ArbiterServiceGrpc.getInspectStateMethod = getInspectStateMethod =
              io.grpc.MethodDescriptor.<burraco.v1.InspectStateRequest, burraco.v1.InspectStateResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "InspectState"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.InspectStateRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.InspectStateResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getInspectStateMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.ImportStateRequest,
      burraco.v1.ImportStateResponse> getImportStateMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ImportState",
      requestType = burraco.v1.ImportStateRequest.class,
      responseType = burraco.v1.ImportStateResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.ImportStateRequest,
      burraco.v1.ImportStateResponse> getImportStateMethod() {
    io.grpc.MethodDescriptor<burraco.v1.ImportStateRequest, burraco.v1.ImportStateResponse> getImportStateMethod;
    if ((getImportStateMethod = ArbiterServiceGrpc.getImportStateMethod) == null) {
      synchronized (ArbiterServiceGrpc.class) {
        if ((getImportStateMethod = ArbiterServiceGrpc.getImportStateMethod) == null) {
          ArbiterServiceGrpc.getImportStateMethod = getImportStateMethod =
              io.grpc.MethodDescriptor.<burraco.v1.ImportStateRequest, burraco.v1.ImportStateResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ImportState"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ImportStateRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ImportStateResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getImportStateMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static ArbiterServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArbiterServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArbiterServiceStub>() {
        @java.lang.Override
        public ArbiterServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArbiterServiceStub(channel, callOptions);
        }
      };
    return ArbiterServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static ArbiterServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArbiterServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArbiterServiceBlockingV2Stub>() {
        @java.lang.Override
        public ArbiterServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArbiterServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return ArbiterServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static ArbiterServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArbiterServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArbiterServiceBlockingStub>() {
        @java.lang.Override
        public ArbiterServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArbiterServiceBlockingStub(channel, callOptions);
        }
      };
    return ArbiterServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static ArbiterServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArbiterServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArbiterServiceFutureStub>() {
        @java.lang.Override
        public ArbiterServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArbiterServiceFutureStub(channel, callOptions);
        }
      };
    return ArbiterServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Opens sealed states and seals open ones.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Opens a sealed state, and says what an audit finds wrong with it.
     * </pre>
     */
    default void inspectState(burraco.v1.InspectStateRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.InspectStateResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getInspectStateMethod(), responseObserver);
    }

    /**
     * <pre>
     * Seals a typed state after a full audit, or tells every defect.
     * </pre>
     */
    default void importState(burraco.v1.ImportStateRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ImportStateResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getImportStateMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service ArbiterService.
   * <pre>
   * Opens sealed states and seals open ones.
   * </pre>
   */
  public static abstract class ArbiterServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return ArbiterServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service ArbiterService.
   * <pre>
   * Opens sealed states and seals open ones.
   * </pre>
   */
  public static final class ArbiterServiceStub
      extends io.grpc.stub.AbstractAsyncStub<ArbiterServiceStub> {
    private ArbiterServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArbiterServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArbiterServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Opens a sealed state, and says what an audit finds wrong with it.
     * </pre>
     */
    public void inspectState(burraco.v1.InspectStateRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.InspectStateResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getInspectStateMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Seals a typed state after a full audit, or tells every defect.
     * </pre>
     */
    public void importState(burraco.v1.ImportStateRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ImportStateResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getImportStateMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service ArbiterService.
   * <pre>
   * Opens sealed states and seals open ones.
   * </pre>
   */
  public static final class ArbiterServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<ArbiterServiceBlockingV2Stub> {
    private ArbiterServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArbiterServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArbiterServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Opens a sealed state, and says what an audit finds wrong with it.
     * </pre>
     */
    public burraco.v1.InspectStateResponse inspectState(burraco.v1.InspectStateRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getInspectStateMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Seals a typed state after a full audit, or tells every defect.
     * </pre>
     */
    public burraco.v1.ImportStateResponse importState(burraco.v1.ImportStateRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getImportStateMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service ArbiterService.
   * <pre>
   * Opens sealed states and seals open ones.
   * </pre>
   */
  public static final class ArbiterServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<ArbiterServiceBlockingStub> {
    private ArbiterServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArbiterServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArbiterServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Opens a sealed state, and says what an audit finds wrong with it.
     * </pre>
     */
    public burraco.v1.InspectStateResponse inspectState(burraco.v1.InspectStateRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getInspectStateMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Seals a typed state after a full audit, or tells every defect.
     * </pre>
     */
    public burraco.v1.ImportStateResponse importState(burraco.v1.ImportStateRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getImportStateMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service ArbiterService.
   * <pre>
   * Opens sealed states and seals open ones.
   * </pre>
   */
  public static final class ArbiterServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<ArbiterServiceFutureStub> {
    private ArbiterServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArbiterServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArbiterServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Opens a sealed state, and says what an audit finds wrong with it.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.InspectStateResponse> inspectState(
        burraco.v1.InspectStateRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getInspectStateMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Seals a typed state after a full audit, or tells every defect.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.ImportStateResponse> importState(
        burraco.v1.ImportStateRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getImportStateMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_INSPECT_STATE = 0;
  private static final int METHODID_IMPORT_STATE = 1;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_INSPECT_STATE:
          serviceImpl.inspectState((burraco.v1.InspectStateRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.InspectStateResponse>) responseObserver);
          break;
        case METHODID_IMPORT_STATE:
          serviceImpl.importState((burraco.v1.ImportStateRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.ImportStateResponse>) responseObserver);
          break;
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getInspectStateMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.InspectStateRequest,
              burraco.v1.InspectStateResponse>(
                service, METHODID_INSPECT_STATE)))
        .addMethod(
          getImportStateMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.ImportStateRequest,
              burraco.v1.ImportStateResponse>(
                service, METHODID_IMPORT_STATE)))
        .build();
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (ArbiterServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .addMethod(getInspectStateMethod())
              .addMethod(getImportStateMethod())
              .build();
        }
      }
    }
    return result;
  }
}
