package python

import "slices"

// Statement is a logical line of Python.
type Statement struct {
	Tokens []Token
	// Blocks are the header statements of the blocks that it is in, outermost first.
	Blocks []*Statement
	indent int
}

// First returns the text of the first token, without "async".
func (s *Statement) First() string {
	if s.Tokens[0].Text == "async" && len(s.Tokens) > 1 {
		return s.Tokens[1].Text
	}
	return s.Tokens[0].Text
}

// Compound are the keywords with which statements that have a block begin, without "match" and "case", which are names
// elsewhere.
var Compound = []string{"def", "class", "if", "elif", "else", "for", "while", "try", "except", "finally", "with"}

// Statements splits tokens into statements and determines their blocks; ok is false if the indentation is not valid.
func Statements(tokens []Token) (all []*Statement, ok bool) {
	all, wrong := statements(tokens)
	return all, wrong == nil
}

// statements implements Statements; wrong is the first statement with invalid indentation.
func statements(tokens []Token) (all []*Statement, wrong *Statement) {
	var open []*Statement
	levels, header := []int{0}, false
	s, begin := &Statement{}, 0
	check := func(right bool, s *Statement) {
		if !right && wrong == nil {
			wrong = s
		}
	}
	indent, depth := 0, 0
	flush := func(end int) {
		s.Tokens = tokens[begin:end:end] // not a copy: there may be a million
		if begin = end + 1; len(s.Tokens) == 0 {
			return
		}
		if header {
			check(s.indent > levels[len(levels)-1], s)
			levels = append(levels, s.indent)
		}
		for s.indent < levels[len(levels)-1] {
			levels = levels[:len(levels)-1]
		}
		check(s.indent == levels[len(levels)-1], s)
		for len(open) > 0 && open[len(open)-1].indent >= s.indent {
			open = open[:len(open)-1]
		}
		s.Blocks = slices.Clip(open)
		all = append(all, s)
		last := s.Tokens[len(s.Tokens)-1]
		if header = last.Text == ":" && last.Kind == Operator && (slices.Contains(Compound, s.First()) || s.First() == "match" || s.First() == "case"); header {
			open = append(slices.Clip(open), s)
		}
		s = &Statement{indent: indent}
	}
	for i, t := range tokens {
		switch {
		case t.Kind == Newline:
			flush(i)
			indent = width(t.Text)
			s.indent = indent
		case t.Kind == Operator && t.Text == ";" && depth == 0:
			flush(i)
		case t.Kind == Operator:
			depth += Bracket(t)
		}
	}
	if begin <= len(tokens) {
		flush(len(tokens))
	}
	if header {
		check(false, all[len(all)-1])
	}
	return all, wrong
}

// Bracket returns the change in bracket depth at a token: 1, -1 or 0.
func Bracket(t Token) int {
	if t.Kind != Operator {
		return 0
	}
	switch t.Text {
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

// Function returns the innermost function that a statement is in, or nil.
func (s *Statement) Function() *Statement {
	for _, block := range slices.Backward(s.Blocks) {
		if block.First() == "def" {
			return block
		}
	}
	return nil
}

// Conditional reports whether a statement may not run when its function does.
func (s *Statement) Conditional() bool {
	if maybe(s) {
		return true
	}
	for i := len(s.Blocks) - 1; i >= 0 && s.Blocks[i].First() != "def"; i-- {
		if maybe(s.Blocks[i]) {
			return true
		}
	}
	return false
}

func maybe(s *Statement) bool {
	switch s.First() {
	case "if":
		return !s.Main()
	case "elif", "else", "for", "while", "try", "except", "finally", "match", "case":
		return len(s.Tokens) > 1 && s.Tokens[1].Text != "="
	}
	return false
}

// Main reports whether a statement begins what a script does only as the main program: if __name__ == "__main__".
func (s *Statement) Main() bool {
	return len(s.Tokens) >= 4 && s.First() == "if" && s.Tokens[1].Text == "__name__" && s.Tokens[2].Text == "=="
}

// Named returns the name of a function or class.
func (s *Statement) Named() string {
	for i, t := range s.Tokens {
		if (t.Text == "def" || t.Text == "class") && i+1 < len(s.Tokens) {
			return s.Tokens[i+1].Text
		}
	}
	return ""
}

// Method reports whether a function is a method of a class.
func (s *Statement) Method() bool {
	return len(s.Blocks) > 0 && s.Blocks[len(s.Blocks)-1].First() == "class"
}

// Assigned returns the name that a statement sets, such as "parser" or "self.parser", and the index of the value.
func Assigned(t []Token) (target string, begin int) {
	for i, k := range t {
		switch {
		case k.Kind == Operator && k.Text == "=":
			return target, i + 1
		case k.Kind == Operator && k.Text == ":": // a type annotation
			for ; i < len(t); i++ {
				if t[i].Text == "=" && t[i].Kind == Operator {
					return target, i + 1
				}
			}
			return "", 0
		case k.Kind == Name && (i == 0 || t[i-1].Text == "."), k.Kind == Operator && k.Text == "." && i > 0:
			target += k.Text
		default:
			return "", 0
		}
	}
	return "", 0
}
