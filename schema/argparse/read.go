package argparse

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// Read returns what a script's parser takes; ok is false when the script has none
// or several, or does with it what cannot be followed in its text.
func Read(text []byte) (p Parser, ok bool) {
	if !strings.Contains(string(text), "ArgumentParser") {
		return p, false
	}
	tokens, ok := scan(string(text))
	if !ok {
		return p, false
	}
	all, ok := statements(tokens)
	if !ok {
		return p, false
	}
	r := &reader{all: all, groups: map[string]int{}, makers: map[string]bool{}}
	r.imports()
	if !r.construct() {
		return p, false
	}
	if f := r.made.function(); f != nil {
		r.extends = slices.ContainsFunc(f.tokens, func(t token) bool { return t.kind == name && t.text == r.names[0] })
	}
	for _, s := range r.all {
		if r.returns(s) {
			r.makers[s.function().named()] = true
		}
	}
	for _, s := range r.all {
		r.follow(s)
	}
	r.readsItself()
	if r.failed || len(r.parses) == 0 {
		return p, false
	}
	r.judge()
	return r.parser, !r.failed
}

// reader follows the parser through the text of a script.
type reader struct {
	all              []*statement
	parser           Parser
	modules, classes []string       // by which ArgumentParser goes
	made             *statement     // where the parser is made
	names            []string       // of the parser
	groups           map[string]int // names of its groups, with the numbers of those that exclude each other
	makers           map[string]bool
	extends          bool // the function that makes the parser may be given another
	parses           []parse
	called           map[string][]*statement
	failed           bool
}

// parse is a place where the arguments are parsed.
type parse struct {
	at *statement
	// parameter is the name of the parameter that holds the arguments; "" for those
	// of the command line.
	parameter string
	tolerates bool
}

// strangers read command lines as well, in ways of their own.
var strangers = []string{"click", "typer", "fire", "hydra", "absl", "docopt", "tyro", "jsonargparse", "simple_parsing", "configargparse"}

func (r *reader) imports() {
	for _, s := range r.all {
		t := s.tokens
		if len(t) < 2 || t[0].text != "import" && t[0].text != "from" {
			continue
		}
		if slices.Contains(strangers, t[1].text) {
			r.failed = true
		}
		for i := 1; i < len(t); i++ {
			as := t[i].text
			if i+2 < len(t) && t[i+1].text == "as" {
				as = t[i+2].text
			}
			switch {
			case t[0].text == "import" && t[i].text == "argparse" && t[i-1].text != "." && t[i-1].text != "as":
				r.modules = append(r.modules, as)
			case t[0].text == "from" && t[1].text == "argparse" && t[i].text == "ArgumentParser" && t[i-1].text != "as":
				r.classes = append(r.classes, as)
			}
		}
	}
}

// constructs returns the index of the bracket behind ArgumentParser where a call
// of it begins, 0 elsewhere.
func (r *reader) constructs(t []token, i int) int {
	switch {
	case i+3 < len(t) && slices.Contains(r.modules, t[i].text) && t[i+1].text == "." && t[i+2].text == "ArgumentParser" && t[i+3].text == "(":
		return i + 3
	case i+1 < len(t) && t[i].kind == name && slices.Contains(r.classes, t[i].text) && t[i+1].text == "(" && (i == 0 || t[i-1].text != "."):
		return i + 1
	}
	return 0
}

// construct finds the one place where the parser is made, and reads its settings.
func (r *reader) construct() bool {
	for _, s := range r.all {
		for i, t := range s.tokens {
			if t.kind != name {
				continue
			}
			if s.first() == "class" && t.text == "ArgumentParser" {
				return false
			}
			bracket := r.constructs(s.tokens, i)
			if bracket == 0 {
				continue
			}
			target, begin := assigned(s.tokens)
			c, ok := callAt(s.tokens, bracket)
			if r.made != nil || target == "" || begin != i || !ok || c.end != len(s.tokens)-1 {
				return false
			}
			r.made, r.names = s, []string{target}
			if !r.settings(c) {
				return false
			}
			r.parser.At = source.Span{Start: s.tokens[i].at, End: s.tokens[bracket].end - 1}
		}
	}
	return r.made != nil
}

// assigned returns the name that a statement sets, and the index of what it is set
// to: "parser" or "self.parser".
func assigned(t []token) (target string, begin int) {
	for i, k := range t {
		switch {
		case k.kind == op && k.text == "=":
			return target, i + 1
		case k.kind == op && k.text == ":": // a type
			for ; i < len(t); i++ {
				if t[i].text == "=" && t[i].kind == op {
					return target, i + 1
				}
			}
			return "", 0
		case k.kind == name && (i == 0 || t[i-1].text == "."), k.kind == op && k.text == "." && i > 0:
			target += k.text
		default:
			return "", 0
		}
	}
	return "", 0
}

// settings reads what the parser is made with.
func (r *reader) settings(c call) bool {
	yes := func(key string) (bool, bool) {
		t, given := c.keywords[key]
		return !given || written(t) == "True", !given || written(t) == "True" || written(t) == "False"
	}
	helps, known := yes("add_help")
	abbreviates, alsoKnown := yes("allow_abbrev")
	exits, last := yes("exit_on_error")
	if c.open || !known || !alsoKnown || !last {
		return false
	}
	for _, key := range []string{"parents", "prefix_chars", "fromfile_prefix_chars", "conflict_handler"} {
		if _, given := c.keywords[key]; given {
			return false
		}
	}
	r.parser.Abbreviates, r.parser.Certain = abbreviates, exits
	if helps {
		r.parser.Arguments = []Argument{{Names: []string{"-h", "--help"}, Ends: true, Type: "str"}}
	}
	return true
}
