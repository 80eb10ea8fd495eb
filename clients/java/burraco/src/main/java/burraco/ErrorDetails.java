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
import java.util.Optional;
import java.util.stream.Collectors;

/** What the details of a failed call say. */
record ErrorDetails(Reason reason, Map<String, String> arguments, List<FieldViolation> fields, Duration retryDelay) {
  private static final String DOMAIN = "burraco";
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
    ErrorInfo info = unpack(details, "google.rpc.ErrorInfo", ErrorInfo.parser()).orElse(ErrorInfo.getDefaultInstance());
    BadRequest bad =
        unpack(details, "google.rpc.BadRequest", BadRequest.parser()).orElse(BadRequest.getDefaultInstance());
    return new ErrorDetails(
        info.getDomain().equals(DOMAIN) ? reason(info.getReason()) : Reason.REASON_UNSPECIFIED,
        Map.copyOf(info.getMetadataMap()),
        List.copyOf(bad.getFieldViolationsList().stream()
            .map(wrong -> new FieldViolation(wrong.getField(), reason(wrong.getReason()), wrong.getDescription()))
            .collect(Collectors.toList())),
        unpack(details, "google.rpc.RetryInfo", RetryInfo.parser())
            .map(RetryInfo::getRetryDelay)
            .map(delay -> Duration.ofSeconds(delay.getSeconds(), delay.getNanos()))
            .orElse(null));
  }

  /** Finds the detail of a type. Written out, as the lite runtime has no {@code Any.unpack}. */
  private static <T extends MessageLite> Optional<T> unpack(List<Any> details, String type, Parser<T> parser) {
    for (Any detail : details) {
      if (detail.getTypeUrl().endsWith("/" + type)) {
        try {
          return Optional.of(parser.parseFrom(detail.getValue()));
        } catch (InvalidProtocolBufferException damaged) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
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
