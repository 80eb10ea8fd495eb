package burraco;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceConfigTest {
  private static final Path RECOMMENDED = Path.of("../../python/burraco/service_config.json");

  @Test
  void itIsWhatTheServiceRecommends() throws IOException {
    Map<String, Object> recommended =
        new Gson().fromJson(Files.readString(RECOMMENDED), new TypeToken<Map<String, Object>>() {}.getType());
    assertEquals(recommended, ServiceConfig.withTimeout(ServiceConfig.TIMEOUT));
  }

  @Test
  void deadlinesAreWrittenInSeconds() {
    assertEquals("10s", timeout(Duration.ofSeconds(10)));
    assertEquals("2.050000000s", timeout(Duration.ofMillis(2050)));
  }

  private static Object timeout(Duration timeout) {
    Iterable<?> methods = (Iterable<?>) ServiceConfig.withTimeout(timeout).get("methodConfig");
    return ((Map<?, ?>) methods.iterator().next()).get("timeout");
  }
}
