package burraco;

import burraco.v1.Card;
import burraco.v1.CardCount;
import burraco.v1.MoveGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The choices of cards that a group of moves stands for, and whether this client knows what a service lists. */
final class Expansion {
  /** More cards than any game has: 53 faces, at most 8 copies of each. */
  private static final long MOST_CARDS = 53 * 8;

  private Expansion() {}

  /** Holds a group against what this client can make of it, before a move is made. */
  static void check(MoveGroup group) {
    checkKnown(group.getRequiredList());
    checkKnown(group.getWildChoicesList());
    group.getOptionalList().forEach(each -> checkKnown(List.of(each.getCard())));
    if (group.getOptionalList().stream().mapToLong(each -> Integer.toUnsignedLong(each.getCount())).sum() > MOST_CARDS) {
      throw older("a group chooses among more than " + MOST_CARDS + " cards");
    }
    int fixed = group.getRequiredCount() + Math.min(1, group.getWildChoicesCount());
    boolean isSized = switch (group.getKind()) {
      case MOVE_KIND_REPLACE_WILD -> fixed + group.getMinOptional() == 1 && fixed + group.getMaxOptional() == 1;
      case MOVE_KIND_KNOCK -> fixed + group.getMaxOptional() <= 1;
      default -> true;
    };
    if (!isSized) {
      throw older("a move of the kind " + group.getKind() + " has another number of cards");
    }
    checkCount("a group", group.getCount(), count(group));
  }

  static void checkKnown(List<Card> cards) {
    if (cards.contains(Card.UNRECOGNIZED)) {
      throw older("a card of a legal move is not known");
    }
  }

  /** What a newer service lists in a way that this client does not see is missing in the count. */
  static void checkCount(String what, long stated, long found) {
    if (stated != found) {
      throw older(what + " stands for " + stated + " legal moves, of which " + found + " are known");
    }
  }

  static RulesException older(String why) {
    return RulesException.unreadable(why + ": this client is older than the service");
  }

  /** The cards of every single move of a group: those required, the chosen ones, and the chosen wild. */
  static Stream<List<Card>> selections(MoveGroup group) {
    return IntStream.rangeClosed(group.getMinOptional(), group.getMaxOptional())
        .boxed()
        .flatMap(size -> choices(group.getOptionalList(), size))
        .flatMap(chosen -> wilds(group).map(wild -> joined(group.getRequiredList(), chosen, wild)));
  }

  /** Number of choices of cards that a group stands for. */
  static long count(MoveGroup group) {
    long[] ways = {1}; // by the number of optional cards chosen
    for (CardCount each : group.getOptionalList()) {
      long[] more = new long[ways.length + each.getCount()];
      for (int size = 0; size < ways.length; size++) {
        for (int copies = 0; copies <= each.getCount(); copies++) {
          more[size + copies] += ways[size];
        }
      }
      ways = more;
    }
    long[] all = ways;
    long chosen = IntStream.rangeClosed(group.getMinOptional(), Math.min(group.getMaxOptional(), all.length - 1))
        .mapToLong(size -> all[size])
        .sum();
    return chosen * Math.max(1, group.getWildChoicesCount());
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
