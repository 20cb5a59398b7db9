package built

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/requirement"
)

// AddedPackages is a key below "python", with a conda environment: what the program adds to the packages of a file.
const AddedPackages = "addedPackages"

// ComputedPackages are the ends of keys with packages that are not literals, or are installed on a condition only.
var ComputedPackages = [...]string{"pip_packages", "conda_packages", "add_pip_package", "add_conda_package"}

// added reads the packages that a program adds to an environment that exists: that at a path in the tree, which ends
// with a dot unless it is the root. Its calls are those of an attribute of the object, whose path begins with from.
func (b *builder) added(root *document.Node, o *object, at, from string) {
	prefix, environment := from+at+"python.conda_dependencies.", root
	if at != "" {
		environment = root.Get(strings.TrimSuffix(at, "."))
	}
	if of := b.uses[root]; at != "" && of != nil && of.Root.Get("python").Get("condaDependencies").IsMapping() {
		root, environment, at = of.Root, of.Root, ""
	}
	var calls [][]python.Token
	if o.name != "" && !b.lost[o.name] {
		for _, s := range b.during(b.calls[o.name], o.name, place(o)) {
			if strings.HasPrefix(s.path, prefix) {
				calls = append(calls, s.tokens)
			}
		}
	}
	own := environment.Get("python")
	conda := own.Get("condaDependencies")
	docker := environment.Get("docker")
	if o.method == "get" && (docker.Get("baseImage") != nil || docker.Get("baseDockerfile") != nil) {
		calls = append(calls, o.tokens)
	}
	switch {
	case len(calls) == 0 || o.method == "get" && conda != nil:
	case conda.IsMapping() || o.method == "" && own.Get("condaDependenciesFile") == nil && (environment == nil || environment.IsMapping()):
		l := &condaLists{conda: list(o.tokens), pip: list(o.tokens), channels: list(o.tokens)}
		if conda == nil {
			l.defaults(o.tokens)
		}
		l.calls(b, root, o.name, place(o), prefix)
		l.extend(root, conda, at, o.tokens)
	case o.method == "get": // the workspace knows the others
		put(root, "python.condaDependencies", b.node(value{tokens: calls[0]}))
	default:
		b.more(root, o, prefix)
	}
}

// more reads the calls that add to the packages of a file, whose names follow prefix.
func (b *builder) more(root *document.Node, o *object, prefix string) {
	l := &condaLists{conda: list(o.tokens), pip: list(o.tokens), channels: list(o.tokens)}
	l.calls(b, root, o.name, place(o), prefix)
	if len(l.conda.Items())+len(l.pip.Items())+len(l.channels.Items()) == 0 {
		return
	}
	all := root.Get("python").Get(AddedPackages)
	if all == nil {
		all = mapping(o.tokens)
		put(root, "python."+AddedPackages, all)
	}
	l.extend(root, all, "", o.tokens)
}

// extend adds the lists to a conda environment, which is created if it is nil.
func (l *condaLists) extend(root, conda *document.Node, to string, at []python.Token) {
	if conda == nil {
		conda = mapping(at)
		put(root, to+"python.condaDependencies", conda)
	}
	for _, part := range []struct {
		key  string
		more *document.Node
	}{{"channels", l.channels}, {"dependencies", l.conda}} {
		if len(part.more.Items()) == 0 && part.key == "channels" {
			continue
		}
		if conda.Get(part.key) == nil {
			put(conda, part.key, list(at))
		}
		for _, item := range part.more.Items() {
			attach(conda.Get(part.key), item)
		}
	}
	Distinct(conda.Get("dependencies"), requirement.Conda)
	for _, item := range conda.Get("dependencies").Items() {
		if pip := item.Get("pip"); pip != nil {
			for _, more := range l.pip.Items() {
				attach(pip, more)
			}
			Distinct(pip, requirement.Pip)
			return
		}
	}
	nested := &condaLists{conda: conda.Get("dependencies"), pip: l.pip}
	nested.nest(at)
}

// Distinct omits the packages of a list that later ones of the same name replace, as SDK v1 did.
func Distinct(list *document.Node, manager requirement.Manager) {
	last, names := map[string]*document.Node{}, map[*document.Node]string{}
	for _, n := range list.Items() {
		if n.Kind != document.Scalar {
			continue
		}
		names[n] = n.Value
		if r, err := manager.Parse(n.Value); err == nil && r.Key != "" {
			names[n] = r.Key + ";" + r.Marker
		}
		last[names[n]] = n
	}
	list.SetItems(slices.DeleteFunc(list.Items(), func(n *document.Node) bool { return n.Kind == document.Scalar && last[names[n]] != n }))
}

// calls reads the methods that add to an object, whose names follow prefix.
func (l *condaLists) calls(b *builder, root *document.Node, name string, at int, prefix string) {
	if name == "" || b.lost[name] {
		return
	}
	for _, s := range b.during(b.calls[name], name, at) {
		method, ours := strings.CutPrefix(s.path, prefix)
		to := map[string]*document.Node{"add_pip_package": l.pip, "add_conda_package": l.conda, "add_channel": l.channels, "set_python_version": l.conda, "set_pip_option": l.pip}[method]
		c, ok := python.CallAt(s.tokens, 0)
		if ours && to == nil && (strings.HasPrefix(method, "add_") || strings.HasPrefix(method, "set_") || strings.HasPrefix(method, "remove_")) {
			b.read[s.tokens[0].At] = true
			put(root, s.path, b.node(value{tokens: s.tokens}))
		}
		if !ours || to == nil || !ok || len(c.Positional)+len(c.Keywords) != 1 || c.Open {
			continue
		}
		b.read[s.tokens[0].At] = true
		t := argument(c, "", 0)
		for _, keyword := range c.Keywords {
			t = keyword
		}
		v := b.eval(t, 0)
		each := b.each(s.at, t)
		switch {
		case each != nil && method != "set_python_version":
			for _, item := range each.Items() {
				attach(to, clone(item))
			}
		case s.at.Conditional() || v.text() == nil:
			put(root, s.path, b.node(value{tokens: t}))
		case method == "set_python_version":
			l.python(b, root, v)
		default:
			attach(to, clone(v.literal))
		}
	}
}

// each returns the texts that a name stands for in the statements of a loop over a literal list, or nil.
func (b *builder) each(s *python.Statement, t []python.Token) *document.Node {
	if len(s.Blocks) == 0 || len(t) != 1 {
		return nil
	}
	loop := s.Blocks[len(s.Blocks)-1]
	h := loop.Tokens
	if len(h) < 4 || h[0].Text != "for" || h[1].Text != t[0].Text || h[2].Text != "in" || len(loop.Blocks) > 0 && loop.Blocks[len(loop.Blocks)-1].Conditional() {
		return nil
	}
	of := h[3:]
	if of[len(of)-1].Text == ":" {
		of = of[:len(of)-1]
	}
	n := b.node(b.eval(of, 0))
	if n.Kind != document.Sequence || len(n.Items()) == 0 {
		return nil
	}
	for _, item := range n.Items() {
		if item.Tag() != "!!str" {
			return nil
		}
	}
	return n
}
