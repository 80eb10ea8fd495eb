package burraco;

import burraco.v1.Card;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Cards as people write them: {@code 7S}, {@code 10H}, {@code AS}, and {@code JK} for a joker. */
public final class Cards {
  private static final String ACCEPTED =
      "a rank (A, 2 to 10, J, Q, K) and a suit (S, H, D, C), as in 7S or 10H; or JK, a joker";
  private static final Pattern BETWEEN = Pattern.compile("[\\s,]+");
  private static final String PREFIX = "CARD_";
  private static final Map<Card, String> TEXT = texts();
  private static final Map<String, Card> CARD = cardsByText();

  private Cards() {}

  /**
   * Reads one card; case means nothing.
   *
   * @throws IllegalArgumentException naming the text and what is accepted
   */
  public static Card card(String text) {
    Card found = CARD.get(text.trim().toUpperCase(Locale.ROOT));
    if (found == null) {
      throw new IllegalArgumentException("'" + text + "' is no card; a card is " + ACCEPTED);
    }
    return found;
  }

  /**
   * Reads cards parted by spaces or commas.
   *
   * @throws IllegalArgumentException as {@link #card} does
   */
  public static List<Card> cards(String text) {
    List<Card> found = new ArrayList<>();
    for (String one : BETWEEN.split(text)) {
      if (!one.isEmpty()) {
        found.add(card(one));
      }
    }
    return Collections.unmodifiableList(found);
  }

  /**
   * Writes one card so that {@link #card} reads it again.
   *
   * @throws IllegalArgumentException for no card, or one that this client does not know
   */
  public static String text(Card card) {
    String found = TEXT.get(card);
    if (found == null) {
      throw new IllegalArgumentException(card + " is no card that can be written; a card is " + ACCEPTED);
    }
    return found;
  }

  /** Writes cards parted by spaces, so that {@link #cards} reads them again. */
  public static String text(Iterable<Card> cards) {
    return StreamSupport.stream(cards.spliterator(), false).map(Cards::text).collect(Collectors.joining(" "));
  }

  /** Writes one card with its suit's sign, for showing: {@code 7♠}. */
  public static String pretty(Card card) {
    String text = text(card);
    int sign = card == Card.CARD_JOKER ? -1 : "SHDC".indexOf(text.charAt(text.length() - 1));
    return sign < 0 ? text : text.substring(0, text.length() - 1) + "♠♥♦♣".charAt(sign);
  }

  /** Writes cards with their suits' signs: {@code 7♠ 10♥ JK}. */
  public static String pretty(Iterable<Card> cards) {
    return StreamSupport.stream(cards.spliterator(), false).map(Cards::pretty).collect(Collectors.joining(" "));
  }

  private static Map<Card, String> texts() {
    Map<Card, String> texts = new EnumMap<>(Card.class);
    for (Card card : Card.values()) {
      if (card != Card.CARD_UNSPECIFIED && card != Card.UNRECOGNIZED) {
        texts.put(card, card == Card.CARD_JOKER ? "JK" : card.name().substring(PREFIX.length()));
      }
    }
    return texts;
  }

  private static Map<String, Card> cardsByText() {
    Map<String, Card> cards = new HashMap<>();
    TEXT.forEach((card, text) -> cards.put(text, card));
    return cards;
  }
}
