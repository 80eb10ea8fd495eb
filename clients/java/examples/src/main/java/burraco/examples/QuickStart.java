package burraco.examples;

import burraco.Burraco;
import burraco.Moves;
import burraco.Table;
import burraco.v1.LegalMoves;
import com.google.protobuf.ByteString;

/** The lines that the README begins with; a test compares the two. */
public final class QuickStart {
  private QuickStart() {}

  /** Plays a turn on {@code BURRACO_TARGET}. */
  public static void main(String[] arguments) {
    turn(System.getenv().getOrDefault("BURRACO_TARGET", "127.0.0.1:50051"));
  }

  private static void turn(String target) {
    // begin
    try (Burraco client = Burraco.connect(target)) {
      Table table = Table.create(client);
      int seat = table.turn().getAsInt();
      table.play(seat, Moves.draw());
      LegalMoves legal = table.legal(seat);
      Moves.expand(legal).map(Moves::describe).forEach(System.out::println);
      table.play(seat, Moves.discard(legal.getDiscards(0)));
      store(table.state()); // Table.resume(client, state) goes on from it
    }
    // end
  }

  private static void store(ByteString state) {
    System.out.println(state.size() + " bytes to keep");
  }
}
