package burraco_test

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"burraco"
	"burraco/burracopb"
	"burraco/moves"
)

// A missing part is a failed call, and never an empty list, a fresh position or a table without a state.
func TestAnAnswerThatLacksAPart(t *testing.T) {
	noState := &burracopb.ApplyMovesResponse{Outcome: &burracopb.ApplyMovesResponse_Accepted{}}
	noView := &burracopb.CreateMatchResponse{State: []byte("new"), Updates: []*burracopb.ViewerUpdate{{}}}
	for _, each := range []struct {
		says   string
		answer proto.Message
		ask    func(ctx context.Context, client *burraco.Client, table *burraco.Table) error
	}{
		{
			"ListLegalMoves was answered without legal moves", &burracopb.ListLegalMovesResponse{},
			func(ctx context.Context, _ *burraco.Client, table *burraco.Table) error {
				legal, err := table.Legal(ctx, 1)
				if legal != nil {
					t.Error(legal)
				}
				return err
			},
		},
		{
			"CheckMoves was answered without the violations", &burracopb.CheckMovesResponse{},
			func(ctx context.Context, _ *burraco.Client, table *burraco.Table) error {
				_, err := table.Check(ctx, 1, moves.Draw())
				return err
			},
		},
		{
			"GetView was answered without a view", &burracopb.GetViewResponse{},
			func(ctx context.Context, _ *burraco.Client, table *burraco.Table) error {
				_, err := table.View(ctx, nil)
				return err
			},
		},
		{
			"GetView was answered without a view", &burracopb.GetViewResponse{},
			func(ctx context.Context, client *burraco.Client, table *burraco.Table) error {
				_, err := burraco.Resume(ctx, client, table.State(), nil)
				return err
			},
		},
		{
			"ApplyMoves was answered without a state", noState,
			func(ctx context.Context, _ *burraco.Client, table *burraco.Table) error {
				_, err := table.Play(ctx, 1, moves.Draw())
				return err
			},
		},
		{
			"ApplyMoves was answered without legal moves", accepted("six", 6, proto.Uint32(2)),
			func(ctx context.Context, _ *burraco.Client, table *burraco.Table) error {
				_, err := table.Apply(ctx, &burracopb.ApplyMovesRequest{Seat: 1, ListLegalMoves: true})
				return err
			},
		},
		{
			"ScoreDeal was answered without a score sheet", &burracopb.ScoreDealResponse{},
			func(ctx context.Context, _ *burraco.Client, table *burraco.Table) error {
				_, err := table.Score(ctx)
				return err
			},
		},
		{
			"IssueSeatToken was answered without a seat token", &burracopb.IssueSeatTokenResponse{State: []byte("five")},
			func(ctx context.Context, _ *burraco.Client, table *burraco.Table) error {
				_, err := table.RenewSeatToken(ctx, 1, 0)
				return err
			},
		},
		{
			"IssueSeatToken was answered without a state", &burracopb.IssueSeatTokenResponse{SeatToken: "t"},
			func(ctx context.Context, _ *burraco.Client, table *burraco.Table) error {
				_, err := table.RevokeSeatTokens(ctx, 1, 0)
				return err
			},
		},
		{
			"CreateMatch was answered without a view", noView,
			func(ctx context.Context, client *burraco.Client, _ *burraco.Table) error {
				_, err := burraco.Create(ctx, client, nil)
				return err
			},
		},
	} {
		table, service := tableAt(t, answers(each.answer))
		err := each.ask(t.Context(), dial(t, service.address), table)
		failed, ok := errors.AsType[*burraco.RulesError](err)
		if !ok || failed.Code != codes.Unknown || failed.Transient() {
			t.Errorf("%s: %v", each.says, err)
		}
		says(t, err, each.says)
		kept(t, table, "five", 5, 1)
	}
}
