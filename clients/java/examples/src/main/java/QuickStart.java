import burraco.Burraco;
import burraco.Moves;
import burraco.Table;
import burraco.v1.LegalMoves;

public class QuickStart {
  public static void main(String[] arguments) {
    try (Burraco client = Burraco.connect("127.0.0.1:50051")) {
      Table table = Table.create(client);
      int seat = table.turn().orElseThrow(); // nobody is to move when a deal is over
      table.play(seat, Moves.draw());
      LegalMoves legal = table.legal(seat);
      Moves.expand(legal).map(Moves::describe).forEach(System.out::println);
      table.play(seat, Moves.discard(legal.getDiscards(0)));
      // The state is what to keep of a match: Table.resume(client, state) goes on from it.
      System.out.println("Revision " + table.revision() + ", a state of " + table.state().size() + " bytes");
    }
  }
}
