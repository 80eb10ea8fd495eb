package moves_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"burraco/burracopb"
	"burraco/cards"
	"burraco/moves"
)

func expanded(t *testing.T, legal *burracopb.LegalMoves) []string {
	t.Helper()
	all, err := moves.Expand(legal)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for move := range all {
		texts = append(texts, moves.Describe(move))
	}
	return texts
}

func counted(t *testing.T, text string) []*burracopb.CardCount {
	t.Helper()
	var counts []*burracopb.CardCount
	for _, card := range selection(t, text) {
		if at := len(counts) - 1; at >= 0 && counts[at].GetCard() == card {
			counts[at].Count++
		} else {
			counts = append(counts, &burracopb.CardCount{Card: card, Count: 1})
		}
	}
	return counts
}

func TestExpandGoesThroughAllInOrder(t *testing.T) {
	legal := &burracopb.LegalMoves{
		Simple:   []burracopb.MoveKind{burracopb.MoveKind_MOVE_KIND_TAKE_PILE, burracopb.MoveKind_MOVE_KIND_RESIGN},
		Discards: selection(t, "7S JK"),
		Groups: []*burracopb.MoveGroup{
			{
				Kind: burracopb.MoveKind_MOVE_KIND_MELD, Required: selection(t, "AS"), Optional: counted(t, "AH AH AD"),
				MinOptional: 2, MaxOptional: 3, WildChoices: selection(t, "2C JK"), Count: 6,
			},
			{
				Kind: burracopb.MoveKind_MOVE_KIND_LAY_OFF, MeldId: 4, Optional: counted(t, "5H 5H"),
				MinOptional: 1, MaxOptional: 2, Count: 2,
			},
			{Kind: burracopb.MoveKind_MOVE_KIND_REPLACE_WILD, MeldId: 5, Required: selection(t, "6D"), Count: 1},
			{Kind: burracopb.MoveKind_MOVE_KIND_KNOCK, Count: 1},
			{Kind: burracopb.MoveKind_MOVE_KIND_KNOCK, Optional: counted(t, "KS QS"), MinOptional: 1, MaxOptional: 1, Count: 2},
		},
		Count: 16,
	}
	if texts := expanded(t, legal); !slices.Equal(texts, []string{
		"take pile", "resign", "discard 7S", "discard JK",
		"meld AS AH AH 2C", "meld AS AH AH JK", "meld AS AH AD 2C", "meld AS AH AD JK",
		"meld AS AH AH AD 2C", "meld AS AH AH AD JK",
		"lay off 5H on meld 4", "lay off 5H 5H on meld 4",
		"replace the wild of meld 5 by 6D", "knock", "knock with KS", "knock with QS",
	}) {
		t.Error(texts)
	}
	if texts := expanded(t, nil); texts != nil {
		t.Error(texts)
	}
}

// A loop may end anywhere, and the sequence can be gone through again.
func TestExpandEndsWhenTheLoopDoes(t *testing.T) {
	legal := &burracopb.LegalMoves{
		Simple:   []burracopb.MoveKind{burracopb.MoveKind_MOVE_KIND_DRAW_STOCK},
		Discards: selection(t, "7S"),
		Groups: []*burracopb.MoveGroup{{
			Kind: burracopb.MoveKind_MOVE_KIND_MELD, Optional: counted(t, "AH AH AD"), MaxOptional: 3,
			WildChoices: selection(t, "2C JK"), Count: 12,
		}},
		Count: 14,
	}
	all, err := moves.Expand(legal)
	if err != nil {
		t.Fatal(err)
	}
	whole := slices.Collect(all)
	for most := range whole {
		var seen int
		for range all {
			if seen++; seen > most {
				break
			}
		}
		if seen != most+1 {
			t.Errorf("%d moves, not %d", seen, most+1)
		}
	}
}

// What was given may be kept, and changed, without changing another move.
func TestMovesShareNoCards(t *testing.T) {
	group := &burracopb.MoveGroup{
		Kind: burracopb.MoveKind_MOVE_KIND_MELD, Required: append(make([]cards.Card, 0, 16), selection(t, "AS")...),
		Optional: counted(t, "AH AH AD"), MaxOptional: 3, WildChoices: selection(t, "2C JK"), Count: 12,
	}
	all, err := moves.ExpandGroup(group)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	for _, move := range slices.Collect(all) {
		texts[moves.Describe(move)] = true
		selected := move.GetMeld().GetCards()
		for at := range selected {
			selected[at] = burracopb.Card_CARD_KS
		}
		_ = append(selected, burracopb.Card_CARD_KS)
	}
	if len(texts) != 12 || cards.Text(group.GetRequired()...) != "AS" {
		t.Error(texts, group)
	}
}

