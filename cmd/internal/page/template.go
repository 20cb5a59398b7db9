package page

import (
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// node is a piece of the page: literal text, or an action and what depends on it. It supports the few actions of
// html/template that the page needs. That package finds methods by name, so a program that uses it keeps every method
// of every type: three megabytes. Tests compare the pages with the output of html/template.
type node struct {
	text   string
	words  []string // "range", ".Charts", or a lone ".Name"
	in, or []node   // written if the value is present, and if it is not
}

// css is text that is written unescaped.
type css string

var htmlEscaper = plain.Once[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer("\x00", "\ufffd", `"`, "&#34;", "'", "&#39;", "&", "&amp;", "+", "&#43;", "<", "&lt;", ">", "&gt;")
}}

// parse returns the nodes before the end of a text or block, the rest of the text, and the word that ends the block.
func parse(text string) (list []node, rest, end string) {
	for {
		before, after, found := strings.Cut(text, "{{")
		if before != "" {
			list = append(list, node{text: before})
		}
		if !found {
			return list, "", ""
		}
		action, after, _ := strings.Cut(after, "}}")
		n := node{words: strings.Fields(action)}
		text = after
		switch n.words[0] {
		case "end", "else":
			return list, text, n.words[0]
		case "if", "with", "range", "define":
			if n.in, text, end = parse(text); end == "else" {
				n.or, text, _ = parse(text)
			}
		}
		list = append(list, n)
	}
}

// writer writes nodes; err is the first error of w.
type writer struct {
	w         io.Writer
	templates map[string][]node
	err       error
}

func (w *writer) print(text string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.w, text)
	}
}

func (w *writer) list(list []node, dot reflect.Value) {
	for _, n := range list {
		w.node(n, dot)
	}
}

func (w *writer) node(n node, dot reflect.Value) {
	if n.words == nil {
		w.print(n.text)
		return
	}
	switch word, rest := n.words[0], n.words[1:]; word {
	case "define":
		w.templates[rest[0]] = n.in
	case "template":
		w.list(w.templates[rest[0]], value(rest[1:], dot))
	case "if", "with", "range":
		v := value(rest, dot)
		switch {
		case !isThere(v):
			w.list(n.or, dot)
		case word == "if":
			w.list(n.in, dot)
		case word == "with":
			w.list(n.in, v)
		default:
			for i := range v.Len() {
				w.list(n.in, v.Index(i))
			}
		}
	default:
		w.print(markupOf(value(n.words, dot)))
	}
}

// value returns what a path names (".Card.Name"), the first of several that is present ("or .A .B"), or an item ("index
// . 0").
func value(words []string, dot reflect.Value) reflect.Value {
	switch words[0] {
	case "or":
		for _, word := range words[1:] {
			if v := value([]string{word}, dot); isThere(v) {
				return v
			}
		}
		return reflect.Value{}
	case "index":
		i, _ := strconv.Atoi(words[2])         //nolint:gosec // "index" has two more words, and TestTemplate reads all templates
		return value(words[1:2], dot).Index(i) //nolint:gosec // the same
	}
	for name := range strings.SplitSeq(strings.Trim(words[0], "."), ".") {
		if name != "" {
			dot = reflect.Indirect(dot).FieldByName(name)
		}
	}
	return dot
}

func isThere(v reflect.Value) bool {
	if v.IsValid() && v.Kind() == reflect.Slice {
		return v.Len() > 0
	}
	return v.IsValid() && !v.IsZero()
}

func markupOf(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.Type() == reflect.TypeFor[css]():
		return v.String()
	}
	return htmlEscaper.Get().Replace(v.String())
}
