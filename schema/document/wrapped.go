package document

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// wrappable matches a key with a text of several words, or with the mark of a text on the next lines.
var wrappable = plain.Regexp{Text: `^( *(?:- +)*)["']?([A-Za-z_][\w.-]*)["']?: +([|>][+-]?$|[^\s"'\[{&*!|>#][^#]* [^#]*$)`}

// continued matches how only the rest of a command begins: with an option, an operator of the shell, or an expression.
var continued = plain.Regexp{Text: `^(?:--?[A-Za-z]|&&|\|\|? |\$\{\{|\$\[\[)`}

// wrapped finds lines that continue the text of a key above them but are not indented deeper than it, as where an
// editor or a terminal has wrapped a long line.
func (d *diagnosis) wrapped() (Problem, bool) {
	var repair []Splice
	var first source.Span
	key, last, column, deep := "", "", -1, 0 // the latest key, its column, and the indentation of its text, once known
	certain, going := true, false
	for n := 1; n <= d.LineCount() && len(repair) <= maxLost; n++ {
		depth := d.depth(n)
		text := bytes.TrimRight(d.Slice(d.Line(n)), " \t")
		if m := wrappable.Get().FindSubmatchIndex(text); m != nil {
			last, column, deep, going = string(text[m[4]:m[5]]), m[3], m[3]+2, false
			if strings.IndexByte("|>", text[m[6]]) >= 0 {
				deep = 0
			}
			continue
		}
		body := bytes.TrimLeft(text, " ")
		rest := continued.Get().Match(body)
		switch {
		case depth == math.MaxInt || column < 0:
		case depth > column:
			if deep == 0 {
				deep = depth
			}
		case deep > 0 && !oddKey.Get().Match(text) && !d.isItem(n) && (rest || going || len(bytes.Fields(body)) > 2 || d.isLast(n, body)):
			if certain, going = certain && (rest || going), true; len(repair) == 0 {
				key, first = last, source.Span{Start: d.Line(n).Start + depth, End: d.Line(n).Start + len(text)}
			}
			repair = append(repair, Splice{Offset: d.Line(n).Start, Old: string(text[:depth]), New: strings.Repeat(" ", deep)})
		default:
			column = -1
		}
	}
	if len(repair) == 0 || len(repair) > maxLost || !d.readableWith(repair) {
		return Problem{}, false
	}
	if !certain {
		return Problem{Span: first, Message: fmt.Sprintf("this line is neither \"key: value\" nor \"- item\": indent it deeper than %q if it continues the text there, put \"# \" before it if it is a comment, or a colon after its key", key)}, true
	}
	return Problem{Span: first, Repair: repair, Message: fmt.Sprintf("this line continues the text of %q but is not indented deeper than that key, so the text ends above it: indent it, or write both on one line", key)}, true
}

// isLast reports whether a line of one word may be the last of a text: as a key, it would have no value.
func (d *diagnosis) isLast(n int, body []byte) bool {
	next := d.nextContent(n)
	below := d.depth(next)
	return len(bytes.Fields(body)) == 1 && !endsKey(body) && !d.isItem(next) && (below <= d.depth(n) || below == math.MaxInt)
}
