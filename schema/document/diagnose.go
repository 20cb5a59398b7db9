package document

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// diagnose says what makes a text unreadable, at the place where a person would point. yaml.v3 names one line, often
// the wrong one, in the parser's words, so the causes found in real files are tried first. A repair is offered only if
// the text parses with it.
func diagnose(src *source.Source, err error) Problem {
	d := &diagnosis{Source: src, budget: 2 << 20}
	for _, cause := range []func() (Problem, bool){
		d.mergeMarkers, d.noBreakSpaces, d.tabIndentation, d.strayTabs, d.gluedKeys, d.slashComments, d.missingComma, d.openQuote,
		d.gluedDashes, d.slippedHash, d.lostColon, d.lostHash, d.oddIndentation,
	} {
		if p, ok := cause(); ok {
			p.Kind = Syntax
			return p
		}
	}
	return d.unexplained(err)
}

// diagnosis is one search for a cause. Each repair tried costs a parse, so there is a budget, in bytes parsed: a
// hostile file gets a plainer message.
type diagnosis struct {
	*source.Source
	budget int
}

// parses reports whether text can be read; it returns false when the budget is spent.
func (d *diagnosis) parses(text []byte) bool {
	if d.budget -= len(text) + perParse; d.budget < 0 {
		return false
	}
	_, err := decode(text)
	return err == nil
}

// readableWith reports whether the text can be read after the repair.
func (d *diagnosis) readableWith(repair []Splice) bool {
	// check the size before building the text: it may be huge
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
		if bytes.HasPrefix(d.Slice(line), []byte("<<<<<<< ")) || bytes.HasPrefix(d.Slice(line), []byte(">>>>>>> ")) {
			return Problem{Span: line, Message: "a merge conflict was left unresolved here: keep one of the two versions and delete the marker lines"}, true
		}
	}
	return Problem{}, false
}

// noBreakSpaces finds U+00A0 outside comments: copied from a web page, it looks like a space but is not one to YAML.
func (d *diagnosis) noBreakSpaces() (Problem, bool) {
	const nbsp = "\u00a0"
	var repair []Splice
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		text := d.Slice(line)
		if comment := bytes.IndexByte(text, '#'); comment >= 0 {
			text = text[:comment]
		}
		for i := 0; i < len(text); {
			at := bytes.Index(text[i:], []byte(nbsp))
			if at < 0 {
				break
			}
			i += at
			repair = append(repair, Splice{Offset: line.Start + i, Old: nbsp, New: " "})
			i += len(nbsp)
		}
	}
	if len(repair) == 0 {
		return Problem{}, false
	}
	if !d.readableWith(repair) {
		return Problem{}, false
	}
	return Problem{Span: source.Span{Start: repair[0].Offset, End: repair[0].Offset + len(nbsp)}, Repair: repair,
		Message: "this is a no-break space (U+00A0), which looks like a space but is not one to YAML: write an ordinary space"}, true
}

// tabIndentation finds a tab before the first character of a line, which YAML forbids. Spaces replace it if exactly one
// of the indentations used above it makes the file readable.
func (d *diagnosis) tabIndentation() (Problem, bool) {
	var tabs, code []source.Span
	depths := map[int]bool{0: true}
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		text := d.Slice(line)
		body := bytes.TrimLeft(text, " \t")
		lead := text[:len(text)-len(body)]
		switch {
		case len(body) == 0:
		case bytes.IndexByte(lead, '\t') >= 0:
			tabs = append(tabs, source.Span{Start: line.Start, End: line.Start + len(lead)})
			if body[0] != '#' {
				code = append(code, tabs[len(tabs)-1])
			}
		case body[0] != '#' && len(code) == 0:
			depths[len(lead)] = true
		}
	}
	if len(code) == 0 {
		return Problem{}, false
	}
	p := Problem{Span: code[0], Message: "this line is indented with a tab, which YAML does not allow: use spaces, like the lines around it"}
	var found [][]Splice
	for _, depth := range slices.Sorted(maps.Keys(depths)) {
		if d.spent(len(d.Text) + len(tabs)*(depth-1)) {
			break
		}
		repair := make([]Splice, 0, len(tabs))
		spaces := strings.Repeat(" ", depth)
		for _, tab := range tabs {
			repair = append(repair, Splice{Offset: tab.Start, Old: string(d.Slice(tab)), New: spaces})
		}
		if d.readableWith(repair) {
			found = append(found, repair)
		}
	}
	if len(found) == 1 {
		p.Repair = found[0]
	}
	return p, true
}

