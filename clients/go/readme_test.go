package burraco_test

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"burraco/internal/servertest"
)

// The quick start is run as it stands, but for the server that it calls.
func TestTheQuickStartRuns(t *testing.T) {
	target, apiKey := servertest.Target(t)
	source, dialled := quickStart(t), `burraco.Dial("127.0.0.1:50051")`
	if !strings.Contains(source, dialled) {
		t.Fatal(source)
	}
	dial := fmt.Sprintf("burraco.Dial(%q, burraco.WithAPIKey(%q))", target, apiKey)
	output := runModule(t, map[string]string{"main.go": strings.Replace(source, dialled, dial, 1)})
	if !strings.Contains(output, "discard ") || !strings.HasSuffix(output, " bytes of state at revision 2\n") {
		t.Error(output)
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
	if len(found) != 4 {
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
