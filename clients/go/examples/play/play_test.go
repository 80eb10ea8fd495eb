package main

import (
	"os"
	"strings"
	"testing"

	"burraco/internal/servertest"
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
