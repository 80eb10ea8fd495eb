package moves_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"burraco/burracopb"
	"burraco/cards"
	"burraco/moves"
)

func selection(t *testing.T, text string) []cards.Card {
	t.Helper()
	selected, err := cards.ParseAll(text)
	if err != nil {
		t.Fatal(err)
	}
	return selected
}

// every kind of move, with what Describe says of it.
func every(t *testing.T) map[string]*burracopb.Move {
	t.Helper()
	seven := burracopb.Card_CARD_7S
	return map[string]*burracopb.Move{
		"draw stock":                           moves.Draw(),
		"take pile":                            moves.TakePile(),
		"meld 7S 8S JK":                        moves.Meld(selection(t, "7S 8S JK")...),
		"lay off 7S 2H on meld 3":              moves.LayOff(3, selection(t, "7S 2H")...),
		"discard 7S":                           moves.Discard(seven),
		"replace the wild of meld 2 by 7S":     moves.ReplaceWild(2, seven),
		"knock with 7S":                        moves.Knock(seven, selection(t, "8S 8H 8D")),
		"knock":                                moves.BigGin(),
		"pass upcard":                          moves.PassUpcard(),
		"declare stalemate":                    moves.DeclareStalemate(),
		"next deal":                            moves.NextDeal(),
		"resign":                               moves.Resign(),
		"time out turn":                        moves.TimeOutTurn(),
		"call time":                            moves.CallTime(),
		"no move":                              {},
		"meld ":                                moves.Meld(),
		"discard card#0":                       moves.Discard(0),
		"lay off  on meld 0":                   {Kind: &burracopb.Move_LayOff{}},
		"replace the wild of meld 0 by card#0": {Kind: &burracopb.Move_ReplaceWild{}},
	}
}

func TestDescribe(t *testing.T) {
	for text, move := range every(t) {
		if described := moves.Describe(move); described != text {
			t.Errorf("%q, not %q", described, text)
		}
	}
	if text := moves.Describe(nil); text != "no move" {
		t.Error(text)
	}
}

// The constructors make every kind that the contract has.
func TestEveryKindHasAConstructor(t *testing.T) {
	fields := new(burracopb.Move).ProtoReflect().Descriptor().Oneofs().ByName("kind").Fields()
	made := map[string]bool{}
	for _, move := range every(t) {
		reflected := move.ProtoReflect()
		if field := reflected.WhichOneof(reflected.Descriptor().Oneofs().ByName("kind")); field != nil {
			made[string(field.Name())] = true
		}
	}
	if len(made) != fields.Len() {
		t.Errorf("%d of %d kinds: %v", len(made), fields.Len(), made)
	}
}

func TestReadings(t *testing.T) {
	reading := &burracopb.MeldReading{WildAs: burracopb.Card_CARD_9S}
	if made := moves.MeldAs(reading, selection(t, "7S 8S JK")...); !proto.Equal(made.GetMeld(), &burracopb.LayMeld{
		Cards: selection(t, "7S 8S JK"), Reading: reading,
	}) {
		t.Error(made)
	}
	if made := moves.Meld(selection(t, "7S 8S JK")...); made.GetMeld().Reading != nil {
		t.Error(made)
	}
	if made := moves.LayOffAs(4, burracopb.Card_CARD_9S, burracopb.Card_CARD_JOKER); !proto.Equal(
		made.GetLayOff(),
		&burracopb.LayOff{MeldId: 4, WildAs: burracopb.Card_CARD_9S, Cards: []cards.Card{burracopb.Card_CARD_JOKER}},
	) {
		t.Error(made)
	}
	knock := moves.Knock(burracopb.Card_CARD_KD, selection(t, "8S 8H 8D"), selection(t, "2C 3C 4C")).GetKnock()
	if len(knock.GetMelds()) != 2 || !slices.Equal(knock.GetMelds()[1].GetCards(), selection(t, "2C 3C 4C")) {
		t.Error(knock)
	}
}
