package burraco

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// The gRPC service config that the service recommends, the same for every language.
//
//go:embed service_config.json
var recommended []byte

// serviceConfig returns the recommended config with this deadline for every method that has one. gRPC sets it on each
// call, for all of its attempts together; a context that ends earlier wins.
func serviceConfig(timeout time.Duration) (string, error) {
	var config map[string]any
	if err := json.Unmarshal(recommended, &config); err != nil {
		return "", fmt.Errorf("the service config is not JSON: %w", err)
	}
	methods, _ := config["methodConfig"].([]any)
	for _, method := range methods {
		if method, ok := method.(map[string]any); ok && method["timeout"] != nil {
			method["timeout"] = strconv.FormatFloat(timeout.Seconds(), 'f', 9, 64) + "s"
		}
	}
	text, err := json.Marshal(config)
	return string(text), err
}
