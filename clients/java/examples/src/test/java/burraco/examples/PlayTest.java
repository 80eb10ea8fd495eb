package burraco.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import burraco.Burraco;
import burraco.Cards;
import burraco.Moves;
import burraco.Table;
import burraco.conformance.Vectors;
import burraco.v1.LegalMoves;
import burraco.v1.MatchEnd;
import burraco.v1.Move;
import burraco.v1.MoveGroup;
import burraco.v1.MoveKind;
import burraco.v1.Preset;
import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlayTest {
  private static final int DEALS = 8;
  private static final LegalMoves RESIGN =
      LegalMoves.newBuilder().addSimple(MoveKind.MOVE_KIND_RESIGN).setCount(1).build();

  @Test
  void whateverIsLegalIsPlayedAndGivingUpIsTheLastOfAll() {
    MoveGroup meld = MoveGroup.newBuilder()
        .setKind(MoveKind.MOVE_KIND_MELD).addAllRequired(Cards.cards("7S 8S 9S")).setCount(1).build();
    LegalMoves.Builder legal = RESIGN.toBuilder();
    assertThrows(NoSuchElementException.class, () -> Play.choose(LegalMoves.getDefaultInstance()));
    assertEquals(Moves.resign(), Play.choose(legal.build()));
    assertEquals(Moves.takePile(), Play.choose(legal.addSimple(MoveKind.MOVE_KIND_TAKE_PILE).setCount(2).build()));
    Move discard = Moves.discard("KC");
    assertEquals(discard, Play.choose(legal.addDiscards(Cards.card("KC")).setCount(3).build()));
    assertEquals(Moves.meld("7S 8S 9S"), Play.choose(legal.addGroups(meld).setCount(4).build()));
    assertEquals(Moves.draw(), Play.choose(legal.addSimple(MoveKind.MOVE_KIND_DRAW_STOCK).setCount(5).build()));
  }

  /** Of two players the stock can run out (B2-12): then the pile has to be taken. */
  @ParameterizedTest
  @EnumSource(
      value = Preset.class,
      names = {"PRESET_ITALIAN", "PRESET_TWO_PLAYER", "PRESET_RAMINO", "PRESET_GIN", "PRESET_SCALA_40"})
  @EnabledIfEnvironmentVariable(named = "BURRACO_TARGET", matches = ".+")
  void everyDealIsPlayedToItsEndOnTheRealServer(Preset preset) {
    String apiKey = new Vectors(Path.of(System.getenv("BURRACO_VECTORS"))).metadata().get("burraco-api-key");
    try (Burraco client = Burraco.builder(System.getenv("BURRACO_TARGET"))
        .apiKey(apiKey).timeout(Duration.ofSeconds(30)).connect()) {
      for (int number = 0; number < DEALS; number++) {
        ByteString seed = ByteString.copyFrom(new byte[31]).concat(ByteString.copyFrom(new byte[] {(byte) number}));
        Table table = Table.create(client, Table.newMatch(preset).setGivenSeed(seed).build());
        Play.playDeal(table);
        assertEquals(OptionalInt.empty(), table.turn());
        assertNotEquals(MatchEnd.MATCH_END_RESIGNED, table.view().getResult().getMatchEnd());
      }
    }
  }
}
