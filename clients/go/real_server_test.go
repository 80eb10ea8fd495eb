package burraco_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"burraco"
	"burraco/burracopb"
	"burraco/internal/servertest"
	"burraco/moves"
)

func realTable(t *testing.T, preset burracopb.Preset) (*burraco.Client, *burraco.Table) {
	t.Helper()
	client := servertest.Dial(t)
	table, err := burraco.Create(t.Context(), client, &burracopb.CreateMatchRequest{
		Rules:      burraco.Rules(preset),
		SeedSource: burraco.GivenSeed(bytes.Repeat([]byte{1}, 32)),
		Seating:    burraco.FirstDealer(0),
	})
	if err != nil {
		t.Fatal(err)
	}
	return client, table
}

// What the list expands to is what CheckMoves takes, and as much as its count, at every turn of a deal of each game.
func TestLegalMovesExpandToWhatIsLegal(t *testing.T) {
	for _, preset := range []burracopb.Preset{
		burracopb.Preset_PRESET_ITALIAN, burracopb.Preset_PRESET_RAMINO, burracopb.Preset_PRESET_GIN,
		burracopb.Preset_PRESET_SCALA_40,
	} {
		t.Run(preset.String(), func(t *testing.T) {
			t.Parallel()
			_, table := realTable(t, preset)
			for range 60 {
				if !playFirst(t, table) {
					return
				}
			}
		})
	}
}

// playFirst looks at all legal moves, and makes one that is not the resignation; false when the deal is over.
func playFirst(t *testing.T, table *burraco.Table) bool {
	t.Helper()
	seat, ok := table.Turn()
	if !ok {
		return false
	}
	legal, err := table.Legal(t.Context(), seat)
	if err != nil {
		t.Fatal(err)
	}
	all, err := moves.Expand(legal)
	if err != nil {
		t.Fatal(err)
	}
	var count uint64
	var chosen *burracopb.Move
	seen := map[string]bool{}
	for move := range all {
		count++
		seen[move.String()] = true
		if count <= 5 || count%10 == 0 {
			if violations, err := table.Check(t.Context(), seat, move); err != nil || len(violations) > 0 {
				t.Fatalf("%s: %v %v", moves.Describe(move), violations, err)
			}
		}
		if move.GetResign() == nil {
			chosen = move
		}
	}
	if count != legal.GetCount() || len(seen) != int(count) || count == 0 {
		t.Fatalf("%d moves, %d different, and the list says %d", count, len(seen), legal.GetCount())
	}
	if _, err := table.Play(t.Context(), seat, chosen); err != nil {
		t.Fatalf("%s: %v", moves.Describe(chosen), err)
	}
	return true
}

func TestARefusalIsAnIllegalMove(t *testing.T) {
	_, table := realTable(t, burracopb.Preset_PRESET_ITALIAN)
	seat, _ := table.Turn()
	before := table.Position()
	_, err := table.Play(t.Context(), seat, moves.Discard(burracopb.Card_CARD_7S))
	illegal, ok := errors.AsType[*burraco.IllegalMove](err)
	if !ok || !illegal.Has(burracopb.Reason_REASON_MUST_DRAW_FIRST) || illegal.Violations[0].GetRuleId() == "" {
		t.Error(err)
	}
	checked, err := table.Check(t.Context(), seat, moves.Discard(burracopb.Card_CARD_7S))
	if err != nil || !slices.EqualFunc(checked, illegal.Violations, equalViolations) {
		t.Error(checked, err)
	}
	if table.Position() != before {
		t.Error("a refusal has changed the table")
	}
}

func equalViolations(a, b *burracopb.Violation) bool { return proto.Equal(a, b) }

