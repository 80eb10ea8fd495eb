package burraco.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/** Puts what earlier steps saved in the place of references. */
final class References {
  private References() {}

  /** The value with every reference replaced, all the way down. */
  static JsonElement resolve(JsonElement value, Map<String, String> variables) {
    if (value.isJsonArray()) {
      JsonArray resolved = new JsonArray();
      value.getAsJsonArray().forEach(each -> resolved.add(resolve(each, variables)));
      return resolved;
    }
    if (!value.isJsonObject()) {
      return value;
    }
    JsonObject object = value.getAsJsonObject();
    if (object.has("$var")) {
      return new JsonPrimitive(variable(object, "$var", variables));
    }
    if (object.has("$bytes")) {
      return base64(changed(bytes(variable(object, "$bytes", variables)), object));
    }
    if (object.has("$text")) {
      byte[] text = variable(object, "$text", variables).getBytes(StandardCharsets.US_ASCII);
      return new JsonPrimitive(new String(changed(text, object), StandardCharsets.US_ASCII));
    }
    if (object.has("$zeros")) {
      return base64(new byte[object.get("$zeros").getAsInt()]);
    }
    JsonObject resolved = new JsonObject();
    object.entrySet().forEach(entry -> resolved.add(entry.getKey(), resolve(entry.getValue(), variables)));
    return resolved;
  }

  /** Bytes as the JSON mapping writes them. */
  static byte[] bytes(String text) {
    return Base64.getDecoder().decode(text);
  }

  private static JsonPrimitive base64(byte[] bytes) {
    return new JsonPrimitive(Base64.getEncoder().encodeToString(bytes));
  }

  private static String variable(JsonObject reference, String kind, Map<String, String> variables) {
    String name = reference.get(kind).getAsString();
    String value = variables.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no step has saved '" + name + "'");
    }
    return value;
  }

  private static byte[] changed(byte[] original, JsonObject changes) {
    byte[] bytes = original.clone();
    if (changes.has("xor")) {
      for (JsonElement change : changes.getAsJsonArray("xor")) {
        int at = change.getAsJsonObject().get("at").getAsInt();
        bytes[at < 0 ? bytes.length + at : at] ^= (byte) change.getAsJsonObject().get("with").getAsInt();
      }
    }
    if (changes.has("cut")) {
      bytes = Arrays.copyOf(bytes, Math.min(bytes.length, changes.get("cut").getAsInt()));
    }
    if (changes.has("append")) {
      byte[] more = bytes(changes.get("append").getAsString());
      int length = bytes.length;
      bytes = Arrays.copyOf(bytes, length + more.length);
      System.arraycopy(more, 0, bytes, length, more.length);
    }
    return bytes;
  }
}
