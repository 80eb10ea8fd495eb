package burraco.conformance;

import burraco.Burraco;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Runs the vectors and the scripted match: {@code java -jar burraco-conformance.jar [burraco-conformance-lite.jar]}.
 */
public final class Main {
  private Main() {}

  /** The exit code is 1 when something failed, 2 when the environment does not say what to run. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Map<String, String> environment = System.getenv();
    String target = required(environment, "BURRACO_TARGET", "HOST:PORT of a server with the manifest's environment");
    String arbiterTarget = environment.get("BURRACO_ARBITER_TARGET");
    Vectors vectors = new Vectors(Path.of(required(environment, "BURRACO_VECTORS", "the folder of manifest.json")));
    String apiKey = vectors.metadata().get("burraco-api-key");
    Tally tally = new Tally();
    try (ChannelCaller caller = new ChannelCaller(UnaryCall.BLOCKING, target, arbiterTarget)) {
      vectors.run(caller, arbiterTarget != null, tally);
    }
    boolean played = match(target, apiKey, arguments.length > 0 ? arguments[0] : null);
    tally.add("match", played ? Tally.End.PASSED : Tally.End.FAILED);
    System.exit(tally.print() ? 0 : 1);
  }

  /** Plays the match, and where there is a program of the lite runtime with that too. */
  private static boolean match(String target, String apiKey, String liteJar) throws IOException, InterruptedException {
    ScriptedMatch.Outcome outcome;
    try (Burraco client = Burraco.builder(target).apiKey(apiKey).connect()) {
      outcome = ScriptedMatch.play(client);
    }
    outcome.wrong().forEach(line -> System.out.println("FAILED match, " + line));
    if (liteJar == null) {
      System.out.println("The lite runtime, whose program is the argument, was not asked for.");
      return outcome.passed();
    }
    System.out.println("The vectors and the match ran on the full protobuf runtime, over Netty.");
    System.out.println("The lite runtime reads no JSON: it plays the match too, over OkHttp, to the same end.");
    return lite(liteJar, apiKey, outcome.result()) && outcome.passed();
  }

  /**
   * Plays the match in a process of its own, since the classes have the same names; the result has to be the same too.
   */
  private static boolean lite(String jar, String apiKey, String expected) throws IOException, InterruptedException {
    ProcessBuilder process =
        new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", jar)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    process.environment().put("BURRACO_API_KEY", apiKey);
    Process running = process.start();
    List<String> lines =
        new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    int code = running.waitFor();
    if (code == 0 && lines.equals(List.of(expected))) {
      return true;
    }
    System.out.println(
        "FAILED match, on the lite runtime, exit code " + code + ": expected " + expected + ", actual " + lines);
    return false;
  }

  private static String required(Map<String, String> environment, String name, String meaning) {
    String value = environment.get(name);
    if (value == null) {
      System.err.println("Set " + name + ": " + meaning + ".");
      System.exit(2);
    }
    return value;
  }
}
