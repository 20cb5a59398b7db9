package rules

import (
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/source"
)

// calledFunction is a function at the margin of a script, and the names of its parameters that have no default.
type calledFunction struct {
	name     string // with its parentheses
	at       source.Span
	required []string
	fault    string // why Python rejects the script, at that line instead
	// parameters counts all but request_headers; open is a parameter such as *args or **kwargs, or "".
	parameters int
	open       string
}

// uncallable says why Azure ML cannot call a function of a scoring script, or "". The inference server of online
// deployments passes one argument (azureml-inference-server-http 1.5.1, server/user_script.py); parallel jobs pass the
// batch, and some versions a context.
func (f calledFunction) uncallable(online bool) string {
	switch {
	case f.fault != "":
		return f.fault
	case f.name == "init()" && len(f.required) > 0:
		return fmt.Sprintf("needs an argument, %q, but Azure ML calls it without any: remove it, or give it a default", f.required[0])
	case f.name == "init()":
	case f.parameters == 0 && f.open == "":
		return "has no parameter, but Azure ML passes it the data: add one"
	case online && f.open != "":
		return fmt.Sprintf("has the parameter %s, at which the inference server stops: name each parameter", f.open)
	case online && len(f.required) > 1 && f.required[0] == "self":
		return `is a function, not a method, so "self" gets the request and the other parameters nothing: remove "self"`
	case online && len(f.required) > 1:
		return fmt.Sprintf("needs %d arguments, but Azure ML passes only the first, the request: give the others a default", len(f.required))
	case !online && len(f.required) > 2:
		return fmt.Sprintf("needs %d arguments, but Azure ML passes two at most, the batch and its context: give the others a default", len(f.required))
	}
	return ""
}

// innerFunctions returns those of the names that only functions inside a class or another function have.
func innerFunctions(all []*python.Statement, names ...string) map[string]bool {
	inner := map[string]bool{}
	for _, s := range all {
		if s.First() == "def" && slices.Contains(names, s.Named()) {
			within := slices.ContainsFunc(s.Blocks, func(b *python.Statement) bool { return b.First() == "def" || b.First() == "class" })
			if before, known := inner[s.Named()]; !known || before {
				inner[s.Named()] = within
			}
		}
	}
	return inner
}

// calledFunctions returns the functions of those names that a script certainly has as they are written: at the margin,
// without decorators, defined once and never set.
func calledFunctions(all []*python.Statement, tokens []python.Token, names ...string) (list []calledFunction) {
	for i, s := range all {
		if s.First() != "def" || len(s.Blocks) > 0 || !slices.Contains(names, s.Named()) || i > 0 && all[i-1].Tokens[0].Text == "@" || resets(tokens, s.Named()) {
			continue
		}
		at := slices.IndexFunc(s.Tokens, func(t python.Token) bool { return t.Text == "def" }) + 1
		if at+1 >= len(s.Tokens) {
			continue
		}
		if c, ok := python.CallAt(s.Tokens, at+1); ok {
			f := calledFunction{name: s.Named() + "()", at: source.Span{Start: s.Tokens[at].At, End: s.Tokens[at].End}}
			f.read(s.Tokens[at+2 : c.End])
			list = append(list, f)
		}
	}
	return list
}

// resets reports whether a script defines or imports a name more than once, or may set it.
func resets(tokens []python.Token, name string) bool {
	defined := 0
	for i, t := range tokens {
		switch {
		case t.Kind != python.Name || i == 0 || tokens[i-1].Text == ".":
		case slices.Contains([]string{"exec", "globals", "vars", "setattr"}, t.Text):
			return true
		case t.Text != name:
		case tokens[i-1].Text == "def":
			defined++
		case tokens[i-1].Text == "import" || tokens[i-1].Text == "as" || tokens[i-1].Text == "global" || i+1 < len(tokens) && (tokens[i+1].Text == "=" || tokens[i+1].Text == ":="):
			defined++
		}
	}
	return defined != 1
}

// read reads the parameters of a function.
func (f *calledFunction) read(tokens []python.Token) {
	depth, begin := 0, 0
	for i := 0; i <= len(tokens); i++ {
		if i < len(tokens) {
			if depth += python.Bracket(tokens[i]); depth > 0 || tokens[i].Text != "," || tokens[i].Kind != python.Operator {
				continue
			}
		}
		f.parameter(tokens[begin:i])
		begin = i + 1
	}
}

func (f *calledFunction) parameter(tokens []python.Token) {
	switch {
	case len(tokens) == 0 || len(tokens) == 1 && tokens[0].Kind == python.Operator || tokens[0].Text == "request_headers": // "*" and "/" alone
		return
	case tokens[0].Kind == python.Operator:
		f.open = tokens[0].Text + tokens[1].Text
		return
	}
	f.parameters++
	depth := 0
	for _, t := range tokens {
		if depth += python.Bracket(t); depth == 0 && t.Kind == python.Operator && t.Text == "=" {
			return
		}
	}
	f.required = append(f.required, tokens[0].Text)
}
