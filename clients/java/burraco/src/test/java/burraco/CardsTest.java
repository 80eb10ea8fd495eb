package burraco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import burraco.v1.Card;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CardsTest {
  private static final List<Card> DECK = Arrays.stream(Card.values())
      .filter(card -> card != Card.CARD_UNSPECIFIED && card != Card.UNRECOGNIZED)
      .collect(Collectors.toList());

  @Test
  void everyCardReadsAsItWasWritten() {
    assertEquals(53, DECK.size());
    for (Card card : DECK) {
      assertEquals(card, Cards.card(Cards.text(card)));
      assertEquals(card, Cards.card(" " + Cards.text(card).toLowerCase(Locale.ROOT) + " "));
    }
    assertEquals(DECK, Cards.cards(Cards.text(DECK)));
  }

  @Test
  void cardsAreWrittenByRankAndSuit() {
    assertEquals("7S", Cards.text(Card.CARD_7S));
    assertEquals("10H JK AD", Cards.text(List.of(Card.CARD_10H, Card.CARD_JOKER, Card.CARD_AD)));
    assertEquals("7♠ 10♥ JK A♦ K♣", Cards.pretty(Cards.cards("7S 10H JK AD KC")));
  }

  @Test
  void spacesAndCommasPartCards() {
    assertEquals(List.of(Card.CARD_7S, Card.CARD_8S, Card.CARD_JOKER), Cards.cards(" 7s,8S ,\tJK "));
    assertEquals(List.of(), Cards.cards("  "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1S", "11S", "7X", "7♠", "S7", "JKS", "7S 8S", "UNSPECIFIED", "CARD_7S", "JOKER"})
  void otherTextIsRefusedByName(String text) {
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Cards.card(text));
    assertTrue(refused.getMessage().startsWith("'" + text + "' is no card; a card is a rank"), refused.getMessage());
  }

  @Test
  void aTurkishPhoneReadsCardsToo() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("tr"));
    try {
      assertEquals(Card.CARD_JOKER, Cards.card("jk"));
      assertEquals("declare stalemate", Moves.describe(Moves.declareStalemate()));
      assertEquals("time out turn", Moves.describe(Moves.timeOutTurn()));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void noCardIsNotWritten() {
    assertThrows(IllegalArgumentException.class, () -> Cards.text(Card.CARD_UNSPECIFIED));
    assertThrows(IllegalArgumentException.class, () -> Cards.pretty(Card.UNRECOGNIZED));
  }
}
