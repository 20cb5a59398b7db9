package python

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Fault is a place at which Python certainly rejects a program.
type Fault struct {
	// At is its byte offset.
	At int
	// Why is a clause that says what is wrong.
	Why string
}

// Refused returns the first place found at which Python 3.minor certainly rejects a program; ok is false if none was
// found, which does not prove that the program is valid. A minor of 0 means that the version is not known, and then
// code that Python 2 accepts is not a fault.
func Refused(text string, minor int) (f Fault, ok bool) {
	tokens, read := Scan(text)
	for i, t := range tokens[:len(tokens)-1] {
		next := tokens[i+1]
		switch open := nested(text, t); {
		case open && (minor == 0 || minor >= 12):
			return f, false // it may be valid there, and then what follows does not consist of tokens
		case open && next.Kind != Newline && next.At == t.End && isNameByte(text[next.At]):
			return Fault{t.At, "reuses the quotes of an f-string inside of it, which needs Python 3.12 or later"}, true
		}
	}
	if f, wrong := brackets(tokens); wrong {
		return f, true
	}
	if !read {
		last := tokens[max(0, len(tokens)-2)]
		if line := text[last.End:]; strings.Contains(strings.ToLower(line), "f'") || strings.Contains(strings.ToLower(line), `f"`) {
			return f, false // a multi-line f-string, which needs Python 3.12 or later
		}
		return Fault{last.End, "has a string that does not end, or a character that Python does not accept"}, true
	}
	all, wrong := statements(tokens)
	if wrong != nil {
		return Fault{wrong.Tokens[0].At, "has indentation that Python refuses"}, true
	}
	for _, s := range all {
		if f, wrong := s.refused(minor); wrong {
			return f, true
		}
	}
	return f, false
}

// nested reports whether a token is an f-string, or part of one, that one of its own quotes ended.
func nested(text string, t Token) bool {
	written := text[t.At:t.End]
	mark := strings.IndexAny(written, `"'`)
	if t.Kind != Other || mark < 0 || !strings.ContainsAny(strings.ToLower(written[:mark]), "ft") {
		return false
	}
	depth := 0
	for i := 0; i < len(t.Text); i++ {
		switch c := t.Text[i]; {
		case depth == 0 && (c == '{' || c == '}') && strings.HasPrefix(t.Text[i+1:], string(c)):
			i++ // two stand for one
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
	}
	return depth != 0
}

// brackets finds a bracket without its counterpart.
func brackets(tokens []Token) (f Fault, wrong bool) {
	var open []Token
	pairs := map[string]string{")": "(", "]": "[", "}": "{"}
	for _, t := range tokens {
		switch Bracket(t) {
		case 1:
			open = append(open, t)
		case -1:
			if len(open) == 0 || open[len(open)-1].Text != pairs[t.Text] {
				return Fault{t.At, "has a `" + t.Text + "` that has no opening bracket"}, true
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		last := open[len(open)-1]
		return Fault{last.At, "has a `" + last.Text + "` that is never closed"}, true
	}
	return f, false
}

var (
	keywords = []string{"and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "exec", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "print", "raise", "return", "try", "while", "with", "yield"}
	starting = []string{"assert", "await", "break", "class", "continue", "def", "del", "elif", "except", "exec", "finally", "global", "import", "lambda", "nonlocal", "pass", "print", "raise", "return", "try", "while", "with", "yield"}
	never    = []string{"$", "?", "!"}
	leading  = []string{"%", "=", "==", "<<", ">>", "<", ">", "<=", ">=", "!=", "/", "//", "|", "&", "^", ".", ",", ":", "**", "->", ":=", "+=", "-=", "*=", "/="}
	trailing = []string{"=", "==", "<<", ">>", "<", ">", "<=", ">=", "!=", "+", "-", "/", "//", "%", "@", "|", "&", "^", ".", "**", "->", "~", ":=", "+=", "-=", "*=", "/="}
)

// refused finds what is wrong in one statement.
func (s *Statement) refused(minor int) (f Fault, wrong bool) {
	t, depth, colon := s.Tokens, 0, false
	first, last := t[0], t[len(t)-1]
	if first.Kind == Operator && slices.Contains(leading, first.Text) {
		return Fault{first.At, "has a line that begins with `" + first.Text + "`, which is not valid Python"}, true
	}
	for i, k := range t {
		depth += Bracket(k)
		operator := k.Kind == Operator
		colon = colon || operator && k.Text == ":" && depth == 0
		switch {
		case operator && slices.Contains(never, k.Text):
			return Fault{k.At, "has a `" + k.Text + "`, which is not valid Python"}, true
		case i > 0 && s.adjacent(i, depth, minor):
			return Fault{k.At, "has two values side by side, which is not valid Python"}, true
		case operator && k.Text == ":=" && minor > 0 && minor < 8:
			return Fault{k.At, "has a `:=`, which needs Python 3.8 or later"}, true
		}
	}
	switch {
	case last.Kind == Operator && slices.Contains(trailing, last.Text):
		return Fault{last.At, "has a line that ends with `" + last.Text + "`, which is not valid Python"}, true
	case first.Kind == Name && slices.Contains(Compound, first.Text) && !colon:
		return Fault{first.At, "has `" + first.Text + "` without a colon"}, true
	case minor > 0 && minor < 10 && first.Text == "match" && len(t) > 2 && last.Kind == Operator && last.Text == ":":
		return Fault{first.At, "has a `match`, which needs Python 3.10 or later"}, true
	case minor > 0 && minor < 11 && first.Text == "except" && len(t) > 2 && t[1].Text == "*":
		return Fault{first.At, "has an `except*`, which needs Python 3.11 or later"}, true
	case minor > 0 && minor < 12 && (first.Text == "def" || first.Text == "class") && len(t) > 2 && t[2].Text == "[":
		return Fault{t[2].At, "has type parameters in brackets, which needs Python 3.12 or later"}, true
	}
	return f, false
}

var numeral = plain.Regexp{Text: `^(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[0-9_]+\.?[0-9_]*([eE][+-]?[0-9_]+)?[jJ]?|\.[0-9_]+([eE][+-]?[0-9_]+)?[jJ]?)$`}

// adjacent reports whether a value, or a keyword that begins a statement or a value, directly follows a value. Only
// strings may. It ignores statements of Python 2 and soft keywords. depth is that of brackets.
func (s *Statement) adjacent(i, depth, minor int) bool {
	a, b := s.Tokens[i-1], s.Tokens[i]
	text := func(t Token) bool { return t.Kind == String || t.Kind == Other }
	value := func(t Token) bool {
		return text(t) || t.Kind == Number && numeral.Get().MatchString(t.Text) || t.Kind == Name && !slices.Contains(keywords, t.Text)
	}
	ends := value(a) || a.Kind == Operator && (a.Text == ")" || a.Text == "]" || a.Text == "}")
	imports := b.Text == "import" && slices.ContainsFunc(s.Tokens[:i], func(t Token) bool { return t.Text == "from" })
	starts := b.Kind == Name && (slices.Contains(starting, b.Text) && !imports || b.Text == "for" && depth == 0)
	if !ends || !value(b) && !starts || text(a) && text(b) {
		return false
	}
	soft := i == 1 && (a.Text == "match" || a.Text == "case" || a.Text == "type" && (minor == 0 || minor >= 12) || a.Text == "lazy" && (minor == 0 || minor >= 15))
	return !soft
}
