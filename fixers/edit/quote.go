package edit

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// context is what limits how a scalar may be written at a place.
type context struct {
	flow bool // inside brackets or braces
	json bool // all around is JSON, so strings need double quotes
}

// contextOf returns the context of a scalar, or of the inside of a collection.
func (ed *Editor) contextOf(n *document.Node) context {
	var outer *document.Node
	for p := n; p != nil; p = p.Parent {
		if p.Style == document.Flow {
			outer = p
		}
	}
	if outer == nil {
		return context{}
	}
	json, known := ed.json[outer]
	if !known {
		json = isJSON(outer)
		ed.json[outer] = json
	}
	return context{flow: true, json: json}
}

// isJSON reports whether a flow collection holds nothing that JSON lacks, and either is the whole document or has a
// double quote.
func isJSON(outer *document.Node) bool {
	quoted, foreign := false, false
	walk(outer, func(n *document.Node) {
		switch {
		case n.Kind == document.Alias:
			foreign = true
		case n.Kind != document.Scalar:
		case n.Style == document.DoubleQuoted:
			quoted = true
		case n.Style == document.Plain && (n.Value == "true" || n.Value == "false" || n.Value == "null" || n.Tag() == "!!int" || n.Tag() == "!!float"):
		default:
			foreign = true
		}
	})
	return !foreign && (quoted || outer.Parent == nil)
}

// writeScalar returns the text of a value in the given style, or why there is none.
func writeScalar(v finding.Scalar, style document.Style, c context) (written, reason string) {
	switch v.Kind {
	case finding.Bool:
		if v.Text != "true" && v.Text != "false" {
			return "", fmt.Sprintf("%q is not a boolean", v.Text)
		}
		return v.Text, ""
	case finding.Int:
		if n, err := strconv.Atoi(v.Text); err != nil || strconv.Itoa(n) != v.Text {
			return "", fmt.Sprintf("%q is not a whole number", v.Text)
		}
		return v.Text, ""
	case finding.Null:
		if v.Text == "~" && !c.json {
			return "~", ""
		}
		return "null", ""
	default:
		return writeString(v.Text, style, c)
	}
}

// maxKey is the length, in bytes, up to which every YAML reader accepts a key without a "?": YAML 1.2, section 7.4.2,
// allows 1024 characters between its beginning and ":".
const maxKey = 1000

// writeKey returns the text of a key in the given style, or why there is none.
func writeKey(key string, style document.Style, c context) (written, reason string) {
	if len(key) > maxKey {
		return "", "the new key is too long for one line"
	}
	return writeString(key, style, c)
}

// writeString returns s in the given style if possible, else in the next best; a block style gives way to one that fits
// on the line.
func writeString(s string, style document.Style, c context) (written, reason string) {
	if !utf8.ValidString(s) {
		return "", "the new value is not UTF-8 text"
	}
	switch {
	case c.json || style == document.DoubleQuoted:
		return doubleQuoted(s), ""
	case style == document.SingleQuoted && printable(s):
		return plain.SingleQuoted(s), ""
	case style == document.SingleQuoted:
		return doubleQuoted(s), ""
	case plainSafe(s, c.flow):
		return s, ""
	case printable(s) && strings.ContainsAny(s, `"\`):
		return plain.SingleQuoted(s), ""
	}
	return doubleQuoted(s), ""
}

// doubleQuoted writes s so that YAML and JSON readers agree on it.
func doubleQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case printableRune(r):
			b.WriteRune(r)
		default: // all unprintable characters are below U+10000
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// printable reports whether s can be unescaped on one line.
func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !printableRune(r) })
}

// printableRune excludes control characters, tabs, everything that some reader takes for a line break, spaces that look
// like others, and the byte order mark.
func printableRune(r rune) bool {
	return r >= 0x20 && r < 0x7F || r > 0xA0 && r < 0xD800 && r != 0x2028 && r != 0x2029 ||
		r >= 0xE000 && r <= 0xFFFD && r != 0xFEFF || r >= 0x10000
}
