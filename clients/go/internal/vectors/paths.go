package vectors

import (
	"fmt"
	"regexp"
	"strconv"
)

var part = regexp.MustCompile(`^(?:\.?(\w+)|\[(\d+|\*)\])`)

// every stands in a path for each entry of an array.
type every struct{}

// parsePath reads a path such as accepted.updates[0].view: names, indexes, and every.
func parsePath(path string) ([]any, error) {
	var steps []any
	for rest := path; rest != ""; {
		found := part.FindStringSubmatch(rest)
		if found == nil {
			return nil, fmt.Errorf("%q is no path", path)
		}
		switch name, index := found[1], found[2]; {
		case name != "":
			steps = append(steps, name)
		case index == "*":
			steps = append(steps, every{})
		default:
			at, err := strconv.Atoi(index)
			if err != nil {
				return nil, fmt.Errorf("%q is no path: %w", path, err)
			}
			steps = append(steps, at)
		}
		rest = rest[len(found[0]):]
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("%q is no path", path)
	}
	return steps, nil
}

// textAt is the string at a path without every.
func textAt(value any, path string) (string, bool, error) {
	steps, err := parsePath(path)
	if err != nil {
		return "", false, err
	}
	for _, step := range steps {
		inner := inside(value, step)
		if len(inner) != 1 || step == (every{}) {
			return "", false, nil
		}
		value = inner[0]
	}
	text, ok := value.(string)
	return text, ok, nil
}

// takeOut removes what a path leads to, and says how much that was.
func takeOut(value any, path string) (int, error) {
	steps, err := parsePath(path)
	if err != nil {
		return 0, err
	}
	name, ok := steps[len(steps)-1].(string)
	if !ok {
		return 0, fmt.Errorf("%q has to end with a name: an array keeps its length", path)
	}
	holders := []any{value}
	for _, step := range steps[:len(steps)-1] {
		var inner []any
		for _, holder := range holders {
			inner = append(inner, inside(holder, step)...)
		}
		holders = inner
	}
	taken := 0
	for _, holder := range holders {
		if fields, ok := holder.(map[string]any); ok {
			if _, ok := fields[name]; ok {
				delete(fields, name)
				taken++
			}
		}
	}
	return taken, nil
}

func inside(holder, step any) []any {
	switch step := step.(type) {
	case string:
		if fields, ok := holder.(map[string]any); ok {
			if inner, ok := fields[step]; ok {
				return []any{inner}
			}
		}
	case int:
		if entries, ok := holder.([]any); ok && step < len(entries) {
			return []any{entries[step]}
		}
	case every:
		if entries, ok := holder.([]any); ok {
			return entries
		}
	}
	return nil
}
