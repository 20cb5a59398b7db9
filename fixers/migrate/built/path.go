package built

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// The functions and methods of os.path and pathlib that are followed: after those of samePath, a path names the same
// file; absolutePath are those of them that make it absolute. workingFolder are those that yield the folder in which
// the program is started.
var (
	samePath      = []string{"str", "os.fspath", "os.path.abspath", "os.path.realpath", "os.path.normpath", "resolve", "absolute", "as_posix"}
	joinedPath    = []string{"Path", "pathlib.Path", "PurePath", "PurePosixPath", "os.path.join", "joinpath"}
	absolutePath  = []string{"os.path.abspath", "os.path.realpath", "resolve", "absolute"}
	workingFolder = []string{"os.getcwd", "Path.cwd", "pathlib.Path.cwd"}
)

// path returns what an expression of os.path or pathlib yields: relative to the project if it begins at __file__.
func (p *program) path(t []python.Token, depth int) *document.Node {
	if text, ok := p.pathOf(t, depth); ok {
		return scalar("!!str", text, t)
	}
	return nil
}

func (p *program) pathOf(t []python.Token, depth int) (text string, ok bool) {
	if t = python.Bare(t); len(t) == 0 || depth > maxDepth || !p.spend(len(t)) {
		return "", false
	}
	if text, ok = python.Literal(t); ok {
		return text, true
	}
	last, inside, opened := len(t)-1, 0, 0
	for i := last; i > 0; i-- {
		if inside += python.Bracket(t[i]); inside == 0 && t[i].Kind == python.Operator && t[i].Text == "/" {
			return p.below(depth, t[:i], t[i+1:])
		}
		if inside == 0 && opened == 0 && i < last {
			opened = i
		}
	}
	switch {
	case len(t) == 1 && t[0].Text == "__file__" && !p.shadowed("__file__"):
		p.here = true
		return path.Join(p.folder, "program.py"), true
	case len(t) > 2 && t[last].Text == "parent" && t[last-1].Text == ".":
		return p.above(t[:last-1], depth)
	case t[last].Text == ")" && t[last].Kind == python.Operator && opened > 0 && t[opened].Text == "(":
		return p.pathCall(t, opened, depth)
	case t[0].Kind != python.Name:
		return "", false
	}
	n := p.constant(t, depth)
	if len(t) == 1 {
		n = p.named(t[0].Text, t[0].At, depth+1).literal
	}
	if n == nil || n.Tag() != "!!str" {
		return "", false
	}
	return n.Value, true
}

// pathCall returns the path that a call yields; at is the index of its bracket.
func (p *program) pathCall(t []python.Token, at, depth int) (text string, ok bool) {
	c, ok := python.CallAt(t, at)
	if !ok || c.Open || len(c.Keywords) > 0 || c.End != len(t)-1 {
		return "", false
	}
	parts, name := c.Positional, python.Written(t[:at])
	if at > 2 && t[at-2].Text == "." && !slices.Contains(slices.Concat(samePath, joinedPath, workingFolder, []string{"os.path.dirname"}), name) {
		parts, name = append([][]python.Token{t[:at-2]}, parts...), t[at-1].Text // a method
	}
	switch {
	case slices.Contains(workingFolder, name) && len(parts) == 0:
		p.here = true
		return ".", true
	case name == "os.path.dirname" && len(parts) == 1:
		return p.above(parts[0], depth)
	case slices.Contains(samePath, name) && len(parts) == 1, slices.Contains(joinedPath, name):
		p.here = p.here || slices.Contains(absolutePath, name)
		return p.below(depth, parts...)
	}
	return "", false
}

// withoutMachine makes the node of an argument Open if it is a path of the machine on which the program runs: jobs do
// not have it.
func (b *builder) withoutMachine(n *document.Node, t []python.Token) {
	if n.Tag() != "!!str" {
		return
	}
	b.here = false
	if b.eval(t, 0); b.here {
		in := n.Parent
		*n = *b.node(value{tokens: t})
		n.Parent = in
	}
}

// below returns the path of several parts, each below the one before.
func (p *program) below(depth int, parts ...[]python.Token) (text string, ok bool) {
	for _, part := range parts {
		next, ok := p.pathOf(part, depth+1)
		switch {
		case !ok, !p.spendText(len(text) + len(next)):
			return "", false
		case path.IsAbs(next) || text == "":
			text = next
		default:
			text = path.Join(text, next)
		}
	}
	return text, text != ""
}

// above returns the folder of a path; ok is false if it may be outside the project.
func (p *program) above(t []python.Token, depth int) (text string, ok bool) {
	text, ok = p.pathOf(t, depth+1)
	text = path.Clean(text)
	return path.Dir(text), ok && text != "." && !strings.HasSuffix(text, "..")
}
