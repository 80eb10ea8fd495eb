package burraco.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScenarioTest {
  private static final Map<String, String> METADATA = Map.of("burraco-api-key", "a-key");
  private static final String GOOD = """
      {'code': 'OK', 'answer': {'state': 'AQID', 'turn': 1, 'expireTime': 'now', 'updates': [{'view': {}}]}}""";
  private static final String STEPS = """
      {'steps': [
        {'rpc': 's/A', 'request': {'seat': 0}, 'save': {'state': 'state'}, 'expect': {
          'code': 'OK', 'any': ['state'], 'ignore': ['expireTime', 'updates[*].view'],
          'answer': {'turn': 1, 'updates': [{}]}}},
        {'rpc': 's/B', 'metadata': {'token': {'$var': 'state'}}, 'request': {'state': {'$var': 'state'}}, 'expect': {
          'code': 'ABORTED', 'reason': 'REASON_REVISION_MISMATCH'}}
      ]}""";

  private final List<String> calls = new ArrayList<>();

  private List<String> run(String scenario, String... outcomes) {
    Caller caller = (rpc, metadata, request, raw) -> {
      calls.add(rpc + " " + metadata + " " + request);
      return JsonTest.json(outcomes[calls.size() - 1]).getAsJsonObject();
    };
    return scenario(scenario).run(caller);
  }

  private static Scenario scenario(String text) {
    return new Scenario("some.json", JsonTest.json(text).getAsJsonObject(), METADATA);
  }

  @Test
  void stepsThatEndAsExpectedPass() {
    assertEquals(List.of(), run(STEPS, GOOD, "{'code': 'ABORTED', 'reason': 'REASON_REVISION_MISMATCH'}"));
    assertEquals(
        List.of("s/A {burraco-api-key=a-key} {\"seat\":0}", "s/B {token=AQID} {\"state\":\"AQID\"}"), calls);
  }

  @Test
  void theFirstStepThatFailsEndsTheScenario() {
    assertEquals(
        List.of("some.json, step 0, s/A, answer.turn: expected 1, actual 2"),
        run(STEPS, GOOD.replace("'turn': 1", "'turn': 2")));
    assertEquals(1, calls.size());
  }

  @Test
  void everyDifferenceOfAStepIsTold() {
    List<String> wrong = run(STEPS, GOOD, "{'code': 'INTERNAL', 'message': 'm'}");
    assertEquals(
        List.of(
            "some.json, step 1, s/B, code: expected \"ABORTED\", actual \"INTERNAL\"",
            "some.json, step 1, s/B, reason: expected \"REASON_REVISION_MISMATCH\", actual (absent)",
            "some.json, step 1, s/B, message: expected (absent), actual \"m\""),
        wrong);
  }

  @Test
  void whatMayBeAnythingHasToBeThere() {
    List<String> wrong = run(STEPS, GOOD.replace("'state': 'AQID', ", ""));
    assertEquals(
        List.of(
            "some.json, step 0, s/A, answer.state: expected (anything), actual (absent)",
            "some.json, step 0, s/A, answer.state: expected (something to save as state), actual (absent)"),
        wrong);
  }

  @Test
  void anAnswerWhereAFailureIsExpectedIsTold() {
    List<String> wrong = run(STEPS, GOOD, GOOD);
    assertTrue(wrong.get(0).contains("code: expected \"ABORTED\", actual \"OK\""), wrong.toString());
  }

  @Test
  void aCallThatCannotBeMadeIsAFailureOfTheStep() {
    Caller broken = (rpc, metadata, request, raw) -> {
      throw new IllegalArgumentException("no such RPC");
    };
    assertEquals(
        List.of("some.json, step 0, s/A, could not be run: java.lang.IllegalArgumentException: no such RPC"),
        scenario(STEPS).run(broken));
  }

  @Test
  void bytesAreSentAsTheyAre() {
    byte[][] sent = new byte[1][];
    Caller caller = (rpc, metadata, request, raw) -> {
      sent[0] = raw;
      JsonObject outcome = new JsonObject();
      outcome.addProperty("code", "OK");
      return outcome;
    };
    assertEquals(
        List.of(),
        scenario("{'steps': [{'rpc': 's/A', 'requestBytes': '/////w==', 'expect': {'code': 'OK'}}]}").run(caller));
    assertEquals(List.of((byte) -1, (byte) -1, (byte) -1, (byte) -1),
        List.of(sent[0][0], sent[0][1], sent[0][2], sent[0][3]));
  }

  @Test
  void whatItNeedsAndNobodyCanIsNamed() {
    Scenario scenario = scenario("{'needs': ['telepathy', 'arbiter'], 'steps': []}");
    assertEquals(List.of("telepathy"), scenario.lacking(Set.of("arbiter")));
  }
}
