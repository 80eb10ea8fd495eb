package burraco.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  @Test
  void theQuickStartIsTheOneThatCompiles() throws IOException {
    String readme = between(Files.readString(Path.of("../README.md")), "```java\n", "```");
    String source = Files.readString(Path.of("src/main/java/burraco/examples/QuickStart.java"));
    // An empty last line would count as one without indentation.
    assertEquals(between(source, "    // begin\n", "    // end").stripTrailing().stripIndent() + "\n", readme);
  }

  private static String between(String text, String begin, String end) {
    Matcher found = Pattern.compile(Pattern.quote(begin) + "(.*?)" + Pattern.quote(end), Pattern.DOTALL).matcher(text);
    if (!found.find()) {
      throw new AssertionError("there is nothing between " + begin + " and " + end);
    }
    return found.group(1);
  }
}
