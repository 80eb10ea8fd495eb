package burraco_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"burraco"
	"burraco/burracopb"
	"burraco/moves"
)

func accepted(state string, revision uint64, turn *uint32) *burracopb.ApplyMovesResponse {
	return &burracopb.ApplyMovesResponse{Outcome: &burracopb.ApplyMovesResponse_Accepted{Accepted: &burracopb.Accepted{
		State: []byte(state), Revision: revision, Turn: turn, Phase: burracopb.Phase_PHASE_PLAY,
	}}}
}

func rejected(violations ...*burracopb.Violation) *burracopb.ApplyMovesResponse {
	return &burracopb.ApplyMovesResponse{Outcome: &burracopb.ApplyMovesResponse_Rejected{
		Rejected: &burracopb.Rejected{Violations: violations},
	}}
}

// tableAt is a table at revision 5, with seat 1 to move, whose later calls are answered so.
func tableAt(t *testing.T, answer func(context.Context, proto.Message) (proto.Message, error)) (*burraco.Table, *fake) {
	t.Helper()
	service := serve(t, answers(&burracopb.GetViewResponse{View: &burracopb.View{
		Revision: 5, Turn: proto.Uint32(1), Phase: burracopb.Phase_PHASE_PLAY,
	}}))
	table, err := burraco.Resume(t.Context(), dial(t, service.address), []byte("five"), nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, only[*burracopb.GetViewRequest](t, service), &burracopb.GetViewRequest{
		State: []byte("five"), Viewer: burraco.Spectator(),
	})
	service.requests, service.answer = nil, answer
	return table, service
}

func kept(t *testing.T, table *burraco.Table, state string, revision uint64, turn int) {
	t.Helper()
	seat, ok := table.Turn()
	if string(table.State()) != state || table.Revision() != revision || ok != (turn >= 0) || ok && int(seat) != turn {
		t.Errorf("%s at %d, seat %d (%v)", table.State(), table.Revision(), seat, ok)
	}
}

func TestCreate(t *testing.T) {
	update := &burracopb.ViewerUpdate{Viewer: burraco.Seat(0), View: &burracopb.View{Turn: proto.Uint32(2)}}
	service := serve(t, answers(&burracopb.CreateMatchResponse{
		State: []byte("new"), Updates: []*burracopb.ViewerUpdate{update}, SeatTokens: []string{"a", "b"},
	}))
	request := &burracopb.CreateMatchRequest{
		RequestId: "a", SeedSource: burraco.GivenSeed([]byte("seed")), Seating: burraco.FirstDealer(3),
	}
	unchanged := proto.CloneOf(request)
	table, err := burraco.Create(t.Context(), dial(t, service.address), request)
	if err != nil {
		t.Fatal(err)
	}
	kept(t, table, "new", 0, 2)
	equal(t, request, unchanged)
	unchanged.Rules = burraco.Rules(burracopb.Preset_PRESET_ITALIAN)
	equal(t, only[*burracopb.CreateMatchRequest](t, service), unchanged)
	if updates := table.Position().Updates; len(updates) != 1 || !proto.Equal(updates[0], update) {
		t.Error(updates)
	}
	if tokens := table.SeatTokens(); !slices.Equal(tokens, []string{"a", "b"}) {
		t.Error(tokens)
	}
}

func TestNoTextOfATableHasAToken(t *testing.T) {
	update := &burracopb.ViewerUpdate{Viewer: burraco.Seat(0), View: &burracopb.View{Turn: proto.Uint32(2)}}
	service := serve(t, answers(&burracopb.CreateMatchResponse{
		State: []byte("new"), Updates: []*burracopb.ViewerUpdate{update}, SeatTokens: []string{"secret"},
	}))
	table, err := burraco.Create(t.Context(), dial(t, service.address), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(verb, table); strings.Contains(text, "secret") || !strings.Contains(text, "revision 0") {
			t.Error(text)
		}
	}
}

func TestCreateWithoutARequest(t *testing.T) {
	service := serve(t, answers(&burracopb.CreateMatchResponse{}))
	_, err := burraco.Create(t.Context(), dial(t, service.address), nil)
	says(t, err, "without a state")
	equal(t, only[*burracopb.CreateMatchRequest](t, service), &burracopb.CreateMatchRequest{
		Rules: burraco.Rules(burracopb.Preset_PRESET_ITALIAN),
	})
}

func TestPlayKeepsTheNewState(t *testing.T) {
	listing := accepted("six", 6, proto.Uint32(2))
	listing.GetAccepted().LegalMoves = &burracopb.LegalMoves{}
	table, service := tableAt(t, answers(listing))
	before := table.Position()
	request := &burracopb.ApplyMovesRequest{
		Seat: 1, Moves: []*burracopb.Move{moves.Draw()},
		Viewers:        []*burracopb.Viewer{burraco.Seat(1), burraco.Spectator()},
		ListLegalMoves: true, State: []byte("another"), ExpectedRevision: proto.Uint64(1),
	}
	sent := proto.CloneOf(request)
	answer, err := table.Apply(t.Context(), request)
	if err != nil || answer.GetRevision() != 6 {
		t.Fatal(answer, err)
	}
	kept(t, table, "six", 6, 2)
	equal(t, request, sent)
	sent.State, sent.ExpectedRevision = []byte("five"), proto.Uint64(5)
	equal(t, only[*burracopb.ApplyMovesRequest](t, service), sent)
	if string(before.State) != "five" || before.Revision != 5 {
		t.Error("a position has changed")
	}
}

