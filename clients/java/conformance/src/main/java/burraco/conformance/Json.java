package burraco.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** JSON values of a vector: paths into them, and differences. */
final class Json {
  static final String ABSENT = "(absent)";
  private static final Pattern PART = Pattern.compile("\\.?(\\w+)|\\[(\\d+|\\*)]");
  private static final String EACH = "*";

  private Json() {}

  /** A place where an answer is not what was expected. */
  record Difference(String path, String expected, String actual) {
    @Override
    public String toString() {
      return (path.isEmpty() ? "(whole)" : path) + ": expected " + expected + ", actual " + actual;
    }
  }

  /** A part of a path: a name, an index, or every index. */
  private record Part(String name, String index) {
    List<JsonElement> inside(JsonElement holder) {
      if (name != null) {
        boolean there = holder.isJsonObject() && holder.getAsJsonObject().has(name);
        return there ? List.of(holder.getAsJsonObject().get(name)) : List.of();
      }
      if (!holder.isJsonArray()) {
        return List.of();
      }
      JsonArray array = holder.getAsJsonArray();
      if (index.equals(EACH)) {
        return array.asList();
      }
      int at = Integer.parseInt(index);
      return at < array.size() ? List.of(array.get(at)) : List.of();
    }
  }

  /** The value at a path without {@code [*]}, if there is one. */
  static Optional<JsonElement> at(JsonElement value, String path) {
    JsonElement found = value;
    for (Part part : parts(path)) {
      List<JsonElement> inside = EACH.equals(part.index()) || found == null ? List.of() : part.inside(found);
      found = inside.isEmpty() ? null : inside.get(0);
    }
    return Optional.ofNullable(found);
  }

  /** Removes what a path leads to, in place, and counts it. */
  static int takeOut(JsonElement value, String path) {
    List<Part> parts = parts(path);
    String last = parts.get(parts.size() - 1).name();
    if (last == null) {
      throw new IllegalArgumentException("'" + path + "' has to end with a name: an array keeps its length");
    }
    List<JsonElement> holders = List.of(value);
    for (Part part : parts.subList(0, parts.size() - 1)) {
      List<JsonElement> inner = new ArrayList<>();
      holders.forEach(holder -> inner.addAll(part.inside(holder)));
      holders = inner;
    }
    int taken = 0;
    for (JsonElement holder : holders) {
      if (holder.isJsonObject() && holder.getAsJsonObject().remove(last) != null) {
        taken++;
      }
    }
    return taken;
  }

  /** Every place where two values differ; neither may have a key that the other has not. */
  static List<Difference> differences(JsonElement expected, JsonElement actual) {
    List<Difference> found = new ArrayList<>();
    compare(expected, actual, "", found);
    return found;
  }

  private static void compare(JsonElement expected, JsonElement actual, String path, List<Difference> found) {
    if (expected == null || actual == null) {
      found.add(new Difference(path, shown(expected), shown(actual)));
    } else if (expected.isJsonObject() && actual.isJsonObject()) {
      JsonObject one = expected.getAsJsonObject();
      JsonObject other = actual.getAsJsonObject();
      Set<String> keys = new LinkedHashSet<>(one.keySet());
      keys.addAll(other.keySet());
      keys.forEach(key -> compare(one.get(key), other.get(key), path.isEmpty() ? key : path + "." + key, found));
    } else if (expected.isJsonArray() && actual.isJsonArray()) {
      JsonArray one = expected.getAsJsonArray();
      JsonArray other = actual.getAsJsonArray();
      for (int at = 0; at < Math.max(one.size(), other.size()); at++) {
        compare(
            at < one.size() ? one.get(at) : null,
            at < other.size() ? other.get(at) : null,
            path + "[" + at + "]",
            found);
      }
    } else if (!shown(expected).equals(shown(actual))) {
      // As it is written, a number is no string and 1 is not 1.0.
      found.add(new Difference(path, shown(expected), shown(actual)));
    }
  }

  private static String shown(JsonElement value) {
    return value == null ? ABSENT : value.toString();
  }

  private static List<Part> parts(String path) {
    List<Part> parts = new ArrayList<>();
    Matcher part = PART.matcher(path);
    for (int at = 0; at < path.length(); at = part.end()) {
      if (!part.find(at) || part.start() != at) {
        throw new IllegalArgumentException("'" + path + "' is no path");
      }
      parts.add(new Part(part.group(1), part.group(2)));
    }
    return parts;
  }
}
