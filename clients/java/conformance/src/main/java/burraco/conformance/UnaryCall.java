package burraco.conformance;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;

/** A way to make a unary call, which fails as gRPC's own do. */
public interface UnaryCall {
  /** Waits for the answer. */
  <Q, A> A call(Channel channel, MethodDescriptor<Q, A> method, CallOptions options, Metadata headers, Q request);

  /** The way of grpc-java's blocking stubs. */
  UnaryCall BLOCKING = new UnaryCall() {
    @Override
    public <Q, A> A call(
        Channel channel, MethodDescriptor<Q, A> method, CallOptions options, Metadata headers, Q request) {
      Channel with = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
      return ClientCalls.blockingUnaryCall(with, method, options, request);
    }
  };
}
