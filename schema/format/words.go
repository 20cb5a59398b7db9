package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// maxShown is the maximum number of characters of a key or value that a message repeats.
const maxShown = 60

// shorten returns the first line of s, cut to a length that fits a message.
func shorten(s string) string {
	if i := strings.IndexAny(s, "\r\n\u0085\u2028\u2029"); i >= 0 {
		s = s[:i] + "…"
	}
	return plain.Cut(s, maxShown)
}

// quote returns a key or value for a message, without what may be a secret.
func quote(s string) string {
	if secret.Contains(s) {
		return "this text"
	}
	return fmt.Sprintf("%q", shorten(s))
}

// hiddenValue is what messages say instead of a value that may be a secret.
const hiddenValue = "its value"

// shown returns a scalar as written, for a message, or hiddenValue if it may be a secret.
func (v *validation) shown(p *place) string {
	n := p.value.Resolve()
	if p.secret() || secret.Contains(n.Value) {
		return hiddenValue
	}
	if n.Tag() == "!!str" {
		return quote(n.Value)
	}
	return shorten(string(v.src.Slice(n.Span)))
}

// is returns shown and a verb, to say what the value is.
func (v *validation) is(p *place) string {
	if shown := v.shown(p); shown != hiddenValue {
		return shown + " is"
	}
	return "it is"
}

// secret reports whether the name of the place, or of an enclosing one, is a secret's.
func (p *place) secret() bool {
	for ; p != nil; p = p.parent {
		if secret.NameIsSecret(p.name) {
			return true
		}
	}
	return false
}

// subject returns the name of the place in a message: its key, or its position in a list.
func (p *place) subject() string {
	if p.key != nil {
		return quote(p.name)
	}
	return fmt.Sprintf("item %d of %s", p.index+1, p.parent.subject())
}

// path returns the keys that lead to a mapping, or "" for the root.
func (p *place) path() string {
	if p.parent == nil {
		return ""
	}
	outer := p.parent.path()
	if p.key == nil {
		return outer
	}
	if outer == "" {
		return shorten(p.name)
	}
	return outer + "." + shorten(p.name)
}

// wanted describes the values that a schema accepts.
func wanted(s *literal.Schema) string {
	if s.Title != "" {
		return s.Title
	}
	if len(s.Enum) > 0 {
		return enumOf(s).words
	}
	var words []string
	for _, t := range s.Types {
		switch {
		case t == "object":
			words = append(words, "a mapping")
		case t == "array":
			words = append(words, "a list")
		case t == "string":
			words = append(words, "text")
		case t == "boolean" && !slices.Contains(s.Types, "string"):
			words = append(words, "true or false")
		case t == "integer" && !slices.Contains(s.Types, "string"):
			words = append(words, "a whole number")
		case t == "number" && !slices.Contains(s.Types, "string"):
			words = append(words, "a number")
		}
	}
	return strings.Join(words, " or ")
}

// readAs describes the type as which a YAML parser reads a value.
func readAs(n *document.Node) string {
	switch n.Kind {
	case document.Mapping:
		return "a mapping"
	case document.Sequence:
		return "a list"
	case document.Scalar, document.Alias: // its tag says more
	}
	switch n.Tag() {
	case "!!bool":
		return "a boolean"
	case "!!int", "!!float":
		return "a number"
	case "!!timestamp":
		return "a date"
	case "!!binary":
		return "binary data"
	}
	return "text"
}

// spanOf returns the span of a value or, if the value is empty, of its key or its item's dash.
func spanOf(key, value *document.Node) source.Span {
	switch {
	case value.Span.Len() > 0:
		return value.Span
	case key != nil:
		return key.Span
	case value.Dash() >= 0:
		return source.Span{Start: value.Dash(), End: value.Dash() + 1}
	}
	return value.Span
}
