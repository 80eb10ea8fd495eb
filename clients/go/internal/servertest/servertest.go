// Package servertest gives tests a client of the real server, one for all tests of a package.
package servertest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"burraco"
	"burraco/internal/testserver"
	"burraco/internal/vectors"
)

type found struct {
	server *testserver.Server
	apiKey string
}

var (
	once  = sync.OnceValues(find)
	asked atomic.Bool
)

// Main runs the tests of a package and ends the server that they had. It is for TestMain.
func Main(m *testing.M) int {
	code := m.Run()
	if !asked.Load() {
		return code
	}
	if there, err := once(); err == nil {
		if err := there.server.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return max(code, 1)
		}
	}
	return code
}

// Dial connects to the server as a back end, or with options of the test's own. Without a server the test is skipped.
func Dial(tb testing.TB, options ...burraco.Option) *burraco.Client {
	tb.Helper()
	target, apiKey := Target(tb)
	if len(options) == 0 {
		options = []burraco.Option{burraco.WithAPIKey(apiKey)}
	}
	client, err := burraco.Dial(target, options...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

// Target is the server's address, and the key that makes a back end there.
func Target(tb testing.TB) (target, apiKey string) {
	tb.Helper()
	asked.Store(true)
	there, err := once()
	if errors.Is(err, testserver.ErrUnavailable) {
		tb.Skip("SKIPPED: ", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return there.server.Target, there.apiKey
}

func find() (found, error) {
	folder := os.Getenv("BURRACO_VECTORS")
	if folder == "" {
		root, err := testserver.Root()
		if err != nil {
			return found{}, err
		}
		folder = filepath.Join(root, "tests", "conformance")
	}
	manifest, err := vectors.ReadManifest(folder)
	if err != nil {
		return found{}, err
	}
	server, err := testserver.Find(manifest.Environment)
	if err != nil {
		return found{}, err
	}
	return found{server, cmp.Or(os.Getenv("BURRACO_API_KEY"), manifest.Metadata[burraco.APIKeyMetadata])}, nil
}
