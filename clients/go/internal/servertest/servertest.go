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
	if err != nil {
		skipOrFail(tb, err)
	}
	return there.server.Target, there.apiKey
}

// Start starts another server of the test's own, with the same keys. Where none can be started the test is skipped.
func Start(tb testing.TB) *testserver.Server {
	tb.Helper()
	manifest, err := readManifest()
	if err != nil {
		skipOrFail(tb, err)
	}
	server, err := testserver.Start(manifest.Environment)
	if err != nil {
		skipOrFail(tb, err)
	}
	tb.Cleanup(func() { _ = server.Close() })
	return server
}

func skipOrFail(tb testing.TB, err error) {
	tb.Helper()
	if errors.Is(err, testserver.ErrUnavailable) {
		Skip(tb, err)
	}
	tb.Fatal(err)
}

// Skip ends a test for want of something. Where CI is set that is a failure: go test says "ok" of a package all the same.
func Skip(tb testing.TB, why error) {
	tb.Helper()
	if os.Getenv("CI") != "" {
		tb.Fatal("where CI is set no test may be skipped: ", why)
	}
	tb.Skip("SKIPPED: ", why)
}

func find() (found, error) {
	manifest, err := readManifest()
	if err != nil {
		return found{}, err
	}
	server, err := testserver.Find(manifest.Environment)
	if err != nil {
		return found{}, err
	}
	return found{server, cmp.Or(os.Getenv("BURRACO_API_KEY"), manifest.Metadata[burraco.APIKeyMetadata])}, nil
}

func readManifest() (*vectors.Manifest, error) {
	folder := os.Getenv("BURRACO_VECTORS")
	if folder == "" {
		root, err := testserver.Root()
		if err != nil {
			return nil, err
		}
		folder = filepath.Join(root, "tests", "conformance")
	}
	return vectors.ReadManifest(folder)
}
