package burraco;

import burraco.v1.Accepted;
import burraco.v1.ApplyMovesRequest;
import burraco.v1.ApplyMovesResponse;
import burraco.v1.CheckMovesRequest;
import burraco.v1.CreateMatchRequest;
import burraco.v1.CreateMatchResponse;
import burraco.v1.GetViewRequest;
import burraco.v1.GivenSeats;
import burraco.v1.IssueSeatTokenRequest;
import burraco.v1.IssueSeatTokenResponse;
import burraco.v1.LegalMoves;
import burraco.v1.ListLegalMovesRequest;
import burraco.v1.Move;
import burraco.v1.Phase;
import burraco.v1.Preset;
import burraco.v1.RulesSelection;
import burraco.v1.ScoreDealRequest;
import burraco.v1.ScoreDealResponse;
import burraco.v1.View;
import burraco.v1.Viewer;
import burraco.v1.ViewerUpdate;
import burraco.v1.Violation;
import com.google.protobuf.ByteString;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * One match. Only an accepted move changes it: after a refusal or a failed call it is as it was.
 *
 * <p>Every method that calls the service throws {@link RulesException} when the call fails, or its answer lacks what is
 * asked for. Threads may share a table: changes are made one after the other, and {@link #position} is always of one
 * moment.
 */
public final class Table {
  private final Burraco client;
  private final List<String> seatTokens;
  private final ReentrantLock changing = new ReentrantLock();
  private volatile Position position;

  private Table(Burraco client, Position position, List<String> seatTokens) {
    this.client = client;
    this.position = position;
    this.seatTokens = List.copyOf(seatTokens);
  }

  /** Seats four players of Italian Burraco and deals. */
  public static Table create(Burraco client) {
    return create(client, Preset.PRESET_ITALIAN);
  }

  /** Seats the players of a preset and deals. */
  public static Table create(Burraco client, Preset preset) {
    return create(client, newMatch(preset).build());
  }

  /** Seats the players and deals; {@link #newMatch} begins a request. */
  public static Table create(Burraco client, CreateMatchRequest request) {
    CreateMatchResponse response = client.call(stub -> stub.createMatch(request));
    return new Table(client, Position.of(response), response.getSeatTokensList());
  }

  /** A request for a match of a preset with seats as given, for {@link #create}: set on it what is to be otherwise. */
  public static CreateMatchRequest.Builder newMatch(Preset preset) {
    return CreateMatchRequest.newBuilder()
        .setRules(RulesSelection.newBuilder().setPreset(preset))
        .setGivenSeats(GivenSeats.getDefaultInstance());
  }

  /** Goes on from a state that was kept. A client that is a seat has to name it: it sees no other view. */
  public static Table resume(Burraco client, ByteString state) {
    return resume(client, state, Viewers.spectator());
  }

  /** Goes on from a state that was kept, as a client that is this seat. */
  public static Table resume(Burraco client, ByteString state, int seat) {
    return resume(client, state, Viewers.seat(seat));
  }

  private static Table resume(Burraco client, ByteString state, Viewer viewer) {
    GetViewRequest request = GetViewRequest.newBuilder().setState(state).setViewer(viewer).build();
    View view = Answers.view(client.call(stub -> stub.getView(request)));
    return new Table(client, Position.of(state, view), List.of());
  }

  /**
   * Makes moves, all or none.
   *
   * @throws IllegalMoveException with everything that is wrong with the first illegal move
   */
  public Accepted play(int seat, Move... moves) {
    return play(seat, List.of(moves), request -> {});
  }

  /**
   * Makes moves, all or none, with what {@code options} sets on the request: viewers, the order of hands, whether the
   * next seat's legal moves are listed. State, revision, seat and moves are set after it.
   *
   * @throws IllegalMoveException with everything that is wrong with the first illegal move
   */
  public Accepted play(int seat, List<Move> moves, Consumer<ApplyMovesRequest.Builder> options) {
    changing.lock();
    try {
      ApplyMovesRequest request = position.apply(seat, moves, options).build();
      ApplyMovesResponse response = client.call(stub -> stub.applyMoves(request));
      position = position.after(request, response);
      return response.getAccepted();
    } finally {
      changing.unlock();
    }
  }

  /** Deals again once a deal is over, as seat 0. */
  public Accepted nextDeal() {
    return nextDeal(0);
  }

  /** Deals again once a deal is over, as this seat: a client that is a seat has to name itself. */
  public Accepted nextDeal(int seat) {
    return play(seat, Moves.nextDeal());
  }

  /** Says what is wrong with moves, without making them; nothing if they are legal. */
  public List<Violation> check(int seat, Move... moves) {
    CheckMovesRequest request = position.check(seat, List.of(moves)).build();
    return Answers.violations(client.call(stub -> stub.checkMoves(request)));
  }

  /** Lists every legal move of a seat; {@link Moves#expand(LegalMoves)} goes through them one by one. */
  public LegalMoves legal(int seat) {
    return legal(seat, 0);
  }

  /** Lists at most so many legal moves of a seat; 0 is the service's own limit. */
  public LegalMoves legal(int seat, int maxMoves) {
    ListLegalMovesRequest request =
        ListLegalMovesRequest.newBuilder().setState(state()).setSeat(seat).setMaxMoves(maxMoves).build();
    return Answers.legalMoves(client.call(stub -> stub.listLegalMoves(request)));
  }

  /** Shows what a seat may know. */
  public View view(int seat) {
    return view(Viewers.seat(seat), request -> {});
  }

  /** Shows what a spectator may know. */
  public View view() {
    return view(Viewers.spectator(), request -> {});
  }

  /**
   * Shows what a viewer may know, with what {@code options} sets on the request: the order of hands, whether rules are
   * told. State and viewer are set after it.
   */
  public View view(Viewer viewer, Consumer<GetViewRequest.Builder> options) {
    GetViewRequest.Builder request = GetViewRequest.newBuilder();
    options.accept(request);
    request.setState(state()).setViewer(viewer);
    return Answers.view(client.call(stub -> stub.getView(request.build())));
  }

  /** Counts the finished deal. */
  public ScoreDealResponse score() {
    ScoreDealRequest request = ScoreDealRequest.newBuilder().setState(state()).build();
    return Answers.score(client.call(stub -> stub.scoreDeal(request)));
  }

  /** Issues another token of a seat; for back ends only. */
  public IssueSeatTokenResponse issueSeatToken(int seat) {
    return issueSeatToken(seat, request -> {});
  }

  /**
   * Issues another token of a seat with what {@code options} sets on the request; for back ends only. Where {@code
   * setRevoke(true)} is among it those before end, and the state changes: store it, as after a move. State and seat are
   * set after it.
   */
  public IssueSeatTokenResponse issueSeatToken(int seat, Consumer<IssueSeatTokenRequest.Builder> options) {
    changing.lock();
    try {
      IssueSeatTokenRequest.Builder request = IssueSeatTokenRequest.newBuilder();
      options.accept(request);
      request.setState(state()).setSeat(seat);
      IssueSeatTokenResponse response = client.call(stub -> stub.issueSeatToken(request.build()));
      position = position.after(response);
      return response;
    } finally {
      changing.unlock();
    }
  }

  /** The sealed state and what goes with it, all of one moment. */
  public Position position() {
    return position;
  }

  /** The sealed state: keep it, and {@link #resume(Burraco, ByteString)} goes on from it. */
  public ByteString state() {
    return position.state();
  }

  /** Number of changes so far: moves applied, and revocations of seat tokens. */
  public long revision() {
    return position.revision();
  }

  /** Where the match stands. */
  public Phase phase() {
    return position.phase();
  }

  /** The seat to move; empty when the deal or the match is over. */
  public OptionalInt turn() {
    return position.turn();
  }

  /** What the latest change told each viewer that was asked for. */
  public List<ViewerUpdate> updates() {
    return position.updates();
  }

  /** The token of each seat, by seat, where this made the match: give each player his own. */
  public List<String> seatTokens() {
    return seatTokens;
  }
}
