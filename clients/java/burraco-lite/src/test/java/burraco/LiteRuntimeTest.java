package burraco;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.GeneratedMessageLite;
import com.google.protobuf.MessageLite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an Android app has, and no more, is on the class path of these tests. */
class LiteRuntimeTest {
  @Test
  void messagesAreLite() {
    MessageLite move = Moves.draw();
    assertInstanceOf(GeneratedMessageLite.class, move);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.google.protobuf.Descriptors",
        "com.google.protobuf.GeneratedMessage",
        "io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder",
        "io.grpc.netty.NettyChannelBuilder",
      })
  void theFullRuntimeIsNotThere(String name) {
    assertThrows(ClassNotFoundException.class, () -> Class.forName(name));
  }
}