// A client in another language leaves the one that it was made of as it is, and is the same seat.
func TestViolationsAreInTheClientsLanguage(t *testing.T) {
	english, table := realTable(t, burracopb.Preset_PRESET_ITALIAN)
	seat, _ := table.Turn()
	italian, err := english.AsSeat(table.SeatTokens()[seat]).InLanguage("it")
	if err != nil {
		t.Fatal(err)
	}
	back, err := italian.InLanguage("")
	if err != nil {
		t.Fatal(err)
	}
	_, apiKey := servertest.Target(t)
	for name, each := range map[string]struct {
		client *burraco.Client
		says   string
	}{
		"english": {english, "Draw"}, "back": {back, "Draw"},
		"italian": {italian, "pesc"}, "another seat token": {italian.AsSeat(table.SeatTokens()[seat]), "pesc"},
		"an option": {servertest.Dial(t, burraco.WithAPIKey(apiKey), burraco.WithLanguage("tlh, it;q=0.5")), "pesc"},
	} {
		resumed, err := burraco.Resume(t.Context(), each.client, table.State(), burraco.Seat(seat))
		if err != nil {
			t.Fatal(name, err)
		}
		_, err = resumed.Play(t.Context(), seat, moves.Discard(burracopb.Card_CARD_7S))
		illegal, ok := errors.AsType[*burraco.IllegalMove](err)
		if !ok || !strings.Contains(illegal.Violations[0].GetText(), each.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTwoTablesOfOneMatch(t *testing.T) {
	client, table := realTable(t, burracopb.Preset_PRESET_ITALIAN)
	seat, _ := table.Turn()
	if _, err := table.Play(t.Context(), seat, moves.Draw()); err != nil {
		t.Fatal(err)
	}
	other, err := burraco.Resume(t.Context(), client, table.State(), nil)
	if err != nil || other.Revision() != table.Revision() || other.Position().Phase != table.Position().Phase {
		t.Fatal(err)
	}
	// A stale revision, as a player's program sends it to a back end.
	_, err = client.Game.ApplyMoves(t.Context(), &burracopb.ApplyMovesRequest{
		State: table.State(), Seat: seat, Moves: []*burracopb.Move{moves.Draw()}, ExpectedRevision: new(uint64),
	})
	failed, ok := errors.AsType[*burraco.RulesError](err)
	if !ok || failed.Code != codes.Aborted || failed.Reason != burracopb.Reason_REASON_REVISION_MISMATCH ||
		failed.Arguments["expected"] != "0" || failed.Arguments["actual"] != "1" {
		t.Error(err)
	}
}

func TestASeatActsForItself(t *testing.T) {
	client, table := realTable(t, burracopb.Preset_PRESET_ITALIAN)
	seat, _ := table.Turn()
	players := []*burraco.Client{
		client.AsSeat(table.SeatTokens()[seat]),
		servertest.Dial(t, burraco.WithSeatToken(table.SeatTokens()[seat])),
	}
	for _, player := range players {
		own, err := burraco.Resume(t.Context(), player, table.State(), burraco.Seat(seat))
		if err != nil {
			t.Fatal(err)
		}
		view, err := own.View(t.Context(), burraco.Seat(seat))
		if err != nil || len(view.GetSeats()[seat].GetHand()) != 11 {
			t.Error(view, err)
		}
		if _, err := own.Play(t.Context(), seat, moves.Draw()); err != nil {
			t.Error(err)
		}
		_, err = own.View(t.Context(), nil)
		if code := burraco.FromError(err).Code; code != codes.PermissionDenied {
			t.Error(err)
		}
	}
	if _, err := table.RevokeSeatTokens(t.Context(), seat, 0); err != nil {
		t.Fatal(err)
	}
	_, err := burraco.Resume(t.Context(), players[0], table.State(), burraco.Seat(seat))
	if failed := burraco.FromError(err); failed == nil || failed.Reason != burracopb.Reason_REASON_SEAT_TOKEN_REVOKED {
		t.Error(err)
	}
	renewed, err := table.RenewSeatToken(t.Context(), seat, 0)
	if err != nil {
		t.Fatal(err)
	}
	player := client.AsSeat(renewed.GetSeatToken())
	if _, err := burraco.Resume(t.Context(), player, table.State(), burraco.Seat(seat)); err != nil {
		t.Error(err)
	}
}

// Calls are pure, so one that finds its replica gone is made again on another: nobody notices.
func TestAReplicaIsKilledAndNoCallFails(t *testing.T) {
	_, apiKey := servertest.Target(t)
	first, second := servertest.Start(t), servertest.Start(t)
	client := dial(t, "round:///", burraco.WithAPIKey(apiKey), burraco.WithTimeout(20*time.Second),
		burraco.WithDialOptions(grpc.WithResolvers(addresses(first.Target, second.Target))))
	ended, calls := make(chan struct{}), make(chan error, 4)
	for range cap(calls) {
		go func() {
			for made := 0; ; made++ {
				if err := listPresets(t.Context(), client); err != nil {
					calls <- fmt.Errorf("call %d: %w", made, err)
					return
				}
				select {
				case <-ended:
					calls <- nil
					return
				default:
				}
			}
		}()
	}
	time.Sleep(300 * time.Millisecond)
	if err := first.Kill(); err != nil {
		t.Error(err)
	}
	time.Sleep(300 * time.Millisecond)
	close(ended)
	for range cap(calls) {
		if err := <-calls; err != nil {
			t.Error(err)
		}
	}
}

func TestAStreamOfMoves(t *testing.T) {
	client, table := realTable(t, burracopb.Preset_PRESET_ITALIAN)
	seat, _ := table.Turn()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream, err := client.Game.StreamApplyMoves(ctx)
	if err != nil {
		t.Fatal(err)
	}
	err = stream.Send(&burracopb.StreamApplyMovesRequest{CorrelationId: "a", Request: &burracopb.ApplyMovesRequest{
		State: table.State(), Seat: seat, Moves: []*burracopb.Move{moves.Draw()},
	}})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := stream.Recv()
	if err != nil || answer.GetCorrelationId() != "a" || answer.GetResponse().GetAccepted().GetRevision() != 1 {
		t.Error(answer, err)
	}
}
