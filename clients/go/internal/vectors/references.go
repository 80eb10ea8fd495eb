package vectors

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// resolve puts values in the place of references, all the way down. The value itself stays as it is.
func resolve(value any, variables map[string]string) (any, error) {
	switch value := value.(type) {
	case []any:
		resolved := make([]any, len(value))
		for at, each := range value {
			var err error
			if resolved[at], err = resolve(each, variables); err != nil {
				return nil, err
			}
		}
		return resolved, nil
	case map[string]any:
		if referred, ok, err := refer(value, variables); ok {
			return referred, err
		}
		resolved := make(map[string]any, len(value))
		for key, each := range value {
			var err error
			if resolved[key], err = resolve(each, variables); err != nil {
				return nil, err
			}
		}
		return resolved, nil
	default:
		return value, nil
	}
}

// refer gives what a reference stands for; ok says whether the object is one.
func refer(object map[string]any, variables map[string]string) (text string, ok bool, err error) {
	for _, kind := range []string{"$var", "$bytes", "$text"} {
		name, ok := object[kind].(string)
		if !ok {
			continue
		}
		saved, ok := variables[name]
		if !ok {
			return "", true, fmt.Errorf("nothing was saved as %q", name)
		}
		switch kind {
		case "$bytes":
			content, err := base64.StdEncoding.DecodeString(saved)
			if err != nil {
				return "", true, fmt.Errorf("what was saved as %q is no base64: %w", name, err)
			}
			changed, err := edit(content, object)
			return base64.StdEncoding.EncodeToString(changed), true, err
		case "$text":
			changed, err := edit([]byte(saved), object)
			return string(changed), true, err
		default:
			return saved, true, nil
		}
	}
	if count, ok := object["$zeros"]; ok {
		size, err := integer(count)
		if err != nil || size < 0 {
			return "", true, fmt.Errorf("$zeros wants a number of bytes, not %v", count)
		}
		return base64.StdEncoding.EncodeToString(make([]byte, size)), true, nil
	}
	return "", false, nil
}

// edits are the changes of a reference.
type edits struct {
	Xor []struct {
		At   int  `json:"at"`
		With byte `json:"with"`
	} `json:"xor"`
	Cut    *int   `json:"cut"`
	Append []byte `json:"append"`
}

// edit changes content in the order of the format: xor, then cut, then append.
func edit(content []byte, object map[string]any) ([]byte, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var changes edits
	if err := json.Unmarshal(data, &changes); err != nil {
		return nil, fmt.Errorf("a reference that cannot be read, %s: %w", data, err)
	}
	changed := append([]byte(nil), content...)
	for _, change := range changes.Xor {
		at := change.At
		if at < 0 {
			at += len(changed)
		}
		if at < 0 || at >= len(changed) {
			return nil, fmt.Errorf("there is no byte %d of %d", change.At, len(changed))
		}
		changed[at] ^= change.With
	}
	if changes.Cut != nil && *changes.Cut >= 0 && *changes.Cut < len(changed) {
		changed = changed[:*changes.Cut]
	}
	return append(changed, changes.Append...), nil
}

func integer(value any) (int, error) {
	number, ok := value.(json.Number)
	if !ok {
		return 0, fmt.Errorf("%v is no number", value)
	}
	whole, err := number.Int64()
	return int(whole), err
}
