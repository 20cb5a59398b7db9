package built

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// Modules are the modules of a project, from which programs import constants.
type Modules struct {
	// Text returns the text of a file, slash-separated and relative to the project; "" if there is none.
	Text func(file string) string
	// Tree does the same for a YAML file; nil if there is none.
	Tree func(file string) *document.Node

	read map[string]*program // nil for what cannot be read
}

// foreign is what an imported name stands for: what another module sets, or the module if the name is "".
type foreign struct {
	in   *program
	name string
}

// largestModule is the maximum size in bytes of a module whose constants are read.
const largestModule = 64 << 10

// find notes what a name stands for that a program imports, if it is in the project. Programs are started in their own
// folder or in one above.
func (m *Modules) find(p *program, as, module, name string) {
	if m == nil || m.Text == nil {
		return
	}
	below := strings.TrimLeft(module, ".")
	dots := len(module) - len(below)
	below = strings.ReplaceAll(below, ".", "/")
	for dir := path.Join(p.folder, strings.Repeat("../", max(dots-1, 0))); ; dir = path.Dir(dir) {
		for _, file := range []string{below + ".py", below + "/__init__.py"} {
			if in := m.module(path.Join(dir, file)); in != nil && (name == "" || in.sets(name)) {
				p.outer[as] = foreign{in, name}
				return
			}
		}
		if in := m.module(path.Join(dir, below, name+".py")); in != nil {
			p.outer[as] = foreign{in, ""}
			return
		}
		if dots > 0 || dir == "." || strings.HasPrefix(dir, "..") {
			return
		}
	}
}

// module parses a file, once. While it is being parsed, what it imports from itself is not known.
func (m *Modules) module(file string) *program {
	if p, known := m.read[file]; known {
		return p
	}
	if m.read == nil {
		m.read = map[string]*program{}
	}
	m.read[file] = nil
	text := m.Text(file)
	if text == "" || len(text) > largestModule {
		return nil
	}
	if p, ok := m.parse(source.New(file, []byte(text)), path.Dir(file)); ok {
		m.read[file] = p
	}
	return m.read[file]
}

// tree returns what a YAML file contains that a program in a folder loads, or nil.
func (m *Modules) tree(folder, file string) *document.Node {
	for dir := folder; file != "" && m.Tree != nil; dir = path.Dir(dir) {
		n := m.Tree(path.Join(dir, file))
		if n != nil || dir == "." || strings.HasPrefix(dir, "..") {
			return n
		}
	}
	return nil
}

// sets reports whether a module sets a name, a constant or a class, and nothing else does.
func (p *program) sets(name string) bool {
	list := p.set[name]
	return len(list) == 1 && len(list[0].at.Blocks) == 0 || len(list) == 0 && p.outer[name].in != nil ||
		len(list) == 0 && slices.ContainsFunc(p.all, func(s *python.Statement) bool { return s.First() == "class" && s.Named() == name })
}

// imported returns what an expression of an imported name yields: a constant of a module or of one of its classes.
func (p *program) imported(t []python.Token, depth int) *document.Node {
	o := p.outer[t[0].Text]
	if o.in == nil || len(p.set[t[0].Text])+len(p.params[t[0].Text]) > 0 || len(p.defs[t[0].Text]) != 1 || depth > maxDepth {
		return nil
	}
	var names []python.Token // of the other module, without the one that imports it
	if o.name != "" {
		names = []python.Token{{Kind: python.Name, Text: o.name}}
	}
	for i := 1; i < len(t); i += 2 {
		if t[i].Text != "." || i+1 == len(t) || t[i+1].Kind != python.Name {
			return nil
		}
		names = append(names, python.Token{Kind: python.Name, Text: t[i+1].Text})
	}
	if len(names) == 0 || secret.NameIsSecret(names[len(names)-1].Text) {
		return nil
	}
	n := o.in.exports(names, depth+1)
	if p.here = p.here || o.in.here; n == nil || literalOnly(n) == nil || !p.spend(values(n)) {
		return nil
	}
	n = clone(n)
	move(n, scalar("!!str", "", t).Span)
	return n
}

// exports returns the value of a constant of the module, or of one of its classes.
func (p *program) exports(names []python.Token, depth int) *document.Node {
	p.here = false
	name := names[0].Text
	list := p.set[name]
	switch {
	case len(names) == 1 && len(list) == 0:
		return p.imported(names, depth)
	case len(names) == 1 && (len(list) > 1 || p.lost[name] || len(list[0].at.Blocks) > 0 || len(p.attrs[name])+len(p.calls[name]) > 0):
		return nil
	case len(names) == 1:
		return p.eval(list[0].tokens, depth).literal
	}
	dot := python.Token{Kind: python.Operator, Text: "."}
	return p.constant(slices.Insert(names, 1, dot), depth)
}

// move gives a tree the place of the expression that it is the value of.
func move(n *document.Node, to source.Span) {
	n.Span, n.Properties = to, to.Start
	for _, e := range n.Entries() {
		move(e.Key, to)
		move(e.Value, to)
	}
	for _, item := range n.Items() {
		move(item, to)
	}
}
