package burraco.conformance;

import burraco.Burraco;
import burraco.IllegalMoveException;
import burraco.Moves;
import burraco.Position;
import burraco.RulesException;
import burraco.Table;
import burraco.Views;
import burraco.v1.ApplyMovesRequest;
import burraco.v1.LegalMoves;
import burraco.v1.MatchResult;
import burraco.v1.Move;
import burraco.v1.Phase;
import burraco.v1.Preset;
import burraco.v1.Reason;
import burraco.v1.View;
import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A match of Burraco from a given seed to its end, played with the hand-written layer alone: on any runtime, the same
 * each time.
 */
public final class ScriptedMatch {
  private static final int MOST_MOVES = 20_000;
  private static final byte[] SEED = "a seed of the conformance match.".getBytes(StandardCharsets.US_ASCII);

  private final List<String> wrong = new ArrayList<>();

  private ScriptedMatch() {}

  /**
   * How a match went.
   *
   * @param result its result, in words
   * @param wrong everything that was not as it has to be; empty when the match passed
   */
  public record Outcome(String result, List<String> wrong) {
    public boolean passed() {
      return wrong.isEmpty();
    }
  }

  /** Plays the match twice, and compares. */
  public static Outcome play(Burraco client) {
    ScriptedMatch match = new ScriptedMatch();
    try {
      String first = match.playOnce(client);
      String second = match.playOnce(client);
      match.expect("the same match again", first, second);
      return new Outcome(first, match.wrong);
    } catch (IllegalMoveException | RulesException | IllegalStateException stopped) {
      match.wrong.add("the match stopped: " + stopped);
      return new Outcome("none", match.wrong);
    }
  }

  private String playOnce(Burraco client) {
    Table table = Table.create(client, Table.newMatch(Preset.PRESET_ITALIAN)
        .setRequestId("scripted-match")
        .setGivenSeed(ByteString.copyFrom(SEED))
        .build());
    checkFailures(client, table);
    checkLanguages(client, table);
    int moves = 0;
    while (table.phase() != Phase.PHASE_MATCH_OVER) {
      if (++moves > MOST_MOVES) {
        throw new IllegalStateException("no end after " + MOST_MOVES + " moves");
      }
      if (table.phase() == Phase.PHASE_DEAL_OVER) {
        table.nextDeal();
      } else {
        int seat = table.turn().orElseThrow(() -> new IllegalStateException("nobody is to move in " + table.phase()));
        table.play(seat, choose(table.legal(seat)));
      }
    }
    return result(table, moves);
  }

  /** Draws; melds and lays off as many cards as it can; discards the first card that may go. */
  private Move choose(LegalMoves legal) {
    List<Move> all = Moves.expand(legal).collect(Collectors.toList());
    expect("moves that the list expands to", legal.getCount(), (long) all.size());
    Move best = null;
    for (Move move : all) {
      if (move.hasDrawStock()) {
        return move;
      }
      if (laid(move) > laid(best)) {
        best = move;
      }
    }
    if (best != null) {
      return best;
    }
    return all.stream().filter(Move::hasDiscard).findFirst()
        .or(() -> all.stream().findFirst())
        .orElseThrow(() -> new IllegalStateException("no legal move"));
  }

  private static int laid(Move move) {
    return move == null ? 0 : move.getMeld().getCardsCount() + move.getLayOff().getCardsCount();
  }

  private void checkFailures(Burraco client, Table table) {
    Position before = table.position();
    int seat = table.turn().orElseThrow(() -> new IllegalStateException("nobody is to move in a new match"));
    Move early = Moves.discard(Views.hand(table.view(seat), seat).get(0));
    try {
      table.play(seat, early);
      wrong.add("a discard before the draw was accepted");
    } catch (IllegalMoveException refused) {
      expect("reasons of the refusal", List.of(Reason.REASON_MUST_DRAW_FIRST), refused.reasons());
      expect("violations by the check", refused.violations(), table.check(seat, early));
    }
    expect("the table after a refusal", before, table.position());
    try {
      Table.resume(client, ByteString.copyFromUtf8("no state"));
      wrong.add("bytes that are no state were accepted");
    } catch (RulesException failed) {
      expect("code for bytes that are no state", Status.Code.INVALID_ARGUMENT, failed.code());
      expect("whether it has a reason", true, failed.reason() != Reason.REASON_UNSPECIFIED);
    }
    ApplyMovesRequest late =
        before.apply(seat, List.of(Moves.draw())).setExpectedRevision(before.revision() + 7).build();
    try {
      client.call(stub -> stub.applyMoves(late));
      wrong.add("a move on another revision was accepted");
    } catch (RulesException failed) {
      expect("code for another revision", Status.Code.ABORTED, failed.code());
      expect("reason for another revision", Reason.REASON_REVISION_MISMATCH, failed.reason());
    }
  }

  /** Violations are in the language of the client that a table was made with. */
  private void checkLanguages(Burraco client, Table table) {
    int seat = table.turn().orElseThrow(() -> new IllegalStateException("nobody is to move in a new match"));
    Table italian = Table.resume(client.inLanguage("it"), table.state());
    expect("a violation in Italian", "Prima pesca dal tallone o prendi dagli scarti.", firstText(italian, seat));
    expect("a violation in English", "Draw from the stock or take the pile first.", firstText(table, seat));
  }

  private static String firstText(Table table, int seat) {
    Move early = Moves.discard(Views.hand(table.view(seat), seat).get(0));
    return table.check(seat, early).get(0).getText();
  }

  private String result(Table table, int moves) {
    View view = table.view();
    MatchResult result = view.getResult();
    expect("whether somebody has won", true, result.getWinningSidesCount() > 0);
    expect("revision after every move", (long) moves, table.revision());
    // State and tokens aside, all that is to be known of the end.
    return moves + " moves, " + view.getDealNumber() + " deals, points " + result.getMatchPointsList()
        + ", won by side " + result.getWinningSidesList() + ", last discard pile of " + Views.discardCount(view);
  }

  private void expect(String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      wrong.add(what + ": expected " + expected + ", actual " + actual);
    }
  }
}
