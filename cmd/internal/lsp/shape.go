package lsp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema/format"
)

// shape is what a format's JSON Schema specifies for one position in a file: the possible alternatives, each a schema
// whose outermost references are resolved.
type shape struct {
	top  map[string]any   // the whole schema, for its definitions
	alts []map[string]any // for the position
}

var shapes sync.Map // the shape of a format's root, by its name

// shapeOf returns what a format specifies for the root of its files.
func shapeOf(kind format.Kind) shape {
	if known, ok := shapes.Load(kind); ok {
		s, _ := known.(shape) // nothing else is stored
		return s
	}
	if kind == format.SDKEnvironment {
		return shapeOf(format.SDKRunConfig).key("environment", nil)
	}
	text, _ := format.Text(string(kind))
	var top map[string]any
	_ = json.Unmarshal(text, &top) // an unknown format has no text, and no shape
	s := shape{top: top}
	s.alts = s.expand(top, 0)
	shapes.Store(kind, s)
	return s
}

// expand returns the alternatives of a schema: it resolves references and combinations.
func (s shape) expand(schema map[string]any, depth int) (alts []map[string]any) {
	if schema == nil || depth > 20 {
		return nil
	}
	if ref, ok := schema["$ref"].(string); ok {
		definitions, _ := s.top["definitions"].(map[string]any)
		target, _ := definitions[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any)
		alts = s.expand(target, depth+1)
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := schema[word].([]any)
		for _, item := range list {
			part, _ := item.(map[string]any)
			if then, ok := part["then"].(map[string]any); ok {
				part = then
			}
			alts = append(alts, s.expand(part, depth+1)...)
		}
	}
	return append([]map[string]any{schema}, alts...)
}

// key returns the shape of the value of a key. has are the texts of the keys beside it: alternatives that require other
// values there do not count.
func (s shape) key(name string, has map[string]string) (below shape) {
	below.top = s.top
	for _, alt := range s.fitting(has) {
		properties, _ := alt["properties"].(map[string]any)
		schema, ok := properties[name].(map[string]any)
		if !ok {
			if schema, ok = folded(properties, name); !ok {
				schema, _ = alt["additionalProperties"].(map[string]any)
			}
		}
		below.alts = append(below.alts, s.expand(schema, 0)...)
	}
	return below
}

// folded finds a key that SDK v1 also accepts in another spelling: in camelCase, or in lowercase letters with
// underscores.
func folded(properties map[string]any, name string) (map[string]any, bool) {
	plain := func(key string) string { return strings.ToLower(strings.ReplaceAll(key, "_", "")) }
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		if plain(key) == plain(name) {
			schema, ok := properties[key].(map[string]any)
			return schema, ok
		}
	}
	return nil, false
}

// item returns the shape of a list's items.
func (s shape) item() (below shape) {
	below.top = s.top
	for _, alt := range s.alts {
		if schema, ok := alt["items"].(map[string]any); ok {
			below.alts = append(below.alts, s.expand(schema, 0)...)
		}
	}
	return below
}

// fitting returns the alternatives that accept the given values of keys.
func (s shape) fitting(has map[string]string) (alts []map[string]any) {
	for _, alt := range s.alts {
		if branches := s.branches(alt); s.fits(alt, has) && (branches == nil || slices.ContainsFunc(branches, func(b map[string]any) bool { return s.fits(b, has) })) {
			alts = append(alts, alt)
		}
	}
	if len(alts) == 0 {
		return s.alts
	}
	return alts
}

// fits reports whether a schema accepts the given values of keys.
func (s shape) fits(alt map[string]any, has map[string]string) bool {
	properties, _ := alt["properties"].(map[string]any)
	for key, value := range has {
		schema, _ := properties[key].(map[string]any)
		if names := (shape{s.top, s.expand(schema, 0)}).values(); len(names) > 0 && value != "" && !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, value) }) {
			return false
		}
	}
	return true
}

// branches returns what a schema that chooses by the value of a key chooses from; nil for any other schema.
func (s shape) branches(alt map[string]any) []map[string]any {
	list, _ := alt["allOf"].([]any)
	if !slices.ContainsFunc(list, func(part any) bool { m, _ := part.(map[string]any); return m["then"] != nil }) {
		return nil
	}
	return slices.DeleteFunc(s.expand(alt, 0)[1:], func(b map[string]any) bool { return b["properties"] == nil }) // a reference
}

// text returns the first sentence of the schema about the position.
func (s shape) text() string {
	for _, word := range []string{"description", "title"} {
		for _, alt := range s.alts {
			if text, _ := alt[word].(string); text != "" {
				return text
			}
		}
	}
	return ""
}

// values returns the names allowed at the position, in the schema's order.
func (s shape) values() (names []string) {
	for _, alt := range s.alts {
		list, _ := alt["enum"].([]any)
		if one, ok := alt["const"]; ok {
			list = append(list, one)
		}
		for _, item := range list {
			if name, ok := item.(string); ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// switched reports whether true or false is allowed at the position.
func (s shape) switched() bool {
	return slices.ContainsFunc(s.alts, func(alt map[string]any) bool {
		list, _ := alt["type"].([]any)
		return alt["type"] == "boolean" || slices.Contains(list, any("boolean")) && !slices.Contains(list, any("string"))
	})
}

// keys returns the keys that a mapping at the position may have, sorted.
func (s shape) keys(has map[string]string) []string {
	all := map[string]bool{}
	for _, alt := range s.fitting(has) {
		properties, _ := alt["properties"].(map[string]any)
		for name := range properties {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
