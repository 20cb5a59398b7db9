package shell

import (
	"path"
	"slices"
	"strings"
)

// mostNested is the maximum depth to which programs that run programs are followed; a nested command line counts as
// aLine levels.
const mostNested, aLine = 16, 5

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
	case g.module && programs.Get()[moduleMark+script].takes != "":
		r.launch(script, programs.Get()[moduleMark+script], rest[1:], operator, depth+1)
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
	placeAt(commands, w)
	folder, maybe, outer := r.folder, r.maybe, r.outer // another shell changes nothing about this one
	r.outer, r.maybe, r.after = outer || maybe || r.after == "||", false, ""
	r.read(commands, depth+aLine)
	r.folder, r.maybe, r.outer = folder, maybe, outer
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
