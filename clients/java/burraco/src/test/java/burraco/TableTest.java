package burraco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import burraco.v1.Accepted;
import burraco.v1.ApplyMovesRequest;
import burraco.v1.ApplyMovesResponse;
import burraco.v1.CheckMovesRequest;
import burraco.v1.CheckMovesResponse;
import burraco.v1.CreateMatchRequest;
import burraco.v1.CreateMatchResponse;
import burraco.v1.GetViewRequest;
import burraco.v1.GetViewResponse;
import burraco.v1.HandOrder;
import burraco.v1.IssueSeatTokenRequest;
import burraco.v1.IssueSeatTokenResponse;
import burraco.v1.LegalMoves;
import burraco.v1.ListLegalMovesRequest;
import burraco.v1.ListLegalMovesResponse;
import burraco.v1.Phase;
import burraco.v1.Preset;
import burraco.v1.Reason;
import burraco.v1.Rejected;
import burraco.v1.ScoreDealResponse;
import burraco.v1.View;
import burraco.v1.ViewerUpdate;
import burraco.v1.Violation;
import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class TableTest {
  private static final ByteString FIRST = ByteString.copyFromUtf8("first state");
  private static final ByteString SECOND = ByteString.copyFromUtf8("second state");
  private static final Violation WRONG =
      Violation.newBuilder().setReason(Reason.REASON_MUST_DRAW_FIRST).setText("Draw first.").setRuleId("B4-15").build();

  private FakeService service;
  private Burraco client;

  private Table table(Function<MessageLite, Object> answers) throws Exception {
    service = new FakeService(request -> request instanceof CreateMatchRequest ? created() : answers.apply(request));
    client = Burraco.builder(service.target()).timeout(Duration.ofSeconds(30)).connect(); // on a busy machine too
    return Table.create(client);
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    service.close();
  }

  @Test
  void aNewTableIsWhereTheFirstDealIs() throws Exception {
    Table table = table(request -> null);
    assertEquals(FIRST, table.state());
    assertEquals(0, table.revision());
    assertEquals(Phase.PHASE_DRAW, table.phase());
    assertEquals(OptionalInt.of(2), table.turn());
    assertEquals(List.of("token 0", "token 1"), table.seatTokens());
    assertEquals(created().getUpdatesList(), table.updates());
    CreateMatchRequest request = (CreateMatchRequest) service.calls.get(0).request();
    assertEquals(Preset.PRESET_ITALIAN, request.getRules().getPreset());
    assertTrue(request.hasGivenSeats());
  }

  @Test
  void anAcceptedMoveMovesTheTable() throws Exception {
    Accepted accepted = Accepted.newBuilder()
        .setState(SECOND).setRevision(1).setPhase(Phase.PHASE_DEAL_OVER)
        .addUpdates(ViewerUpdate.newBuilder().setViewer(Viewers.seat(2))).build();
    Table table = table(request -> ApplyMovesResponse.newBuilder().setAccepted(accepted).build());
    assertEquals(accepted, table.play(2, Moves.draw()));
    assertEquals(SECOND, table.state());
    assertEquals(1, table.revision());
    assertEquals(Phase.PHASE_DEAL_OVER, table.phase());
    assertEquals(OptionalInt.empty(), table.turn());
    assertEquals(accepted.getUpdatesList(), table.updates());
    ApplyMovesRequest sent = (ApplyMovesRequest) service.calls.get(1).request();
    assertEquals(
        ApplyMovesRequest.newBuilder()
            .setState(FIRST).setSeat(2).addMoves(Moves.draw()).setExpectedRevision(0).build(),
        sent);
    assertTrue(sent.hasExpectedRevision());
  }

  @Test
  void theNextDealIsAskedForByTheSeatThatIsNamed() throws Exception {
    Table table = table(request ->
        ApplyMovesResponse.newBuilder().setAccepted(Accepted.newBuilder().setState(SECOND)).build());
    table.nextDeal();
    table.nextDeal(2);
    assertEquals(List.of(0, 2), service.calls.stream().skip(1)
        .map(call -> ((ApplyMovesRequest) call.request()).getSeat()).collect(Collectors.toList()));
  }

  @Test
  void aPositionShowsNeitherItsStateNorAHand() throws Exception {
    Position position = table(request -> null).position();
    assertFalse(position.updates().isEmpty());
    assertEquals("Position[revision=0, phase=PHASE_DRAW, turn=OptionalInt[2]]", position.toString());
  }

  @Test
  void optionsOfAMoveAreSent() throws Exception {
    Table table = table(request ->
        ApplyMovesResponse.newBuilder().setAccepted(Accepted.newBuilder().setState(SECOND)).build());
    table.play(2, List.of(Moves.draw(), Moves.resign()), request ->
        request.addViewers(Viewers.seat(1)).addViewers(Viewers.spectator())
            .setListLegalMoves(true).setHandOrder(HandOrder.HAND_ORDER_RANK_FIRST));
    ApplyMovesRequest sent = (ApplyMovesRequest) service.calls.get(1).request();
    assertEquals(List.of(Viewers.seat(1), Viewers.spectator()), sent.getViewersList());
    assertTrue(sent.getListLegalMoves());
    assertEquals(HandOrder.HAND_ORDER_RANK_FIRST, sent.getHandOrder());
    assertEquals(2, sent.getMovesCount());
  }

  @Test
  void whatATableAsksForIsNotAnOption() throws Exception {
    ByteString other = ByteString.copyFromUtf8("another state");
    Table table = table(request -> {
      if (request instanceof ApplyMovesRequest) {
        return ApplyMovesResponse.newBuilder().setAccepted(Accepted.newBuilder().setState(FIRST)).build();
      }
      return request instanceof GetViewRequest
          ? GetViewResponse.newBuilder().setView(View.getDefaultInstance()).build()
          : IssueSeatTokenResponse.newBuilder().setSeatToken("another").setState(FIRST).build();
    });
    table.play(0, List.of(Moves.draw()), request ->
        request.setState(other).setSeat(3).addMoves(Moves.resign()).setExpectedRevision(7));
    table.view(Viewers.seat(0), request -> request.setState(other).setViewer(Viewers.spectator()));
    table.issueSeatToken(0, request -> request.setState(other).setSeat(3));
    assertEquals(
        List.of(
            ApplyMovesRequest.newBuilder().setState(FIRST).addMoves(Moves.draw()).setExpectedRevision(0).build(),
            GetViewRequest.newBuilder().setState(FIRST).setViewer(Viewers.seat(0)).build(),
            IssueSeatTokenRequest.newBuilder().setState(FIRST).build()),
        service.calls.stream().skip(1).map(FakeService.Call::request).collect(Collectors.toList()));
  }

  @Test
  void aRefusedMoveChangesNothing() throws Exception {
    Table table = table(request ->
        ApplyMovesResponse.newBuilder().setRejected(Rejected.newBuilder().addViolations(WRONG)).build());
    Position before = table.position();
    IllegalMoveException refused =
        assertThrows(IllegalMoveException.class, () -> table.play(2, Moves.meld("7S 8S 9S")));
    assertEquals(List.of(WRONG), refused.violations());
    assertSame(before, table.position());
  }

  @Test
  void aFailedCallChangesNothing() throws Exception {
    Table table = table(request -> Status.ABORTED.withDescription("another revision").asRuntimeException());
    Position before = table.position();
    assertEquals(
        Status.Code.ABORTED, assertThrows(RulesException.class, () -> table.play(2, Moves.draw())).code());
    assertEquals(Status.Code.ABORTED, assertThrows(RulesException.class, () -> table.issueSeatToken(1)).code());
    assertSame(before, table.position());
  }

  @Test
  void anAnswerOfNeitherKindChangesNothing() throws Exception {
    Table table = table(request -> ApplyMovesResponse.getDefaultInstance());
    Position before = table.position();
    assertLacking("the answer neither accepts nor rejects the moves", () -> table.play(2, Moves.draw()));
    assertSame(before, table.position());
  }

  @ParameterizedTest
  @MethodSource("answersThatLackAPart")
  void aPartThatWasNotSentIsNoEmptyOne(String part, MessageLite answer, Consumer<Table> call) throws Exception {
    Table table = table(request -> answer);
    Position before = table.position();
    assertLacking("the answer has no " + part, () -> call.accept(table));
    assertSame(before, table.position());
  }

  private static Stream<Arguments> answersThatLackAPart() {
    Accepted accepted = Accepted.newBuilder().setState(SECOND).setTurn(1).build();
    Accepted stateless = accepted.toBuilder().clearState().build();
    Consumer<Table> draw = table -> table.play(2, Moves.draw());
    Consumer<Table> drawAndList =
        table -> table.play(2, List.of(Moves.draw()), request -> request.setListLegalMoves(true));
    return Stream.of(
        arguments("legal_moves", ListLegalMovesResponse.getDefaultInstance(), calling(table -> table.legal(2))),
        arguments("legal_moves", ApplyMovesResponse.newBuilder().setAccepted(accepted).build(), drawAndList),
        arguments("state", ApplyMovesResponse.newBuilder().setAccepted(stateless).build(), draw),
        arguments("violations", ApplyMovesResponse.newBuilder().setRejected(Rejected.newBuilder()).build(), draw),
        arguments("violations", CheckMovesResponse.getDefaultInstance(), calling(table -> table.check(2))),
        arguments("view", GetViewResponse.getDefaultInstance(), calling(Table::view)),
        arguments("score_sheet", ScoreDealResponse.getDefaultInstance(), calling(Table::score)),
        arguments(
            "state", IssueSeatTokenResponse.newBuilder().setSeatToken("a").build(),
            calling(table -> table.issueSeatToken(1))),
        arguments(
            "seat_token", IssueSeatTokenResponse.newBuilder().setState(SECOND).build(),
            calling(table -> table.issueSeatToken(1))));
  }

  private static Consumer<Table> calling(Consumer<Table> call) {
    return call;
  }

  @Test
  void aMatchWithoutAStateOrAViewIsNone() throws Exception {
    table(request -> GetViewResponse.getDefaultInstance());
    CreateMatchResponse stateless = created().toBuilder().clearState().build();
    CreateMatchResponse blind = created().toBuilder().clearUpdates().build();
    assertLacking("the answer has no state", () -> Position.of(stateless));
    assertLacking("the answer has no view", () -> Position.of(blind));
    assertLacking("the answer has no view", () -> Table.resume(client, FIRST));
  }

  private static void assertLacking(String what, Executable call) {
    RulesException failed = assertThrows(RulesException.class, call);
    assertEquals(Status.Code.UNKNOWN, failed.code());
    assertTrue(failed.description().startsWith(what), failed.description());
    assertFalse(failed.isTransient());
  }

  @Test
  void aRevocationChangesStateAndRevisionAlone() throws Exception {
    Table table = table(request -> IssueSeatTokenResponse.newBuilder()
        .setSeatToken("another").setState(SECOND).setRevision(1).build());
    assertEquals("another", table.issueSeatToken(1, request -> request.setRevoke(true)).getSeatToken());
    assertEquals(SECOND, table.state());
    assertEquals(1, table.revision());
    assertEquals(OptionalInt.of(2), table.turn());
    IssueSeatTokenRequest sent = (IssueSeatTokenRequest) service.calls.get(1).request();
    assertTrue(sent.getRevoke());
    assertEquals(1, sent.getSeat());
    assertEquals(FIRST, sent.getState());
  }

  @Test
  void questionsAreAskedOfTheStateAtHand() throws Exception {
    LegalMoves legal = LegalMoves.newBuilder().setCount(7).build();
    View view = View.newBuilder().setRevision(9).build();
    Table table = table(request -> {
      if (request instanceof CheckMovesRequest) {
        return CheckMovesResponse.newBuilder().addViolations(WRONG).build();
      }
      return request instanceof ListLegalMovesRequest
          ? ListLegalMovesResponse.newBuilder().setLegalMoves(legal).build()
          : GetViewResponse.newBuilder().setView(view).build();
    });
    assertEquals(List.of(WRONG), table.check(2, Moves.draw()));
    assertEquals(legal, table.legal(2, 50));
    assertEquals(view, table.view(1));
    assertEquals(view, table.view());
    assertEquals(FIRST, ((CheckMovesRequest) service.calls.get(1).request()).getState());
    assertTrue(((CheckMovesRequest) service.calls.get(1).request()).hasExpectedRevision());
    assertEquals(50, ((ListLegalMovesRequest) service.calls.get(2).request()).getMaxMoves());
    assertEquals(Viewers.seat(1), ((GetViewRequest) service.calls.get(3).request()).getViewer());
    assertEquals(Viewers.spectator(), ((GetViewRequest) service.calls.get(4).request()).getViewer());
  }

  @Test
  void aKeptStateIsResumedByAViewOfIt() throws Exception {
    View view = View.newBuilder().setRevision(41).setPhase(Phase.PHASE_PLAY).setTurn(0).build();
    table(request -> GetViewResponse.newBuilder().setView(view).build());
    Table resumed = Table.resume(client, SECOND, 3);
    assertEquals(SECOND, resumed.state());
    assertEquals(41, resumed.revision());
    assertEquals(Phase.PHASE_PLAY, resumed.phase());
    assertEquals(OptionalInt.of(0), resumed.turn());
    assertEquals(List.of(), resumed.seatTokens());
    assertEquals(Viewers.seat(3), ((GetViewRequest) service.calls.get(1).request()).getViewer());
    Table.resume(client, SECOND);
    assertEquals(Viewers.spectator(), ((GetViewRequest) service.calls.get(2).request()).getViewer());
  }

  @Test
  void movesOfManyThreadsAreMadeOneAfterTheOther() throws Exception {
    Table table = table(request -> {
      long revision = ((ApplyMovesRequest) request).getExpectedRevision();
      return ApplyMovesResponse.newBuilder()
          .setAccepted(Accepted.newBuilder().setState(FIRST).setRevision(revision + 1)).build();
    });
    List<Thread> threads = Stream.generate(() -> new Thread(() -> table.play(0, Moves.draw())))
        .limit(12).toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(12, table.revision());
    assertEquals(12, service.calls.stream().skip(1)
        .map(call -> ((ApplyMovesRequest) call.request()).getExpectedRevision()).distinct().count());
  }

  private static CreateMatchResponse created() {
    View view = View.newBuilder().setPhase(Phase.PHASE_DRAW).setTurn(2).build();
    return CreateMatchResponse.newBuilder()
        .setState(FIRST)
        .addUpdates(ViewerUpdate.newBuilder().setViewer(Viewers.seat(0)).setView(view))
        .addSeatTokens("token 0")
        .addSeatTokens("token 1")
        .build();
  }
}
