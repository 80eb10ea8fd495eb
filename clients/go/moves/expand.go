package moves

import (
	"fmt"
	"iter"
	"math"

	"burraco/burracopb"
	"burraco/cards"
)

var simple = map[burracopb.MoveKind]func() *burracopb.Move{
	burracopb.MoveKind_MOVE_KIND_DRAW_STOCK:        Draw,
	burracopb.MoveKind_MOVE_KIND_TAKE_PILE:         TakePile,
	burracopb.MoveKind_MOVE_KIND_PASS_UPCARD:       PassUpcard,
	burracopb.MoveKind_MOVE_KIND_DECLARE_STALEMATE: DeclareStalemate,
	burracopb.MoveKind_MOVE_KIND_NEXT_DEAL:         NextDeal,
	burracopb.MoveKind_MOVE_KIND_RESIGN:            Resign,
	burracopb.MoveKind_MOVE_KIND_TIME_OUT_TURN:     TimeOutTurn,
	burracopb.MoveKind_MOVE_KIND_CALL_TIME:         CallTime,
}

// Simple makes the move of a kind that has no arguments.
func Simple(kind burracopb.MoveKind) (*burracopb.Move, error) {
	constructor, ok := simple[kind]
	if !ok {
		return nil, fmt.Errorf("no move without arguments is a %v: this client is older than the service", kind)
	}
	return constructor(), nil
}

// Expand goes through every single move that the list stands for, each once: its count in all. The error is about a
// list of a service that is newer than this client: going through part of its moves would be wrong without a word.
func Expand(legal *burracopb.LegalMoves) (iter.Seq[*burracopb.Move], error) {
	known := uint64(len(legal.GetSimple()) + len(legal.GetDiscards()))
	for _, kind := range legal.GetSimple() {
		if _, err := Simple(kind); err != nil {
			return nil, err
		}
	}
	groups := make([]iter.Seq[*burracopb.Move], len(legal.GetGroups()))
	for at, group := range legal.GetGroups() {
		expanded, err := ExpandGroup(group)
		if err != nil {
			return nil, err
		}
		groups[at] = expanded
		known += group.GetCount()
	}
	if known != legal.GetCount() {
		return nil, fmt.Errorf("the list counts %d legal moves, and not %d: this client is older than the service",
			legal.GetCount(), known)
	}
	return func(yield func(*burracopb.Move) bool) {
		for _, kind := range legal.GetSimple() {
			if !yield(simple[kind]()) {
				return
			}
		}
		for _, card := range legal.GetDiscards() {
			if !yield(Discard(card)) {
				return
			}
		}
		for _, group := range groups {
			for move := range group {
				if !yield(move) {
					return
				}
			}
		}
	}, nil
}

// ExpandGroup goes through every single move of a group: its count in all.
func ExpandGroup(group *burracopb.MoveGroup) (iter.Seq[*burracopb.Move], error) {
	build, err := builder(group)
	if err != nil {
		return nil, err
	}
	fixed, optional, wilds := len(group.GetRequired()), 0, group.GetWildChoices()
	for _, each := range group.GetOptional() {
		optional += int(each.GetCount())
	}
	if len(wilds) > 0 {
		fixed++
	}
	low, high := int(group.GetMinOptional()), min(int(group.GetMaxOptional()), optional)
	if least, most := sizes(group.GetKind()); low <= high && (fixed+low < least || fixed+high > most) {
		return nil, fmt.Errorf("moves of kind %v cannot have %d to %d cards: this client is older than the service",
			group.GetKind(), fixed+low, fixed+high)
	}
	if known := sizeOf(group, low, high); known != group.GetCount() {
		return nil, fmt.Errorf("a group of kind %v counts %d moves, and not %d: this client is older than the service",
			group.GetKind(), group.GetCount(), known)
	}
	return func(yield func(*burracopb.Move) bool) {
		for size := low; size <= high; size++ {
			chosen := append([]cards.Card(nil), group.GetRequired()...)
			if !choose(group.GetOptional(), size, chosen, func(chosen []cards.Card) bool {
				if len(wilds) == 0 {
					return yield(build(chosen))
				}
				for _, wild := range wilds {
					if !yield(build(append(chosen[:len(chosen):len(chosen)], wild))) {
						return false
					}
				}
				return true
			}) {
				return
			}
		}
	}, nil
}

// sizeOf counts the moves of a group without making them.
func sizeOf(group *burracopb.MoveGroup, low, high int) uint64 {
	ways := []uint64{1} // by the number of cards chosen, the ways to choose them from the faces so far
	for _, each := range group.GetOptional() {
		most := min(len(ways)-1+int(each.GetCount()), max(high, 0))
		next := make([]uint64, most+1)
		for size := range next {
			for fewer := max(0, size-int(each.GetCount())); fewer <= min(size, len(ways)-1); fewer++ {
				next[size] += ways[fewer]
			}
		}
		ways = next
	}
	var all uint64
	for size := low; size <= min(high, len(ways)-1); size++ {
		all += ways[size]
	}
	return all * uint64(max(1, len(group.GetWildChoices())))
}

// builder gives what makes a move of the group's kind.
func builder(group *burracopb.MoveGroup) (func([]cards.Card) *burracopb.Move, error) {
	switch kind := group.GetKind(); kind {
	case burracopb.MoveKind_MOVE_KIND_MELD:
		return func(chosen []cards.Card) *burracopb.Move { return Meld(chosen...) }, nil
	case burracopb.MoveKind_MOVE_KIND_LAY_OFF:
		return func(chosen []cards.Card) *burracopb.Move { return LayOff(group.GetMeldId(), chosen...) }, nil
	case burracopb.MoveKind_MOVE_KIND_REPLACE_WILD:
		return func(chosen []cards.Card) *burracopb.Move { return ReplaceWild(group.GetMeldId(), only(chosen)) }, nil
	case burracopb.MoveKind_MOVE_KIND_KNOCK:
		return func(chosen []cards.Card) *burracopb.Move { return Knock(only(chosen)) }, nil
	default:
		return nil, fmt.Errorf("no move of a group has the kind %v: this client is older than the service", kind)
	}
}

// sizes gives the least and the most cards of a move of the kind.
func sizes(kind burracopb.MoveKind) (least, most int) {
	switch kind {
	case burracopb.MoveKind_MOVE_KIND_REPLACE_WILD:
		return 1, 1
	case burracopb.MoveKind_MOVE_KIND_KNOCK:
		return 0, 1
	default:
		return 0, math.MaxInt
	}
}

// only is the one card of a choice, or no card.
func only(chosen []cards.Card) cards.Card {
	if len(chosen) == 0 {
		return burracopb.Card_CARD_UNSPECIFIED
	}
	return chosen[0]
}

// choose yields every choice of so many optional cards behind those chosen already: a face at most as often as it is
// there, order meaning nothing. Each choice is a slice of its own. It returns false once a yield has.
func choose(optional []*burracopb.CardCount, size int, chosen []cards.Card, yield func([]cards.Card) bool) bool {
	if size == 0 {
		return yield(append([]cards.Card(nil), chosen...))
	}
	if len(optional) == 0 {
		return true
	}
	first, rest := optional[0], optional[1:]
	for copies := min(int(first.GetCount()), size); copies >= 0; copies-- {
		with := chosen[:len(chosen):len(chosen)]
		for range copies {
			with = append(with, first.GetCard())
		}
		if !choose(rest, size-copies, with, yield) {
			return false
		}
	}
	return true
}
