package literal

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Library validates a value with a library; package library sets it when it starts. A check that begins before that
// does not wait: see Faults.
var Library func(s *Schema, value any) []Fault

// Faults returns what is wrong with a value, as encoding/json decodes it, in any order. Without the library it finds
// the same: TestOwnFaults compares both.
func Faults(s *Schema, value any) []Fault {
	if Library == nil {
		return Own(s, value)
	}
	return Library(s, value)
}

// Own returns what is wrong with a value that has no other numbers than integers, written without an exponent, and
// fractions.
func Own(s *Schema, value any) []Fault { return s.faults(value, "", nil) }

func (s *Schema) faults(value any, at string, faults []Fault) []Fault {
	if s == nil {
		return faults
	}
	if len(s.Types) > 0 && !slices.ContainsFunc(typesOf(value), func(name string) bool { return slices.Contains(s.Types, name) }) {
		return append(faults, Fault{at, "type"})
	}
	add := func(keyword string, fault bool) {
		if fault {
			faults = append(faults, Fault{at, keyword})
		}
	}
	switch value := value.(type) {
	case map[string]any:
		add("enum", len(s.Enum) > 0)
		add("required", slices.ContainsFunc(s.Required, func(name string) bool { _, has := value[name]; return !has }))
		unknown := false
		for _, name := range slices.Sorted(maps.Keys(value)) {
			child, known := s.Properties[name]
			if !known {
				child, unknown = s.Additional, true
			}
			faults = child.faults(value[name], at+"/"+Token(name), faults)
		}
		add("additionalProperties", s.Closed && unknown)
	case []any:
		add("enum", len(s.Enum) > 0)
		for i, item := range value {
			faults = s.Items.faults(item, at+"/"+strconv.Itoa(i), faults)
		}
	default:
		add("enum", len(s.Enum) > 0 && !slices.Contains(s.Enum, value))
		text, ok := value.(string)
		add("pattern", ok && s.Pattern != nil && !s.Pattern.Get().MatchString(text))
	}
	return faults
}

// typesOf returns the names of a value's types.
func typesOf(value any) []string {
	switch value := value.(type) {
	case nil:
		return []string{"null"}
	case bool:
		return []string{"boolean"}
	case string:
		return []string{"string"}
	case []any:
		return []string{"array"}
	case map[string]any:
		return []string{"object"}
	case json.Number:
		if _, err := strconv.ParseInt(value.String(), 10, 64); err == nil {
			return []string{"integer", "number"}
		}
		return []string{"number"}
	}
	return nil
}

// Token returns a key as a part of a Fault's Location.
func Token(key string) string {
	return url.PathEscape(strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1"))
}
