package argparse

import (
	"slices"

	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/source"
)

// follow examines every use of the parser in a statement.
func (r *reader) follow(s *python.Statement) {
	t := s.Tokens
	for i := 0; i < len(t) && !r.failed; i++ {
		if t[i].Kind != python.Name || i > 0 && t[i-1].Text == "." {
			continue
		}
		if r.makers[t[i].Text] && i+1 < len(t) && t[i+1].Text == "(" && (i == 0 || t[i-1].Text != "def") {
			i = r.fromMaker(s, i)
			continue
		}
		last, named := r.isParser(t, i)
		if !named {
			continue
		}
		if s == r.made {
			return
		}
		i = r.use(s, i, last)
	}
}

// isParser returns the index of the last token of a name of the parser, or of one of its groups, that begins at index
// i.
func (r *reader) isParser(t []python.Token, i int) (last int, ok bool) {
	text := t[i].Text
	if i+2 < len(t) && text == "self" && t[i+1].Text == "." {
		i += 2
		text += "." + t[i].Text
	}
	_, group := r.groups[text]
	return i, group || r.names[text]
}

// use follows one use of the parser, and returns where to continue.
func (r *reader) use(s *python.Statement, begin, last int) int {
	t := s.Tokens
	next := func(n int) string {
		if last+n < len(t) {
			return t[last+n].Text
		}
		return ""
	}
	switch {
	case next(1) == "." && next(3) == "(":
		return r.method(s, begin, last+2)
	case r.returns(s):
		return last
	case s == r.made.Function() && isNone(t[last+1:]), s.First() == "if" && next(1) == "is" && next(2) == "None" && s.Function() == r.made.Function():
		return last
	case next(1) == "=" && begin > 0 && (t[begin-1].Text == "(" || t[begin-1].Text == ",") && s.First() != "def":
		return last // a keyword of another function
	case next(1) == "=" && begin == 0 && r.regroups(s):
		return last
	case next(1) == "=" && begin == 0 && r.makers[next(2)] && next(3) == "(" && next(4) == ")" && next(5) == "":
		return len(t)
	}
	r.failed = true
	return len(t)
}

// returns reports whether a statement returns the parser from its function.
func (r *reader) returns(s *python.Statement) bool {
	return s.Tokens[0].Text == "return" && r.named(s.Tokens[1:]) != "" && s.Function() != nil && !s.Function().Method()
}

// named returns the name of the parser that tokens spell, or "".
func (r *reader) named(t []python.Token) string {
	if len(t) > 3 {
		return ""
	}
	if text := python.Written(t); r.names[text] {
		return text
	}
	return ""
}

// regroups reports whether a statement assigns another group to the name of a group.
func (r *reader) regroups(s *python.Statement) bool {
	target, begin := python.Assigned(s.Tokens)
	if _, group := r.groups[target]; !group || begin == 0 {
		return false
	}
	last, ok := r.isParser(s.Tokens, begin)
	return ok && last+2 < len(s.Tokens) && slices.Contains(groupMethods, s.Tokens[last+2].Text)
}

var groupMethods = []string{"add_argument_group", "add_mutually_exclusive_group"}

// harmless are methods that change nothing about the arguments.
var harmless = []string{"print_help", "print_usage", "format_help", "format_usage", "error", "exit", "set_defaults", "get_default"}

// method follows a call of the method whose name is at index at, and returns where to continue.
func (r *reader) method(s *python.Statement, begin, at int) int {
	t := s.Tokens
	c, ok := python.CallAt(t, at+1)
	if !ok {
		r.failed = true
		return len(t)
	}
	own := r.named(t[begin:at-1]) != ""
	switch what := t[at].Text; {
	case what == "add_argument":
		r.addArgument(s, c, t[begin:c.End+1], r.groups[python.Written(t[begin:at-1])])
	case slices.Contains(groupMethods, what):
		r.addGroup(s, c, what)
	case own && (what == "parse_args" || what == "parse_known_args"):
		r.parse(s, c, what == "parse_known_args")
	case own && slices.Contains(harmless, what):
	default:
		r.failed = true
	}
	return c.End
}

// mostArguments is the maximum number of arguments of a script: each job that runs it is compared with all of them.
const mostArguments = 1000

func (r *reader) addArgument(s *python.Statement, c python.Call, at []python.Token, group int) {
	arguments, ok := argument(c)
	if !ok {
		r.failed = true
		return
	}
	for _, a := range arguments {
		r.failed = r.failed || len(r.parser.Arguments) == mostArguments
		a.At, a.Group = source.Span{Start: at[0].At, End: at[len(at)-1].End}, group
		a.Maybe = a.Maybe || s.Conditional() || s.Function() != r.made.Function() && !r.reached(s.Function(), 0)
		r.parser.Arguments = append(r.parser.Arguments, a)
	}
}

// addGroup records a group by its name.
func (r *reader) addGroup(s *python.Statement, c python.Call, what string) {
	target, begin := python.Assigned(s.Tokens)
	if target == "" || c.End != len(s.Tokens)-1 || begin == 0 || r.names[target] {
		r.failed = true
		return
	}
	number := 0
	if what == "add_mutually_exclusive_group" {
		switch python.Written(c.Keywords["required"]) {
		case "True":
			number = len(r.groups) + len(r.parser.Exclusive) + 1
			if !s.Conditional() {
				r.parser.Exclusive = append(r.parser.Exclusive, number)
			}
		case "", "False":
			number = 0
		default:
			r.failed = true
		}
	}
	r.groups[target] = number
}

// fromMaker follows a call of a function that returns the parser.
func (r *reader) fromMaker(s *python.Statement, at int) int {
	t := s.Tokens
	c, ok := python.CallAt(t, at+1)
	if !ok {
		r.failed = true
		return len(t)
	}
	target, begin := python.Assigned(t)
	switch {
	case r.extends && (c.Open || len(c.Positional)+len(c.Keywords) > 0): // another parser
	case target != "" && begin == at && c.End == len(t)-1:
		r.names[target] = true
		return len(t)
	case c.End+3 < len(t) && t[c.End+1].Text == "." && (t[c.End+2].Text == "parse_args" || t[c.End+2].Text == "parse_known_args") && t[c.End+3].Text == "(":
		if inner, ok := python.CallAt(t, c.End+3); ok {
			r.parse(s, inner, t[c.End+2].Text == "parse_known_args")
			return inner.End
		}
	}
	r.failed = true
	return len(t)
}
