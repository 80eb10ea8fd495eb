package burraco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import burraco.rpc.BadRequest;
import burraco.rpc.ErrorInfo;
import burraco.rpc.RetryInfo;
import burraco.v1.Reason;
import burraco.v1.Violation;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesExceptionTest {
  @Test
  void allDetailsOfAFailureAreRead() {
    StatusRuntimeException failure = Failures.of(Failures.twoFields());
    RulesException read = RulesException.of(failure);
    assertEquals(Status.Code.INVALID_ARGUMENT, read.code());
    assertEquals(Reason.REASON_FIELD_OUT_OF_RANGE, read.reason());
    assertEquals(Map.of("field", "seat", "max", "3"), read.arguments());
    assertEquals(
        List.of(
            new FieldViolation("seat", Reason.REASON_FIELD_OUT_OF_RANGE, "is 9, but has to be 0 to 3."),
            new FieldViolation("moves", Reason.REASON_FIELD_MISSING, "is empty: send a move.")),
        read.fields());
    assertEquals(Optional.empty(), read.retryDelay());
    assertEquals("seat is 9, but has to be 0 to 3.", read.description());
    assertEquals(
        "INVALID_ARGUMENT REASON_FIELD_OUT_OF_RANGE: seat is 9, but has to be 0 to 3. moves is empty: send a move.",
        read.getMessage());
    assertFalse(read.isTransient());
    assertSame(failure, read.getCause());
  }

  @Test
  void aRetryDelayIsRead() {
    RulesException read = RulesException.of(Failures.of(Failures.overload()));
    assertEquals(Optional.of(Duration.ofMillis(1500)), read.retryDelay());
    assertTrue(read.isTransient());
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "-1, 0, 0", "0, -1, 0", "9223372036854775807, 2147483647, 315576000000000"})
  void aRetryDelayIsOneThatCanBeWaited(long seconds, int nanos, long milliseconds) {
    RetryInfo retry = RetryInfo.newBuilder()
        .setRetryDelay(com.google.protobuf.Duration.newBuilder().setSeconds(seconds).setNanos(nanos)).build();
    RulesException read = RulesException.of(
        withDetails(Status.Code.RESOURCE_EXHAUSTED, Failures.detail("google.rpc.RetryInfo", retry)));
    assertEquals(Optional.of(Duration.ofMillis(milliseconds)), read.retryDelay());
    assertTrue(read.isTransient());
  }

  @Test
  void theStatusOfAStreamedAnswerIsReadAsThatOfACall() {
    RulesException read = RulesException.of(Failures.overload());
    RulesException called = RulesException.of(Failures.of(Failures.overload()));
    assertEquals(called.getMessage(), read.getMessage());
    assertEquals(called.retryDelay(), read.retryDelay());
    assertEquals(called.reason(), read.reason());
  }

  @Test
  void theFailureOfAFutureIsUnwrapped() {
    RulesException read = RulesException.of(new ExecutionException(Failures.of(Failures.overload())));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, read.code());
    assertEquals(Optional.of(Duration.ofMillis(1500)), read.retryDelay());
  }

  @Test
  void aFailureOfTheConnectionHasACodeAndWords() {
    RulesException read = RulesException.of(Status.UNAVAILABLE.withDescription("io exception").asRuntimeException());
    assertEquals("UNAVAILABLE: io exception", read.getMessage());
    assertEquals(Reason.REASON_UNSPECIFIED, read.reason());
    assertEquals("UNKNOWN: broken", RulesException.of(new IllegalStateException("broken")).getMessage());
    assertEquals("INTERNAL: no description", RulesException.of(Status.INTERNAL.asRuntimeException()).getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"REASON_OF_A_NEWER_SERVICE", "UNRECOGNIZED", ""})
  void aReasonThatIsNotKnownIsNone(String reason) {
    assertEquals(Reason.REASON_UNSPECIFIED, withInfo("burraco", reason).reason());
    BadRequest bad = BadRequest.newBuilder().addFieldViolations(Failures.violation("seat", reason, "is 9.")).build();
    RulesException read =
        RulesException.of(withDetails(Status.Code.INVALID_ARGUMENT, Failures.detail("google.rpc.BadRequest", bad)));
    assertEquals(List.of(new FieldViolation("seat", Reason.REASON_UNSPECIFIED, "is 9.")), read.fields());
  }

  @Test
  void aReasonOfAnotherDomainIsNone() {
    assertEquals(Reason.REASON_UNSPECIFIED, withInfo("elsewhere", "REASON_NOT_BUILT").reason());
    assertEquals(Map.of(), withInfo("elsewhere", "REASON_NOT_BUILT").arguments());
    assertEquals(Reason.REASON_NOT_BUILT, withInfo("burraco", "REASON_NOT_BUILT").reason());
    RulesException passedOn =
        RulesException.of(withDetails(Status.Code.ABORTED, info("elsewhere", "OTHER"), info("burraco", "REASON_NOT_BUILT")));
    assertEquals(Reason.REASON_NOT_BUILT, passedOn.reason());
    assertEquals(Map.of("of", "burraco"), passedOn.arguments());
  }

  @Test
  void damagedDetailsAreAsNone() {
    Metadata trailers = new Metadata();
    trailers.put(Failures.DETAILS, new byte[] {(byte) 0xff, 1, 2});
    assertEquals("ABORTED: cut", RulesException.of(
        Status.ABORTED.withDescription("cut").asRuntimeException(trailers)).getMessage());
    burraco.rpc.Status damaged = burraco.rpc.Status.newBuilder()
        .setCode(10)
        .addDetails(Any.newBuilder()
            .setTypeUrl("type.googleapis.com/google.rpc.ErrorInfo")
            .setValue(ByteString.copyFrom(new byte[] {(byte) 0xff})))
        .build();
    assertEquals(Reason.REASON_UNSPECIFIED, RulesException.of(Failures.of(damaged)).reason());
  }

  @ParameterizedTest
  @EnumSource(Status.Code.class)
  void theSameCallMaySucceedLater(Status.Code code) {
    List<String> alone = List.of("UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED");
    List<String> withRetryInfo = List.of("UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "RESOURCE_EXHAUSTED");
    assertEquals(alone.contains(code.name()), RulesException.of(withDetails(code)).isTransient());
    burraco.rpc.Status retry = withDetails(code, Failures.retryInfo());
    assertEquals(withRetryInfo.contains(code.name()), RulesException.of(retry).isTransient());
    assertEquals(withRetryInfo.contains(code.name()), RulesException.of(Failures.of(retry)).isTransient());
  }

  @Test
  void valuesCannotBeChanged() {
    RulesException read = RulesException.of(Failures.of(Failures.twoFields()));
    assertThrows(UnsupportedOperationException.class, () -> read.arguments().clear());
    assertThrows(UnsupportedOperationException.class, () -> read.fields().clear());
  }

  @Test
  void exceptionsTravelWithAllTheyHold() throws IOException, ClassNotFoundException {
    RulesException read = RulesException.of(Failures.twoFields());
    RulesException copy = (RulesException) copied(read);
    assertEquals(read.getMessage(), copy.getMessage());
    assertEquals(read.fields(), copy.fields());
    assertEquals(read.arguments(), copy.arguments());
    IllegalMoveException illegal = new IllegalMoveException(List.of(
        Violation.newBuilder()
            .setReason(Reason.REASON_MUST_DRAW_FIRST).setRuleId("B4-15").setText("Draw first.").build(),
        Violation.newBuilder().setReason(Reason.REASON_NOT_YOUR_TURN).setRuleId("B4-3").setText("Wait.").build()));
    assertEquals("Draw first. (B4-15); Wait. (B4-3)", illegal.getMessage());
    assertEquals(List.of(Reason.REASON_MUST_DRAW_FIRST, Reason.REASON_NOT_YOUR_TURN), illegal.reasons());
    assertEquals(illegal.violations(), ((IllegalMoveException) copied(illegal)).violations());
  }

  private static burraco.rpc.Status withDetails(Status.Code code, Any... details) {
    return burraco.rpc.Status.newBuilder().setCode(code.value()).addAllDetails(List.of(details)).build();
  }

  private static RulesException withInfo(String domain, String reason) {
    return RulesException.of(withDetails(Status.Code.INVALID_ARGUMENT, info(domain, reason)));
  }

  private static Any info(String domain, String reason) {
    return Failures.detail(
        "google.rpc.ErrorInfo",
        ErrorInfo.newBuilder().setDomain(domain).setReason(reason).putMetadata("of", domain).build());
  }

  private static Object copied(Object original) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(original);
    }
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }
}
