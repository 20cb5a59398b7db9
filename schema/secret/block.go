package secret

import "bytes"

// block is a value in YAML's block style that may continue on the next lines.
type block struct {
	open      bool
	line, key int  // columns at which the key's line and the key begin
	empty     bool // no text of the value has been seen yet
	list      bool // its lines are items at the column of its key
	note      bool // it is commented out
}

// open begins a value that may continue after the line with the colon; line is where that line begins, and at is where
// its text begins.
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
		return true // in a block scalar, "#" does not begin a comment
	}
	content = bytes.TrimLeft(content, "# \t")
	return len(bytes.TrimSpace(content)) > 0 && s.note.takes(s, start, end, len(line)-len(content))
}

// takes reports whether the line whose text begins at column belongs to the value, and closes the value if it does not.
// A line with wrong indentation still belongs to it, unless it looks like a key and a value.
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

// isMarker reports whether text begins with the indicator of an item or a key.
func isMarker(text []byte) bool {
	return (text[0] == '-' || text[0] == '?' || text[0] == ':') && (len(text) == 1 || isSpace(text[1]))
}
