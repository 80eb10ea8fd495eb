package burraco.conformance;

import java.util.LinkedHashMap;
import java.util.Map;

/** Counts how scenarios ended, by the folder that they are in. */
public final class Tally {
  /** How a scenario, or a match, ended. */
  public enum End {
    PASSED,
    FAILED,
    SKIPPED
  }

  private final Map<String, int[]> counts = new LinkedHashMap<>();

  /** Counts one more. */
  public void add(String folder, End end) {
    counts.computeIfAbsent(folder, absent -> new int[End.values().length])[end.ordinal()]++;
  }

  /** Prints a line for each folder, then the sum; true if nothing failed, and something passed. */
  public boolean print() {
    int[] sum = new int[End.values().length];
    counts.forEach((folder, ends) -> {
      System.out.println(folder + ": " + line(ends));
      for (int at = 0; at < sum.length; at++) {
        sum[at] += ends[at];
      }
    });
    System.out.println(line(sum));
    return sum[End.FAILED.ordinal()] == 0 && sum[End.PASSED.ordinal()] > 0;
  }

  private static String line(int[] ends) {
    return ends[End.PASSED.ordinal()] + " passed, " + ends[End.FAILED.ordinal()] + " failed, "
        + ends[End.SKIPPED.ordinal()] + " skipped";
  }
}