// When the deal is over it is nobody's turn, which is not seat 0's.
func TestNobodyToMove(t *testing.T) {
	table, service := tableAt(t, answers(accepted("six", 6, nil)))
	if _, err := table.NextDeal(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept(t, table, "six", 6, -1)
	equal(t, only[*burracopb.ApplyMovesRequest](t, service).GetMoves()[0], moves.NextDeal())
}

func TestAnIllegalMoveChangesNothing(t *testing.T) {
	violation := &burracopb.Violation{Reason: burracopb.Reason_REASON_MUST_DRAW_FIRST, Text: "Draw first."}
	table, _ := tableAt(t, answers(rejected(violation)))
	_, err := table.Play(t.Context(), 1, moves.Discard(burracopb.Card_CARD_KD))
	illegal, ok := errors.AsType[*burraco.IllegalMove](err)
	if !ok || len(illegal.Violations) != 1 || !proto.Equal(illegal.Violations[0], violation) {
		t.Error(err)
	}
	kept(t, table, "five", 5, 1)
}

func TestAFailedCallChangesNothing(t *testing.T) {
	table, _ := tableAt(t, fails(codes.Aborted, "moved in between"))
	if _, err := table.Play(t.Context(), 1, moves.Draw()); status.Code(err) != codes.Aborted {
		t.Error(err)
	}
	if _, err := table.RevokeSeatTokens(t.Context(), 1, 0); status.Code(err) != codes.Aborted {
		t.Error(err)
	}
	kept(t, table, "five", 5, 1)
}

// A later service may answer what this client does not know.
func TestAnOutcomeThatIsNoneChangesNothing(t *testing.T) {
	table, _ := tableAt(t, answers(&burracopb.ApplyMovesResponse{}))
	_, err := table.Play(t.Context(), 1, moves.Draw())
	says(t, err, "ApplyMoves was answered without an outcome")
	kept(t, table, "five", 5, 1)
}

// All play from revision 5 before any is answered: one stands.
func TestOfChangesFromTheSamePositionOneStands(t *testing.T) {
	const players = 8
	var arrived sync.WaitGroup
	arrived.Add(players)
	table, _ := tableAt(t, func(_ context.Context, request proto.Message) (proto.Message, error) {
		arrived.Done()
		arrived.Wait()
		if _, ok := request.(*burracopb.IssueSeatTokenRequest); ok {
			return &burracopb.IssueSeatTokenResponse{SeatToken: "t", State: []byte("six"), Revision: 6}, nil
		}
		return accepted("six", 6, nil), nil
	})
	failed := make(chan error, players)
	for player := range players {
		go func() {
			var err error
			if player%2 == 0 {
				_, err = table.Play(t.Context(), 1, moves.Draw())
			} else {
				_, err = table.RevokeSeatTokens(t.Context(), 1, 0)
			}
			failed <- err
		}()
	}
	stand := 0
	for range players {
		err := <-failed
		stale, ok := errors.AsType[*burraco.RulesError](err)
		switch {
		case err == nil:
			stand++
		case !ok || stale.Code != codes.Aborted || stale.Reason != burracopb.Reason_REASON_REVISION_MISMATCH ||
			stale.Arguments["expected"] != "5" || stale.Arguments["actual"] != "6" || stale.Transient() ||
			status.Code(err) != codes.Aborted:
			t.Error(err)
		}
	}
	if stand != 1 || table.Revision() != 6 {
		t.Errorf("%d stand, at revision %d", stand, table.Revision())
	}
}

func TestCheck(t *testing.T) {
	table, service := tableAt(t, answers(&burracopb.CheckMovesResponse{Legal: true}))
	if violations, err := table.Check(t.Context(), 1, moves.Draw()); err != nil || len(violations) > 0 {
		t.Error(violations, err)
	}
	equal(t, only[*burracopb.CheckMovesRequest](t, service), &burracopb.CheckMovesRequest{
		State: []byte("five"), Seat: 1, Moves: []*burracopb.Move{moves.Draw()}, ExpectedRevision: proto.Uint64(5),
	})
	service.answer = answers(&burracopb.CheckMovesResponse{Violations: []*burracopb.Violation{{
		Reason: burracopb.Reason_REASON_PILE_EMPTY,
	}}})
	violations, err := table.Check(t.Context(), 1, moves.TakePile())
	if err != nil || len(violations) != 1 || violations[0].GetReason() != burracopb.Reason_REASON_PILE_EMPTY {
		t.Error(violations, err)
	}
	service.answer = fails(codes.Aborted, "moved in between")
	if violations, err := table.Check(t.Context(), 1, moves.Draw()); status.Code(err) != codes.Aborted {
		t.Error(violations, err)
	}
}

func TestWhatATableAsks(t *testing.T) {
	for _, each := range []struct {
		name   string
		answer proto.Message
		ask    func(ctx context.Context, table *burraco.Table) (proto.Message, error)
		given  proto.Message
		sent   proto.Message
	}{
		{
			"legal",
			&burracopb.ListLegalMovesResponse{LegalMoves: &burracopb.LegalMoves{Count: 7}},
			func(ctx context.Context, table *burraco.Table) (proto.Message, error) { return table.Legal(ctx, 3) },
			&burracopb.LegalMoves{Count: 7},
			&burracopb.ListLegalMovesRequest{State: []byte("five"), Seat: 3},
		},
		{
			"legal up to",
			&burracopb.ListLegalMovesResponse{LegalMoves: &burracopb.LegalMoves{Count: 2, Truncated: true}},
			func(ctx context.Context, table *burraco.Table) (proto.Message, error) {
				return table.LegalUpTo(ctx, 3, 2)
			},
			&burracopb.LegalMoves{Count: 2, Truncated: true},
			&burracopb.ListLegalMovesRequest{State: []byte("five"), Seat: 3, MaxMoves: 2},
		},
		{
			"view of a seat",
			&burracopb.GetViewResponse{View: &burracopb.View{Revision: 5}},
			func(ctx context.Context, table *burraco.Table) (proto.Message, error) {
				return table.View(ctx, burraco.Seat(2))
			},
			&burracopb.View{Revision: 5},
			&burracopb.GetViewRequest{State: []byte("five"), Viewer: burraco.Seat(2)},
		},
		{
			"view of a spectator",
			&burracopb.GetViewResponse{View: &burracopb.View{Revision: 5}},
			func(ctx context.Context, table *burraco.Table) (proto.Message, error) { return table.View(ctx, nil) },
			&burracopb.View{Revision: 5},
			&burracopb.GetViewRequest{State: []byte("five"), Viewer: burraco.Spectator()},
		},
		{
			"score",
			&burracopb.ScoreDealResponse{ScoreSheet: &burracopb.ScoreSheet{DealNumber: 1}},
			func(ctx context.Context, table *burraco.Table) (proto.Message, error) { return table.Score(ctx) },
			&burracopb.ScoreDealResponse{ScoreSheet: &burracopb.ScoreSheet{DealNumber: 1}},
			&burracopb.ScoreDealRequest{What: &burracopb.ScoreDealRequest_State{State: []byte("five")}},
		},
		{
			"renewed token",
			&burracopb.IssueSeatTokenResponse{SeatToken: "t", State: []byte("five"), Revision: 5},
			func(ctx context.Context, table *burraco.Table) (proto.Message, error) {
				return table.RenewSeatToken(ctx, 2, time.Hour)
			},
			&burracopb.IssueSeatTokenResponse{SeatToken: "t", State: []byte("five"), Revision: 5},
			&burracopb.IssueSeatTokenRequest{State: []byte("five"), Seat: 2, LifetimeSeconds: 3600},
		},
	} {
		t.Run(each.name, func(t *testing.T) {
			table, service := tableAt(t, answers(each.answer))
			given, err := each.ask(t.Context(), table)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, given, each.given)
			equal(t, only[proto.Message](t, service), each.sent)
			kept(t, table, "five", 5, 1)
			service.answer = fails(codes.FailedPrecondition, "no")
			if _, err := each.ask(t.Context(), table); status.Code(err) != codes.FailedPrecondition {
				t.Error(err)
			}
		})
	}
}

