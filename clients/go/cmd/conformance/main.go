// Conformance runs the shared vectors against a real server, and plays a match with the hand-written layer.
//
// The server is that of BURRACO_TARGET and BURRACO_ARBITER_TARGET; without them one is started. The vectors are in
// BURRACO_VECTORS, or in the repository around the working directory. Words on the command line choose scenarios by
// what their path has in it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"burraco/internal/testserver"
	"burraco/internal/vectors"
)

const matchPart = "match"

func main() {
	failed, err := run(context.Background(), os.Stdout, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
	if failed {
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, words []string) (failed bool, err error) {
	folder, err := vectorsFolder()
	if err != nil {
		return false, err
	}
	manifest, err := vectors.ReadManifest(folder)
	if err != nil {
		return false, err
	}
	server, err := testserver.Find(manifest.Environment)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	targets := map[string]string{vectors.GameService: server.Target}
	able := []string{"rawRequests", "unknownEnums"}
	if server.ArbiterTarget != "" {
		targets[vectors.ArbiterService] = server.ArbiterTarget
		able = append(able, "arbiter")
	}
	channels, err := vectors.Connect(targets)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, channels.Close()) }()

	tally := newTally(out)
	for _, file := range manifest.Files {
		if !chosen(file.Path, words) {
			continue
		}
		scenario, err := vectors.ReadScenario(folder, file.Path)
		if err != nil {
			return false, err
		}
		if lacking := scenario.Lacking(able...); len(lacking) > 0 {
			tally.skip(file.Path, "it needs "+strings.Join(lacking, ", "))
			continue
		}
		tally.end(file.Path, scenario.Run(ctx, channels, manifest.Metadata))
	}
	if chosen(matchPart, words) {
		if err := checkMatch(ctx, server.Target, manifest.Metadata); err != nil {
			tally.fail(matchPart, err.Error())
		} else {
			tally.pass(matchPart)
		}
	}
	return tally.sum(), nil
}

func vectorsFolder() (string, error) {
	if folder := os.Getenv("BURRACO_VECTORS"); folder != "" {
		return folder, nil
	}
	root, err := testserver.Root()
	if err != nil {
		return "", errors.New("set BURRACO_VECTORS to the folder of the vectors, which has a manifest.json")
	}
	return filepath.Join(root, "tests", "conformance"), nil
}

func chosen(path string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(path, word) {
			return false
		}
	}
	return true
}
