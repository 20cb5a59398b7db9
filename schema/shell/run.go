package shell

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// Run is a script that a command line starts.
type Run struct {
	// Name is the script's path, or the name of a module of Python, as written.
	Name   string
	Module bool
	// Word is where the name is.
	Word Word
	// Folder is the folder in which it runs: "." is the one that the command line
	// begins in.
	Folder string
	// Paths are the folders of PYTHONPATH, in their order.
	Paths []string
	// Language is what the script is written in.
	Language Language
	// Arguments are what the script is given.
	Arguments []Word
	// Certain reports that the script is run if what is before it ends well, Made
	// that something before it may have made it, Later that a script of the job's
	// own is run before it.
	Certain, Made, Later bool
}

// Line is what is known of a command line.
type Line struct {
	// Runs are the scripts of the job's own that it runs, in their order.
	Runs []Run
	// Left says why something was left alone, "" when all was understood.
	Left string
}

// Read returns what a command line runs.
func Read(text string) Line {
	commands, err := Parse(text)
	if err != nil {
		return Line{Left: err.Error()}
	}
	r := &reader{folder: ".", files: map[string]bool{}}
	r.read(commands, 0)
	return r.line
}

type reader struct {
	line   Line
	folder string // "" when it is not known
	paths  []string
	made   bool            // something before may have made any file
	files  map[string]bool // that something before has written
	after  string          // the operator before the command
	// environments are folders in which something before has put a Python.
	environments []string
	maybe        bool // a test decides whether the command is run
}

func (r *reader) leave(what string) {
	if r.line.Left == "" {
		r.line.Left = what
	}
	r.made = true
}

// mostNested is how deep programs that run programs are followed, and aLine how
// much deeper a command line in a command line is.
const mostNested, aLine = 16, 5

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

// isTest reports whether a command only asks about something.
func isTest(c Command) bool {
	if len(c.Words) == 0 {
		return false
	}
	name, _ := c.Words[0].Literal()
	return name == "[" || name == "test"
}

// exported returns the variables that a command sets for all that follow.
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

// program finds out what a program runs.
func (r *reader) program(words []Word, operator string, depth int) {
	if depth > mostNested {
		r.leave("a command line in a command line")
		return
	}
	name, ok := words[0].Literal()
	if !ok || name == "" {
		r.leave("a program that only the shell knows")
		return
	}
	if strings.Contains(name, "/") {
		if !path.IsAbs(name) {
			r.add(words[0], name, false, words[1:], program{})
			return
		}
		name = path.Base(name)
	}
	switch name {
	case "cd", "pushd":
		r.enter(words[1:], operator)
		return
	case "source", ".":
		if len(words) > 1 {
			r.source(words[1:])
		}
		return
	}
	p, ok := byName(name)
	switch {
	case !ok:
		r.leave("the program " + name)
	case p.kind == quiet:
		if name == "popd" {
			r.folder = ""
		}
	case p.kind == maker:
		r.made = true
	default:
		r.launch(name, p, words[1:], operator, depth)
	}
}

// launch follows a program that runs another or a script.
func (r *reader) launch(name string, p program, words []Word, operator string, depth int) {
	if p.sub != "" && name != "accelerate-launch" {
		if len(words) == 0 {
			return
		}
		if sub, ok := words[0].Literal(); !ok || sub != p.sub {
			r.made = r.made || !ok || makesFolder(sub, words[1:])
			return
		}
		words = words[1:]
	}
	g, ok := p.options(words)
	if !ok {
		r.leave("an option of " + name)
		return
	}
	rest := g.rest
	if name == "timeout" && len(rest) > 0 {
		rest = rest[1:]
	}
	for name == "env" && len(rest) > 0 && assignment(rest[0]) {
		r.assign(rest[0])
		rest = rest[1:]
	}
	if g.ended || len(rest) == 0 {
		r.made = r.made || g.ended
		return
	}
	script, literal := rest[0].Literal()
	switch {
	case g.command:
		r.nested(rest[0], depth)
	case p.kind == wrapper && !g.module && (p.takes == "" || !strings.HasSuffix(script, ".py")), g.program:
		r.program(rest, operator, depth+1)
	case !literal:
		r.leave("a script that only the shell knows")
	case script == "-":
	case g.module && moduleLaunchers()[script].takes != "":
		r.launch(script, moduleLaunchers()[script], rest[1:], operator, depth+1)
	default:
		r.add(rest[0], script, g.module, rest[1:], p)
	}
}

