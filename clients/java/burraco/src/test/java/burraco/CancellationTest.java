package burraco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import burraco.v1.GameServiceGrpc;
import burraco.v1.ListPresetsRequest;
import burraco.v1.ListPresetsResponse;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call that its caller cancelled is not made again; one that was cancelled elsewhere may be. */
@Timeout(60)
class CancellationTest {
  private final CountDownLatch asked = new CountDownLatch(1);
  private FakeService service;
  private Burraco client;

  @BeforeEach
  void connect() throws Exception {
    service = new FakeService(request -> {
      asked.countDown();
      return null;
    });
    client = Burraco.builder(service.target()).timeout(Duration.ofSeconds(50)).connect();
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    service.close();
  }

  @Test
  void aCallThatTheServerCancelledMaySucceedLater() throws Exception {
    try (FakeService ending = new FakeService(request -> Status.CANCELLED.asRuntimeException());
        Burraco caller = Burraco.connect(ending.target())) {
      RulesException failed = assertThrows(RulesException.class, () -> presets(caller));
      assertEquals(Status.Code.CANCELLED, failed.code());
      assertTrue(failed.isTransient());
    }
  }

  @Test
  void anInterruptedThreadHasCancelledItsCall() throws Exception {
    CompletableFuture<RulesException> failed = new CompletableFuture<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread caller = new Thread(() -> {
      failed.complete(assertThrows(RulesException.class, () -> presets(client)));
      interrupted.complete(Thread.currentThread().isInterrupted());
    });
    caller.start();
    asked.await();
    caller.interrupt();
    assertCancelledByCaller(failed.get(20, TimeUnit.SECONDS));
    assertTrue(interrupted.get(20, TimeUnit.SECONDS));
  }

  @Test
  void aCancelledContextHasCancelledItsCalls() throws Exception {
    Context.CancellableContext context = Context.current().withCancellation();
    CompletableFuture<RulesException> failed = new CompletableFuture<>();
    Runnable call = () -> failed.complete(assertThrows(RulesException.class, () -> presets(client)));
    new Thread(context.wrap(call)).start();
    asked.await();
    context.cancel(null);
    assertCancelledByCaller(failed.get(20, TimeUnit.SECONDS));
  }

  @Test
  void anObserverMayCancelItsCall() throws Exception {
    CompletableFuture<ClientCallStreamObserver<ListPresetsRequest>> begun = new CompletableFuture<>();
    CompletableFuture<Throwable> failed = new CompletableFuture<>();
    GameServiceGrpc.newStub(client.channel()).listPresets(
        ListPresetsRequest.getDefaultInstance(),
        new ClientResponseObserver<ListPresetsRequest, ListPresetsResponse>() {
          @Override
          public void beforeStart(ClientCallStreamObserver<ListPresetsRequest> call) {
            begun.complete(call);
          }

          @Override
          public void onNext(ListPresetsResponse response) {}

          @Override
          public void onError(Throwable failure) {
            failed.complete(failure);
          }

          @Override
          public void onCompleted() {}
        });
    asked.await();
    begun.get(20, TimeUnit.SECONDS).cancel("no longer wanted", null);
    assertCancelledByCaller(RulesException.of(failed.get(20, TimeUnit.SECONDS)));
  }

  private static ListPresetsResponse presets(Burraco client) {
    return client.call(stub -> stub.listPresets(ListPresetsRequest.getDefaultInstance()));
  }

  private static void assertCancelledByCaller(RulesException failed) {
    assertEquals(Status.Code.CANCELLED, failed.code());
    assertFalse(failed.isTransient());
  }
}
