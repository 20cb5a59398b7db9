// Package yamlout writes YAML in a given order and style: block mappings, two spaces of indentation, and plain scalars
// wherever every parser reads them as the same text. Libraries sort keys or fold lines, but a migrated command must not
// change by a byte.
package yamlout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/plain"
)

// Map is a mapping whose entries are written in their order.
type Map []Entry

// Entry is a key with its value and the comments that belong to it.
type Entry struct {
	Key string
	// Value is a string, a Block, an int, a float64, a bool, nil, a Map or a List.
	Value any
	// Above are comment lines, without "#", written before the key.
	Above []string
	// Beside is a comment at the end of the key's line, before a Map or a List.
	Beside string
}

// List is a sequence. Its items may be Items, which have comments.
type List []any

// Item is an item of a List with the comments that belong to it.
type Item struct {
	Value  any
	Above  []string
	Beside string
}

// Block is a text of several lines, such as a script, that is written line by line below its key if every parser reads
// that as the same text. It ends with one line break.
type Block string

// Flow is a sequence of strings written on one line: [gpu].
type Flow []string

// Set appends an entry, or changes the value of the one with the same key, and returns the mapping. Its copies in the
// 200 callers would take 170 kB.
//
//go:noinline
func (m Map) Set(key string, value any) Map {
	if i := slices.IndexFunc(m, func(e Entry) bool { return e.Key == key }); i >= 0 {
		m[i].Value = value
		return m
	}
	return append(m, Entry{Key: key, Value: value})
}

// Has reports whether there is an entry with a key.
func (m Map) Has(key string) bool {
	return slices.ContainsFunc(m, func(e Entry) bool { return e.Key == key })
}

// Fill is Set for a value that is not empty: for "", 0, false, and collections without items, it adds no key.
func (m Map) Fill(key string, value any) Map {
	var empty bool
	switch v := value.(type) {
	case Map:
		empty = len(v) == 0
	case List:
		empty = len(v) == 0
	default:
		empty = v == "" || v == 0 || v == false
	}
	if empty {
		return m
	}
	return m.Set(key, value)
}

// Bytes returns the document, with head as comment lines before it.
func Bytes(head []string, m Map) []byte {
	var w writer
	w.comments(head, 0)
	w.entries(m, 0)
	return []byte(w.String())
}

type writer struct{ strings.Builder }

func (w *writer) comments(lines []string, indent int) {
	for _, line := range lines {
		w.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+"# "+oneLine(line), " ") + "\n")
	}
}

func (w *writer) entries(m Map, indent int) {
	for _, e := range m {
		w.comments(e.Above, indent)
		w.WriteString(strings.Repeat(" ", indent) + scalar(e.Key) + ":")
		w.value(e.Value, e.Beside, indent)
	}
}

// value writes what follows a key's colon. Lists are indented under mappings, as in Azure's own examples.
func (w *writer) value(value any, beside string, indent int) {
	switch v := value.(type) {
	case Map:
		if len(v) == 0 {
			w.end(" {}", beside)
			return
		}
		w.end("", beside)
		w.entries(v, indent+2)
	case List:
		if len(v) == 0 {
			w.end(" []", beside)
			return
		}
		w.end("", beside)
		w.items(v, indent+2)
	case Block:
		if !v.literal() {
			w.end(" "+scalar(string(v)), beside)
			return
		}
		w.end(" |", beside)
		for line := range strings.Lines(string(v)) {
			if line != "\n" {
				line = strings.Repeat(" ", indent+2) + line
			}
			w.WriteString(line)
		}
	default:
		w.end(" "+inline(value), beside)
	}
}

// literal reports whether a text may be written line by line: its first line does not begin with a space, and it ends
// with exactly one line break.
func (b Block) literal() bool {
	text := string(b)
	return utf8.ValidString(text) && text != "" && !strings.ContainsAny(text[:1], " \n\t") && strings.HasSuffix(text, "\n") && !strings.HasSuffix(text, "\n\n") &&
		!strings.Contains(text, "\n\t") && !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && needsEscape(r) })
}

func (w *writer) items(list List, indent int) {
	for _, value := range list {
		item, ok := value.(Item)
		if !ok {
			item.Value = value
		}
		w.comments(item.Above, indent)
		w.WriteString(strings.Repeat(" ", indent) + "-")
		if m, ok := item.Value.(Map); ok && len(m) > 0 {
			// the first key is after the dash
			var inner writer
			inner.entries(m, indent+2)
			w.WriteString(" " + strings.TrimLeft(inner.String(), " "))
			continue
		}
		w.value(item.Value, item.Beside, indent)
	}
}

func (w *writer) end(text, beside string) {
	if beside != "" {
		text += " # " + oneLine(beside)
	}
	w.WriteString(text + "\n")
}

func inline(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return scalar(v)
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case float64:
		text := strconv.FormatFloat(v, 'f', -1, 64) // 1e-05 is a string in YAML 1.1
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	case Flow:
		quoted := make([]string, len(v))
		for i, s := range v {
			if quoted[i] = scalar(s); quoted[i] == s && strings.ContainsAny(s, ",[]{}") {
				quoted[i] = plain.SingleQuoted(s)
			}
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	panic(fmt.Sprintf("yamlout: a %T cannot be written", value))
}

// oneLine returns a comment without line breaks.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if needsEscape(r) {
			return ' '
		}
		return r
	}, s)
}
