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
	if err := run(t.Context(), target, apiKey, "PRESET_OF_NOBODY"); err == nil || !strings.Contains(err.Error(), "OF_NOBODY") {
		t.Error(err)
	}
	if err := run(t.Context(), "127.0.0.1:1", "", "PRESET_GIN"); err == nil || !strings.Contains(err.Error(), "UNAVAILABLE") {
		t.Error(err)
	}
}
