package burraco_test

import (
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"burraco"
	"burraco/internal/servertest"
)

// check is what the README leaves out of the quick start.
var check = regexp.MustCompile(`(?m)^\s*if err != nil \{\n\s*return err\n\s*\}\n`)

// inline is the short form of the same.
var inline = regexp.MustCompile(`if (.*); err != nil \{\n\s*return err\n\s*\}\n`)

func TestTheQuickStartIsThatOfTheREADME(t *testing.T) {
	readme, source := read(t, "README.md"), read(t, "quick_start_test.go")
	_, shown, _ := strings.Cut(readme, "```go\n")
	shown, _, _ = strings.Cut(shown, "```")
	_, body, _ := strings.Cut(source, "error {\n")
	body, _, _ = strings.Cut(body, "\n\treturn nil\n}")
	body = check.ReplaceAllString(body, "")
	body = inline.ReplaceAllStringFunc(body, func(found string) string {
		return strings.Replace(inline.FindStringSubmatch(found)[1], ":=", "=", 1) + "\n"
	})
	body = strings.Replace(body, "Dial(target, options...)", `Dial("127.0.0.1:50051")`, 1)
	body = strings.Replace(body, "\tdefer client.Close()\n", "", 1)
	if unindented(body) != unindented(shown) {
		t.Errorf("quick_start_test.go:\n%s\nREADME.md:\n%s", unindented(body), unindented(shown))
	}
}

func TestTheQuickStartRuns(t *testing.T) {
	target, apiKey := servertest.Target(t)
	var stored []byte
	store := func(state []byte) { stored = state }
	if err := quickStart(t.Context(), target, store, burraco.WithAPIKey(apiKey)); err != nil {
		t.Fatal(err)
	}
	if len(stored) == 0 {
		t.Error("nothing was stored")
	}
}

// Every Go block of the README is Go.
func TestTheREADMEIsFormatted(t *testing.T) {
	found := blocks.FindAllStringSubmatch(read(t, "README.md"), -1)
	for _, block := range found {
		formatted, err := format.Source([]byte(block[1]))
		if err != nil || string(formatted) != block[1] {
			t.Errorf("%v\n%s", err, block[1])
		}
	}
	if len(found) != 3 {
		t.Errorf("%d blocks", len(found))
	}
}

func TestTheSourceIsFormatted(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		source := read(t, path)
		if formatted, err := format.Source([]byte(source)); err != nil || string(formatted) != source {
			t.Errorf("gofmt -w %s", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func unindented(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