// makesFolder reports whether a manager of environments makes one in the folder
// that it is called in, where a python may be run from.
func makesFolder(sub string, words []Word) bool {
	return sub == "venv" || sub == "sync" || slices.ContainsFunc(words, func(w Word) bool {
		return slices.Contains([]string{"-p", "--prefix"}, w.Beginning())
	})
}

// makers are modules that write files which a command may name.
var makers = []string{"zipfile", "tarfile", "gdown", "wget", "jupyter", "nbconvert", "grpc_tools.protoc"}

// moduleLaunchers are modules that run a script.
var moduleLaunchers = sync.OnceValue(func() map[string]program {
	return map[string]program{
		"torch.distributed.run": torchrun(), "torch.distributed.launch": torchrun(),
		"accelerate.commands.launch": {kind: launcher, takes: Python, module: accelerate().module, flags: accelerate().flags, values: accelerate().values},
		"deepspeed.launcher.runner":  deepspeed(),
		"cProfile":                   {kind: launcher, takes: Python, module: "-m", values: words("-o -s")},
		"pdb":                        {kind: launcher, takes: Python, module: "-m", values: words("-c")},
	}
})

// nested reads the command line that a word in one pair of quotes holds.
func (r *reader) nested(w Word, depth int) {
	var b strings.Builder
	for _, p := range w.Parts {
		switch {
		case !p.Quoted && p.Kind != Text || strings.ContainsAny(p.Text, "\\`"):
			r.leave("a command line with quotes in it")
			return
		case p.Kind == Binding:
			b.WriteString("${{" + p.Text + "}}")
		default:
			b.WriteString(p.Text)
		}
	}
	commands, err := Parse(b.String())
	if err != nil {
		r.leave(err.Error())
		return
	}
	r.after = ""
	placeAt(commands, w)
	r.read(commands, depth+aLine)
}

// placeAt gives the words of commands the place of the word that they are in.
func placeAt(commands []Command, at Word) {
	for i := range commands {
		for _, list := range [][]Word{commands[i].Words, commands[i].Assignments, commands[i].Files} {
			for k := range list {
				list[k].Span, list[k].Group = at.Span, at.Group
			}
		}
	}
}

// enter follows a change of the folder.
func (r *reader) enter(words []Word, operator string) {
	if operator == "|" || operator == "&" {
		return
	}
	name, ok := "", len(words) == 1
	if ok {
		name, ok = words[0].Literal()
	}
	if !ok || path.IsAbs(name) || name == "-" || r.maybe {
		r.folder = ""
		return
	}
	r.folder = r.join(name)
}

// source follows a script that the shell itself reads, which may do anything.
func (r *reader) source(words []Word) {
	name, ok := words[0].Literal()
	if ok && (path.IsAbs(name) || !strings.Contains(name, "/") || path.Base(name) == "activate") {
		return // that of an environment in the image, or on the search path
	}
	if ok {
		r.add(words[0], name, false, words[1:], program{takes: Shell})
	}
	r.folder, r.made = "", true
}

// mostRuns is more than any person runs in one command line.
const mostRuns = 500

func (r *reader) add(word Word, name string, module bool, arguments []Word, p program) {
	if len(r.line.Runs) == mostRuns {
		r.leave("a script after many others")
		return
	}
	r.line.Runs = append(r.line.Runs, Run{Name: name, Module: module, Word: word, Folder: r.folder, Paths: slices.Clone(r.paths),
		Language: p.takes, Arguments: arguments, Certain: r.after != "||" && !r.maybe && word.Group == 0, Made: r.made || r.files[path.Base(name)] || r.isMade(name), Later: len(r.line.Runs) > 0})
	switch {
	case module && slices.Contains(makers, name):
		r.made = true
	case module && (name == "venv" || name == "virtualenv") && len(arguments) > 0:
		folder, _ := arguments[len(arguments)-1].Literal()
		r.environments = append(r.environments, r.join(folder))
	}
}

// isMade reports whether a program is in an environment that was made before.
func (r *reader) isMade(name string) bool {
	return slices.ContainsFunc(r.environments, func(folder string) bool { return strings.HasPrefix(r.join(name), folder+"/") })
}
