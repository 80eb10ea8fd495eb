package cards_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"burraco/burracopb"
	"burraco/cards"
)

func TestEveryCardIsReadAgain(t *testing.T) {
	seen := map[string]bool{}
	for number := range burracopb.Card_name {
		card := cards.Card(number)
		if card == burracopb.Card_CARD_UNSPECIFIED {
			continue
		}
		text := cards.Text(card)
		for _, written := range []string{text, strings.ToLower(text), " " + text + "\n"} {
			read, err := cards.Parse(written)
			if err != nil || read != card {
				t.Errorf("%q: %v, %v", written, read, err)
			}
		}
		seen[text] = true
	}
	if len(seen) != 53 {
		t.Errorf("%d cards", len(seen))
	}
}

func TestWhatIsNoCard(t *testing.T) {
	for _, text := range []string{
		"", "1S", "11S", "7", "S7", "7X", "JOKER", "CARD_7S", "UNSPECIFIED", "card#0", "7S8S", "7♠",
	} {
		if card, err := cards.Parse(text); err == nil || !strings.Contains(err.Error(), "7S or 10H") {
			t.Errorf("%q: %v, %v", text, card, err)
		}
	}
	if all, err := cards.ParseAll("7S 8X"); err == nil || all != nil || !strings.Contains(err.Error(), `"8X"`) {
		t.Error(all, err)
	}
}

func TestNumbersOfNoCard(t *testing.T) {
	for _, card := range []cards.Card{0, 14, 63, 65, -1} {
		text := cards.Text(card)
		if _, err := cards.Parse(text); err == nil || cards.Pretty(card) != text {
			t.Errorf("%d: %q, %q", card, text, cards.Pretty(card))
		}
	}
}

func TestParseAll(t *testing.T) {
	all, err := cards.ParseAll(" 7S, 10h  JK,")
	if err != nil || !slices.Equal(all, []cards.Card{
		burracopb.Card_CARD_7S, burracopb.Card_CARD_10H, burracopb.Card_CARD_JOKER,
	}) {
		t.Error(all, err)
	}
	if all, err := cards.ParseAll(""); err != nil || len(all) != 0 {
		t.Error(all, err)
	}
}

func ExampleParseAll() {
	hand, err := cards.ParseAll("7S 10H AD QC JK")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cards.Text(hand...))
	fmt.Println(cards.Pretty(hand...))
	// Output:
	// 7S 10H AD QC JK
	// 7♠ 10♥ A♦ Q♣ JK
}

func ExampleParse() {
	card, err := cards.Parse("10h")
	fmt.Println(card, err)
	// Output: CARD_10H <nil>
}
