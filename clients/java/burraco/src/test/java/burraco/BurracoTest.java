package burraco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import burraco.v1.ApplyMovesRequest;
import burraco.v1.ArbiterServiceGrpc;
import burraco.v1.GameServiceGrpc;
import burraco.v1.GameServiceGrpc.GameServiceBlockingStub;
import burraco.v1.InspectStateRequest;
import burraco.v1.ListPresetsRequest;
import burraco.v1.ListPresetsResponse;
import burraco.v1.StreamApplyMovesRequest;
import burraco.v1.StreamApplyMovesResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class BurracoTest {
  private static final ListPresetsResponse PRESETS = ListPresetsResponse.getDefaultInstance();

  @Test
  void anAnswerComesBackAndNobodyIsNamed() throws Exception {
    try (FakeService service = new FakeService(request -> PRESETS);
        Burraco client = Burraco.connect(service.target())) {
      assertEquals(PRESETS, presets(client));
      assertNull(service.calls.get(0).header("burraco-api-key"));
      assertNull(service.calls.get(0).header("burraco-seat-token"));
    }
  }

  @Test
  void anApiKeyGoesWithEveryCallOfEveryStub() throws Exception {
    try (FakeService service = new FakeService(request -> PRESETS);
        Burraco client = Burraco.builder(service.target()).apiKey("a-key").connect()) {
      presets(client);
      client.stub().listPresets(ListPresetsRequest.getDefaultInstance());
      GameServiceGrpc.newFutureStub(client.channel()).listPresets(ListPresetsRequest.getDefaultInstance()).get();
      assertEquals(3, service.calls.size());
      service.calls.forEach(call -> assertEquals("a-key", call.header("burraco-api-key")));
    }
  }

  @Test
  void aSeatIsASeatAloneAndLeavesTheConnectionOpen() throws Exception {
    try (FakeService service = new FakeService(request -> PRESETS);
        Burraco client = Burraco.builder(service.target()).apiKey("a-key").connect()) {
      try (Burraco seat = client.asSeat("a-token")) {
        presets(seat);
      }
      presets(client);
      assertEquals("a-token", service.calls.get(0).header("burraco-seat-token"));
      assertNull(service.calls.get(0).header("burraco-api-key"));
      assertEquals("a-key", service.calls.get(1).header("burraco-api-key"));
      assertNull(service.calls.get(1).header("burraco-seat-token"));
    }
  }

  @Test
  void aLanguageGoesWithEveryCallAndStream() throws Exception {
    try (FakeService service = new FakeService(request -> PRESETS);
        Burraco client = Burraco.builder(service.target()).language("pl, en;q=0.5").connect()) {
      presets(client);
      presets(client.asSeat("a-token"));
      CompletableFuture<Integer> answered = new CompletableFuture<>();
      counting(client, answered).onCompleted();
      answered.get(10, TimeUnit.SECONDS);
      assertEquals(3, service.calls.size());
      service.calls.forEach(call -> assertEquals("pl, en;q=0.5", call.header("accept-language")));
    }
  }

  @Test
  void aClientInAnotherLanguageIsAsThisOneAndLeavesItAsItIs() throws Exception {
    try (FakeService service = new FakeService(request -> PRESETS);
        Burraco client = Burraco.builder(service.target())
            .apiKey("a-key").language("de").timeout(Duration.ofSeconds(30)).connect()) {
      try (Burraco italian = client.inLanguage("it")) {
        presets(italian);
      }
      presets(client);
      presets(client.inLanguage(null));
      presets(client.inLanguage(""));
      assertEquals(
          Arrays.asList("it", "de", null, null),
          service.calls.stream().map(call -> call.header("accept-language")).collect(Collectors.toList()));
      service.calls.forEach(call -> assertEquals("a-key", call.header("burraco-api-key")));
      service.calls.forEach(call -> assertTrue(call.deadline().timeRemaining(TimeUnit.SECONDS) > 15));
    }
  }

  @Test
  void aLanguageThatMetadataCannotCarryIsRefused() {
    Burraco.Builder builder = Burraco.builder("127.0.0.1:1").language("it\n");
    assertThrows(IllegalArgumentException.class, builder::connect);
    try (Burraco client = Burraco.connect("127.0.0.1:1")) {
      assertThrows(IllegalArgumentException.class, () -> client.inLanguage("español"));
    }
  }

  @Test
  void aCallerIsASeatOrABackEnd() {
    Burraco.Builder both = Burraco.builder("127.0.0.1:1").apiKey("a-key").seatToken("a-token");
    assertThrows(IllegalStateException.class, both::connect);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a-key\n", "\ta-key", "a-kéy", "a-key\u007f"})
  void aSecretThatMetadataCannotCarryIsRefusedAndNotShown(String secret) {
    Burraco.Builder builder = Burraco.builder("127.0.0.1:1").apiKey(secret);
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, builder::connect);
    assertTrue(refused.getMessage().startsWith("burraco-api-key has a character, at index "), refused.getMessage());
    assertFalse(refused.getMessage().contains("a-k"), refused.getMessage());
    try (Burraco client = Burraco.connect("127.0.0.1:1")) {
      assertThrows(IllegalArgumentException.class, () -> client.asSeat(secret));
    }
  }

  @Test
  void secretsAreNotShown() {
    try (Burraco client = Burraco.builder("127.0.0.1:1").apiKey("a-key").connect()) {
      assertEquals("Burraco[127.0.0.1:1]", client.toString());
      assertEquals("Burraco[127.0.0.1:1]", client.asSeat("a-token").toString());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {"UNAVAILABLE", "CANCELLED"})
  void aCallWhoseReplicaIsGoneIsMadeAgainUpToFourTimes(Status.Code code) throws Exception {
    int[] failures = {3};
    try (FakeService service = new FakeService(
            request -> failures[0]-- > 0 ? Status.fromCode(code).asRuntimeException() : PRESETS);
        Burraco client = Burraco.connect(service.target())) {
      assertEquals(PRESETS, presets(client));
      assertEquals(4, service.calls.size());
      failures[0] = 4;
      assertEquals(code, assertThrows(RulesException.class, () -> presets(client)).code());
      assertEquals(8, service.calls.size());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {"ABORTED", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED", "INTERNAL", "UNKNOWN"})
  void otherFailuresAreToldAtOnce(Status.Code code) throws Exception {
    try (FakeService service = new FakeService(request -> Status.fromCode(code).asRuntimeException());
        Burraco client = Burraco.connect(service.target())) {
      assertEquals(code, assertThrows(RulesException.class, () -> presets(client)).code());
      assertEquals(1, service.calls.size());
    }
  }

  @Test
  void aCallThatIsNotAnsweredEndsWithTheDeadline() throws Exception {
    try (FakeService service = new FakeService(request -> null);
        Burraco client = Burraco.builder(service.target()).timeout(Duration.ofMillis(300)).connect()) {
      RulesException late = assertThrows(RulesException.class, () -> presets(client));
      assertEquals(Status.Code.DEADLINE_EXCEEDED, late.code());
      assertTrue(late.isTransient());
    }
  }

  @Test
  void deadlinesAreThreeSecondsAndACallMayShortenThem() throws Exception {
    try (FakeService service = new FakeService(request -> PRESETS);
        Burraco client = Burraco.connect(service.target())) {
      presets(client);
      client.call(stub -> stub.withDeadlineAfter(1, TimeUnit.SECONDS)
          .listPresets(ListPresetsRequest.getDefaultInstance()));
      client.call(stub -> stub.withDeadlineAfter(1, TimeUnit.HOURS)
          .listPresets(ListPresetsRequest.getDefaultInstance()));
      assertWithin(3, service.calls.get(0));
      assertWithin(1, service.calls.get(1));
      assertWithin(3, service.calls.get(2));
    }
  }

  @Test
  void aLongTimeoutIsNotCutByTheServiceConfig() throws Exception {
    try (FakeService service = new FakeService(request -> PRESETS);
        Burraco client = Burraco.builder(service.target()).timeout(Duration.ofSeconds(60)).connect()) {
      presets(client);
      assertTrue(service.calls.get(0).deadline().timeRemaining(TimeUnit.SECONDS) > 40);
      assertWithin(60, service.calls.get(0));
    }
  }

  @Test
  void aTimeoutForEverIsALongOne() throws Exception {
    try (FakeService service = new FakeService(request -> PRESETS);
        Burraco client = Burraco.builder(service.target()).timeout(Duration.ofSeconds(Long.MAX_VALUE)).connect()) {
      assertEquals(PRESETS, presets(client));
      assertTrue(service.calls.get(0).deadline().timeRemaining(TimeUnit.DAYS) > 300);
    }
  }

  @Test
  void timesOfNothingAreRefused() {
    for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
      assertThrows(IllegalArgumentException.class, () -> Burraco.builder("a:1").timeout(wrong));
      assertThrows(IllegalArgumentException.class, () -> Burraco.builder("a:1").keepAlive(wrong));
    }
    Burraco.builder("a:1").keepAlive(Duration.ofSeconds(Long.MAX_VALUE)).connect().close();
  }

  @Test
  void aStreamLastsAsLongAsItsCallerWants() throws Exception {
    try (FakeService service = new FakeService(request -> PRESETS);
        Burraco client = Burraco.builder(service.target()).timeout(Duration.ofMillis(200)).connect()) {
      CompletableFuture<Integer> answered = new CompletableFuture<>();
      StreamObserver<StreamApplyMovesRequest> calls = counting(client, answered);
      calls.onNext(StreamApplyMovesRequest.newBuilder().setCorrelationId("first").build());
      Thread.sleep(600);
      calls.onNext(StreamApplyMovesRequest.newBuilder().setRequest(ApplyMovesRequest.getDefaultInstance()).build());
      calls.onCompleted();
      assertEquals(2, answered.get(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void theBareStubFailsAsGrpcDoes() throws Exception {
    try (FakeService service = new FakeService(request -> Status.ABORTED.asRuntimeException());
        Burraco client = Burraco.connect(service.target())) {
      GameServiceBlockingStub stub = client.stub();
      assertThrows(StatusRuntimeException.class, () -> stub.listPresets(ListPresetsRequest.getDefaultInstance()));
      ExecutionException wrapped = assertThrows(ExecutionException.class, () ->
          GameServiceGrpc.newFutureStub(client.channel()).listPresets(ListPresetsRequest.getDefaultInstance()).get());
      assertEquals(Status.Code.ABORTED, RulesException.of(wrapped).code());
    }
  }

  @Test
  void otherServicesAreReachedOnTheChannel() throws Exception {
    try (FakeService service = new FakeService(request -> PRESETS);
        Burraco client = Burraco.connect(service.target())) {
      StatusRuntimeException off = assertThrows(StatusRuntimeException.class, () ->
          ArbiterServiceGrpc.newBlockingStub(client.channel()).inspectState(InspectStateRequest.getDefaultInstance()));
      assertEquals(Status.Code.UNIMPLEMENTED, RulesException.of(off).code());
    }
  }

  @Test
  void readinessIsAwaited() throws Exception {
    String gone;
    try (FakeService service = new FakeService(request -> PRESETS)) {
      gone = service.target();
      try (Burraco client = Burraco.builder(gone).keepAlive(Duration.ofSeconds(30)).connect()) {
        assertTrue(client.awaitReady(Duration.ofSeconds(20)));
      }
    }
    Burraco client = Burraco.connect(gone);
    assertFalse(client.awaitReady(Duration.ofMillis(300)));
    client.close();
    assertFalse(client.awaitReady(Duration.ofMillis(300)));
  }

  @Test
  void aClosedClientFailsInWords() {
    Burraco client = Burraco.connect("127.0.0.1:1");
    client.close();
    client.close();
    assertEquals(Status.Code.UNAVAILABLE, assertThrows(RulesException.class, () -> presets(client)).code());
  }

  private static ListPresetsResponse presets(Burraco client) {
    return client.call(stub -> stub.listPresets(ListPresetsRequest.getDefaultInstance()));
  }

  /** A stream that tells at its end how many answers have come. */
  private static StreamObserver<StreamApplyMovesRequest> counting(
      Burraco client, CompletableFuture<Integer> answered) {
    return GameServiceGrpc.newStub(client.channel()).streamApplyMoves(new StreamObserver<>() {
      private int count;

      @Override
      public void onNext(StreamApplyMovesResponse response) {
        count++;
      }

      @Override
      public void onError(Throwable failure) {
        answered.completeExceptionally(failure);
      }

      @Override
      public void onCompleted() {
        answered.complete(count);
      }
    });
  }

  private static void assertWithin(int seconds, FakeService.Call call) {
    assertTrue(call.deadline().timeRemaining(TimeUnit.SECONDS) <= seconds, () -> call.deadline().toString());
  }
}
