package burraco;

import burraco.v1.Reason;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A call that failed. An illegal move is no failure: see {@link IllegalMoveException}. */
public final class RulesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status.Code code;
  private final String description;
  private final Reason reason;

  @SuppressWarnings("serial") // an unmodifiable map of strings, which is serializable
  private final Map<String, String> arguments;

  @SuppressWarnings("serial") // an unmodifiable list of records, which is serializable
  private final List<FieldViolation> fields;

  private final Duration retryDelay;
  private final boolean isByCaller;

  private RulesException(
      Status.Code code, String description, ErrorDetails details, boolean isByCaller, Throwable cause) {
    super(message(code, description, details), cause);
    this.code = code;
    this.isByCaller = isByCaller;
    this.description = description;
    this.reason = details.reason();
    this.arguments = details.arguments();
    this.fields = details.fields();
    this.retryDelay = details.retryDelay();
  }

  /**
   * Reads all that the service says of a failed call of a generated stub; a failure without details has a code and a
   * description. The failure may be wrapped, as futures do.
   */
  public static RulesException of(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    Metadata trailers = Status.trailersFromThrowable(failure);
    boolean isByCaller = CancellationInterceptor.isByCaller(trailers);
    return new RulesException(status.getCode(), said(status), ErrorDetails.of(trailers), isByCaller, failure);
  }

  /** Reads the status that {@code StreamApplyMoves} answers a message with, in place of a response. */
  public static RulesException of(burraco.rpc.Status status) {
    Status.Code code = Status.fromCodeValue(status.getCode()).getCode();
    return new RulesException(code, status.getMessage(), ErrorDetails.of(status), false, null);
  }

  /** The failure of a call whose answer is not one that this client can read. */
  static RulesException unreadable(String description) {
    return of(burraco.rpc.Status.newBuilder().setCode(Status.Code.UNKNOWN.value()).setMessage(description).build());
  }

  /** The status of the call. */
  public Status.Code code() {
    return code;
  }

  /** The status message alone: English, and short. {@link #getMessage} tells the code and the reason too. */
  public String description() {
    return description;
  }

  /** Why; {@code REASON_UNSPECIFIED} where gRPC itself refused the call, or the reason is newer than this client. */
  public Reason reason() {
    return reason;
  }

  /** What the description is filled with, by name; the comments of {@link Reason} name them. */
  public Map<String, String> arguments() {
    return arguments;
  }

  /** The fields of the request that are wrong. */
  public List<FieldViolation> fields() {
    return fields;
  }

  /** How long to wait before the call is made again, where the service says so. */
  public Optional<Duration> retryDelay() {
    return Optional.ofNullable(retryDelay);
  }

  /**
   * Whether the same call may succeed later: calls are pure, so it may simply be made again.
   *
   * <p>That is so of {@code UNAVAILABLE}, {@code DEADLINE_EXCEEDED}, {@code CANCELLED} unless the caller cancelled the
   * call, and {@code RESOURCE_EXHAUSTED} where there is a {@link #retryDelay}: a request or an answer over the size
   * limit has none.
   */
  public boolean isTransient() {
    return switch (code) {
      case UNAVAILABLE, DEADLINE_EXCEEDED -> true;
      case CANCELLED -> !isByCaller;
      case RESOURCE_EXHAUSTED -> retryDelay != null;
      default -> false;
    };
  }

  private static String said(Status status) {
    if (status.getDescription() != null) {
      return status.getDescription();
    }
    return status.getCause() == null ? "no description" : String.valueOf(status.getCause().getMessage());
  }

  private static String message(Status.Code code, String description, ErrorDetails details) {
    StringBuilder message = new StringBuilder(code.name());
    if (details.reason() != Reason.REASON_UNSPECIFIED) {
      message.append(' ').append(details.reason().name());
    }
    message.append(": ").append(description);
    // The description tells of the first field already.
    details.fields().stream()
        .skip(1)
        .forEach(wrong -> message.append(' ').append(wrong.field()).append(' ').append(wrong.description()));
    return message.toString();
  }
}