// strayTabs finds tabs before a comment, on an otherwise empty line, and between a dash and its value, where the parser
// stops.
func (d *diagnosis) strayTabs() (Problem, bool) {
	var repair []Splice
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		text := d.Slice(line)
		body := bytes.TrimLeft(text, " \t")
		lead := text[:len(text)-len(body)]
		value := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("-")), " \t")
		behind := body[:len(body)-len(value)]
		switch {
		case bytes.IndexByte(lead, '\t') >= 0 && len(body) == 0:
			repair = append(repair, Splice{Offset: line.Start, Old: string(lead)})
		case bytes.IndexByte(lead, '\t') >= 0 && body[0] == '#':
			repair = append(repair, Splice{Offset: line.Start, Old: string(lead), New: strings.Repeat(" ", len(lead))})
		case bytes.IndexByte(behind, '\t') > 0:
			repair = append(repair, Splice{Offset: line.Start + len(lead) + 1, Old: string(behind[1:]), New: " "})
		}
	}
	if len(repair) == 0 || !d.readableWith(repair) {
		return Problem{}, false
	}
	repair = d.needed(repair)
	first := source.Span{Start: repair[0].Offset, End: repair[0].Offset + len(repair[0].Old)}
	return Problem{Span: first, Repair: repair,
		Message: "there is a tab here, where YAML accepts only spaces, even on an empty line or before a comment: use spaces, or nothing"}, true
}

// glued matches a key with its value directly after the colon, except what looks like a URL or a time. In quotes a key
// may hold any character.
var glued = plain.Regexp{Text: `^(\s*(?:- )?(?:["']?\$?[A-Za-z_][A-Za-z0-9_]*["']?|"[^"\\]+"|'[^']+'):)[^\s/:]`}

func (d *diagnosis) gluedKeys() (Problem, bool) {
	var repair []Splice
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		m := glued.Get().FindSubmatchIndex(d.Slice(line))
		if m == nil || bytes.HasPrefix(bytes.TrimSpace(d.Slice(line)), []byte("{")) {
			continue
		}
		repair = append(repair, Splice{Offset: line.Start + m[3], New: " "})
	}
	if len(repair) == 0 || !d.readableWith(repair) {
		return Problem{}, false
	}
	repair = d.needed(repair)
	at := repair[0].Offset
	return Problem{Span: source.Span{Start: at - 1, End: at}, Repair: repair, Cause: GluedKey,
		Message: "missing space after the colon, so this is one long word and not a key with a value: write \"key: value\""}, true
}

// needed drops the splices that the text can be read without: a list item such as "- a:b" is a string and needs no
// space.
func (d *diagnosis) needed(repair []Splice) []Splice {
	size := d.size(repair)
	for i := len(repair) - 1; i >= 0 && len(repair) > 1 && !d.spent(size); i-- {
		if without := slices.Delete(slices.Clone(repair), i, i+1); d.readableWith(without) {
			repair = without
		}
	}
	return repair
}

// missingComma finds the places in a JSON file where one value ends a line and the next key begins the following one
// without a comma between them.
func (d *diagnosis) missingComma() (Problem, bool) {
	if first := bytes.TrimLeft(d.Text[d.Start():], " \t\r\n"); len(first) == 0 || first[0] != '{' {
		return Problem{}, false
	}
	var repair []Splice
	for n := 1; n < d.LineCount(); n++ {
		text := bytes.TrimRight(d.Slice(d.Line(n)), " \t")
		if len(text) == 0 || strings.IndexByte("{[,:", text[len(text)-1]) >= 0 {
			continue
		}
		next := n + 1
		for next < d.LineCount() && len(bytes.TrimSpace(d.Slice(d.Line(next)))) == 0 {
			next++
		}
		if !bytes.HasPrefix(bytes.TrimSpace(d.Slice(d.Line(next))), []byte(`"`)) {
			continue
		}
		repair = append(repair, Splice{Offset: d.Line(n).Start + len(text), New: ","})
	}
	if len(repair) == 0 || !d.readableWith(repair) {
		return Problem{}, false
	}
	at := repair[0].Offset
	return Problem{Span: source.Span{Start: at - 1, End: at}, Repair: repair, Message: "missing comma after this value"}, true
}

