package burraco.conformance;

import burraco.Burraco;

/** Plays the scripted match as an Android app would: with messages of the lite runtime, over OkHttp. */
public final class LiteMatch {
  private LiteMatch() {}

  /**
   * Plays on {@code BURRACO_TARGET} with the API key {@code BURRACO_API_KEY}, and prints the result, or what is wrong.
   */
  public static void main(String[] arguments) {
    ScriptedMatch.Outcome outcome;
    try (Burraco client = Burraco.builder(System.getenv("BURRACO_TARGET"))
        .apiKey(System.getenv("BURRACO_API_KEY"))
        .connect()) {
      outcome = ScriptedMatch.play(client);
    }
    if (outcome.passed()) {
      System.out.println(outcome.result());
      return;
    }
    outcome.wrong().forEach(System.out::println);
    System.exit(1);
  }
}
