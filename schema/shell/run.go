package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Run is a script that a command line starts.
type Run struct {
	// Name is the script's path, or the name of a Python module, as written.
	Name   string
	Module bool
	// Word is the word with the name.
	Word Word
	// Folder is the folder in which it runs, relative to the one that the command line starts in (".").
	Folder string
	// Paths are the folders in PYTHONPATH, in order.
	Paths []string
	// Language is the language of the script.
	Language Language
	// Arguments are the script's arguments.
	Arguments []Word
	// Certain means that the script runs if the commands before it succeed, Made that an earlier command may have
	// created it, and Later that another script of the job runs before it.
	Certain, Made, Later bool
}

// Line is what is known about a command line.
type Line struct {
	// Runs are the scripts of the job that it runs, in order.
	Runs []Run
	// Files are files that it cannot do without, and that are not scripts: only Name, Word, Folder, Certain, Made and
	// Later are set, and Language is Other.
	Files []Run
	// Unknown are the names of programs that are on the search path, if anywhere, and about which nothing is known.
	Unknown []Word
	// Faults are its faults, up to the first part that Parse does not support.
	Faults []Fault
	// Left says why something was not analyzed, or is "" if everything was.
	Left string
}

// Read returns what a command line runs. A line that begins with an option is read as it is meant, as more arguments of
// the line before it, which is a fault.
func Read(text string) Line {
	p := parsed(text, 0)
	faults := p.allFaults()
	if p.err != nil {
		return Line{Faults: faults, Left: p.err.Error()}
	}
	r := &reader{line: Line{Faults: faults}, folder: ".", files: map[string]bool{}}
	r.read(joined(p.commands), 0)
	return r.line
}

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
}

func (r *reader) leave(what string) {
	if r.line.Left == "" {
		r.line.Left = what
	}
	r.made = true
}

// mostNested is the maximum depth to which programs that run programs are followed; a nested command line counts as
// aLine levels.
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

// program determines what a program runs.
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
	case "pip", "pip3":
		r.requirements(words[1:], operator)
	case "source", ".":
		if len(words) > 1 {
			r.source(words[1:])
		}
		return
	}
	p, ok := byName(name)
	switch {
	case !ok:
		if depth == 0 && name == words[0].Beginning() && len(r.line.Unknown) < mostRuns {
			r.line.Unknown = append(r.line.Unknown, words[0])
		}
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
	case g.module && moduleLaunchers.Get()[script].takes != "":
		r.launch(script, moduleLaunchers.Get()[script], rest[1:], operator, depth+1)
	default:
		if g.module && script == "pip" {
			r.requirements(rest[1:], operator)
		}
		r.add(rest[0], script, g.module, rest[1:], p)
	}
}

// makesFolder reports whether an environment manager creates an environment in the current folder, from which python
// may then be run.
func makesFolder(sub string, words []Word) bool {
	return sub == "venv" || sub == "sync" || slices.ContainsFunc(words, func(w Word) bool {
		return slices.Contains([]string{"-p", "--prefix"}, w.Beginning())
	})
}

// makers are modules that write files that a command may use.
var makers = []string{"zipfile", "tarfile", "gdown", "wget", "jupyter", "nbconvert", "grpc_tools.protoc"}

// moduleLaunchers are the modules that run a script.
var moduleLaunchers = plain.Once[map[string]program]{Make: func() map[string]program {
	return map[string]program{
		"torch.distributed.run": torchrun(), "torch.distributed.launch": torchrun(),
		"accelerate.commands.launch": {kind: launcher, takes: Python, module: accelerate().module, flags: accelerate().flags, values: accelerate().values},
		"deepspeed.launcher.runner":  deepspeed(),
		"cProfile":                   {kind: launcher, takes: Python, module: "-m", values: words("-o -s")},
		"pdb":                        {kind: launcher, takes: Python, module: "-m", values: words("-c")},
	}
}}

// nested parses the command line in a quoted word.
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

// placeAt sets the spans of the words of commands to that of the word that contains them.
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
	return Run{Name: name, Word: word, Folder: r.folder, Language: Other, Certain: r.after != "||" && !r.maybe && word.Group == 0,
		Made: r.made || r.files[path.Base(name)] || r.isMade(name), Later: len(r.line.Runs) > 0}
}

// isMade reports whether a program is in an environment that an earlier command created.
func (r *reader) isMade(name string) bool {
	return slices.ContainsFunc(r.environments, func(folder string) bool { return strings.HasPrefix(r.join(name), folder+"/") })
}
