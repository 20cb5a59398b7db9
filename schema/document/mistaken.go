package document

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// proseQuotes matches a word in typographic quotes, which word processors and web pages write.
var proseQuotes = plain.Regexp{Text: "^[\u201c\u201d\u201e\u2018\u2019]([^\\s\"\\\\\u201c\u201d\u201e\u2018\u2019]+)[\u201c\u201d\u2018\u2019]$"}

// escapedPath matches a path of Windows in double quotes: from its drive, or up to a file's extension. One letter after
// each backslash is not enough: "Q:\n" is a label and a line break.
var escapedPath = plain.Regexp{Text: `^"(?:[A-Za-z]:(?:\\[^"\\\s:<>|]+)*\\[^"\\\s:<>|]{2,}(?:\\[^"\\\s:<>|]+)*|[\w.-]+(?:\\[\w.-]+)*\\[\w-]+\.\w+)"$`}

// markedReference matches a reference to an asset behind a mark that makes it an anchor, a tag or an alias, or that
// begins nothing.
var markedReference = plain.Regexp{Text: `(?:^|[:,\[{]\s+|-\s+)([&!*@%])azureml:`}

// gluedNote matches the mark of a block with a comment right behind it.
var gluedNote = plain.Regexp{Text: `^[|>][-+0-9]*#`}

// mayGlue reports whether a text may contain what gluedNote matches.
func mayGlue(text []byte) bool {
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '#')
		if i < 0 {
			return false
		}
		if at += i; endsInAny(bytes.TrimRight(text[:at], "-+0123456789"), "|>") {
			return true
		}
	}
}

// markWords say what is wrong with such a mark, which they follow.
const markWords = ` before a value has a meaning of its own in YAML, so this is not read as a name that begins with "azureml:": delete it`

// Mistaken reports whether Parse takes text, written as a plain scalar, for another: without typographic quotes or
// characters that nobody sees. A writer that means it as it is puts it in double quotes, with escapes.
func Mistaken(text string) bool {
	_, first := visible(text)
	return first != 0 || proseQuotes.Get().MatchString(text)
}

// markedReferences finds such references in a text that cannot be read because of them.
func (d *diagnosis) markedReferences() (Problem, bool) {
	return d.replaced(markedReference.Get(), "", func(repair []Splice) Problem {
		return Problem{Span: repair[0].span(), Repair: repair, Message: repair[0].Old + markWords}
	})
}

// mistaken repairs what is certainly not the text that it looks like: a word in typographic quotes, one with invisible
// characters, a path with a tab or another control character, which a backslash made, and a reference to an asset that
// is an anchor or a tag. A text of several words may be meant so. It also repairs a comment right behind the mark of a
// block, at which readers in Python stop, unlike yaml.v3.
func (s *Stream) mistaken() {
	if s.usual || s.Repaired || !s.Exact || len(s.Problems) > 0 {
		return
	}
	if text := s.Source.Text; s.Source.ASCII() && bytes.IndexByte(text, '\\') < 0 && !bytes.Contains(text, []byte("&azureml:")) && !bytes.Contains(text, []byte("!azureml:")) && !mayGlue(text) {
		return
	}
	var repair []Splice
	words := ""
	add := func(at int, old, text, why string) {
		if len(repair) == 0 {
			words = why
		}
		repair = append(repair, Splice{Offset: at, Old: old, New: text})
	}
	var search func(n *Node)
	search = func(n *Node) {
		if text := string(s.Source.Slice(n.Span)); n.Kind == Scalar {
			clean, first := visible(text)
			switch m := proseQuotes.Get().FindStringSubmatch(text); {
			case n.Properties < n.Span.Start && bytes.HasPrefix(s.Source.Text[n.Properties+1:], []byte("azureml:")):
				mark := string(s.Source.Text[n.Properties])
				add(n.Properties, mark, "", mark+markWords)
			case m != nil && n.Style == Plain:
				add(n.Span.Start, text, `"`+m[1]+`"`, "these are typographic quotes, which YAML takes for a part of the value: write straight ones")
			case first != 0:
				add(n.Span.Start, text, clean, lookalike(first))
			case n.Style == DoubleQuoted && strings.ContainsAny(n.Value, "\a\b\t\n\v\f\r\x1b") && escapedPath.Get().MatchString(text):
				add(n.Span.Start, text, strings.ReplaceAll(text, `\`, `\\`), `in double quotes, a backslash begins an escape such as \n, so this is not the path that it looks like: write \\ or /`)
			case (n.Style == Literal || n.Style == Folded) && gluedNote.Get().MatchString(text):
				add(n.Span.Start+strings.IndexByte(text, '#'), "", " ", "a comment needs a space before it, also after | and >, or Azure ML cannot read the file: insert one")
			}
		}
		for _, e := range n.Entries() {
			search(e.Key)
			search(e.Value)
		}
		for _, item := range n.Items() {
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
	s.Problems = []Problem{{Kind: Syntax, Span: repair[0].span(), Repair: repair, Message: words}}
	s.readRepaired(repair)
}
