package document

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// diagnose says what makes a text unreadable, at the place where a person would point. yaml.v3 names one line, often
// the wrong one, in the parser's words, so the causes found in real files are tried first. A repair is offered only if
// the text parses with it. There are several problems if only all of their repairs make the text readable.
func diagnose(src *source.Source, err error) []Problem {
	d := &diagnosis{Source: src, budget: 2 << 20, faults: maxFaults}
	if problems := d.explained(); problems != nil {
		return problems
	}
	if d.tab.Kind != 0 {
		return []Problem{d.tab}
	}
	return []Problem{d.unexplained(err)}
}

// explained returns the problems whose causes are certain, or nil.
func (d *diagnosis) explained() []Problem {
	for _, cause := range []func() (Problem, bool){
		d.mergeMarkers, d.fences, d.percents, d.backticks, d.lookalikes, d.wideColons, d.tabIndentation, d.strayTabs, d.gluedKeys, d.slashComments, d.missingComma, d.markedTexts, d.openKeys, d.oddQuotes, d.openQuote,
		d.backslashes, d.lineCommas, d.gluedDashes, d.longDashes, d.slippedHash, d.wrongMarks, d.lostPipColon, d.lostDash,
		d.slippedText, d.wrapped, d.strayDash, d.cutOff, d.lostColon, d.slippedValue, d.lostHash, d.markedReferences, d.starredValues, d.oddIndentation, d.bareExpressions, d.innerColons,
	} {
		if p, ok := cause(); ok {
			p.Kind = Syntax
			return []Problem{p}
		}
	}
	for _, m := range d.marks {
		if problems := d.together(m); problems != nil {
			return problems
		}
	}
	return nil
}

// diagnosis is one search for a cause. Each repair tried costs a parse, so there is a budget, in bytes parsed: a
// hostile file gets a plainer message.
type diagnosis struct {
	*source.Source
	budget int
	faults int     // how many different ones are looked for
	marks  []marks // what alone does not make the text readable
	tab    Problem // a tab in the indentation, if its repair is not known
}

// parses reports whether text can be read; it returns false when the budget is spent.
func (d *diagnosis) parses(text []byte) bool {
	if d.budget -= len(text) + perParse; d.budget < 0 {
		return false
	}
	if new(Stream).readPlain(source.New("", text)) {
		return true
	}
	_, err := decode(text)
	return err == nil
}

// readableWith reports whether the text can be read after the repair.
func (d *diagnosis) readableWith(repair []Splice) bool {
	// check the size before building the text: it may be huge
	d.budget -= len(repair) // the text may be short after many splices
	return !d.spent(d.size(repair)) && d.parses(apply(d.Text, repair))
}

// size returns the length of the text after a repair.
func (d *diagnosis) size(repair []Splice) int {
	size := len(d.Text)
	for _, s := range repair {
		size += len(s.New) - len(s.Old)
	}
	return size
}

// spent reports whether the budget is too small for a text of that size.
func (d *diagnosis) spent(size int) bool { return d.budget < size+perParse }

// perParse is the fixed cost of a parse, in bytes, so that repeated attempts on a small text end too.
const perParse = 1 << 10

// apply applies a repair, whose splices are in order and do not overlap.
func apply(text []byte, repair []Splice) []byte {
	var out []byte
	at := 0
	for _, s := range repair {
		out = append(append(out, text[at:s.Offset]...), s.New...)
		at = s.Offset + len(s.Old)
	}
	return append(out, text[at:]...)
}

func (d *diagnosis) mergeMarkers() (Problem, bool) {
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		text := d.Slice(line)
		if bytes.HasPrefix(text, []byte("<<<<<<< ")) || bytes.HasPrefix(text, []byte(">>>>>>> ")) || string(bytes.TrimSpace(text)) == "=======" {
			return Problem{Span: line, Message: "a merge conflict was left unresolved here: keep one of the two versions and delete the marker lines"}, true
		}
	}
	return Problem{}, false
}

// glued matches a key with its value directly after the colon, except what looks like a URL or a time. In quotes a key
// may hold any character.
var glued = plain.Regexp{Text: `^\s*(?:- )?(?:["']?\$?[A-Za-z_][A-Za-z0-9_]*["']?|"[^"\\]+"|'[^']+'):()[^\s/:;,=]`}

func (d *diagnosis) gluedKeys() (Problem, bool) {
	if !gluedColon(d.Text) { // as in most files
		return Problem{}, false
	}
	return d.replaced(glued.Get(), " ", func(repair []Splice) Problem {
		at := repair[0].Offset
		return Problem{Span: source.Span{Start: at - 1, End: at}, Repair: repair, Cause: GluedKey,
			Message: "missing space after the colon, so this is one long word and not a key with a value: write \"key: value\""}
	})
}

// gluedColon reports whether a text has a colon with which glued could match.
func gluedColon(text []byte) bool {
	for i := 0; i+1 < len(text); i++ {
		if text[i] == ':' && strings.IndexByte(" \t\f\r\n/:;,=", text[i+1]) < 0 {
			return true
		}
	}
	return false
}

// missingComma finds the places in a JSON file where one value ends a line and the next key or value begins the
// following one without a comma between them.
func (d *diagnosis) missingComma() (Problem, bool) {
	if first := bytes.TrimLeft(d.Text[d.Start():], " \t\r\n"); len(first) == 0 || first[0] != '{' {
		return Problem{}, false
	}
	var repair []Splice
	for n := 1; n < d.LineCount(); n++ {
		text := bytes.TrimRight(d.Slice(d.Line(n)), " \t")
		if len(text) == 0 || !endsValue(text[len(text)-1]) {
			continue
		}
		next := n + 1
		for next < d.LineCount() && len(bytes.TrimSpace(d.Slice(d.Line(next)))) == 0 {
			next++
		}
		if begins := bytes.TrimSpace(d.Slice(d.Line(next))); len(begins) == 0 || strings.IndexByte(`"{[`, begins[0]) < 0 {
			continue
		}
		repair = append(repair, Splice{Offset: d.Line(n).Start + len(text), New: ","})
	}
	return d.all(repair, func(repair []Splice) Problem {
		at := repair[0].Offset
		return Problem{Span: source.Span{Start: at - 1, End: at}, Repair: repair, Cause: LostMark, Message: "missing comma after this value"}
	})
}

// endsValue reports whether a value in JSON may end with c.
func endsValue(c byte) bool {
	return strings.IndexByte(`"]}`, c) >= 0 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}