// openQuote finds a quoted value that never ends.
func (d *diagnosis) openQuote() (Problem, bool) {
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		text := d.Slice(line)
		start := valueStart(text)
		if start >= len(text) || text[start] != '"' && text[start] != '\'' {
			continue
		}
		l := locator{text: text, lines: []int{0}}
		end := l.singleQuotedEnd
		if text[start] == '"' {
			end = l.doubleQuotedEnd
		}
		if _, closed := end(start); closed {
			continue
		}
		mark := string(text[start])
		body := bytes.TrimRight(text, " \t")
		if d.readableWith([]Splice{{Offset: line.Start + len(body), New: mark}}) {
			return Problem{Span: source.Span{Start: line.Start + start, End: line.Start + len(body)},
				Message: fmt.Sprintf("this quoted value is never closed: add the missing %s at its end", mark)}, true
		}
	}
	return Problem{}, false
}

// valueStart returns where the value of "key: value" or "- value" begins.
func valueStart(line []byte) int {
	i := 0
	for i < len(line) && (isSpace(line[i]) || line[i] == '-' && i+1 < len(line) && isSpace(line[i+1])) {
		i++
	}
	if colon := bytes.Index(line[i:], []byte(": ")); colon >= 0 && bytes.IndexByte(line[i:i+colon], '#') < 0 {
		i += colon + 1
		for i < len(line) && isSpace(line[i]) {
			i++
		}
	}
	return i
}

var reportedLine = plain.Regexp{Text: `line (\d+): `}

// unexplained points at the line that ends the longest readable beginning of the file, and gives the parser's reason in
// plain words.
func (d *diagnosis) unexplained(err error) Problem {
	line := d.firstBadLine()
	if line == 0 {
		line = 1
		if m := reportedLine.Get().FindStringSubmatch(err.Error()); m != nil {
			line, _ = strconv.Atoi(m[1]) // the pattern matches digits only
		}
	}
	span := d.Line(min(line, d.LineCount()))
	text := d.Slice(span)
	body := bytes.TrimLeft(text, " \t")
	span.Start += len(text) - len(body)
	return Problem{Kind: Syntax, Span: span, Message: d.reason(line, err)}
}

// firstBadLine returns the first line that makes every longer beginning of the file unreadable, or 0 if finding it
// would cost too much.
func (d *diagnosis) firstBadLine() int {
	for n := d.LineCount() - 1; n >= 1; n-- {
		if d.budget < 0 {
			return 0
		}
		if d.parses(d.Text[:d.FullLine(n).End]) {
			for n++; n < d.LineCount() && len(bytes.TrimSpace(d.Slice(d.Line(n)))) == 0; {
				n++
			}
			return n
		}
	}
	return 0
}

// reason words yaml.v3's error for people who do not know its parser.
func (d *diagnosis) reason(line int, err error) string {
	text := err.Error()
	switch {
	case strings.Contains(text, "incompatible YAML document"):
		return "the \"%YAML\" line asks for a YAML version that cannot be read: delete the line"
	case strings.Contains(text, "unknown anchor"):
		return "a value refers to an anchor (\"*name\") that is not defined above it"
	case strings.Contains(text, "cannot start any token"):
		return "no value can begin like this: put the value in quotes"
	case strings.Contains(text, "',' or '}'"), strings.Contains(text, "',' or ']'"):
		return "a bracket is not closed or a comma is missing in this list or mapping"
	case strings.Contains(text, "exceeded max depth"):
		return fmt.Sprintf("nested more than %d levels deep, which no configuration file is", MaxDepth)
	}
	if line > 1 {
		this, above := d.indentation(line), d.indentation(line-1)
		switch {
		case this > above:
			return "this line is indented deeper than the line above, which is complete: give both the same indentation"
		case this < above:
			return "this line does not fit the lines above it: its indentation matches none of theirs, or it is not a \"key: value\" or \"- item\""
		}
	}
	return "this line cannot be read here: a \"key: value\" or a \"- item\" is expected; check the lines above it too for a missing colon, quote or bracket"
}

func (d *diagnosis) indentation(n int) int {
	for ; n > 1 && len(bytes.TrimSpace(d.Slice(d.Line(n)))) == 0; n-- {
	}
	text := d.Slice(d.Line(n))
	return len(text) - len(bytes.TrimLeft(text, " \t"))
}
