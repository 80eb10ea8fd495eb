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
    String source = Files.readString(Path.of("src/main/java/QuickStart.java"));
    assertEquals(source, between(Files.readString(Path.of("../README.md")), "```java\n", "```"));
  }

  @Test
  void theQuickStartTakesThisVersion() throws IOException {
    String readme = between(Files.readString(Path.of("../README.md")), "<dependency>", "</dependency>");
    String project = Files.readString(Path.of("../pom.xml"));
    assertEquals(between(project, "<version>", "</version>"), between(readme, "<version>", "</version>"));
  }

  private static String between(String text, String begin, String end) {
    Matcher found = Pattern.compile(Pattern.quote(begin) + "(.*?)" + Pattern.quote(end), Pattern.DOTALL).matcher(text);
    if (!found.find()) {
      throw new AssertionError("there is nothing between " + begin + " and " + end);
    }
    return found.group(1);
  }
}
