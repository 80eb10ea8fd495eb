package burraco;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Gives every call a deadline, its retries included. A caller's own may shorten it. Streams have none: they last. */
final class DeadlineInterceptor implements ClientInterceptor {
  private final long nanoseconds;

  DeadlineInterceptor(Duration timeout) {
    this.nanoseconds = timeout.toNanos();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    if (method.getType() != MethodDescriptor.MethodType.UNARY) {
      return next.newCall(method, options);
    }
    Deadline latest = Deadline.after(nanoseconds, TimeUnit.NANOSECONDS);
    Deadline own = options.getDeadline();
    return next.newCall(method, options.withDeadline(own == null ? latest : own.minimum(latest)));
  }
}
