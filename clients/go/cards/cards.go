// Package cards reads and writes cards as people do: 7S, 10H, AS, and JK for a joker.
package cards

import (
	"fmt"
	"strings"

	"burraco/burracopb"
)

// Card is a face.
type Card = burracopb.Card

const (
	prefix   = "CARD_"
	joker    = "JK"
	accepted = "a rank (A, 2 to 10, J, Q, K) and a suit (S, H, D, C), as in 7S or 10H; or JK, a joker"
)

var (
	signs  = strings.NewReplacer("S", "♠", "H", "♥", "D", "♦", "C", "♣")
	parsed = byText()
)

// Parse reads one card; case means nothing.
func Parse(text string) (Card, error) {
	card, ok := parsed[strings.ToUpper(strings.TrimSpace(text))]
	if !ok {
		return burracopb.Card_CARD_UNSPECIFIED, fmt.Errorf("%q is no card; a card is %s", text, accepted)
	}
	return card, nil
}

// ParseAll reads cards parted by spaces or commas.
func ParseAll(text string) ([]Card, error) {
	words := strings.Fields(strings.ReplaceAll(text, ",", " "))
	all := make([]Card, 0, len(words))
	for _, word := range words {
		card, err := Parse(word)
		if err != nil {
			return nil, err
		}
		all = append(all, card)
	}
	return all, nil
}

// Text writes cards parted by spaces, so that ParseAll reads them again. The number of no card is written as such, and
// is not read.
func Text(cards ...Card) string {
	return join(cards, text)
}

// Pretty writes cards with suit signs, for showing: 7♠ 10♥ JK.
func Pretty(cards ...Card) string {
	return join(cards, pretty)
}

func join(cards []Card, write func(Card) string) string {
	words := make([]string, len(cards))
	for at, card := range cards {
		words[at] = write(card)
	}
	return strings.Join(words, " ")
}

func text(card Card) string {
	if card == burracopb.Card_CARD_JOKER {
		return joker
	}
	name, ok := burracopb.Card_name[int32(card)]
	if !ok || card == burracopb.Card_CARD_UNSPECIFIED {
		return fmt.Sprintf("card#%d", card)
	}
	return strings.TrimPrefix(name, prefix)
}

func pretty(card Card) string {
	written := text(card)
	if parsed[written] == burracopb.Card_CARD_UNSPECIFIED {
		return written
	}
	return signs.Replace(written)
}

func byText() map[string]Card {
	all := make(map[string]Card, len(burracopb.Card_name))
	for number := range burracopb.Card_name {
		if card := Card(number); card != burracopb.Card_CARD_UNSPECIFIED {
			all[text(card)] = card
		}
	}
	return all
}
