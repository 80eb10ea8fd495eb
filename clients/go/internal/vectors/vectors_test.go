package vectors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

const (
	answer  = `{"accepted": {"state": "c2VhbGVk", "revision": "3", "updates": [{"view": {"turn": 1}}, {"view": {}}]}}`
	refused = `{"code": "INVALID_ARGUMENT", "reason": "REASON_FIELD_MISSING", "arguments": {"max": "3"},
		"fields": [{"field": "seat", "reason": "REASON_FIELD_MISSING", "description": "is missing"}],
		"message": "seat is missing"}`
)

// stub answers what it is told, and keeps what it was asked.
type stub struct {
	outcomes []string
	metadata []map[string]string
	requests []string
	raw      [][]byte
}

func (s *stub) Call(
	_ context.Context, _ string, metadata map[string]string, request any, raw []byte,
) (map[string]any, error) {
	if len(s.outcomes) == 0 {
		return nil, errors.New("no connection")
	}
	s.metadata, s.raw = append(s.metadata, metadata), append(s.raw, raw)
	s.requests = append(s.requests, written(request))
	outcome, err := decode([]byte(s.outcomes[0]))
	s.outcomes = s.outcomes[1:]
	fields, _ := outcome.(map[string]any)
	return fields, err
}

func scenario(t *testing.T, steps string) *Scenario {
	t.Helper()
	read := new(Scenario)
	if err := unmarshal(fmt.Appendf(nil, `{"steps": [%s]}`, steps), read); err != nil {
		t.Fatal(err)
	}
	return read
}

// told lists the paths of what a run of one step finds different.
func told(t *testing.T, expect, outcome string) []string {
	t.Helper()
	steps := fmt.Sprintf(`{"rpc": "burraco.v1.GameService/ApplyMoves", "request": {}, "expect": %s}`, expect)
	failure := scenario(t, steps).Run(t.Context(), &stub{outcomes: []string{outcome}}, nil)
	if failure == nil {
		return nil
	}
	if failure.Err != nil {
		t.Fatal(failure.Err)
	}
	var paths []string
	for _, difference := range failure.Differences {
		paths = append(paths, difference.Path)
	}
	return paths
}

func TestEveryKindOfDifferenceIsNoticed(t *testing.T) {
	ok := func(answer, paths string) string { return fmt.Sprintf(`{"code": "OK", "answer": %s%s}`, answer, paths) }
	changed := func(from, to string) string { return ok(strings.Replace(answer, from, to, 1), "") }
	updates := "answer.accepted.updates"
	for _, each := range []struct{ expect, outcome, paths string }{
		{ok(answer, ""), ok(answer, ""), ""},
		{ok(answer, ""), changed(`"3"`, `"4"`), "answer.accepted.revision"},
		{ok(answer, ""), changed(`"3"`, `3`), "answer.accepted.revision"},
		{ok(answer, ""), changed(`"turn": 1`, `"turn": 1.0`), updates + "[0].view.turn"},
		{ok(answer, ""), changed(`"turn": 1`, ``), updates + "[0].view.turn"},
		{ok(answer, ""), changed(`"view": {}`, `"view": {"turn": 0}`), updates + "[1].view.turn"},
		{ok(answer, ""), changed(`, {"view": {}}`, ``), updates + "[1]"},
		{
			ok(answer, ""), changed(`[{"view"`, `[{}, {"view"`),
			updates + "[0].view " + updates + "[1].view.turn " + updates + "[2]",
		},
		{ok(`{"a": {}}`, ""), ok(`{"a": []}`, ""), "answer.a"},
		{ok(`{"a": []}`, ""), ok(`{"a": null}`, ""), "answer.a"},
		{ok(`{"a": "1"}`, ""), ok(`{"a": {}}`, ""), "answer.a"},
		{ok(`{"a": null}`, ""), ok(`{}`, ""), "answer.a"},
		{ok(answer, ""), refused, "answer arguments code fields message reason"},
		{refused, ok(answer, ""), "answer arguments code fields message reason"},
		{refused, refused, ""},
		{refused, `{"code": "INVALID_ARGUMENT"}`, "arguments fields message reason"},
		{`{"code": "RESOURCE_EXHAUSTED"}`, `{"code": "RESOURCE_EXHAUSTED"}`, ""},
		{`{"code": "RESOURCE_EXHAUSTED"}`, `{"code": "RESOURCE_EXHAUSTED", "retryDelay": "1s"}`, "retryDelay"},
		{refused, strings.Replace(refused, `"is missing"`, `"is not there"`, 1), "fields[0].description"},
		// Paths that are set aside.
		{
			ok(
				`{"accepted": {"updates": [{}, {}]}}`,
				`, "any": ["accepted.state", "accepted.updates[*].view"], "ignore": ["accepted.revision"]`,
			),
			ok(answer, ""), "",
		},
		{
			ok(
				`{"accepted": {"updates": [{"view": {}}, {"view": {}}]}}`,
				`, "any": ["accepted.state", "accepted.updates[0].view.turn"],
					"ignore": ["accepted.revision", "no.such[3].thing"]`,
			),
			ok(answer, ""), "",
		},
		{ok(answer, `, "any": ["accepted.turn"]`), ok(answer, ""), "answer.accepted.turn"},
	} {
		if paths := strings.Join(told(t, each.expect, each.outcome), " "); paths != each.paths {
			t.Errorf("%s\nand %s\ndiffer in %q, not %q", each.expect, each.outcome, paths, each.paths)
		}
	}
}

