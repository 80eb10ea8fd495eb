package burraco.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  private static final String ANSWER = "{'state': 'AA==', 'updates': [{'view': {'turn': 1}}, {'view': {}}], 'count': 2}";

  @ParameterizedTest
  @CsvSource({"state,\"AA==\"", "updates[0].view.turn,1", "updates[1].view,{}", "count,2"})
  void aPathLeadsToAValue(String path, String value) {
    assertEquals(Optional.of(json(value)), Json.at(json(ANSWER), path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing", "updates[2].view", "state.more", "count[0]", "updates[1].view.turn", "updates[*].view"})
  void aPathMayLeadNowhere(String path) {
    assertEquals(Optional.empty(), Json.at(json(ANSWER), path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a[", "a[x]", "[-1]"})
  void otherTextIsNoPath(String path) {
    assertThrows(IllegalArgumentException.class, () -> Json.at(json(ANSWER), path));
  }

  @Test
  void whatAPathLeadsToIsTakenOut() {
    JsonElement answer = json(ANSWER);
    assertEquals(2, Json.takeOut(answer, "updates[*].view"));
    assertEquals(1, Json.takeOut(answer, "state"));
    assertEquals(0, Json.takeOut(answer, "state"));
    assertEquals(json("{'updates': [{}, {}], 'count': 2}"), answer);
    assertThrows(IllegalArgumentException.class, () -> Json.takeOut(answer, "updates[0]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a': 1}         | {'a': 2}      | a: expected 1, actual 2",
        "{'a': 1}         | {'a': '1'}    | a: expected 1, actual \"1\"",
        "{'a': 1}         | {}            | a: expected 1, actual (absent)",
        "{}               | {'a': false}  | a: expected (absent), actual false",
        "{'a': [1]}       | {'a': [1, 2]} | a[1]: expected (absent), actual 2",
        "{'a': [{'b': 1}]}| {'a': [{}]}   | a[0].b: expected 1, actual (absent)",
        "{'a': {}}        | {'a': []}     | a: expected {}, actual []",
        "1                | 2             | (whole): expected 1, actual 2",
      })
  void everyDifferenceIsTold(String expected, String actual, String told) {
    assertEquals(List.of(told), Json.differences(json(expected), json(actual)).stream().map(Object::toString).toList());
  }

  @Test
  void theOrderOfKeysMeansNothing() {
    assertEquals(List.of(), Json.differences(json("{'a': 1, 'b': [2]}"), json("{'b': [2], 'a': 1}")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'x': [{'$var': 'state'}]}                              | {'x': ['AQID']}",
        "{'$bytes': 'state', 'xor': [{'at': 0, 'with': 255}]}    | '/gID'",
        "{'$bytes': 'state', 'xor': [{'at': -1, 'with': 1}]}     | 'AQIC'",
        "{'$bytes': 'state', 'cut': 1}                           | 'AQ=='",
        "{'$bytes': 'state', 'cut': 9, 'append': 'AA=='}         | 'AQIDAA=='",
        "{'$text': 'token', 'xor': [{'at': 1, 'with': 1}], 'cut': 2} | 'ac'",
        "{'$zeros': 2}                                           | 'AAA='",
      })
  void referencesAreReplaced(String given, String resolved) {
    Map<String, String> variables = Map.of("state", "AQID", "token", "abc");
    assertEquals(json(resolved), References.resolve(json(given), variables));
  }

  @Test
  void aVariableThatWasNeverSavedIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> References.resolve(json("{'$var': 'state'}"), Map.of()));
  }

  static JsonElement json(String text) {
    return JsonParser.parseString(text.replace('\'', '"'));
  }
}
