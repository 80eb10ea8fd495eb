package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"burraco"
	"burraco/burracopb"
	"burraco/moves"
)

// mostMoves is far above what a match takes.
const mostMoves = 20_000

// checkMatch plays the same match of Burraco twice with the hand-written layer: it has to end, and to end the same.
func checkMatch(ctx context.Context, target string, headers map[string]string) (err error) {
	client, err := burraco.Dial(target, burraco.WithAPIKey(headers[burraco.APIKeyMetadata]))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	first, err := playMatch(ctx, client)
	if err != nil {
		return fmt.Errorf("first time: %w", err)
	}
	second, err := playMatch(ctx, client)
	if err != nil {
		return fmt.Errorf("second time: %w", err)
	}
	if first.Revision() != second.Revision() || !bytes.Equal(first.State(), second.State()) {
		return fmt.Errorf("the match ended at revision %d, and then at %d with the same moves: the states differ",
			first.Revision(), second.Revision())
	}
	return nil
}

func playMatch(ctx context.Context, client *burraco.Client) (*burraco.Table, error) {
	table, err := burraco.Create(ctx, client, &burracopb.CreateMatchRequest{
		RequestId:  "conformance",
		SeedSource: burraco.GivenSeed(bytes.Repeat([]byte{7}, 32)),
		Seating:    burraco.FirstDealer(0),
	})
	if err != nil {
		return nil, err
	}
	if err := checkRefusals(ctx, client, table); err != nil {
		return nil, err
	}
	for range mostMoves {
		if table.Position().Over() {
			return table, checkResult(ctx, table)
		}
		if err := step(ctx, table); err != nil {
			return nil, fmt.Errorf("revision %d: %w", table.Revision(), err)
		}
	}
	return nil, fmt.Errorf("the match is not over after %d moves", mostMoves)
}

func step(ctx context.Context, table *burraco.Table) error {
	seat, ok := table.Turn()
	if !ok {
		_, err := table.NextDeal(ctx)
		return err
	}
	legal, err := table.Legal(ctx, seat)
	if err != nil {
		return err
	}
	move, err := choose(legal)
	if err != nil {
		return err
	}
	_, err = table.Play(ctx, seat, move)
	return err
}

// choose takes the draw, else the first move that lays cards, else the first discard, else whatever is first; never the
// resignation.
func choose(legal *burracopb.LegalMoves) (*burracopb.Move, error) {
	expanded, err := moves.Expand(legal)
	if err != nil {
		return nil, err
	}
	all := slices.Collect(expanded)
	if !legal.GetTruncated() && uint64(len(all)) != legal.GetCount() {
		return nil, fmt.Errorf("the list expands to %d moves, and says that it has %d", len(all), legal.GetCount())
	}
	all = slices.DeleteFunc(all, func(move *burracopb.Move) bool { return move.GetResign() != nil })
	if len(all) == 0 {
		return nil, errors.New("there is no legal move")
	}
	for _, wanted := range []func(*burracopb.Move) bool{
		func(move *burracopb.Move) bool { return move.GetDrawStock() != nil },
		func(move *burracopb.Move) bool { return move.GetMeld() != nil || move.GetLayOff() != nil },
		func(move *burracopb.Move) bool { return move.GetDiscard() != nil },
	} {
		if at := slices.IndexFunc(all, wanted); at >= 0 {
			return all[at], nil
		}
	}
	return all[0], nil
}

// checkRefusals sees that a move against the rules and a call that fails are errors of their types, and change nothing.
func checkRefusals(ctx context.Context, client *burraco.Client, table *burraco.Table) error {
	before := table.Position()
	seat, _ := table.Turn()
	_, err := table.Play(ctx, seat, moves.Discard(burracopb.Card_CARD_7S))
	illegal, ok := errors.AsType[*burraco.IllegalMove](err)
	if !ok || !illegal.Has(burracopb.Reason_REASON_MUST_DRAW_FIRST) || illegal.Error() == "" {
		return fmt.Errorf("a discard before the draw is no *IllegalMove with REASON_MUST_DRAW_FIRST: %v", err)
	}
	violations, err := table.Check(ctx, seat, moves.Draw())
	if err != nil {
		return fmt.Errorf("the draw cannot be checked: %w", err)
	}
	if len(violations) > 0 {
		return fmt.Errorf("the draw is not legal: %w", &burraco.IllegalMove{Violations: violations})
	}
	_, err = burraco.Resume(ctx, client, []byte("no state"), nil)
	failed, ok := errors.AsType[*burraco.RulesError](err)
	if !ok || failed.Reason != burracopb.Reason_REASON_STATE_MALFORMED || failed.Transient() {
		return fmt.Errorf("a state that is none is no *RulesError with REASON_STATE_MALFORMED: %v", err)
	}
	if table.Position() != before {
		return errors.New("a refusal has changed the table")
	}
	return nil
}

// checkResult sees that the match that is over has a winner whose score sheet adds up.
func checkResult(ctx context.Context, table *burraco.Table) error {
	view, err := table.View(ctx, nil)
	if err != nil {
		return err
	}
	if view.GetResult() == nil || view.GetScoreSheet() == nil {
		return errors.New("the match is over, and its view has no result or no score sheet")
	}
	return nil
}
