package burraco;

import burraco.v1.Card;
import burraco.v1.CardCount;
import burraco.v1.MoveGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The choices of cards that a group of moves stands for. */
final class Expansion {
  private Expansion() {}

  /** The cards of every single move of a group: those required, the chosen ones, and the chosen wild. */
  static Stream<List<Card>> selections(MoveGroup group) {
    return IntStream.rangeClosed(group.getMinOptional(), group.getMaxOptional())
        .boxed()
        .flatMap(size -> choices(group.getOptionalList(), size))
        .flatMap(chosen -> wilds(group).map(wild -> joined(group.getRequiredList(), chosen, wild)));
  }

  /** The wilds to choose from: one each, or none at all. */
  private static Stream<List<Card>> wilds(MoveGroup group) {
    return group.getWildChoicesCount() == 0
        ? Stream.of(List.of())
        : group.getWildChoicesList().stream().map(List::of);
  }

  /** Chooses {@code size} cards; a face at most as often as it is there, order meaning nothing. */
  private static Stream<List<Card>> choices(List<CardCount> optional, int size) {
    if (size == 0) {
      return Stream.of(List.of());
    }
    if (optional.isEmpty()) {
      return Stream.empty();
    }
    CardCount first = optional.get(0);
    List<CardCount> rest = optional.subList(1, optional.size());
    int most = Math.min(first.getCount(), size);
    return IntStream.rangeClosed(0, most)
        .mapToObj(fewer -> Collections.nCopies(most - fewer, first.getCard()))
        .flatMap(copies -> choices(rest, size - copies.size()).map(others -> joined(copies, others)));
  }

  @SafeVarargs
  private static List<Card> joined(List<Card>... parts) {
    List<Card> whole = new ArrayList<>();
    for (List<Card> part : parts) {
      whole.addAll(part);
    }
    return Collections.unmodifiableList(whole);
  }
}
