package format

import (
	"slices"

	"github.com/amlfix/amlfix/schema/format/literal"

	"github.com/amlfix/amlfix/schema/plain"
)

// enumeration holds the names that a schema with an enum accepts.
type enumeration struct {
	sorted []string
	listed []string // the recommended ones, without older spellings and rare values, in the schema's order
	words  string   // the listed names, for a message
}

var enumsKnown plain.Cache[*literal.Schema, *enumeration] // schemas are created once

// enumOf returns the names of a schema. Callers must not modify them.
//
//go:noinline
func enumOf(s *literal.Schema) *enumeration {
	return enumsKnown.Of(s, func() *enumeration { return readEnum(s) })
}

func readEnum(s *literal.Schema) *enumeration {
	a, n := annotationOf(s), &enumeration{}
	for _, item := range s.Enum {
		name, ok := item.(string)
		if !ok {
			continue
		}
		n.sorted = append(n.sorted, name)
		if a.DeprecatedValues[name] == "" && !slices.Contains(a.Unlisted, name) {
			n.listed = append(n.listed, name)
		}
	}
	slices.Sort(n.sorted)
	n.words = plain.List(n.listed, "or")
	return n
}
