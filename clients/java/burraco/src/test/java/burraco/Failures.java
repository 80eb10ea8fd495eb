package burraco;

import burraco.rpc.BadRequest;
import burraco.rpc.ErrorInfo;
import burraco.rpc.RetryInfo;
import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.MessageLite;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** Failures as the service sends them. */
final class Failures {
  static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private Failures() {}

  static Any detail(String type, MessageLite message) {
    return Any.newBuilder().setTypeUrl("type.googleapis.com/" + type).setValue(message.toByteString()).build();
  }

  static burraco.rpc.Status twoFields() {
    return burraco.rpc.Status.newBuilder()
        .setCode(Status.Code.INVALID_ARGUMENT.value())
        .setMessage("seat is 9, but has to be 0 to 3.")
        .addDetails(detail(
            "google.rpc.ErrorInfo",
            ErrorInfo.newBuilder()
                .setDomain("burraco")
                .setReason("REASON_FIELD_OUT_OF_RANGE")
                .putMetadata("field", "seat")
                .putMetadata("max", "3")
                .build()))
        .addDetails(detail(
            "google.rpc.BadRequest",
            BadRequest.newBuilder()
                .addFieldViolations(violation("seat", "REASON_FIELD_OUT_OF_RANGE", "is 9, but has to be 0 to 3."))
                .addFieldViolations(violation("moves", "REASON_FIELD_MISSING", "is empty: send a move."))
                .build()))
        .build();
  }

  static burraco.rpc.Status overload() {
    return burraco.rpc.Status.newBuilder()
        .setCode(Status.Code.RESOURCE_EXHAUSTED.value())
        .setMessage("Too many calls.")
        .addDetails(detail(
            "google.rpc.ErrorInfo",
            ErrorInfo.newBuilder().setDomain("burraco").setReason("REASON_OVERLOADED").build()))
        .addDetails(retryInfo())
        .build();
  }

  /** That the same call may be made again in 1.5 seconds. */
  static Any retryInfo() {
    Duration delay = Duration.newBuilder().setSeconds(1).setNanos(500_000_000).build();
    return detail("google.rpc.RetryInfo", RetryInfo.newBuilder().setRetryDelay(delay).build());
  }

  /** The failure of a call that ends with this status. */
  static StatusRuntimeException of(burraco.rpc.Status status) {
    Metadata trailers = new Metadata();
    trailers.put(DETAILS, status.toByteArray());
    return Status.fromCodeValue(status.getCode()).withDescription(status.getMessage()).asRuntimeException(trailers);
  }

  static BadRequest.FieldViolation violation(String field, String reason, String description) {
    return BadRequest.FieldViolation.newBuilder()
        .setField(field)
        .setReason(reason)
        .setDescription(description)
        .build();
  }
}
