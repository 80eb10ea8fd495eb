package burraco.conformance;

import burraco.conformance.Json.Difference;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs a scenario: each step's request is sent, and the answer compared with what is expected. */
final class Scenario {
  private static final Set<String> NOT_COMPARED = Set.of("any", "ignore");

  private final String path;
  private final JsonObject scenario;
  private final Map<String, String> metadata;
  private final Map<String, String> variables = new HashMap<>();

  /** {@code metadata} is sent where a step has none of its own. */
  Scenario(String path, JsonObject scenario, Map<String, String> metadata) {
    this.path = path;
    this.scenario = scenario;
    this.metadata = metadata;
    object(scenario, "variables").entrySet()
        .forEach(each -> variables.put(each.getKey(), each.getValue().getAsString()));
  }

  /** What it needs that is not among these. */
  List<String> lacking(Set<String> able) {
    return strings(scenario, "needs").stream().filter(need -> !able.contains(need)).sorted().toList();
  }

  /** Runs until the end or the first step that fails, and gives a line for each difference. */
  List<String> run(Caller caller) {
    int at = 0;
    for (JsonElement each : scenario.getAsJsonArray("steps")) {
      JsonObject step = each.getAsJsonObject();
      String where = path + ", step " + at++ + ", " + step.get("rpc").getAsString() + ", ";
      try {
        List<Difference> differences = run(step, caller);
        if (!differences.isEmpty()) {
          return differences.stream().map(difference -> where + difference).toList();
        }
      } catch (RuntimeException broken) {
        return List.of(where + "could not be run: " + broken);
      }
    }
    return List.of();
  }

  private List<Difference> run(JsonObject step, Caller caller) {
    JsonObject actual = caller.call(
        step.get("rpc").getAsString(),
        step.has("metadata") ? resolved(step.getAsJsonObject("metadata")) : metadata,
        References.resolve(object(step, "request"), variables).getAsJsonObject(),
        step.has("requestBytes") ? References.bytes(step.get("requestBytes").getAsString()) : null);
    JsonObject expect = step.getAsJsonObject("expect");
    JsonObject expected = expect.deepCopy();
    NOT_COMPARED.forEach(expected::remove);
    JsonObject compared = actual.deepCopy();
    List<Difference> found = new ArrayList<>(setAside(expect, compared));
    found.addAll(Json.differences(expected, compared));
    found.addAll(keep(step, actual));
    return found;
  }

  /** Takes out of an outcome what is not compared; what stands under {@code any} has to be there. */
  private static List<Difference> setAside(JsonObject expect, JsonObject outcome) {
    List<Difference> found = new ArrayList<>();
    if (!outcome.has("answer")) {
      return found;
    }
    for (String any : strings(expect, "any")) {
      if (Json.takeOut(outcome.get("answer"), any) == 0) {
        found.add(new Difference("answer." + any, "(anything)", Json.ABSENT));
      }
    }
    strings(expect, "ignore").forEach(ignored -> Json.takeOut(outcome.get("answer"), ignored));
    return found;
  }

  /** Saves what later steps refer to. */
  private List<Difference> keep(JsonObject step, JsonObject outcome) {
    List<Difference> found = new ArrayList<>();
    object(step, "save").entrySet().forEach(each -> {
      String from = each.getValue().getAsString();
      JsonElement answer = outcome.has("answer") ? outcome.get("answer") : new JsonObject();
      Json.at(answer, from).filter(Scenario::isString).ifPresentOrElse(
          value -> variables.put(each.getKey(), value.getAsString()),
          () -> found.add(
              new Difference("answer." + from, "(something to save as " + each.getKey() + ")", Json.ABSENT)));
    });
    return found;
  }

  private static boolean isString(JsonElement value) {
    return value.isJsonPrimitive() && value.getAsJsonPrimitive().isString();
  }

  private Map<String, String> resolved(JsonObject metadata) {
    Map<String, String> sent = new HashMap<>();
    References.resolve(metadata, variables).getAsJsonObject().entrySet()
        .forEach(each -> sent.put(each.getKey(), each.getValue().getAsString()));
    return sent;
  }

  private static JsonObject object(JsonObject holder, String name) {
    return holder.has(name) ? holder.getAsJsonObject(name) : new JsonObject();
  }

  private static List<String> strings(JsonObject holder, String name) {
    return holder.has(name)
        ? holder.getAsJsonArray(name).asList().stream().map(JsonElement::getAsString).toList()
        : List.of();
  }
}
