// Package testserver finds a server of the rules for tests, or starts one: the real one, with the settings that the
// conformance vectors want.
package testserver

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	prefix = "BURRACO_"
	grace  = 5 * time.Second
)

// ErrUnavailable says that there is no server, and nothing to start one with.
var ErrUnavailable = errors.New("there is no server")

// A Server answers calls.
type Server struct {
	// Target is HOST:PORT of the game's service.
	Target string
	// ArbiterTarget is that of the arbiter, or empty.
	ArbiterTarget string

	process *exec.Cmd
	said    *bytes.Buffer
	read    chan struct{}
}

// Find returns the server of BURRACO_TARGET and BURRACO_ARBITER_TARGET, or starts one with these settings.
func Find(settings map[string]string) (*Server, error) {
	if target := os.Getenv("BURRACO_TARGET"); target != "" {
		return &Server{Target: target, ArbiterTarget: os.Getenv("BURRACO_ARBITER_TARGET")}, nil
	}
	return Start(settings)
}

// Start starts a server of the repository around the working directory on free ports of loopback, with
// $BURRACO_PYTHON or the repository's own environment.
func Start(settings map[string]string) (*Server, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	python := cmp.Or(os.Getenv("BURRACO_PYTHON"), filepath.Join(root, ".venv", "bin", "python"))
	if _, err := os.Stat(python); err != nil {
		return nil, fmt.Errorf("%w: set BURRACO_TARGET to the address of one, or BURRACO_PYTHON to a Python that has "+
			"the service; %s is none", ErrUnavailable, python)
	}
	server := &Server{
		process: exec.Command(python, "-m", "service"), said: new(bytes.Buffer), read: make(chan struct{}),
	}
	server.process.Dir = root
	server.process.Env = environment(settings)
	server.process.Stderr = server.said
	output, err := server.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := server.process.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err := server.listen(output); err != nil {
		return nil, errors.Join(err, server.Close())
	}
	return server, nil
}

// Close ends a server that was started here.
func (s *Server) Close() error {
	if s.process == nil {
		return nil
	}
	killed := time.AfterFunc(grace, func() { _ = s.process.Process.Kill() })
	defer killed.Stop()
	if err := s.process.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return errors.Join(err, s.process.Process.Kill())
	}
	<-s.read // all of its output, before Wait closes the pipe
	_ = s.process.Wait()
	return nil
}

// Kill ends a server that was started here at once, as a machine that fails does.
func (s *Server) Kill() error {
	if err := s.process.Process.Kill(); err != nil {
		return err
	}
	<-s.read
	_ = s.process.Wait()
	s.process = nil
	return nil
}

// listen reads the addresses that the server announces, and goes on reading so that it can write.
func (s *Server) listen(output io.Reader) error {
	lines := bufio.NewScanner(output)
	announced := lines.Scan()
	line := append([]byte(nil), lines.Bytes()...)
	go func() {
		defer close(s.read)
		for lines.Scan() {
		}
	}()
	var ports struct {
		Port        int  `json:"port"`
		ArbiterPort *int `json:"arbiter_port"`
	}
	if !announced || json.Unmarshal(line, &ports) != nil || ports.Port == 0 {
		_ = s.process.Process.Kill()
		<-s.read
		_ = s.process.Wait()
		return fmt.Errorf("the server did not start: %s%s", line, s.said)
	}
	s.Target = fmt.Sprintf("127.0.0.1:%d", ports.Port)
	if ports.ArbiterPort != nil {
		s.ArbiterTarget = fmt.Sprintf("127.0.0.1:%d", *ports.ArbiterPort)
	}
	return nil
}

// Root is the repository around the working directory.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "protos", "burraco", "v1")); err == nil {
			return folder, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", fmt.Errorf("%w: outside of the repository BURRACO_TARGET has to be set", ErrUnavailable)
		}
		folder = parent
	}
}

func environment(settings map[string]string) []string {
	var kept []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, prefix) {
			kept = append(kept, variable)
		}
	}
	chosen := map[string]string{
		"BURRACO_HOST": "127.0.0.1", "BURRACO_PORT": "0", "BURRACO_ARBITER_PORT": "0", "BURRACO_DRAIN_SECONDS": "0",
	}
	maps.Copy(chosen, settings)
	for name, value := range chosen {
		kept = append(kept, name+"="+value)
	}
	return kept
}
