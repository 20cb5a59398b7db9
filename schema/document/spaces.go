package document

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// tabIndentation finds a tab before the first character of a line, which YAML forbids. Spaces replace it if exactly one
// of the indentations used above it makes the file readable. What follows a key without a value belongs below it.
func (d *diagnosis) tabIndentation() (Problem, bool) {
	var tabs, code []source.Span
	depths := map[int]bool{0: true}
	least, opens := 0, -1 // opens is the indentation of the line above if that ends with a key
	whole := false        // the line above has a tab and a value, so that nothing belongs below it
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
				least, opens, whole = max(least, opens+1), -1, !endsKey(body)
			}
		case body[0] != '#':
			if len(code) == 0 || whole {
				depths[len(lead)] = true
			}
			if whole {
				least = max(least, len(lead))
			}
			opens, whole = -1, false
			if endsKey(body) {
				opens = len(lead)
			}
		}
	}
	if len(code) == 0 {
		return Problem{}, false
	}
	p := Problem{Kind: Syntax, Span: code[0], Cause: TabIndentation, Message: "this line is indented with a tab, which YAML does not allow: use spaces, like the lines around it"}
	if maps.DeleteFunc(depths, func(depth int, _ bool) bool { return depth < least }); len(depths) == 0 {
		depths[least+1] = true // two more than the key
	}
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
	if len(found) != 1 {
		d.tab = p
		return Problem{}, false
	}
	p.Repair = found[0]
	return p, true
}

// endsKey reports whether a line ends with a key, without a value.
func endsKey(line []byte) bool {
	line, _, _ = bytes.Cut(line, []byte(" #"))
	return bytes.HasSuffix(bytes.TrimRight(line, " \r"), []byte(":"))
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
	return d.some(repair, func(repair []Splice) Problem {
		return Problem{Span: repair[0].span(), Repair: repair,
			Message: "there is a tab here, where YAML accepts only spaces, even on an empty line or before a comment: use spaces, or nothing"}
	})
}
