package burraco;

import burraco.v1.ApplyMovesRequest;
import burraco.v1.ApplyMovesResponse;
import burraco.v1.CheckMovesRequest;
import burraco.v1.CheckMovesResponse;
import burraco.v1.CreateMatchRequest;
import burraco.v1.CreateMatchResponse;
import burraco.v1.GameServiceGrpc;
import burraco.v1.GetViewRequest;
import burraco.v1.GetViewResponse;
import burraco.v1.IssueSeatTokenRequest;
import burraco.v1.IssueSeatTokenResponse;
import burraco.v1.ListLegalMovesRequest;
import burraco.v1.ListLegalMovesResponse;
import burraco.v1.ListPresetsRequest;
import burraco.v1.ListPresetsResponse;
import burraco.v1.ScoreDealRequest;
import burraco.v1.ScoreDealResponse;
import burraco.v1.StreamApplyMovesRequest;
import burraco.v1.StreamApplyMovesResponse;
import com.google.protobuf.MessageLite;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A server that answers as a test says, over the transport that the tests run on, and remembers what it was asked. */
final class FakeService extends GameServiceGrpc.GameServiceImplBase implements AutoCloseable, ServerInterceptor {
  /** What a call brought: its request (an empty one of a stream), its metadata, and its deadline. */
  record Call(MessageLite request, Metadata metadata, io.grpc.Deadline deadline) {
    String header(String name) {
      return metadata.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
    }
  }

  private static final Context.Key<Metadata> METADATA = Context.key("metadata");

  final List<Call> calls = new CopyOnWriteArrayList<>();
  private final Function<MessageLite, Object> answers;
  private final Server server;

  /** Each request is answered with what the function gives: a response, or a failure to end the call with. */
  FakeService(Function<MessageLite, Object> answers) throws IOException {
    this.answers = answers;
    this.server = Loopback.start(ServerInterceptors.intercept(this, this));
  }

  String target() {
    return "127.0.0.1:" + server.getPort();
  }

  @Override
  public void close() throws InterruptedException {
    server.shutdownNow().awaitTermination();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
    return Contexts.interceptCall(Context.current().withValue(METADATA, metadata), call, metadata, next);
  }

  @Override
  public void createMatch(CreateMatchRequest request, StreamObserver<CreateMatchResponse> observer) {
    answer(request, observer);
  }

  @Override
  public void applyMoves(ApplyMovesRequest request, StreamObserver<ApplyMovesResponse> observer) {
    answer(request, observer);
  }

  @Override
  public void checkMoves(CheckMovesRequest request, StreamObserver<CheckMovesResponse> observer) {
    answer(request, observer);
  }

  @Override
  public void getView(GetViewRequest request, StreamObserver<GetViewResponse> observer) {
    answer(request, observer);
  }

  @Override
  public void listLegalMoves(ListLegalMovesRequest request, StreamObserver<ListLegalMovesResponse> observer) {
    answer(request, observer);
  }

  @Override
  public void issueSeatToken(IssueSeatTokenRequest request, StreamObserver<IssueSeatTokenResponse> observer) {
    answer(request, observer);
  }

  @Override
  public void scoreDeal(ScoreDealRequest request, StreamObserver<ScoreDealResponse> observer) {
    answer(request, observer);
  }

  @Override
  public void listPresets(ListPresetsRequest request, StreamObserver<ListPresetsResponse> observer) {
    answer(request, observer);
  }

  /** Answers every message of a stream with its correlation id. */
  @Override
  public StreamObserver<StreamApplyMovesRequest> streamApplyMoves(StreamObserver<StreamApplyMovesResponse> observer) {
    remember(StreamApplyMovesRequest.getDefaultInstance());
    return new StreamObserver<>() {
      @Override
      public void onNext(StreamApplyMovesRequest request) {
        observer.onNext(
            StreamApplyMovesResponse.newBuilder().setCorrelationId(request.getCorrelationId()).build());
      }

      @Override
      public void onError(Throwable failure) {
        observer.onError(failure);
      }

      @Override
      public void onCompleted() {
        observer.onCompleted();
      }
    };
  }

  private void remember(MessageLite request) {
    calls.add(new Call(request, METADATA.get(), Context.current().getDeadline()));
  }

  @SuppressWarnings("unchecked") // a test answers each request with its own kind of response
  private <A> void answer(MessageLite request, StreamObserver<A> observer) {
    remember(request);
    Object answer = answers.apply(request);
    if (answer == null) {
      return; // never answered: the caller's deadline passes
    }
    if (answer instanceof Throwable failure) {
      observer.onError(failure);
      return;
    }
    observer.onNext((A) answer);
    observer.onCompleted();
  }
}