func TestARevocationIsAChange(t *testing.T) {
	table, service := tableAt(t, answers(&burracopb.IssueSeatTokenResponse{
		SeatToken: "t", State: []byte("six"), Revision: 6,
	}))
	issued, err := table.RevokeSeatTokens(t.Context(), 1, 0)
	if err != nil || issued.GetSeatToken() != "t" {
		t.Fatal(issued, err)
	}
	kept(t, table, "six", 6, 1)
	equal(t, only[*burracopb.IssueSeatTokenRequest](t, service), &burracopb.IssueSeatTokenRequest{
		State: []byte("five"), Seat: 1, Revoke: true,
	})
}

func TestLifetimesAreWholeSeconds(t *testing.T) {
	table, service := tableAt(t, answers(&burracopb.IssueSeatTokenResponse{}))
	for _, lifetime := range []time.Duration{-time.Second, time.Millisecond, 1 << 62} {
		_, err := table.RenewSeatToken(t.Context(), 1, lifetime)
		says(t, err, "whole seconds")
	}
	if len(service.asked()) != 0 {
		t.Error(service.asked())
	}
}

func TestResumeAsASeat(t *testing.T) {
	service := serve(t, answers(&burracopb.GetViewResponse{View: &burracopb.View{Revision: 9}}))
	table, err := burraco.Resume(t.Context(), dial(t, service.address), []byte("nine"), burraco.Seat(2))
	if err != nil {
		t.Fatal(err)
	}
	kept(t, table, "nine", 9, -1)
	equal(t, only[*burracopb.GetViewRequest](t, service).GetViewer(), burraco.Seat(2))
}
