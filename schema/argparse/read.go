package argparse

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/source"
)

// Read returns the definition of a script's parser; ok is false if the script has none or several, or uses it in a way
// that cannot be followed.
func Read(text []byte) (p Parser, ok bool) {
	if !strings.Contains(string(text), "ArgumentParser") {
		return p, false
	}
	tokens, ok := python.Scan(string(text))
	if !ok {
		return p, false
	}
	all, ok := python.Statements(tokens)
	if !ok {
		return p, false
	}
	r := &reader{all: all, modules: map[string]bool{}, classes: map[string]bool{}, names: map[string]bool{}, groups: map[string]int{}, makers: map[string]bool{}}
	r.imports()
	if !r.construct() {
		return p, false
	}
	if f := r.made.Function(); f != nil {
		r.extends = slices.ContainsFunc(f.Tokens, func(t python.Token) bool { return t.Kind == python.Name && r.names[t.Text] })
	}
	for _, s := range r.all {
		if r.returns(s) {
			r.makers[s.Function().Named()] = true
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
	r.parser.index = indexOf(r.parser.Arguments)
	return r.parser, !r.failed
}

// reader follows the parser through the text of a script.
type reader struct {
	all              []*python.Statement
	parser           Parser
	modules, classes map[string]bool   // names of argparse and of ArgumentParser
	made             *python.Statement // the statement that creates the parser
	names            map[string]bool   // of the parser
	groups           map[string]int    // names of its groups, with the numbers of mutually exclusive ones
	makers           map[string]bool
	extends          bool // the function that creates the parser may be passed another
	parses           []parse
	called           map[string][]*python.Statement
	failed           bool
}

// parse is a place where the arguments are parsed.
type parse struct {
	at *python.Statement
	// parameter is the name of the parameter with the arguments; "" if they come from the command line.
	parameter string
	tolerates bool
}

// strangers are modules that also read command lines, in their own ways.
var strangers = []string{"click", "typer", "fire", "hydra", "absl", "docopt", "tyro", "jsonargparse", "simple_parsing", "configargparse"}

func (r *reader) imports() {
	for _, s := range r.all {
		t := s.Tokens
		if len(t) < 2 || t[0].Text != "import" && t[0].Text != "from" {
			continue
		}
		if slices.Contains(strangers, t[1].Text) {
			r.failed = true
		}
		for i := 1; i < len(t); i++ {
			as := t[i].Text
			if i+2 < len(t) && t[i+1].Text == "as" {
				as = t[i+2].Text
			}
			switch {
			case t[0].Text == "import" && t[i].Text == "argparse" && t[i-1].Text != "." && t[i-1].Text != "as":
				r.modules[as] = true
			case t[0].Text == "from" && t[1].Text == "argparse" && t[i].Text == "ArgumentParser" && t[i-1].Text != "as":
				r.classes[as] = true
			}
		}
	}
}

// constructs returns the index of the opening bracket if a call of ArgumentParser begins at i, or 0.
func (r *reader) constructs(t []python.Token, i int) int {
	switch {
	case i+3 < len(t) && r.modules[t[i].Text] && t[i+1].Text == "." && t[i+2].Text == "ArgumentParser" && t[i+3].Text == "(":
		return i + 3
	case i+1 < len(t) && t[i].Kind == python.Name && r.classes[t[i].Text] && t[i+1].Text == "(" && (i == 0 || t[i-1].Text != "."):
		return i + 1
	}
	return 0
}

// construct finds the only place where the parser is created, and reads its settings.
func (r *reader) construct() bool {
	for _, s := range r.all {
		for i, t := range s.Tokens {
			if t.Kind != python.Name {
				continue
			}
			if s.First() == "class" && t.Text == "ArgumentParser" {
				return false
			}
			bracket := r.constructs(s.Tokens, i)
			if bracket == 0 {
				continue
			}
			target, begin := python.Assigned(s.Tokens)
			c, ok := python.CallAt(s.Tokens, bracket)
			if r.made != nil || target == "" || begin != i || !ok || c.End != len(s.Tokens)-1 {
				return false
			}
			r.made, r.names[target] = s, true
			if !r.settings(c) {
				return false
			}
			r.parser.At = source.Span{Start: s.Tokens[i].At, End: s.Tokens[bracket].End - 1}
		}
	}
	return r.made != nil
}

// settings reads the arguments with which the parser is created.
func (r *reader) settings(c python.Call) bool {
	yes := func(key string) (bool, bool) {
		t, given := c.Keywords[key]
		return !given || python.Written(t) == "True", !given || python.Written(t) == "True" || python.Written(t) == "False"
	}
	helps, known := yes("add_help")
	abbreviates, alsoKnown := yes("allow_abbrev")
	exits, last := yes("exit_on_error")
	if c.Open || !known || !alsoKnown || !last {
		return false
	}
	for _, key := range []string{"parents", "prefix_chars", "fromfile_prefix_chars", "conflict_handler"} {
		if _, given := c.Keywords[key]; given {
			return false
		}
	}
	r.parser.Abbreviates, r.parser.Certain = abbreviates, exits
	if helps {
		r.parser.Arguments = []Argument{{Names: []string{"-h", "--help"}, Ends: true, Type: "str"}}
	}
	return true
}
