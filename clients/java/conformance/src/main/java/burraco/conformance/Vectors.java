package burraco.conformance;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The conformance vectors: a folder with a manifest. */
public final class Vectors {
  private static final int FORMAT = 1;

  private final Path folder;
  private final JsonObject manifest;

  /** Reads the manifest of a folder. */
  public Vectors(Path folder) {
    this.folder = folder;
    this.manifest = read("manifest.json");
    if (manifest.get("format").getAsInt() != FORMAT) {
      throw new IllegalArgumentException(
          "The vectors have format " + manifest.get("format") + ", but this runner knows format " + FORMAT + " alone.");
    }
  }

  /** Metadata to send with every call of a step that has none of its own. */
  public Map<String, String> metadata() {
    Map<String, String> metadata = new HashMap<>();
    manifest.getAsJsonObject("metadata").entrySet()
        .forEach(each -> metadata.put(each.getKey(), each.getValue().getAsString()));
    return metadata;
  }

  /** Runs every scenario, and prints what is wrong with one. */
  public void run(Caller caller, boolean arbiter, Tally tally) {
    Set<String> able = new HashSet<>(List.of("rawRequests", "unknownEnums"));
    if (arbiter) {
      able.add("arbiter");
    }
    for (JsonElement each : manifest.getAsJsonArray("files")) {
      String path = each.getAsJsonObject().get("path").getAsString();
      tally.add(path.split("/")[1], run(path, caller, able));
    }
  }

  private Tally.End run(String path, Caller caller, Set<String> able) {
    Scenario scenario = new Scenario(path, read(path), metadata());
    List<String> lacking = scenario.lacking(able);
    if (!lacking.isEmpty()) {
      System.out.println("SKIPPED " + path + ", which needs " + String.join(", ", lacking));
      return Tally.End.SKIPPED;
    }
    List<String> wrong = scenario.run(caller);
    wrong.forEach(line -> System.out.println("FAILED " + line));
    return wrong.isEmpty() ? Tally.End.PASSED : Tally.End.FAILED;
  }

  private JsonObject read(String path) {
    try {
      return JsonParser.parseString(Files.readString(folder.resolve(path))).getAsJsonObject();
    } catch (IOException unreadable) {
      throw new UncheckedIOException("Cannot read " + folder.resolve(path) + ".", unreadable);
    }
  }
}
