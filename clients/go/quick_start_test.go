package burraco_test

import (
	"context"
	"fmt"

	"burraco"
	"burraco/burracopb"
	"burraco/moves"
)

// The body of quickStart is that of README.md: a test compares them, and runs it.
func quickStart(ctx context.Context, target string, store func([]byte), options ...burraco.Option) error {
	client, err := burraco.Dial(target, options...)
	if err != nil {
		return err
	}
	defer client.Close()
	table, err := burraco.Create(ctx, client, &burracopb.CreateMatchRequest{})
	if err != nil {
		return err
	}
	seat, _ := table.Turn()
	if _, err := table.Play(ctx, seat, moves.Draw()); err != nil {
		return err
	}
	legal, err := table.Legal(ctx, seat)
	if err != nil {
		return err
	}
	all, err := moves.Expand(legal)
	if err != nil {
		return err
	}
	for move := range all {
		fmt.Println(moves.Describe(move))
	}
	if _, err := table.Play(ctx, seat, moves.Discard(legal.GetDiscards()[0])); err != nil {
		return err
	}
	store(table.State()) // burraco.Resume goes on from it
	return nil
}
