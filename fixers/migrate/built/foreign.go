package built

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// Modules are the modules of a project, from which programs import constants.
type Modules struct {
	// Text returns the text of a Python or environment file, slash-separated and relative to the project; "" if there
	// is none.
	Text func(file string) string
	// Tree does the same for a YAML file; nil if there is none.
	Tree func(file string) *document.Node

	read      map[string]*program // nil for what cannot be read
	variables map[string][2]string
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

// imported returns what an expression yields that stands for a constant of another module, or of a class.
func (p *program) imported(t []python.Token, depth int) *document.Node {
	in, value := p.origin(t, depth)
	if value == nil || secret.NameIsSecret(t[len(t)-1].Text) {
		return nil
	}
	in.here = false
	n := in.eval(value, depth+1).literal
	if p.here = p.here || in.here; n == nil || literalOnly(n) == nil || !p.spend(values(n)) {
		return nil
	}
	n = clone(n)
	move(n, scalar("!!str", "", t).Span)
	return n
}

// origin returns the module and the expression that it sets what an expression stands for to: NAME, MODULE.NAME, or
// CLASS.NAME, where an object of the class may take its place; nil if that is not known.
func (p *program) origin(t []python.Token, depth int) (in *program, value []python.Token) {
	names := strings.Split(python.Written(t), ".")
	if t[0].Kind != python.Name || depth > maxDepth || len(t) != 2*len(names)-1 {
		return nil, nil
	}
	o := p.outer[names[0]]
	if o.in == nil || len(p.set[names[0]])+len(p.params[names[0]]) > 0 || len(p.defs[names[0]]) != 1 {
		if o = p.object(t[0]); o.in == nil {
			return nil, nil
		}
	}
	if names = names[1:]; o.name != "" {
		names = slices.Insert(names, 0, o.name)
	}
	switch len(names) {
	case 1:
		return o.in.global(names[0], depth)
	case 2:
		return o.in, o.in.member(names[0], names[1])
	}
	return nil, nil
}

// object returns the class of the object that a name stands for, if it is made without arguments.
func (p *program) object(name python.Token) (class foreign) {
	s, ok := p.inForce(name.Text, name.At)
	made := python.Bare(s.tokens)
	end := len(made) - len("()")
	if !ok || p.lost[name.Text] || len(p.attrs[name.Text]) > 0 || end < 1 || python.Written(made[end:]) != "()" {
		return class
	}
	first, rest, more := strings.Cut(python.Written(made[:end]), ".")
	switch class = p.outer[first]; {
	case class.in == nil && !more:
		return foreign{p, first}
	case class.name == "" && more && !strings.Contains(rest, "."):
		class.name = rest
	case more || class.name == "":
		return foreign{}
	}
	return class
}

// global returns what a module sets a name to.
func (p *program) global(name string, depth int) (in *program, value []python.Token) {
	list := p.set[name]
	switch {
	case len(list) == 0:
		return p.origin([]python.Token{{Kind: python.Name, Text: name}}, depth+1)
	case len(list) > 1 || p.lost[name] || len(list[0].at.Blocks) > 0 || len(p.attrs[name])+len(p.calls[name]) > 0:
		return nil, nil
	}
	return p, list[0].tokens
}

// member returns what a class sets a name to, for itself or its objects, also by way of a property; nil unless it does
// so once.
func (p *program) member(class, name string) []python.Token {
	value := p.own(class, name)
	if value != nil {
		return value
	}
	inner := ""
	for f, list := range p.returns {
		if !p.spend(1) || f == nil || !f.Method() || f.Named() != name || len(list) != 1 || f.Blocks[0].Named() != class {
			continue
		}
		if inner != "" {
			return nil
		}
		inner = python.Written(list[0].tokens)
	}
	if inner, is := strings.CutPrefix(inner, "self."); is {
		return p.own(class, inner)
	}
	return nil
}

// own is member without properties.
func (p *program) own(class, name string) (value []python.Token) {
	if len(p.attrs[class]) > 0 || !p.spend(len(p.set[name])+len(p.attrs["self"])) {
		return nil
	}
	for _, s := range plain.Both(p.set[name], p.attrs["self"]) {
		in := s.at.Blocks
		own := len(in) > 0 && in[0].First() == "class" && in[0].Named() == class
		if !own || s.path != "" && s.path != name || s.path == "" && len(in) > 1 {
			continue
		}
		if value != nil || s.key != nil {
			return nil
		}
		value = s.tokens
	}
	return value
}

// variable returns what the project's example of an environment file sets a variable to, and the file; "" for others.
func (m *Modules) variable(name string) (value, file string) {
	if m.Text == nil || secret.NameIsSecret(name) {
		return "", ""
	}
	if m.variables == nil {
		m.variables = map[string][2]string{}
		for _, file := range []string{".env.example", ".env_example", ".env.sample", ".env.template"} {
			for line := range strings.Lines(m.Text(file)) {
				key, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
				value, _, _ = strings.Cut(value, " #")
				if value = strings.Trim(value, " \t\r\n\"'"); value != "" && !strings.ContainsAny(value, "<>$") {
					m.variables[strings.TrimSpace(key)] = [2]string{value, file}
				}
			}
		}
	}
	return m.variables[name][0], m.variables[name][1]
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
