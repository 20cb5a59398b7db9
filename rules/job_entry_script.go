package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
)

var jobEntryScript = Rule{
	ID:       "job/entry-script",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "The script of a deployment or of a parallel job is no valid Python, lacks a function that Azure ML calls, or rejects its arguments.",
	Why: `Azure ML loads the script, calls init() once and run() for each request or batch. Without one of them, the
inference server of an online deployment stops with "does not have a run() function defined", and the deployment fails
after its image was built. Parallel jobs also work without init(), but Azure ML passes them arguments of its own, with
which parse_args() stops. The Azure ML client rejects a deployment with a script that Python cannot parse. In scripts
that use "import *" or define names at run time, missing functions are not reported.`,
	Bad:  scoringScript + "def predict(data):\n    return data\n",
	Good: scoringScript + "def run(data):\n    return data\n",
	Check: func(p *Pass) {
		for i := range p.shared.scripts {
			s := &p.shared.scripts[i]
			if s.Language != shell.Python || s.body != nil && s.node != s.body.Node.Get("task").Get("entry_script").Resolve() {
				continue
			}
			rel, there := s.find(p.Project)
			if !there || p.full(s.file.Source) {
				continue
			}
			e := p.entry(rel)
			var missing []string
			for _, name := range e.undefined {
				if name == "run" || s.body == nil {
					missing = append(missing, name)
				}
			}
			if e.strict && s.body != nil {
				p.reportAs(finding.Warning, s.location(shortName(s.Name)+" calls parse_args(), which stops at the arguments that Azure ML adds: use parse_known_args()"), nil,
					finding.Location{Source: e.code, Span: e.parses, Message: "the call"})
			}
			if len(missing) > 0 {
				advice := "define " + plain.Them(len(missing))
				if slices.ContainsFunc(missing, func(name string) bool { return e.inner[name] }) {
					advice = "a function inside a class or another function does not count, so define " + plain.Them(len(missing)) + " at the margin"
				}
				p.report(s.location(fmt.Sprintf("%s defines no %s(), which Azure ML calls: %s", shortName(s.Name), strings.Join(missing, "() and no "), advice)), nil)
			}
			for _, f := range e.functions {
				if why := f.uncallable(s.file.V2 == "online-deployment"); why != "" {
					p.report(s.location(fmt.Sprintf("%s of %s %s", f.name, shortName(s.Name), why)), nil, finding.Location{Source: e.code, Span: f.at, Message: "this place"})
					break
				}
			}
		}
	},
}

// entryScript is what a script lacks that Azure ML calls, and where it rejects arguments that it does not know.
type entryScript struct {
	code      *source.Source
	undefined []string
	inner     map[string]bool // those that are defined, but not at the margin
	functions []calledFunction
	strict    bool
	parses    source.Span
}

// entry returns what is wrong with the script at a path, and reads each script once.
func (p *Pass) entry(rel string) entryScript {
	return p.shared.entries.of(rel, func() (e entryScript) {
		code, ok := p.Project.Code(rel)
		if !ok {
			return e
		}
		e.code = code
		if f, refused := python.Refused(string(code.Text), 0); refused {
			e.functions = []calledFunction{{name: fmt.Sprintf("line %d", code.LineAt(f.At)), at: source.Span{Start: f.At, End: f.At + 1}, fault: f.Why + ", so Python cannot load it: correct that"}}
			return e
		}
		tokens, all, ok := program(code)
		if !ok {
			return e
		}
		e.inner = innerFunctions(all, "init", "run")
		e.undefined = undefined(tokens, e.inner, "init", "run")
		e.functions = calledFunctions(all, tokens, "init", "run")
		e.parses, e.strict = parsesAll(all)
		return e
	})
}

// undefined returns those of the names that a script certainly does not define, import or set; a definition of a name
// in inner does not count.
func undefined(tokens []python.Token, inner map[string]bool, names ...string) []string {
	for i, t := range tokens {
		named := t.Kind == python.Name && (i == 0 || tokens[i-1].Text != "." && (tokens[i-1].Text != "def" || !inner[t.Text]))
		switch {
		case named && slices.Contains([]string{"exec", "globals", "vars", "setattr", "__getattr__"}, t.Text), t.Text == "*" && i > 0 && tokens[i-1].Text == "import":
			return nil
		case named:
			names = slices.DeleteFunc(names, func(name string) bool { return name == t.Text })
		}
	}
	return names
}

// parsesAll returns the call of parse_args that a script makes when it is loaded, or in init or run.
func parsesAll(all []*python.Statement) (at source.Span, found bool) {
	for _, s := range all {
		if f := s.Function(); f != nil && f.Named() != "init" && f.Named() != "run" || slices.ContainsFunc(s.Blocks, (*python.Statement).Main) {
			continue
		}
		for i, t := range s.Tokens {
			if t.Text == "parse_args" && t.Kind == python.Name && i > 0 && s.Tokens[i-1].Text == "." {
				return source.Span{Start: t.At, End: t.End}, true
			}
		}
	}
	return at, false
}

const scoringScript = onlineScript + "-- conda.yml --\n" + serverless + `      - azureml-inference-server-http==1.5.1
-- src/score.py --
def init():
    pass

`
