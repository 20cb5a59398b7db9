package secret

import "bytes"

// block is a value in YAML's block style, whose lines may still go on.
type block struct {
	open      bool
	line, key int  // columns at which the key's line and the key begin
	empty     bool // no text of the value has been seen yet
	list      bool // its lines are items as far to the left as its key
	note      bool // it is commented out
}

// open begins a value that may go on in the lines after the colon's; line is
// where that one begins, and at where its text does.
func (s *scanner) open(line, at, colon int, empty bool) {
	b := block{open: true, empty: empty, line: at - line}
	if s.text[at] == '#' {
		b.note = true
		at = s.skip(at, "# \t")
		b.line = at - line
	}
	for at < colon && isMarker(s.text[at:colon]) {
		at = s.skip(at+1, " \t")
	}
	b.key = at - line
	if b.note {
		s.note = b
	} else {
		s.value = b
	}
}

// belongs reports whether a line is part of a value that began above it.
func (s *scanner) belongs(start, end int) bool {
	if !s.value.open && !s.note.open {
		return false
	}
	line := s.text[start:end]
	content := bytes.TrimLeft(line, " \t")
	if len(bytes.TrimSpace(content)) == 0 {
		return false
	}
	column := len(line) - len(content)
	if content[0] != '#' {
		s.note.open = false
		return s.value.takes(s, start, end, column)
	}
	if s.value.open && column > s.value.line {
		return true // in a block scalar "#" begins no comment
	}
	content = bytes.TrimLeft(content, "# \t")
	return len(bytes.TrimSpace(content)) > 0 && s.note.takes(s, start, end, len(line)-len(content))
}

// takes reports whether the line with its first text at column belongs to the
// value, and closes the value when it does not. Indentation that is wrong does
// not make a line another's, unless it reads as a pair of its own.
func (b *block) takes(s *scanner, start, end, column int) bool {
	if !b.open {
		return false
	}
	pair := s.isPair(start+column, end)
	text := s.text[start+column : end]
	switch {
	case column > b.key || column > b.line && !pair:
		b.empty = b.list
		return true
	case !b.empty:
	case column == b.key && text[0] == '-' && isMarker(text):
		b.list = true
		return true
	case !b.note && !pair && !isMarker(text) && !bytes.HasPrefix(text, []byte("---")) && !bytes.HasPrefix(text, []byte("...")):
		return true
	}
	b.open = false
	return false
}

// isMarker reports whether text begins with the sign of an item or a key.
func isMarker(text []byte) bool {
	return (text[0] == '-' || text[0] == '?' || text[0] == ':') && (len(text) == 1 || isSpace(text[1]))
}
