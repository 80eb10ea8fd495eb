package main

import (
	"fmt"
	"io"
	"strings"

	"burraco/internal/vectors"
)

// tally prints what is not right as it comes, and in the end how many of each part passed.
type tally struct {
	out   io.Writer
	parts []string
	of    map[string]*counts
}

type counts struct{ passed, failed, skipped int }

func (c counts) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", c.passed, c.failed, c.skipped)
}

func newTally(out io.Writer) *tally {
	return &tally{out: out, of: map[string]*counts{}}
}

// part is the top folder of a scenario, or the match.
func (t *tally) part(path string) *counts {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "vectors/"), "/")
	if t.of[name] == nil {
		t.parts = append(t.parts, name)
		t.of[name] = new(counts)
	}
	return t.of[name]
}

func (t *tally) pass(path string) { t.part(path).passed++ }

func (t *tally) fail(path, why string) {
	t.part(path).failed++
	fmt.Fprintf(t.out, "FAILED %s: %s\n", path, why)
}

func (t *tally) skip(path, why string) {
	t.part(path).skipped++
	fmt.Fprintf(t.out, "SKIPPED %s: %s\n", path, why)
}

func (t *tally) end(path string, failure *vectors.Failure) {
	if failure == nil {
		t.pass(path)
		return
	}
	t.part(path).failed++
	if failure.Err != nil {
		fmt.Fprintf(t.out, "FAILED %s, step %d: %v\n", path, failure.Step, failure.Err)
	}
	for _, difference := range failure.Differences {
		fmt.Fprintf(t.out, "FAILED %s, step %d, %v\n", path, failure.Step, difference)
	}
}

// sum prints the counts, and says whether anything failed. Nothing run at all is a failure.
func (t *tally) sum() (failed bool) {
	var all counts
	for _, part := range t.parts {
		of := t.of[part]
		all.passed, all.failed, all.skipped = all.passed+of.passed, all.failed+of.failed, all.skipped+of.skipped
		fmt.Fprintf(t.out, "%s: %v\n", part, of)
	}
	fmt.Fprintln(t.out, all)
	return all.failed > 0 || all == counts{}
}
