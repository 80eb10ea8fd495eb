package burraco;

import burraco.v1.ArbiterServiceGrpc;
import burraco.v1.GameServiceGrpc;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The gRPC service config that the service recommends, as {@code service_config.json} of the Python client has it; a
 * test compares the two. It is written out, since reading JSON would take a library. grpc-java wants every number as a
 * double.
 */
final class ServiceConfig {
  static final Duration TIMEOUT = Duration.ofSeconds(5);

  private ServiceConfig() {}

  /** The config with the deadline of calls that bring none, those of streams apart. */
  static Map<String, Object> withTimeout(Duration timeout) {
    return Map.of(
        "loadBalancingConfig",
        List.of(Map.of("round_robin", Map.of())),
        "methodConfig",
        List.of(
            Map.of(
                "name",
                List.of(
                    Map.of("service", GameServiceGrpc.SERVICE_NAME),
                    Map.of("service", ArbiterServiceGrpc.SERVICE_NAME)),
                "timeout",
                seconds(timeout),
                "retryPolicy",
                Map.of(
                    "maxAttempts", 4.0,
                    "initialBackoff", "0.02s",
                    "maxBackoff", "0.2s",
                    "backoffMultiplier", 2.0,
                    "retryableStatusCodes", List.of("UNAVAILABLE", "CANCELLED"))),
            Map.of(
                "name",
                List.of(Map.of("service", GameServiceGrpc.SERVICE_NAME, "method", "StreamApplyMoves")))));
  }

  private static String seconds(Duration timeout) {
    if (timeout.getNano() == 0) {
      return timeout.getSeconds() + "s";
    }
    String digits = String.valueOf(1_000_000_000L + timeout.getNano()).substring(1);
    return timeout.getSeconds() + "." + digits + "s";
  }
}
