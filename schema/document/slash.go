package document

import "bytes"

// slashComments finds the comments of JavaScript in a JSON file, which YAML would read as keys and values.
func (d *diagnosis) slashComments() (Problem, bool) {
	if first := bytes.TrimLeft(d.Text[d.Start():], " \t\r\n"); len(first) == 0 || first[0] != '{' {
		return Problem{}, false
	}
	var repair []Splice
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		if i := slashes(d.Slice(line)); i >= 0 {
			repair = append(repair, Splice{Offset: line.Start + i, Old: "//", New: "#"})
		}
	}
	return d.all(repair, func(repair []Splice) Problem {
		return Problem{Span: repair[0].span(), Repair: repair, Message: "in YAML, and so in these files, // does not start a comment: write #"}
	})
}

// slashes returns the index of the first // of a line that is outside quotes and begins a word, or -1.
func slashes(line []byte) int {
	quoted := false
	for i, c := range line {
		switch {
		case c == '\\' && quoted:
			return -1 // rare, and the end of the text is then not certain
		case c == '"':
			quoted = !quoted
		case c == '/' && !quoted && bytes.HasPrefix(line[i:], []byte("//")) && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return i
		}
	}
	return -1
}
