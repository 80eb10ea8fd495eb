// Package vectors runs the conformance vectors: each step's request is sent, and the answer compared with what is
// expected. The format is described in tests/conformance/README.md of the repository, which is normative.
package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Format is that of the manifest that this package knows.
const Format = 1

// A Manifest says how to start a server for the vectors, and lists them.
type Manifest struct {
	Format      int               `json:"format"`
	Version     string            `json:"version"`
	Environment map[string]string `json:"environment"`
	Metadata    map[string]string `json:"metadata"`
	Files       []struct {
		Path  string `json:"path"`
		Steps int    `json:"steps"`
	} `json:"files"`
}

// A Scenario stands alone.
type Scenario struct {
	Needs     []string          `json:"needs"`
	Variables map[string]string `json:"variables"`
	Steps     []Step            `json:"steps"`
}

// A Step is one unary call.
type Step struct {
	RPC          string            `json:"rpc"`
	Metadata     any               `json:"metadata"` // with references; nil where the manifest's is to be sent
	Request      any               `json:"request"`  // with references
	RequestBytes []byte            `json:"requestBytes"`
	Expect       Expect            `json:"expect"`
	Save         map[string]string `json:"save"`
}

// Expect is how a call has to end.
type Expect struct {
	Any    []string
	Ignore []string
	// Outcome is the rest, as it is compared: code, and answer or what is told of a failure.
	Outcome map[string]any
}

// UnmarshalJSON parts the paths from what is compared.
func (e *Expect) UnmarshalJSON(data []byte) error {
	var paths struct{ Any, Ignore []string }
	if err := json.Unmarshal(data, &paths); err != nil {
		return err
	}
	outcome, err := decode(data)
	if err != nil {
		return err
	}
	fields, ok := outcome.(map[string]any)
	if !ok {
		return fmt.Errorf("expect is no object: %s", data)
	}
	delete(fields, "any")
	delete(fields, "ignore")
	*e = Expect{Any: paths.Any, Ignore: paths.Ignore, Outcome: fields}
	return nil
}

// ReadManifest reads the manifest of a folder.
func ReadManifest(folder string) (*Manifest, error) {
	manifest := new(Manifest)
	if err := read(filepath.Join(folder, "manifest.json"), manifest); err != nil {
		return nil, err
	}
	if manifest.Format != Format {
		return nil, fmt.Errorf("%s: the vectors have format %d; this runner knows %d", folder, manifest.Format, Format)
	}
	return manifest, nil
}

// ReadScenario reads a scenario by its path in the manifest.
func ReadScenario(folder, path string) (*Scenario, error) {
	scenario := new(Scenario)
	return scenario, read(filepath.Join(folder, filepath.FromSlash(path)), scenario)
}

func read(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func decode(data []byte) (value any, err error) {
	err = unmarshal(data, &value)
	return value, err
}

// unmarshal leaves numbers as they are written, and so they are compared.
func unmarshal(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	return decoder.Decode(into)
}
