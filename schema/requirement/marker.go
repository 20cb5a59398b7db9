package requirement

import "strings"

// maxNesting is the maximum depth of parentheses, so that no input exhausts the stack. Real markers have one or two
// levels.
const maxNesting = 32

// checkMarker checks s[i:] against the marker grammar of PEP 508. Names of variables are not checked.
func checkMarker(s string, i int) error {
	m := marker{s: s, i: i}
	if err := m.or(0); err != nil {
		return err
	}
	if m.i < len(s) {
		return failAt(s, m.i, "expected 'and', 'or' or the end of the marker, found "+describe(s, m.i))
	}
	return nil
}

type marker struct {
	s string
	i int
}

func (m *marker) spaces() { m.i = skipSpaces(m.s, m.i, len(m.s)) }

// word returns the identifier at i without consuming it.
func (m *marker) word() string {
	j := skip(m.s, m.i, len(m.s), func(c byte) bool { return isAlnum(c) || c == '_' || c == '.' })
	return m.s[m.i:j]
}

func (m *marker) or(depth int) error { return m.list("or", depth) }

// list parses operands joined by a keyword; "and" binds tighter than "or".
func (m *marker) list(keyword string, depth int) error {
	for {
		var err error
		if keyword == "or" {
			err = m.list("and", depth)
		} else {
			err = m.condition(depth)
		}
		m.spaces()
		if err != nil || m.word() != keyword {
			return err
		}
		m.i += len(keyword)
	}
}

func (m *marker) condition(depth int) error {
	m.spaces()
	if m.i < len(m.s) && m.s[m.i] == '(' {
		if depth == maxNesting {
			return failAt(m.s, m.i, "too many nested round brackets")
		}
		m.i++
		if err := m.or(depth + 1); err != nil {
			return err
		}
		if m.i == len(m.s) || m.s[m.i] != ')' {
			return failAt(m.s, m.i, "expected ')' in the marker, found "+describe(m.s, m.i))
		}
		m.i++
		return nil
	}
	if err := m.operand(); err != nil {
		return err
	}
	if err := m.comparison(); err != nil {
		return err
	}
	return m.operand()
}

func (m *marker) operand() error {
	m.spaces()
	if m.i < len(m.s) && (m.s[m.i] == '"' || m.s[m.i] == '\'') {
		closing := strings.IndexByte(m.s[m.i+1:], m.s[m.i])
		if closing < 0 {
			return failAt(m.s, m.i, "the quotation mark in the marker is not closed")
		}
		m.i += closing + 2
		return nil
	}
	switch w := m.word(); w {
	case "", "and", "or", "in", "not":
		return failAt(m.s, m.i, "expected a variable or a quoted text in the marker, found "+describe(m.s, m.i))
	default:
		if !isAlpha(w[0]) {
			return failAt(m.s, m.i, "a value in the marker needs quotation marks")
		}
		m.i += len(w)
		return nil
	}
}

func (m *marker) comparison() error {
	m.spaces()
	if j := skipOperator(m.s, m.i, len(m.s)); j > m.i && m.s[m.i:j] != "=" {
		m.i = j
		return nil
	}
	w := m.word()
	if w == "not" {
		m.i += len(w)
		m.spaces()
		w = m.word()
	}
	if w == "in" {
		m.i += len(w)
		return nil
	}
	return failAt(m.s, m.i, "expected a comparison such as == in the marker, found "+describe(m.s, m.i))
}
