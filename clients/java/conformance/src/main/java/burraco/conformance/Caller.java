package burraco.conformance;

import com.google.gson.JsonObject;
import java.util.Map;

/** Something that answers calls: a server, or a stand-in of a test. */
public interface Caller {
  /**
   * Makes a call and says how it ended, as {@code expect} of a vector has it.
   *
   * @param raw the bytes to send in place of the request, or null
   */
  JsonObject call(String rpc, Map<String, String> metadata, JsonObject request, byte[] raw);
}
