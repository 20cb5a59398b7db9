package tracking

import (
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// declared matches the encoding that a script declares on one of its first two lines.
var declared = plain.Regexp{Text: `^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)`}

const whyEncoding = "it is not UTF-8, and declares no other encoding"

// foreign says why the bytes of a script cannot be decoded as Python would.
func foreign(text string) (line int, why string) {
	if !utf8.ValidString(text) || strings.Contains(text, "coding") {
		rest := strings.TrimPrefix(text, "\ufeff")
		for n := 1; n <= 2; n++ {
			line, after, _ := strings.Cut(rest, "\n")
			rest = after
			if found := declared.Get().FindStringSubmatch(line); found != nil {
				switch name := strings.ToLower(strings.ReplaceAll(found[1], "_", "-")); {
				case strings.HasPrefix(name, "utf-8"), name == "utf8", name == "ascii", name == "us-ascii":
				case strings.HasPrefix(name, "latin"), strings.HasPrefix(name, "iso-8859"), strings.HasPrefix(name, "iso8859"), strings.HasPrefix(name, "cp125"), strings.HasPrefix(name, "windows-125"):
					return 0, ""
				default:
					return n, "it is not UTF-8, but declared as " + found[1]
				}
				break
			}
		}
	}
	if !utf8.ValidString(text) {
		return 1, whyEncoding
	}
	if strings.Contains(text, "\x00") {
		return 1, "it is not UTF-8"
	}
	return 0, ""
}

const pythonTwo = "it is written for Python 2"

// older says where and why a script is not Python 3.
func (p *program) older() (line int, why string) {
	for _, s := range p.all {
		t := s.Tokens
		if head := headEnd(t); head > 0 && head+1 < len(t) && t[0].Text != "class" {
			t = t[head+1:]
		}
		if k := s.Tokens[0]; k.Kind == python.Operator && (k.Text == "%" || k.Text == "!") {
			return p.line(k.At), "it contains notebook commands"
		}
		if oldStatement(t) {
			return p.line(t[0].At), pythonTwo
		}
		if t := s.Tokens; t[0].Text == "except" && commaIn(t[1:]) {
			return p.line(t[0].At), pythonTwo
		}
		for i, k := range s.Tokens {
			switch {
			case k.Kind == python.Operator && (k.Text == "$" || k.Text == "?" || k.Text == "!"):
				return p.line(k.At), "it contains `" + k.Text + "`, which is not valid Python"
			case k.Kind == python.Operator && k.Text == "`":
				return p.line(k.At), pythonTwo
			case k.Kind == python.Operator && k.Text == "<" && i+1 < len(s.Tokens) && s.Tokens[i+1].Text == ">" && s.Tokens[i+1].At == k.End:
				return p.line(k.At), pythonTwo
			case k.Kind == python.Number && oldNumber(k.Text):
				return p.line(k.At), pythonTwo
			case (k.Kind == python.String || k.Kind == python.Other) && strings.HasPrefix(strings.ToLower(p.text[k.At:k.End]), "ur"):
				return p.line(k.At), pythonTwo
			case k.Kind == python.Other && !balanced(p.text[k.At:k.End]):
				return p.line(k.At), "it has an f-string that contains its own quotes"
			}
		}
	}
	return 0, ""
}

// oldStatement reports whether a simple statement is valid only in Python 2.
func oldStatement(t []python.Token) bool {
	if len(t) < 2 {
		return false
	}
	next := t[1]
	value := next.Kind == python.String || next.Kind == python.Other || next.Kind == python.Number || next.Kind == python.Name && next.Text != "in" && next.Text != "is" && next.Text != "if" && next.Text != "and" && next.Text != "or" && next.Text != "not"
	switch t[0].Text {
	case "print":
		return value || next.Text == ">>"
	case "exec":
		return value
	case "raise":
		return commaIn(t[1:])
	}
	return false
}

// commaIn reports whether there is a comma outside brackets.
func commaIn(t []python.Token) bool {
	depth := 0
	for _, k := range t {
		if depth += python.Bracket(k); depth == 0 && k.Kind == python.Operator && k.Text == "," {
			return true
		}
	}
	return false
}

func oldNumber(text string) bool {
	if strings.HasSuffix(text, "L") || strings.HasSuffix(text, "l") {
		return true
	}
	return len(text) > 1 && text[0] == '0' && strings.Trim(text, "0123456789_") == "" && strings.Trim(text, "0_") != ""
}

// balanced reports whether all braces of an f-string, which is a single token, are closed. They are not if a quote
// inside it ended the token early.
func balanced(written string) bool {
	_, open := fields(written)
	return open == 0
}
