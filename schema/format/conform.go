package format

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/plain"
)

// conforms reports whether n certainly matches s; false means that the library has to check it. It supports the
// keywords that this package's schemas use but none of YAML's rarer constructs, and records deprecated keys and values.
func (v *validation) conforms(s *literal.Schema, key, n *document.Node) bool {
	if s == nil {
		return !hasAlias(n)
	}
	if v.kind.v2() && isTemplate(n) {
		return true
	}
	v.deprecated(s, key, n)
	s = v.variant(s, n)
	if s == nil {
		return !hasAlias(n)
	}
	if len(s.Types) > 0 && !allows(s.Types, jsonType(n)) {
		return v.filledIn(n)
	}
	switch n.Kind {
	case document.Scalar:
		return v.scalarConforms(s, n) || v.filledIn(n)
	case document.Mapping:
		return v.mappingConforms(s, n) || v.filledIn(n)
	case document.Sequence:
		return !slices.ContainsFunc(n.Items(), func(item *document.Node) bool { return !v.conforms(s.Items, nil, item) })
	default:
		return false
	}
}

func (v *validation) scalarConforms(s *literal.Schema, n *document.Node) bool {
	if s.Pattern != nil && n.Tag() == "!!str" && !s.Pattern.Get().MatchString(n.Value) {
		return false
	}
	if len(s.Enum) == 0 {
		return !v.noSwitch(s, n)
	}
	if n.Tag() == "!!null" {
		return slices.Contains(s.Enum, nil)
	}
	return n.Tag() == "!!str" && v.named(s, n.Value)
}

// noSwitch reports whether n is a number other than 0 and 1 where Azure ML expects a boolean.
func (v *validation) noSwitch(s *literal.Schema, n *document.Node) bool {
	if s.Pattern == nil || !v.kind.v2() || n.Tag() != "!!int" && n.Tag() != "!!float" || !slices.Contains(s.Types, "boolean") {
		return false
	}
	if n.Tag() == "!!float" {
		number, err := strconv.ParseFloat(n.Value, 64)
		return n.IsPyYAMLText() || err == nil && number != 0 && number != 1 // 1e0 is text
	}
	number, err := strconv.ParseInt(n.Value, 0, 64)
	return err == nil && number != 0 && number != 1
}

// named reports whether value is one of the names that s lists, compared as the file's parser does.
func (v *validation) named(s *literal.Schema, value string) bool {
	a := annotationOf(s)
	for _, item := range s.Enum {
		name, ok := item.(string)
		if !ok {
			continue
		}
		switch {
		case name == value, a.Camel && name == plain.SnakeCase(value) && (!a.Exact || value[:1] == name[:1]), v.foldsCase() && !a.Exact && !a.Camel && strings.EqualFold(name, value):
			return true
		}
	}
	return false
}

func (v *validation) mappingConforms(s *literal.Schema, n *document.Node) bool {
	a := annotationOf(s)
	text := v.kind.v2() && textKeys(s)
	v.together(s, n)
	for _, e := range n.Entries() {
		if e.Key.Kind != document.Scalar || e.Key.Tag() == "!!merge" {
			return false
		}
		if a.names != nil && !a.names.Get().MatchString(e.Key.Value) || text && keyReadAs(e.Key) != "" {
			return false
		}
		child, known := s.Properties[e.Key.Value]
		if !known {
			if s.Closed {
				return false
			}
			child = s.Additional
		}
		if !v.conforms(child, e.Key, e.Value) {
			return false
		}
	}
	for _, name := range s.Required {
		if !slices.ContainsFunc(n.Entries(), func(e document.Entry) bool { return e.Key.Value == name }) {
			return false
		}
	}
	return true
}

// jsonType returns the JSON Schema type of a node, or "" if it is not certain.
func jsonType(n *document.Node) string {
	switch n.Tag() {
	case "!!str":
		return "string"
	case "!!bool":
		return "boolean"
	case "!!null":
		return "null"
	case "!!int":
		return "integer"
	case "!!float":
		return "number"
	case "!!map":
		return "object"
	case "!!seq":
		return "array"
	}
	return ""
}

// allows reports whether types allows a value of type t.
func allows(types []string, t string) bool {
	return slices.Contains(types, t) || t == "integer" && slices.Contains(types, "number")
}

// hasAlias reports whether the tree below n contains an alias or a merge key.
func hasAlias(n *document.Node) bool {
	switch n.Kind {
	case document.Alias:
		return true
	case document.Sequence:
		return slices.ContainsFunc(n.Items(), hasAlias)
	case document.Mapping:
		return slices.ContainsFunc(n.Entries(), func(e document.Entry) bool { return hasAlias(e.Key) || hasAlias(e.Value) })
	default:
		return false
	}
}
