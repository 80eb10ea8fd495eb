package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"burraco"
	"burraco/burracopb"
	"burraco/internal/servertest"
	"burraco/moves"
)

func TestMain(m *testing.M) { os.Exit(servertest.Main(m)) }

func TestPlay(t *testing.T) {
	target, apiKey := servertest.Target(t)
	for _, preset := range []string{"PRESET_GIN", "PRESET_INTERNATIONAL"} {
		if err := run(t.Context(), target, apiKey, preset); err != nil {
			t.Errorf("%s: %v", preset, err)
		}
	}
	for _, each := range []struct{ target, preset, says string }{
		{target, "PRESET_OF_NOBODY", "no preset PRESET_OF_NOBODY"}, {"127.0.0.1:1", "PRESET_GIN", "UNAVAILABLE"},
	} {
		err := run(t.Context(), each.target, apiKey, each.preset)
		if err == nil || !strings.Contains(err.Error(), each.says) {
			t.Error(err)
		}
	}
}

func TestChoose(t *testing.T) {
	draw, take, pass, resign := burracopb.MoveKind_MOVE_KIND_DRAW_STOCK, burracopb.MoveKind_MOVE_KIND_TAKE_PILE,
		burracopb.MoveKind_MOVE_KIND_PASS_UPCARD, burracopb.MoveKind_MOVE_KIND_RESIGN
	for _, each := range []struct {
		simple []burracopb.MoveKind
		chosen *burracopb.Move
	}{
		{[]burracopb.MoveKind{draw, take, resign}, moves.Draw()},
		{[]burracopb.MoveKind{take, resign}, moves.TakePile()},
		{[]burracopb.MoveKind{pass, resign}, moves.PassUpcard()},
		{[]burracopb.MoveKind{resign}, moves.Resign()},
	} {
		chosen, err := choose(&burracopb.LegalMoves{Simple: each.simple, Count: uint64(len(each.simple))})
		if err != nil || !proto.Equal(chosen, each.chosen) {
			t.Errorf("%v: %v, %v", each.simple, chosen, err)
		}
	}
	if chosen, err := choose(&burracopb.LegalMoves{}); err == nil {
		t.Error(chosen)
	}
}

// The player has a move to the end of every match, and never gives up.
func TestManyMatches(t *testing.T) {
	client := servertest.Dial(t)
	oneDeal := &burracopb.RulesSelection_Burraco{Burraco: &burracopb.BurracoRules{
		DealsPerMatch: proto.Uint32(1), Target: proto.Uint32(0),
	}}
	for _, each := range []struct {
		rules *burracopb.RulesSelection
		seeds []byte
	}{
		// In these deals the stock runs out, and the pile has to be taken (B2-12).
		{&burracopb.RulesSelection{Preset: burracopb.Preset_PRESET_TWO_PLAYER, Game: oneDeal}, []byte{8, 11, 18, 22}},
		{&burracopb.RulesSelection{Preset: burracopb.Preset_PRESET_ITALIAN, Game: oneDeal}, []byte{0, 1, 2}},
		{&burracopb.RulesSelection{Preset: burracopb.Preset_PRESET_THREE_PLAYER, Game: oneDeal}, []byte{0, 1, 2}},
		{&burracopb.RulesSelection{Preset: burracopb.Preset_PRESET_REALE, Game: oneDeal}, []byte{0, 1, 2}},
		{burraco.Rules(burracopb.Preset_PRESET_GIN), []byte{0}},
		{burraco.Rules(burracopb.Preset_PRESET_RAMINO), []byte{0}},
		{burraco.Rules(burracopb.Preset_PRESET_SCALA_40), []byte{0}},
	} {
		t.Run(each.rules.GetPreset().String(), func(t *testing.T) {
			t.Parallel()
			for _, seed := range each.seeds {
				table, err := play(t.Context(), client, &burracopb.CreateMatchRequest{
					Rules: each.rules, SeedSource: burraco.GivenSeed(bytes.Repeat([]byte{seed}, 32)),
				})
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				view, err := table.View(t.Context(), nil)
				if end := view.GetResult().GetMatchEnd(); err != nil || end == burracopb.MatchEnd_MATCH_END_RESIGNED {
					t.Errorf("seed %d: %v, %v", seed, end, err)
				}
			}
		})
	}
}
