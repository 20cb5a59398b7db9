package python_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/amlfix/amlfix/schema/python"
)

// expression returns the tokens of a text of one line.
func expression(text string) []python.Token {
	tokens, _ := python.Scan(text)
	return slices.DeleteFunc(tokens, func(t python.Token) bool { return t.Kind == python.Newline })
}

// TestCallAt checks which arguments a call has: positional ones, keywords in order of their names, and "*" if there may
// be more.
func TestCallAt(t *testing.T) {
	for text, want := range map[string]string{
		"f()": "[] [] false", "f(a)": "[a] [] false", "f(a, b.c, )": "[a b.c] [] false", "f(x=1)": "[] [x=1] false", "f(a, y=(b, c), x=d)": "[a] [x=d y=(b,c)] false",
		"f(g(x=1), [a, b])": "[g(x=1) [a,b]] [] false", "f(x==1)": "[x==1] [] false", "f(*a, **b)": "[] [] true", "f(a.x=1)": "[a.x=1] [] false", "f(x=)": "[x=] [] false",
		"f(a": "never closed", "f(a]": "[a] [] false",
	} {
		tokens := expression(text)
		c, ok := python.CallAt(tokens, 1)
		var positional, keywords []string
		for _, a := range c.Positional {
			positional = append(positional, python.Written(a))
		}
		for name, a := range c.Keywords {
			keywords = append(keywords, name+"="+python.Written(a))
		}
		slices.Sort(keywords)
		got := fmt.Sprint(positional, keywords, c.Open)
		if !ok {
			got = "never closed"
		}
		if got != want {
			t.Errorf("%s: %s instead of %s", text, got, want)
		}
	}
}

// TestValues checks which expressions are texts, numbers and lists of them.
func TestValues(t *testing.T) {
	for text, want := range map[string]string{
		"'a' \"b\"": "text ab", "'a\\\r\nb\\\r\n'": "text ab", "(('a'))": "text a", "('a',)": "list [a]", "('a')('b')": "", "'a' + 'b'": "", "12": "number 12", "-1": "", "1.5": "", "x": "",
		"['a', 2]": "list [a 2]", "('a', 'b')": "list [a b]", "{1}": "list [1]", "[]": "", "['a', x]": "", "[*a]": "", "['a'][0]": "", "[1.5]": "", "[k='a']": "",
	} {
		tokens := expression(text)
		got := ""
		if s, ok := python.Literal(tokens); ok {
			got = "text " + s
		} else if n, ok := python.Whole(tokens); ok {
			got = fmt.Sprint("number ", n)
		} else if l, ok := python.List(tokens); ok {
			got = fmt.Sprint("list ", l)
		}
		if got != want {
			t.Errorf("%s: %q instead of %q", text, got, want)
		}
	}
}

// TestAssigned checks which name a statement sets.
func TestAssigned(t *testing.T) {
	for text, want := range map[string]string{
		"x = 1": "x 2", "self.p = f(a)": "self.p 4", "x: int = 1": "x 4", "x: int": " 0", "x += 1": " 0", "x, y = 1": " 0", "x[0] = 1": " 0", "f(x=1)": " 0", "x = y = 1": "x 2", "": " 0",
	} {
		tokens := expression(text)
		name, begin := python.Assigned(tokens)
		if got := fmt.Sprint(name, " ", begin); got != want {
			t.Errorf("%s: %q instead of %q", text, got, want)
		}
	}
}
