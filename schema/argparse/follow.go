package argparse

import "slices"

// follow looks at every place where a statement names the parser.
func (r *reader) follow(s *statement) {
	t := s.tokens
	for i := 0; i < len(t) && !r.failed; i++ {
		if t[i].kind != name || i > 0 && t[i-1].text == "." {
			continue
		}
		if r.makers[t[i].text] && i+1 < len(t) && t[i+1].text == "(" && (i == 0 || t[i-1].text != "def") {
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

// isParser returns the index of the last token of a name of the parser, or of one
// of its groups, that begins at a place.
func (r *reader) isParser(t []token, i int) (last int, ok bool) {
	text := t[i].text
	if i+2 < len(t) && text == "self" && t[i+1].text == "." {
		i += 2
		text += "." + t[i].text
	}
	_, group := r.groups[text]
	return i, group || slices.Contains(r.names, text)
}

// use follows one use of the parser, and returns where to go on.
func (r *reader) use(s *statement, begin, last int) int {
	t := s.tokens
	next := func(n int) string {
		if last+n < len(t) {
			return t[last+n].text
		}
		return ""
	}
	switch {
	case next(1) == "." && next(3) == "(":
		return r.method(s, begin, last+2)
	case r.returns(s):
		return last
	case s == r.made.function() && isNone(t[last+1:]), s.first() == "if" && next(1) == "is" && next(2) == "None" && s.function() == r.made.function():
		return last
	case next(1) == "=" && begin > 0 && (t[begin-1].text == "(" || t[begin-1].text == ",") && s.first() != "def":
		return last // the name of a parameter of somebody else
	case next(1) == "=" && begin == 0 && r.regroups(s):
		return last
	case next(1) == "=" && begin == 0 && r.makers[next(2)] && next(3) == "(" && next(4) == ")" && next(5) == "":
		return len(t)
	}
	r.failed = true
	return len(t)
}

// returns reports whether a statement gives the parser to whoever calls its function.
func (r *reader) returns(s *statement) bool {
	return s.tokens[0].text == "return" && r.named(s.tokens[1:]) != "" && s.function() != nil && !s.function().method()
}

// named returns which name of the parser itself tokens are.
func (r *reader) named(t []token) string {
	if len(t) > 3 {
		return ""
	}
	if text := written(t); slices.Contains(r.names, text) {
		return text
	}
	return ""
}

// regroups reports whether a statement gives the name of a group to another one.
func (r *reader) regroups(s *statement) bool {
	target, begin := assigned(s.tokens)
	if _, group := r.groups[target]; !group || begin == 0 {
		return false
	}
	last, ok := r.isParser(s.tokens, begin)
	return ok && last+2 < len(s.tokens) && slices.Contains(groupMethods, s.tokens[last+2].text)
}

var groupMethods = []string{"add_argument_group", "add_mutually_exclusive_group"}

// harmless are methods that change nothing about the arguments.
var harmless = []string{"print_help", "print_usage", "format_help", "format_usage", "error", "exit", "set_defaults", "get_default"}

// method follows a call of a method, whose name is at a place, and returns where to
// go on.
func (r *reader) method(s *statement, begin, at int) int {
	t := s.tokens
	c, ok := callAt(t, at+1)
	if !ok {
		r.failed = true
		return len(t)
	}
	own := r.named(t[begin:at-1]) != ""
	switch what := t[at].text; {
	case what == "add_argument":
		r.addArgument(s, c, t[begin:c.end+1], r.groups[written(t[begin:at-1])])
	case slices.Contains(groupMethods, what):
		r.addGroup(s, c, what)
	case own && (what == "parse_args" || what == "parse_known_args"):
		r.parse(s, c, what == "parse_known_args")
	case own && slices.Contains(harmless, what):
	default:
		r.failed = true
	}
	return c.end
}

func (r *reader) addArgument(s *statement, c call, at []token, group int) {
	arguments, ok := argument(c)
	if !ok {
		r.failed = true
		return
	}
	for _, a := range arguments {
		a.At, a.Group = spanOf(at), group
		a.Maybe = a.Maybe || s.conditional() || s.function() != r.made.function() && !r.reached(s.function(), 0)
		r.parser.Arguments = append(r.parser.Arguments, a)
	}
}

// addGroup notes a group by its name.
func (r *reader) addGroup(s *statement, c call, what string) {
	target, begin := assigned(s.tokens)
	if target == "" || c.end != len(s.tokens)-1 || begin == 0 || slices.Contains(r.names, target) {
		r.failed = true
		return
	}
	number := 0
	if what == "add_mutually_exclusive_group" {
		switch written(c.keywords["required"]) {
		case "True":
			number = len(r.groups) + len(r.parser.Exclusive) + 1
			if !s.conditional() {
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
func (r *reader) fromMaker(s *statement, at int) int {
	t := s.tokens
	c, ok := callAt(t, at+1)
	if !ok {
		r.failed = true
		return len(t)
	}
	target, begin := assigned(t)
	switch {
	case r.extends && (c.open || len(c.positional)+len(c.keywords) > 0): // another parser
	case target != "" && begin == at && c.end == len(t)-1:
		if !slices.Contains(r.names, target) {
			r.names = append(r.names, target)
		}
		return len(t)
	case c.end+3 < len(t) && t[c.end+1].text == "." && (t[c.end+2].text == "parse_args" || t[c.end+2].text == "parse_known_args") && t[c.end+3].text == "(":
		if inner, ok := callAt(t, c.end+3); ok {
			r.parse(s, inner, t[c.end+2].text == "parse_known_args")
			return inner.end
		}
	}
	r.failed = true
	return len(t)
}
