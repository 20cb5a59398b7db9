package argparse

import "slices"

// statement is a line of Python with all that belongs to it.
type statement struct {
	tokens []token
	// blocks are the first statements of the blocks that it is in, outermost first.
	blocks []*statement
	indent int
}

// first returns the text of the first token, without "async".
func (s *statement) first() string {
	if s.tokens[0].text == "async" && len(s.tokens) > 1 {
		return s.tokens[1].text
	}
	return s.tokens[0].text
}

// opens are the words that statements with a block begin with.
var opens = []string{"def", "class", "if", "elif", "else", "for", "while", "try", "except", "finally", "with", "match", "case"}

// statements splits tokens into statements, and finds the blocks that they are in;
// ok is false when the indentation is not that of Python.
func statements(tokens []token) (all []*statement, ok bool) {
	var open []*statement
	levels, header := []int{0}, false
	ok = true
	s := &statement{}
	indent, depth := 0, 0
	flush := func() {
		if len(s.tokens) == 0 {
			return
		}
		if header {
			ok = ok && s.indent > levels[len(levels)-1]
			levels = append(levels, s.indent)
		}
		for s.indent < levels[len(levels)-1] {
			levels = levels[:len(levels)-1]
		}
		ok = ok && s.indent == levels[len(levels)-1]
		for len(open) > 0 && open[len(open)-1].indent >= s.indent {
			open = open[:len(open)-1]
		}
		s.blocks = open[:len(open):len(open)]
		all = append(all, s)
		last := s.tokens[len(s.tokens)-1]
		if header = last.text == ":" && last.kind == op && slices.Contains(opens, s.first()); header {
			open = append(open[:len(open):len(open)], s)
		}
		s = &statement{indent: indent}
	}
	for _, t := range tokens {
		switch {
		case t.kind == newline:
			flush()
			indent = width(t.text)
			s.indent = indent
			continue
		case t.kind == op && t.text == ";" && depth == 0:
			flush()
			continue
		case t.kind == op:
			depth += bracket(t)
		}
		s.tokens = append(s.tokens, t)
	}
	flush()
	return all, ok && !header
}

// bracket returns by how much a token makes the depth of brackets greater.
func bracket(t token) int {
	if t.kind != op {
		return 0
	}
	switch t.text {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	}
	return 0
}

func width(indent string) (n int) {
	for i := range len(indent) {
		switch indent[i] {
		case '\t':
			n += 8 - n%8
		case '\f':
			n = 0
		default:
			n++
		}
	}
	return n
}

// function returns the innermost function that a statement is in, nil when it is in
// none.
func (s *statement) function() *statement {
	for i := len(s.blocks) - 1; i >= 0; i-- {
		if s.blocks[i].first() == "def" {
			return s.blocks[i]
		}
	}
	return nil
}

// conditional reports whether a statement is perhaps not run when its function is.
func (s *statement) conditional() bool {
	if maybe(s) {
		return true
	}
	for i := len(s.blocks) - 1; i >= 0 && s.blocks[i].first() != "def"; i-- {
		if maybe(s.blocks[i]) {
			return true
		}
	}
	return false
}

func maybe(s *statement) bool {
	switch s.first() {
	case "if":
		return len(s.tokens) < 4 || s.tokens[1].text != "__name__" || s.tokens[2].text != "=="
	case "elif", "else", "for", "while", "try", "except", "finally", "match", "case":
		return len(s.tokens) > 1 && s.tokens[1].text != "="
	}
	return false
}

// named returns the name of a function or class.
func (s *statement) named() string {
	for i, t := range s.tokens {
		if (t.text == "def" || t.text == "class") && i+1 < len(s.tokens) {
			return s.tokens[i+1].text
		}
	}
	return ""
}

// method reports whether a function is one of a class.
func (s *statement) method() bool {
	return len(s.blocks) > 0 && s.blocks[len(s.blocks)-1].first() == "class"
}
