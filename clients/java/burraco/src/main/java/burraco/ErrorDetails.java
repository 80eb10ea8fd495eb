package burraco;

import burraco.rpc.BadRequest;
import burraco.rpc.ErrorInfo;
import burraco.rpc.RetryInfo;
import burraco.rpc.Status;
import burraco.v1.Reason;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.grpc.Metadata;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the details of a failed call say. */
record ErrorDetails(Reason reason, Map<String, String> arguments, List<FieldViolation> fields, Duration retryDelay) {
  private static final String DOMAIN = "burraco";
  private static final Duration LONGEST = Duration.ofSeconds(315_576_000_000L);
  private static final Metadata.Key<byte[]> STATUS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  /** Reads the trailers of a call; without details, or with such as a proxy has cut, there is nothing to tell. */
  static ErrorDetails of(Metadata trailers) {
    byte[] status = trailers == null ? null : trailers.get(STATUS);
    if (status == null) {
      return of(Status.getDefaultInstance());
    }
    try {
      return of(Status.parseFrom(status));
    } catch (InvalidProtocolBufferException cut) {
      return of(Status.getDefaultInstance());
    }
  }

  static ErrorDetails of(Status status) {
    List<Any> details = status.getDetailsList();
    ErrorInfo info = unpack(details, "google.rpc.ErrorInfo", ErrorInfo.parser())
        .filter(each -> each.getDomain().equals(DOMAIN)) // whoever passes a call on may add his own
        .findFirst()
        .orElse(ErrorInfo.getDefaultInstance());
    BadRequest bad = unpack(details, "google.rpc.BadRequest", BadRequest.parser())
        .findFirst()
        .orElse(BadRequest.getDefaultInstance());
    return new ErrorDetails(
        reason(info.getReason()),
        Map.copyOf(info.getMetadataMap()),
        List.copyOf(bad.getFieldViolationsList().stream()
            .map(wrong -> new FieldViolation(wrong.getField(), reason(wrong.getReason()), wrong.getDescription()))
            .collect(Collectors.toList())),
        unpack(details, "google.rpc.RetryInfo", RetryInfo.parser())
            .findFirst()
            .map(retry -> delay(retry.getRetryDelay()))
            .orElse(null));
  }

  /** A delay that can be waited: none is shorter than nothing, or longer than protobuf allows. */
  private static Duration delay(com.google.protobuf.Duration sent) {
    long seconds = Math.max(-1, Math.min(LONGEST.getSeconds(), sent.getSeconds()));
    Duration delay = Duration.ofSeconds(seconds, sent.getNanos());
    if (delay.isNegative()) {
      return Duration.ZERO;
    }
    return delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
  }

  /** Finds the details of a type. Written out, as the lite runtime has no {@code Any.unpack}. */
  private static <T extends MessageLite> Stream<T> unpack(List<Any> details, String type, Parser<T> parser) {
    return details.stream().filter(detail -> detail.getTypeUrl().endsWith("/" + type)).flatMap(detail -> {
      try {
        return Stream.of(parser.parseFrom(detail.getValue()));
      } catch (InvalidProtocolBufferException damaged) {
        return Stream.empty();
      }
    });
  }

  /** Finds the reason of a name; a newer service may send one that this client does not know. */
  private static Reason reason(String name) {
    try {
      Reason known = Reason.valueOf(name);
      return known == Reason.UNRECOGNIZED ? Reason.REASON_UNSPECIFIED : known;
    } catch (IllegalArgumentException newer) {
      return Reason.REASON_UNSPECIFIED;
    }
  }
}