// older sees that a list is refused before anything of it is gone through.
func older(t *testing.T, legal *burracopb.LegalMoves) {
	t.Helper()
	if _, err := moves.Expand(legal); err == nil || !strings.Contains(err.Error(), "this client is older") {
		t.Error(legal, err)
	}
}

// A service that is newer than this client, or that is no service, is an error, and no panic or endless loop.
func TestListsThatCannotBe(t *testing.T) {
	for _, group := range []*burracopb.MoveGroup{
		nil,
		{Kind: burracopb.MoveKind_MOVE_KIND_DRAW_STOCK},
		{Kind: 99},
		{Kind: burracopb.MoveKind_MOVE_KIND_REPLACE_WILD, MeldId: 1},
		{Kind: burracopb.MoveKind_MOVE_KIND_REPLACE_WILD, Required: selection(t, "7S 8S"), Count: 1},
		{Kind: burracopb.MoveKind_MOVE_KIND_KNOCK, Required: selection(t, "7S"), WildChoices: selection(t, "JK"), Count: 1},
		{Kind: burracopb.MoveKind_MOVE_KIND_KNOCK, Optional: counted(t, "7S 7S"), MaxOptional: 2, Count: 3},
		// It has a field that this client does not know, by which it stands for more moves, or fewer.
		{Kind: burracopb.MoveKind_MOVE_KIND_MELD, Optional: counted(t, "7S 7S 8S"), MaxOptional: 3, Count: 7},
		{Kind: burracopb.MoveKind_MOVE_KIND_MELD, Optional: counted(t, "7S 7S 8S"), MaxOptional: 3, Count: 5},
	} {
		older(t, &burracopb.LegalMoves{Groups: []*burracopb.MoveGroup{group}, Count: group.GetCount()})
	}
	older(t, &burracopb.LegalMoves{Discards: selection(t, "7S 8S"), Count: 1})
	for _, kind := range []burracopb.MoveKind{0, 99, burracopb.MoveKind_MOVE_KIND_MELD} {
		older(t, &burracopb.LegalMoves{Simple: []burracopb.MoveKind{kind}, Count: 1})
	}
	older(t, &burracopb.LegalMoves{
		Discards: selection(t, "7S"), Groups: []*burracopb.MoveGroup{{Kind: burracopb.MoveKind_MOVE_KIND_KNOCK, Count: 1}},
		Count: 3, // the third is in a field that this client does not know
	})
	endless := &burracopb.MoveGroup{
		Kind: burracopb.MoveKind_MOVE_KIND_MELD, Optional: counted(t, "7S"), MaxOptional: math.MaxUint32, Count: 2,
	}
	none := &burracopb.MoveGroup{Kind: burracopb.MoveKind_MOVE_KIND_MELD, MinOptional: 2, MaxOptional: 1}
	texts := expanded(t, &burracopb.LegalMoves{Groups: []*burracopb.MoveGroup{endless, none}, Count: 2})
	if !slices.Equal(texts, []string{"meld ", "meld 7S"}) {
		t.Error(texts)
	}
}

func ExampleExpand() {
	// What Table.Legal returns after a draw, say.
	legal := &burracopb.LegalMoves{
		Discards: []burracopb.Card{burracopb.Card_CARD_7S, burracopb.Card_CARD_KD},
		Groups: []*burracopb.MoveGroup{{
			Kind:     burracopb.MoveKind_MOVE_KIND_LAY_OFF,
			MeldId:   2,
			Required: []burracopb.Card{burracopb.Card_CARD_10S},
			Optional: []*burracopb.CardCount{{Card: burracopb.Card_CARD_JS, Count: 1}}, MaxOptional: 1,
			Count: 2,
		}},
		Count: 4,
	}

	all, err := moves.Expand(legal)
	if err != nil {
		fmt.Println(err)
		return
	}
	for move := range all {
		fmt.Println(moves.Describe(move))
	}
	// Output:
	// discard 7S
	// discard KD
	// lay off 10S on meld 2
	// lay off 10S JS on meld 2
}
