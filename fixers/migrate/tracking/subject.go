package tracking

import (
	"slices"

	"github.com/amlfix/amlfix/schema/python"
)

// makers are the functions that return the job's run, or Workbench's logger.
var makers = []string{
	"azureml.core.Run.get_context", "azureml.core.run.Run.get_context", "azureml.core.Run.get_submitted_run", "azureml.core.run.Run.get_submitted_run",
	"azureml.logging.get_azureml_logger",
}

// makes returns the index after a call that returns the run, if one begins at an index; 0 otherwise.
func (p *program) makes(s *python.Statement, t []python.Token, at int) int {
	if t[at].Kind != python.Name || at > 0 && t[at-1].Text == "." {
		return 0
	}
	open := at + 1
	for open+1 < len(t) && t[open].Text == "." && t[open+1].Kind == python.Name {
		open += 2
		if open < len(t) && t[open].Text == "(" {
			break
		}
	}
	if open >= len(t) || t[open].Text != "(" || !slices.Contains(words, t[open-1].Text) {
		return 0
	}
	module, function := p.resolve(s, t[at:open])
	c, ok := python.CallAt(t, open)
	if !ok || !slices.Contains(makers, module+"."+function) || c.Open || len(c.Positional) > 0 {
		return 0
	}
	for key, value := range c.Keywords {
		if v := python.Written(value); key != "allow_offline" || v != "True" && v != "False" {
			return 0
		}
	}
	return c.End + 1
}

// owner is a name that holds the run.
type owner struct {
	in   *python.Statement // the scope, or the class of an attribute
	name string            // "self.NAME" for an attribute
}

// verdict says why a name is not certainly the run; one means that it may be.
type verdict struct {
	why string
	one bool
}

// held returns the verdict on an owner with these bindings.
func (p *program) held(o owner, list []binding) (why string, one bool) {
	if v, known := p.verdicts[o]; known {
		return v.why, v.one
	}
	if p.optional != nil && o == p.optional.owner {
		return "", true
	}
	p.verdicts[o] = verdict{why: "the name is also assigned to itself"}
	defer func() { p.verdicts[o] = verdict{why, one} }()
	for _, b := range list {
		switch {
		case b.how == assigned && b.simple && len(list) == 1 && !tried(b.at) && !p.starred(b.at) && p.isRun(b.at, b.value):
			one = true
		case b.how != assigned || len(b.value) == 0 || p.makes(b.at, b.value, 0) != len(b.value):
			why = "the name is also assigned to something else"
		case tried(b.at):
			why, one = "the run is obtained in a try block: the script also works without it", true
		case p.starred(b.at):
			why, one = "an `import *` may assign the name again", true
		case !b.simple:
			why, one = "it is assigned together with something else", true
		default:
			one = true
		}
	}
	return why, one
}

// subject is a place where something that may be the run is used.
type subject struct {
	owner
	last int    // the index of its last token
	why  string // why it is not certain, or ""
}

// subjectAt returns the expression at an index of a statement that may be the run.
func (p *program) subjectAt(s *python.Statement, i int) (found subject, ok bool) {
	t := s.Tokens
	if t[i].Kind != python.Name || i > 0 && t[i-1].Text == "." {
		return found, false
	}
	if i+2 < len(t) && t[i].Text == "self" && t[i+1].Text == "." && class(s) != nil {
		name := "self." + t[i+2].Text
		why, one := p.held(owner{class(s), name}, p.scopes[class(s)][name])
		if one && p.elsewhere[t[i+2].Text] {
			why = "the attribute is also assigned from outside"
		}
		return subject{owner{class(s), name}, i + 2, why}, one
	}
	if end := p.makes(s, t, i); end > 0 {
		return subject{last: end - 1}, true
	}
	list, in := p.bindings(s, t[i].Text)
	if in == s { // the head of a function is outside its scope
		list, in = p.scopes[nil][t[i].Text], nil
	}
	if len(list) == 0 {
		return found, false
	}
	if o := (owner{in, t[i].Text}); in != nil && p.isParameter(o) {
		return subject{o, i, ""}, p.parameterOf(o)
	}
	why, one := p.held(owner{in, t[i].Text}, list)
	return subject{owner{in, t[i].Text}, i, why}, one
}

// isTarget reports whether the name at the beginning of a statement is set there.
func isTarget(s *python.Statement, last int) bool {
	return last+1 < len(s.Tokens) && (s.Tokens[last+1].Text == "=" || s.Tokens[last+1].Text == ":")
}
