package burraco;

import burraco.v1.Accepted;
import burraco.v1.ApplyMovesRequest;
import burraco.v1.ApplyMovesResponse;
import burraco.v1.CheckMovesRequest;
import burraco.v1.CreateMatchResponse;
import burraco.v1.IssueSeatTokenResponse;
import burraco.v1.Move;
import burraco.v1.Phase;
import burraco.v1.View;
import burraco.v1.ViewerUpdate;
import com.google.protobuf.ByteString;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * What a caller keeps of a match: the sealed state, and what goes with it. Immutable; a move makes another.
 *
 * <p>{@link Table} keeps one and makes the calls. Code that calls another way, such as with the future stub, makes its
 * requests and reads its answers with this, and others with {@link Answers}: one that lacks what is taken from it is a
 * {@link RulesException}.
 *
 * @param state the sealed state: keep it, and {@link Table#resume(Burraco, ByteString)} goes on from it
 * @param revision number of changes so far: moves applied, and revocations of seat tokens
 * @param phase where the match stands
 * @param turn the seat to move; empty when the deal or the match is over
 * @param updates what the latest change told each viewer that was asked for
 */
public record Position(
    ByteString state, long revision, Phase phase, OptionalInt turn, List<ViewerUpdate> updates) {

  public Position {
    updates = List.copyOf(updates);
  }

  /** The position after the first deal. */
  public static Position of(CreateMatchResponse created) {
    Answers.require(!created.getState().isEmpty(), "state");
    Answers.require(created.getUpdatesCount() > 0 && created.getUpdates(0).hasView(), "view");
    return of(created.getState(), created.getUpdates(0).getView(), created.getUpdatesList());
  }

  /** The position of a kept state, by a view of it. */
  public static Position of(ByteString state, View view) {
    return of(state, view, List.of());
  }

  private static Position of(ByteString state, View view, List<ViewerUpdate> updates) {
    OptionalInt turn = view.hasTurn() ? OptionalInt.of(view.getTurn()) : OptionalInt.empty();
    return new Position(state, view.getRevision(), view.getPhase(), turn, updates);
  }

  /** The request to make moves from here, all or none. */
  public ApplyMovesRequest.Builder apply(int seat, Iterable<Move> moves) {
    return apply(seat, moves, request -> {});
  }

  /** The request to make moves from here, with what {@code options} sets beside state, seat, moves and revision. */
  public ApplyMovesRequest.Builder apply(
      int seat, Iterable<Move> moves, Consumer<? super ApplyMovesRequest.Builder> options) {
    ApplyMovesRequest.Builder request = ApplyMovesRequest.newBuilder();
    options.accept(request);
    return request
        .setState(state)
        .setSeat(seat)
        .clearMoves()
        .addAllMoves(moves)
        .setExpectedRevision(revision);
  }

  /** The request to check moves from here. */
  public CheckMovesRequest.Builder check(int seat, Iterable<Move> moves) {
    return CheckMovesRequest.newBuilder()
        .setState(state)
        .setSeat(seat)
        .addAllMoves(moves)
        .setExpectedRevision(revision);
  }

  /**
   * The position after the answer to {@link #apply}.
   *
   * @throws IllegalMoveException with everything that is wrong with the first illegal move
   */
  public Position after(ApplyMovesResponse response) {
    Accepted accepted = accepted(response);
    OptionalInt next = accepted.hasTurn() ? OptionalInt.of(accepted.getTurn()) : OptionalInt.empty();
    return new Position(
        accepted.getState(), accepted.getRevision(), accepted.getPhase(), next, accepted.getUpdatesList());
  }

  /**
   * The position after the answer to a request that {@link #apply} began; where that asks for legal moves, the answer
   * has to have them.
   *
   * @throws IllegalMoveException with everything that is wrong with the first illegal move
   */
  public Position after(ApplyMovesRequest request, ApplyMovesResponse response) {
    Position next = after(response);
    boolean isAsked = request.getListLegalMoves() && next.turn.isPresent();
    Answers.require(!isAsked || response.getAccepted().hasLegalMoves(), "legal_moves");
    return next;
  }

  /** The position after seat tokens were issued; where earlier ones were revoked, the state is another. */
  public Position after(IssueSeatTokenResponse response) {
    Answers.require(!response.getSeatToken().isEmpty(), "seat_token");
    Answers.require(!response.getState().isEmpty(), "state");
    return new Position(response.getState(), response.getRevision(), phase, turn, updates);
  }

  /** Neither the state nor updates, which tell what is in hands. */
  @Override
  public String toString() {
    return "Position[revision=" + revision + ", phase=" + phase + ", turn=" + turn + "]";
  }

  /**
   * What an answer accepted.
   *
   * @throws IllegalMoveException if it rejected a move
   */
  public static Accepted accepted(ApplyMovesResponse response) {
    return switch (response.getOutcomeCase()) {
      case ACCEPTED -> {
        Answers.require(!response.getAccepted().getState().isEmpty(), "state");
        yield response.getAccepted();
      }
      case REJECTED -> {
        Answers.require(response.getRejected().getViolationsCount() > 0, "violations");
        throw new IllegalMoveException(response.getRejected().getViolationsList());
      }
      case OUTCOME_NOT_SET -> throw RulesException.unreadable(
          "the answer neither accepts nor rejects the moves: this client is older than the service");
    };
  }
}
