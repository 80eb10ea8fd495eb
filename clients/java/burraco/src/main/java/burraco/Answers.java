package burraco;

import burraco.v1.CheckMovesResponse;
import burraco.v1.GetViewResponse;
import burraco.v1.LegalMoves;
import burraco.v1.ListLegalMovesResponse;
import burraco.v1.ScoreDealResponse;
import burraco.v1.View;
import burraco.v1.Violation;
import java.util.List;

/**
 * What answers are asked for. Generated messages read a part that was not sent as an empty one; here it is a call that
 * failed, with the code {@code UNKNOWN}.
 *
 * <p>{@link Table} reads its answers with this; code that calls another way, such as with the future stub, may too.
 */
public final class Answers {
  private Answers() {}

  /** What is wrong with moves; nothing if they are legal. */
  public static List<Violation> violations(CheckMovesResponse response) {
    require(response.getLegal() || response.getViolationsCount() > 0, "violations, and does not say legal");
    return response.getViolationsList();
  }

  /** The legal moves of a seat. */
  public static LegalMoves legalMoves(ListLegalMovesResponse response) {
    require(response.hasLegalMoves(), "legal_moves");
    return response.getLegalMoves();
  }

  /** What a viewer may know. */
  public static View view(GetViewResponse response) {
    require(response.hasView(), "view");
    return response.getView();
  }

  /** A deal that was counted. */
  public static ScoreDealResponse score(ScoreDealResponse response) {
    require(response.hasScoreSheet(), "score_sheet");
    return response;
  }

  static void require(boolean isThere, String part) {
    if (!isThere) {
      throw RulesException.unreadable("the answer has no " + part);
    }
  }
}
