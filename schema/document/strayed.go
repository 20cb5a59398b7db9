package document

import (
	"bytes"
	"math"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// oddQuote matches a value in one kind of quotes at its beginning and more, or others, at its end: all three groups are
// needed to write it right.
var oddQuote = plain.Regexp{Text: `^(["']{1,2})([^"'\\]*[^"'\\\s])(["']{1,2})[ \t]*(?:#.*)?$`}

// oddQuotes finds values on one line whose quotes are doubled, or of two kinds.
func (d *diagnosis) oddQuotes() (Problem, bool) {
	var repair []Splice
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		start := line.Start + valueStart(d.Slice(line))
		m := oddQuote.Get().FindSubmatch(d.Text[start:line.End])
		if m == nil || len(m[1]) == 1 && bytes.Equal(m[1], m[3]) {
			continue
		}
		repair = append(repair, Splice{Offset: start, Old: string(m[1]) + string(m[2]) + string(m[3]), New: string(m[1][:1]) + string(m[2]) + string(m[1][:1])})
	}
	return d.some(repair, func(repair []Splice) Problem {
		return Problem{Span: repair[0].span(), Repair: repair, Message: "the quotes around this value do not match: write " + repair[0].New}
	})
}

// dashedKey matches a key behind a dash.
var dashedKey = plain.Regexp{Text: `^ *(- +)["']?\$?[A-Za-z_][A-Za-z0-9_]*["']?:(?:[ \t]|$)`}

// strayDash finds the only dash before a key whose neighbours are keys without one. Below a key, it is left to the
// author if the text can also be read with another dash, or with the next key as a part of the item.
func (d *diagnosis) strayDash() (Problem, bool) {
	other := Splice{}
	p, ok := d.only(dashedKey.Get(), func(n int, dash source.Span) (Splice, bool) {
		above, below := d.lineAbove(n), d.nextContent(n)
		beside := func(m int) bool { return m > 0 && m != n && d.depth(m) == d.depth(n) && !d.isItem(m) }
		switch first := d.Line(n).Start; {
		case beside(above):
			other = Splice{Offset: d.Line(above).Start + dash.Start - first, New: "- "}
		case beside(below):
			other = Splice{Offset: d.Line(below).Start, New: "  "}
		default:
			return Splice{}, false
		}
		return Splice{Offset: dash.Start, Old: string(d.Slice(dash))}, true
	}, func(string) Problem {
		return Problem{Cause: TabIndentation, Message: "this dash begins an item of a list, but the lines beside it are keys of a mapping: delete it"}
	})
	if ok && d.Position(p.Span.Start).Column > 1 && d.readableWith([]Splice{other}) {
		p.Message += ", or make the other lines a part of the list"
		p.Repair = nil
	}
	return p, ok
}

// loneValue matches a line that begins with a quote, a bracket or a path, or is one word that cannot be a key.
var loneValue = plain.Regexp{Text: `^ *(["'\[{./].*|[^\s#-]\S*[^\w\s]\S*)$`}

// slippedValue finds the only value that is on a line of its own, and indented like its key on the line above.
func (d *diagnosis) slippedValue() (Problem, bool) {
	return d.only(loneValue.Get(), func(n int, value source.Span) (Splice, bool) {
		above := d.lineAbove(n)
		ok := above > 0 && d.depth(above) == d.depth(n) && endsKey(d.Slice(d.Line(above))) && !keyed(d.Slice(value))
		return Splice{Offset: value.Start, New: "  "}, ok
	}, func(string) Problem {
		return Problem{Message: "this value is indented like its key on the line above: indent it deeper, or write it on the line of the key"}
	})
}

// opensBlock matches a line that begins a text with > or |.
var opensBlock = plain.Regexp{Text: `^ *(?:- )?["']?[\w$.-]+["']?:[ \t]+(?:![^\s]+ )?([|>][+-]?)[ \t]*(?:[ \t]#.*)?$`}

// slippedText finds the only line of a text after > or | that is indented otherwise than the others so that the text
// ends there: its first line, if that is deeper, or another, if that is less deep or an option of a command.
func (d *diagnosis) slippedText() (Problem, bool) {
	key, base := -1, 0 // the indentation of the last key with such a text, and of its first line
	return d.only(anyText.Get(), func(n int, text source.Span) (Splice, bool) {
		line, depth := d.Slice(d.Line(n)), text.Start-d.Line(n).Start
		fits := 0
		switch next := d.nextContent(n); {
		case key >= 0 && base == 0 && depth > key: // the first line
			if base = depth; key < d.depth(next) && d.depth(next) < depth {
				if third := d.depth(d.nextContent(next)); third < depth || third == math.MaxInt {
					base, fits = d.depth(next), d.depth(next)
				}
			}
		case key >= 0 && depth < base && (depth > key || d.ofText(n, base)):
			fits = base
		case key >= 0 && depth > key:
		default:
			if key, base = -1, 0; opensBlock.Get().Match(line) {
				key = depth
			}
		}
		if fits == 0 {
			return Splice{}, false
		}
		start := d.Line(n).Start
		return Splice{Offset: start, Old: string(d.Text[start:text.Start]), New: string(bytes.Repeat([]byte(" "), fits))}, true
	}, func(string) Problem {
		return Problem{Message: "this line belongs to the text that begins above it, whose lines all have the same indentation: indent it like them"}
	})
}

// anyText matches a line that is not empty.
var anyText = plain.Regexp{Text: `^ *(\S.*)$`}

// ofText reports whether a line that is not indented like a text above it belongs there: it begins with an option of a
// command, or is no key and has more of the text below it.
func (d *diagnosis) ofText(n, base int) bool {
	line := bytes.TrimLeft(d.Slice(d.Line(n)), " ")
	if option.Get().Match(line) {
		return true
	}
	next := d.depth(d.nextContent(n))
	return line[0] != '#' && !keyed(line) && !d.isItem(n) && base <= next && next != math.MaxInt
}

// option matches an option of a command.
var option = plain.Regexp{Text: `^--?[A-Za-z]`}
