package burraco

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"burraco/burracopb"
)

func TestTheServiceConfigIsThatOfPython(t *testing.T) {
	shipped, err := os.ReadFile(filepath.Join("..", "python", "burraco", "service_config.json"))
	if os.IsNotExist(err) {
		t.Skip("SKIPPED: this is outside of the repository")
	}
	if err != nil || !bytes.Equal(shipped, recommended) {
		t.Errorf("copy clients/python/burraco/service_config.json anew (%v)", err)
	}
}

func TestTheServiceConfigNamesServicesOfTheContract(t *testing.T) {
	text, err := serviceConfig(1500 * time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		MethodConfig []struct {
			Name    []struct{ Service, Method string }
			Timeout *string
		}
	}
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		t.Fatal(err)
	}
	known := map[string][]string{burracopb.ArbiterService_ServiceDesc.ServiceName: nil}
	for _, stream := range burracopb.GameService_ServiceDesc.Streams {
		game := burracopb.GameService_ServiceDesc.ServiceName
		known[game] = append(known[game], stream.StreamName)
	}
	named := map[string]bool{}
	for _, method := range config.MethodConfig {
		for _, name := range method.Name {
			streams, ok := known[name.Service]
			if !ok || name.Method != "" && !slices.Contains(streams, name.Method) {
				t.Errorf("%+v is not of the contract", name)
			}
			if (name.Method == "") != (method.Timeout != nil && *method.Timeout == "1.500000000s") {
				t.Errorf("%+v has the timeout %v", name, method.Timeout)
			}
			named[name.Service] = true
		}
	}
	if len(named) != len(known) {
		t.Errorf("only %v are named", named)
	}
}