func TestARunEndsAtItsFirstFailure(t *testing.T) {
	steps := `{"rpc": "a/b", "request": {}, "expect": {"code": "OK", "answer": {}}}`
	service := &stub{outcomes: []string{`{"code": "OK", "answer": {}}`, `{"code": "ABORTED"}`, `{"code": "ABORTED"}`}}
	failure := scenario(t, steps+","+steps+","+steps).Run(t.Context(), service, nil)
	if failure == nil || failure.Step != 1 || len(service.requests) != 2 {
		t.Error(failure, service.requests)
	}
	if failure := scenario(t, steps).Run(t.Context(), &stub{}, nil); failure == nil || failure.Err == nil {
		t.Error(failure)
	}
}

func TestWhatIsSavedIsSent(t *testing.T) {
	steps := `
		{"rpc": "a/b", "request": {"n": 1}, "save": {"s": "state", "t": "tokens[1]"},
		 "expect": {"code": "OK", "answer": {}, "any": ["state", "tokens"]}},
		{"rpc": "a/b", "metadata": {"m": {"$text": "t", "append": "IQ=="}},
		 "request": {"a": [{"$var": "s"}], "b": {
			"$bytes": "s", "xor": [{"at": 0, "with": 1}, {"at": -1, "with": 1}], "cut": 2, "append": "AA=="
		 }, "c": {"$zeros": 3}},
		 "expect": {"code": "OK", "answer": {}}},
		{"rpc": "a/b", "metadata": {}, "requestBytes": "AQI=", "expect": {"code": "OK", "answer": {}}}`
	run := scenario(t, steps)
	for range 2 { // a run changes nothing of the scenario
		service := &stub{outcomes: []string{
			`{"code": "OK", "answer": {"state": "YWJj", "tokens": ["x", "y"]}}`, `{"code": "OK", "answer": {}}`,
			`{"code": "OK", "answer": {}}`,
		}}
		if failure := run.Run(t.Context(), service, map[string]string{"key": "k"}); failure != nil {
			t.Fatalf("%+v", failure)
		}
		if service.requests[0] != `{"n":1}` || service.requests[1] != `{"a":["YWJj"],"b":"YGIA","c":"AAAA"}` {
			t.Error(service.requests)
		}
		if fmt.Sprint(service.metadata) != "[map[key:k] map[m:y!] map[]]" || string(service.raw[2]) != "\x01\x02" {
			t.Error(service.metadata, service.raw)
		}
	}
}

