package settings

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestKeys checks that the table and the JSON Schema have the same keys.
func TestKeys(t *testing.T) {
	type object struct {
		Properties map[string]json.RawMessage
		Items      json.RawMessage
	}
	parse := func(text []byte) (o object) {
		testkit.OK(t, json.Unmarshal(text, &o))
		return o
	}
	text, _ := format.Text(string(format.Settings))
	whole := parse(text)
	entry := parse(parse(whole.Properties["paths"]).Items)
	for _, tt := range []struct {
		schema object
		keys   []key
	}{{whole, new(Settings).keys()}, {entry, new(PathSettings).keys()}} {
		var names []string
		for _, k := range tt.keys {
			names = append(names, k.name)
		}
		slices.Sort(names)
		testkit.Same(t, slices.Sorted(maps.Keys(tt.schema.Properties)), names, "(-schema +table)")
	}
}
