// Package moves has a constructor for each move, and goes through every single move of a list of legal ones.
package moves

import (
	"burraco/burracopb"
	"burraco/cards"
)

// Draw draws the top card of the stock.
func Draw() *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_DrawStock{DrawStock: &burracopb.DrawStock{}}}
}

// TakePile takes the discard pile.
func TakePile() *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_TakePile{TakePile: &burracopb.TakePile{}}}
}

// Meld lays a new meld.
func Meld(selection ...cards.Card) *burracopb.Move {
	return MeldAs(nil, selection...)
}

// MeldAs lays a new meld with a reading, where the rules leave a choice.
func MeldAs(reading *burracopb.MeldReading, selection ...cards.Card) *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_Meld{Meld: &burracopb.LayMeld{Cards: selection, Reading: reading}}}
}

// LayOff adds cards to a meld on the table, all together.
func LayOff(meldID uint32, selection ...cards.Card) *burracopb.Move {
	return LayOffAs(meldID, burracopb.Card_CARD_UNSPECIFIED, selection...)
}

// LayOffAs adds cards of which a wild is to stand for a certain card, where the rules leave a choice.
func LayOffAs(meldID uint32, wildAs cards.Card, selection ...cards.Card) *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_LayOff{
		LayOff: &burracopb.LayOff{MeldId: meldID, Cards: selection, WildAs: wildAs},
	}}
}

// Discard discards a card, which ends the turn.
func Discard(card cards.Card) *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_Discard{Discard: &burracopb.Discard{Card: card}}}
}

// ReplaceWild puts a card in the place of a meld's joker, and takes the joker. Not a move of Burraco.
func ReplaceWild(meldID uint32, card cards.Card) *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_ReplaceWild{
		ReplaceWild: &burracopb.ReplaceWild{MeldId: meldID, Card: card},
	}}
}

// Knock knocks with a discard; the melds are the knocker's own arrangement, and without any the service finds the best
// one. A move of Gin only.
func Knock(discard cards.Card, melds ...[]cards.Card) *burracopb.Move {
	groups := make([]*burracopb.CardGroup, len(melds))
	for at, meld := range melds {
		groups[at] = &burracopb.CardGroup{Cards: meld}
	}
	return &burracopb.Move{Kind: &burracopb.Move_Knock{Knock: &burracopb.Knock{Discard: discard, Melds: groups}}}
}

// BigGin knocks without a discard. A move of Gin only.
func BigGin(melds ...[]cards.Card) *burracopb.Move {
	return Knock(burracopb.Card_CARD_UNSPECIFIED, melds...)
}

// PassUpcard passes the first up-card. A move of Gin only.
func PassUpcard() *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_PassUpcard{PassUpcard: &burracopb.PassUpcard{}}}
}

// DeclareStalemate ends the deal because a one-card pile goes round.
func DeclareStalemate() *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_DeclareStalemate{DeclareStalemate: &burracopb.DeclareStalemate{}}}
}

// NextDeal deals again once a deal is over.
func NextDeal() *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_NextDeal{NextDeal: &burracopb.NextDeal{}}}
}

// Resign gives up the match.
func Resign() *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_Resign{Resign: &burracopb.Resign{}}}
}

// TimeOutTurn completes an absent player's turn. For back ends only.
func TimeOutTurn() *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_TimeOutTurn{TimeOutTurn: &burracopb.TimeOutTurn{}}}
}

// CallTime says that the tournament clock has run out. For back ends only.
func CallTime() *burracopb.Move {
	return &burracopb.Move{Kind: &burracopb.Move_CallTime{CallTime: &burracopb.CallTime{}}}
}