func TestWhatCannotBeSavedOrSent(t *testing.T) {
	outcome := `{"code": "OK", "answer": {"n": 1, "list": ["a"], "text": "??"}}`
	for steps, says := range map[string]string{
		`{"rpc": "a/b", "save": {"v": "gone"}, "expect": {"code": "OK", "answer": {}}}`:    "gone",
		`{"rpc": "a/b", "save": {"v": "n"}, "expect": {"code": "OK", "answer": {}}}`:       "answer.n",
		`{"rpc": "a/b", "save": {"v": "list[1]"}, "expect": {"code": "OK", "answer": {}}}`: "list[1]",
		`{"rpc": "a/b", "save": {"v": "list[*]"}, "expect": {"code": "OK", "answer": {}}}`: "list[*]",
		`{"rpc": "a/b", "save": {"v": "a..b"}, "expect": {"code": "OK", "answer": {}}}`:    "is no path",
		`{"rpc": "a/b", "request": {"$var": "gone"}, "expect": {"code": "OK"}}`:            `as "gone"`,
		`{"rpc": "a/b", "request": {"$zeros": "3"}, "expect": {"code": "OK"}}`:             "number of bytes",
		`{"rpc": "a/b", "metadata": {"a": 1}, "expect": {"code": "OK"}}`:                   "is no text",
		`{"rpc": "a/b", "metadata": [], "expect": {"code": "OK"}}`:                         "is no object",
		`{"rpc": "a/b", "expect": {"code": "OK", "answer": {}, "any": ["list[0]"]}}`:       "end with a name",
		`{"rpc": "a/b", "expect": {"code": "OK", "answer": {}, "ignore": [""]}}`:           "is no path",
	} {
		failure := scenario(t, steps).Run(t.Context(), &stub{outcomes: []string{outcome}}, nil)
		if failure == nil || !strings.Contains(fmt.Sprint(failure.Differences, failure.Err), says) {
			t.Errorf("%s: %+v", steps, failure)
		}
	}
	for edit, says := range map[string]string{
		`{"$bytes": "v", "xor": [{"at": 9, "with": 1}]}`:  "no byte 9",
		`{"$bytes": "v", "xor": [{"at": -4, "with": 1}]}`: "no byte -4",
		`{"$bytes": "w"}`:             "no base64",
		`{"$bytes": "v", "cut": "2"}`: "cannot be read",
	} {
		value, err := decode([]byte(edit))
		if err != nil {
			t.Fatal(err)
		}
		_, err = resolve(value, map[string]string{"v": "YWJj", "w": "??"})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", edit, err)
		}
	}
}

func TestLacking(t *testing.T) {
	run := &Scenario{Needs: []string{"arbiter", "rawRequests"}}
	if lacking := run.Lacking("rawRequests"); !slices.Equal(lacking, []string{"arbiter"}) {
		t.Error(lacking)
	}
}

func TestFormat(t *testing.T) {
	if _, err := ReadManifest(t.TempDir()); err == nil {
		t.Error("a folder without a manifest")
	}
	var expect Expect
	content := `{"code": "OK", "any": ["a"], "ignore": ["b"], "answer": {}}`
	if err := json.Unmarshal([]byte(content), &expect); err != nil {
		t.Fatal(err)
	}
	if keys := slices.Sorted(maps.Keys(expect.Outcome)); !slices.Equal(keys, []string{"answer", "code"}) ||
		!slices.Equal(expect.Any, []string{"a"}) || !slices.Equal(expect.Ignore, []string{"b"}) {
		t.Error(expect)
	}
	if err := json.Unmarshal([]byte(`{"expect": 1}`), new(Step)); err == nil {
		t.Error("an expect that is none")
	}
}
