package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"burraco/burracopb"
	"burraco/internal/servertest"
	"burraco/internal/testserver"
	"burraco/internal/vectors"
	"burraco/moves"
)

func TestTally(t *testing.T) {
	var out bytes.Buffer
	tally := newTally(&out)
	tally.end("vectors/gin/knock.json", nil)
	tally.end("vectors/calls/states.json", &vectors.Failure{Step: 2, Differences: []vectors.Difference{
		{Path: "code", Expected: `"OK"`, Actual: `"ABORTED"`}, {Expected: "1", Actual: "2"},
	}})
	tally.end("vectors/calls/fields.json", &vectors.Failure{Step: 0, Err: errors.New("no connection")})
	tally.skip("vectors/arbiter/import.json", "it needs arbiter")
	tally.pass("match")
	if !tally.sum() {
		t.Error("nothing failed")
	}
	if text := out.String(); text != `FAILED vectors/calls/states.json, step 2, code: expected "OK", actual "ABORTED"
FAILED vectors/calls/states.json, step 2, (whole): expected 1, actual 2
FAILED vectors/calls/fields.json, step 0: no connection
SKIPPED vectors/arbiter/import.json: it needs arbiter
gin: 1 passed, 0 failed, 0 skipped
calls: 0 passed, 2 failed, 0 skipped
arbiter: 0 passed, 0 failed, 1 skipped
match: 1 passed, 0 failed, 0 skipped
2 passed, 2 failed, 1 skipped
` {
		t.Error(text)
	}
}

func TestNothingRunIsAFailure(t *testing.T) {
	if !newTally(new(bytes.Buffer)).sum() {
		t.Error("nothing was run, and nothing failed")
	}
}

func TestChoose(t *testing.T) {
	all := &burracopb.LegalMoves{
		Simple:   []burracopb.MoveKind{burracopb.MoveKind_MOVE_KIND_RESIGN, burracopb.MoveKind_MOVE_KIND_DRAW_STOCK},
		Discards: []burracopb.Card{burracopb.Card_CARD_7S},
		Groups: []*burracopb.MoveGroup{{
			Kind: burracopb.MoveKind_MOVE_KIND_LAY_OFF, MeldId: 2, Required: []burracopb.Card{burracopb.Card_CARD_KD},
			Count: 1,
		}},
		Count: 4,
	}
	var chosen []string
	for _, remove := range []func(){
		func() {}, func() { all.Simple = all.GetSimple()[:1] },
		func() { all.Groups = nil }, func() { all.Discards = nil },
	} {
		remove()
		all.Count = uint64(len(all.GetSimple()) + len(all.GetDiscards()) + len(all.GetGroups()))
		move, err := choose(all)
		if err != nil {
			chosen = append(chosen, err.Error())
		} else {
			chosen = append(chosen, moves.Describe(move))
		}
	}
	if !slices.Equal(chosen, []string{"draw stock", "lay off KD on meld 2", "discard 7S", "there is no legal move"}) {
		t.Error(chosen)
	}
	all.Count = 0
	if _, err := choose(all); err == nil || !strings.Contains(err.Error(), "counts 0 legal moves, and not 1") {
		t.Error(err)
	}
}

// A few scenarios and the match against the real server.
func TestRun(t *testing.T) {
	for _, words := range [][]string{{"gin/first_turns"}, {"match", "vectors"}, {"match"}} {
		var out bytes.Buffer
		failed, err := run(t.Context(), &out, words)
		if errors.Is(err, testserver.ErrUnavailable) {
			servertest.Skip(t, err)
		}
		if err != nil || failed || !strings.Contains(out.String(), " passed, 0 failed, 0 skipped\n") {
			t.Errorf("%v: %v\n%s", words, err, out.String())
		}
	}
}

// A server that is not there fails every scenario, and the program with them.
func TestNoServer(t *testing.T) {
	t.Setenv("BURRACO_TARGET", "127.0.0.1:1")
	t.Setenv("BURRACO_ARBITER_TARGET", "")
	var out bytes.Buffer
	failed, err := run(t.Context(), &out, []string{"a", "i"})
	if errors.Is(err, testserver.ErrUnavailable) || err != nil && strings.Contains(err.Error(), "BURRACO_VECTORS") {
		servertest.Skip(t, err)
	}
	text := out.String()
	if err != nil || !failed || !strings.Contains(text, `actual "UNAVAILABLE"`) ||
		!strings.Contains(text, "it needs arbiter") || !strings.HasSuffix(text, " skipped\n") ||
		strings.Contains(text, "1 passed") {
		t.Errorf("%v\n%s", err, text)
	}
}
