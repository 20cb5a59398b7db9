package document

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// proseQuotes matches a word in the quotes of prose, which word processors and web pages write.
var proseQuotes = plain.Regexp{Text: "^[\u201c\u201d\u201e\u2018\u2019]([^\\s\"\\\\\u201c\u201d\u201e\u2018\u2019]+)[\u201c\u201d\u2018\u2019]$"}

// escapedPath matches a path of Windows in double quotes: from its drive, or up to a file's extension.
var escapedPath = plain.Regexp{Text: `^"(?:[A-Za-z]:(?:\\[^"\\\s]+)+|[\w.-]+(?:\\[\w.-]+)*\\[\w-]+\.\w+)"$`}

// mistaken repairs what is certainly not the text that it looks like: a word in the quotes of prose, one with invisible
// characters, and a path with a tab or another control character, which a backslash made. A text of several words may
// be meant so.
func (s *Stream) mistaken() {
	if s.usual || s.Repaired || !s.Exact || len(s.Problems) > 0 || s.Source.ASCII() && bytes.IndexByte(s.Source.Text, '\\') < 0 {
		return
	}
	var repair []Splice
	words := "these are the quotes of prose, which YAML takes for a part of the value: write straight ones"
	add := func(n *Node, text, why string) {
		if len(repair) == 0 {
			words = why
		}
		repair = append(repair, Splice{Offset: n.Span.Start, Old: string(s.Source.Slice(n.Span)), New: text})
	}
	var search func(n *Node)
	search = func(n *Node) {
		if text := string(s.Source.Slice(n.Span)); n.Kind == Scalar {
			clean, first := visible(text)
			switch m := proseQuotes.Get().FindStringSubmatch(text); {
			case m != nil && n.Style == Plain:
				add(n, `"`+m[1]+`"`, words)
			case first != 0:
				add(n, clean, lookalike(first))
			case n.Style == DoubleQuoted && strings.ContainsAny(n.Value, "\a\b\t\n\v\f\r\x1b") && escapedPath.Get().MatchString(text):
				add(n, strings.ReplaceAll(text, `\`, `\\`), `in double quotes, a backslash begins an escape such as \n, so this is not the path that it looks like: write \\ or /`)
			}
		}
		for _, e := range n.Entries {
			search(e.Key)
			search(e.Value)
		}
		for _, item := range n.Items {
			search(item)
		}
	}
	for _, root := range s.Documents {
		search(root)
	}
	d := &diagnosis{Source: s.Source, budget: 2 << 20}
	if len(repair) == 0 || !d.readableWith(repair) {
		return
	}
	first := repair[0]
	s.Problems = []Problem{{Kind: Syntax, Cause: Mistaken, Span: source.Span{Start: first.Offset, End: first.Offset + len(first.Old)}, Repair: repair, Message: words}}
	s.readRepaired(repair)
}
