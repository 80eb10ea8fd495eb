package burraco;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;

/**
 * Tells a call that its caller has cancelled from one that was cancelled elsewhere, which gRPC answers alike. Callers
 * cancel by interrupting a blocking thread, by the call's own {@code cancel}, or by the {@link Context} that it is made
 * in.
 */
final class CancellationInterceptor implements ClientInterceptor {
  private static final Metadata.Key<String> BY_CALLER =
      Metadata.Key.of("burraco-cancelled-by-caller", Metadata.ASCII_STRING_MARSHALLER);

  /** Whether trailers are those of a call that its caller has cancelled. */
  static boolean isByCaller(Metadata trailers) {
    return trailers != null && trailers.containsKey(BY_CALLER);
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new Cancellable<>(next.newCall(method, options));
  }

  private static final class Cancellable<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final Context context = Context.current();
    private volatile boolean isCancelled;

    Cancellable(ClientCall<Q, A> call) {
      super(call);
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      super.start(
          new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              if (status.getCode() == Status.Code.CANCELLED && (isCancelled || context.isCancelled())) {
                trailers.put(BY_CALLER, "");
              }
              super.onClose(status, trailers);
            }
          },
          headers);
    }

    @Override
    public void cancel(String message, Throwable cause) {
      isCancelled = true;
      super.cancel(message, cause);
    }
  }
}
