package vectors

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

const absent = "(absent)"

// A Difference is a place where an answer is not what was expected.
type Difference struct {
	Path, Expected, Actual string
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: expected %s, actual %s", cmp.Or(d.Path, "(whole)"), d.Expected, d.Actual)
}

// differences lists every place where two values differ; neither may have a key that the other has not.
func differences(expected, actual any, path string) []Difference {
	switch expected := expected.(type) {
	case map[string]any:
		if actual, ok := actual.(map[string]any); ok {
			return ofObjects(expected, actual, path)
		}
	case []any:
		if actual, ok := actual.([]any); ok {
			return ofArrays(expected, actual, path)
		}
	default:
		// json.Number, string, bool and nil: with an object or array on the other side they are of another type.
		switch actual.(type) {
		case map[string]any, []any:
		default:
			if expected == actual {
				return nil
			}
		}
	}
	return []Difference{{path, written(expected), written(actual)}}
}

func ofObjects(expected, actual map[string]any, path string) []Difference {
	keys := maps.Clone(expected)
	maps.Copy(keys, actual)
	var found []Difference
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		inner := key
		if path != "" {
			inner = path + "." + key
		}
		left, isExpected := expected[key]
		right, isThere := actual[key]
		found = append(found, ofEntries(left, right, isExpected, isThere, inner)...)
	}
	return found
}

func ofArrays(expected, actual []any, path string) []Difference {
	var found []Difference
	for at := range max(len(expected), len(actual)) {
		var left, right any
		if at < len(expected) {
			left = expected[at]
		}
		if at < len(actual) {
			right = actual[at]
		}
		inner := fmt.Sprintf("%s[%d]", path, at)
		found = append(found, ofEntries(left, right, at < len(expected), at < len(actual), inner)...)
	}
	return found
}

func ofEntries(expected, actual any, isExpected, isThere bool, path string) []Difference {
	switch {
	case isExpected && isThere:
		return differences(expected, actual, path)
	case isExpected:
		return []Difference{{path, written(expected), absent}}
	default:
		return []Difference{{path, absent, written(actual)}}
	}
}

func written(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(data)
}
