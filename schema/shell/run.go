package shell

import (
	"path"
	"slices"
	"strings"
)

type reader struct {
	line   Line
	folder string // "" when it is not known
	paths  []string
	made   bool            // an earlier command may have created any file
	files  map[string]bool // that an earlier command has written
	after  string          // the operator before the command
	// environments are folders in which an earlier command has installed Python.
	environments []string
	maybe        bool // a test decides whether the command runs
	outer        bool // the command line around this one may not run it
}

func (r *reader) leave(what string) {
	if r.line.Left == "" {
		r.line.Left = what
	}
	r.made = true
}

func (r *reader) read(commands []Command, depth int) {
	for _, c := range commands {
		before := r.paths
		for _, a := range c.Assignments {
			r.assign(a)
		}
		if len(c.Words) > 0 {
			r.program(c.Words, c.Operator, depth)
			r.paths = before
			for _, a := range exported(c) {
				r.assign(a)
			}
		}
		for _, f := range c.Files {
			if name, ok := f.Literal(); ok {
				r.files[path.Base(name)] = true
			}
		}
		r.after = c.Operator
		r.maybe = (r.maybe || isTest(c)) && (c.Operator == "&&" || c.Operator == "||")
	}
}

// isTest reports whether a command only tests a condition.
func isTest(c Command) bool {
	if len(c.Words) == 0 {
		return false
	}
	name, _ := c.Words[0].Literal()
	return name == "[" || name == "test"
}

// exported returns the variables that a command sets for all following commands.
func exported(c Command) []Word {
	if name, _ := c.Words[0].Literal(); name != "export" {
		return nil
	}
	return c.Words[1:]
}

func (r *reader) assign(w Word) {
	value, ok := strings.CutPrefix(w.Beginning(), "PYTHONPATH=")
	if !ok {
		return
	}
	const most = 32
	r.paths = nil
	for _, folder := range strings.SplitN(value, ":", most) {
		if folder != "" && !path.IsAbs(folder) {
			r.paths = append(r.paths, r.join(folder))
		}
	}
}

func (r *reader) join(name string) string {
	if r.folder == "" {
		return ""
	}
	return clean(path.Join(r.folder, name))
}

// makers are modules that write files that a command may use.
var makers = []string{"zipfile", "tarfile", "gdown", "wget", "jupyter", "nbconvert", "grpc_tools.protoc"}

// enter follows a change of the folder.
func (r *reader) enter(words []Word, operator string) {
	if operator == "|" || operator == "&" || r.after == "|" {
		return // in a shell of its own
	}
	name, ok := "", len(words) == 1
	if ok {
		name, ok = words[0].Literal()
	}
	if !ok || path.IsAbs(name) || name == "-" || r.maybe || r.after == "||" {
		r.folder = ""
		return
	}
	r.folder = r.join(name)
}

// source handles a script that the shell itself reads, which may do anything.
func (r *reader) source(words []Word) {
	name, ok := words[0].Literal()
	if ok && (path.IsAbs(name) || !strings.Contains(name, "/") || path.Base(name) == "activate") {
		return // that of an environment in the image, or one on the search path
	}
	if ok {
		r.add(words[0], name, false, words[1:], program{takes: Shell})
	}
	r.folder, r.made = "", true
}

// mostRuns is the maximum number of scripts in one command line; real ones have far fewer.
const mostRuns = 500

func (r *reader) add(word Word, name string, module bool, arguments []Word, p program) {
	if len(r.line.Runs) == mostRuns {
		r.leave("a script after many others")
		return
	}
	run := r.run(word, name)
	run.Module, run.Paths, run.Language, run.Arguments = module, slices.Clone(r.paths), p.takes, arguments
	r.line.Runs = append(r.line.Runs, run)
	switch {
	case module && slices.Contains(makers, name):
		r.made = true
	case module && (name == "venv" || name == "virtualenv") && len(arguments) > 0:
		folder, _ := arguments[len(arguments)-1].Literal()
		r.environments = append(r.environments, r.join(folder))
	}
}

// run returns the use of a file in the current state.
func (r *reader) run(word Word, name string) Run {
	return Run{Name: name, Word: word, Folder: r.folder, Language: Other, Certain: r.after != "||" && !r.maybe && !r.outer && word.Group == 0,
		Made: r.made || r.files[path.Base(name)] || r.isMade(name), Later: len(r.line.Runs) > 0}
}

// isMade reports whether a program is in an environment that an earlier command created.
func (r *reader) isMade(name string) bool {
	return slices.ContainsFunc(r.environments, func(folder string) bool { return strings.HasPrefix(r.join(name), folder+"/") })
}
