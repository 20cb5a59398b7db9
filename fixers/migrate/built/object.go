package built

import (
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// object is an SDK object that the program creates or looks up.
type object struct {
	class, method string // such as ScriptRunConfig, or Environment and from_conda_specification
	name          string // of the variable that holds it, or ""
	call          python.Call
	tokens        []python.Token
	// base is what steps start from; nil if a class is called.
	base  *object
	steps []step
	// rest are the expressions after "**" whose keys are not known.
	rest [][]python.Token
	// copied is the environment that is cloned.
	copied *object
	// returned means that a function of the program creates it, and name is that of its variable there.
	returned bool
}

// step is what follows an object: .name, .name(…), or [index].
type step struct {
	name  string
	call  *python.Call
	index []python.Token
}

// chain reads a name with what follows it: a call of a class, or calls of an object's methods.
func (p *program) chain(t []python.Token, depth int) *object {
	var names []string
	i := 0
	for ; i < len(t); i += 2 {
		if t[i].Kind != python.Name {
			return nil
		}
		names = append(names, t[i].Text)
		if i+1 >= len(t) || t[i+1].Text != "." {
			i++
			break
		}
	}
	o, used := p.start(names, t, i, depth)
	at := slices.IndexFunc(names, func(n string) bool { return slices.Contains(ofWorkspace, n) })
	if last := len(names) - 1; o == nil && at > 0 && i < len(t) && (at == last && (names[at] != "models" && names[at] != "environments" || t[i].Text == "[") || at == last-1 && (names[at] == "datasets" || names[at] == "environments") && names[last] == "get") {
		o, used = &object{base: &object{class: "Workspace", tokens: t[:1]}}, len(names)-at
	}
	if o == nil {
		return nil
	}
	if o.base == nil { // a class: its call follows
		c, ok := python.CallAt(t, i)
		if !ok {
			return nil
		}
		o.call = c
		i = c.End + 1
		if o.tokens = t[:i]; c.Open {
			p.spread(o)
		}
	}
	steps, ok := stepsOf(t, i, names[len(names)-used:])
	switch {
	case !ok:
		return nil
	case len(steps) == 0 && o.base != nil:
		return o.base
	}
	if env := cloned(o, steps, t); env != nil {
		return env
	}
	if name := registered(steps, "environments"); name != nil && len(steps) == 2 && o.base != nil && o.base.class == "Workspace" {
		return &object{class: "Environment", method: "get", call: python.Call{Keywords: map[string][]python.Token{"name": name}}, tokens: t}
	}
	o.steps, o.tokens = steps, t
	if o.base == nil && len(steps) > 0 {
		first := *o
		first.steps = nil
		return &object{base: &first, steps: steps, tokens: t}
	}
	return o
}

// attribute returns what the program sets an object's attribute to, or nil unless it does so in exactly one place.
func (p *program) attribute(o *object) []python.Token {
	var names []string
	for _, s := range o.steps {
		if s.call != nil || s.index != nil {
			return nil
		}
		names = append(names, s.name)
	}
	if o.base.name == "" || p.lost[o.base.name] {
		return nil
	}
	var found []python.Token
	for _, s := range p.during(p.attrs[o.base.name], o.base.name, place(o.base)) {
		if s.path != strings.Join(names, ".") || s.key != nil {
			continue
		}
		if found != nil || s.at.Conditional() {
			return nil
		}
		found = s.tokens
		p.read[found[0].At] = true
	}
	return found
}

// ownName returns the name that an object was created with, if a chain ends there.
func (p *program) ownName(o *object) []python.Token {
	place, ok := map[string]int{"Experiment": 1, "Environment": 0}[o.base.class]
	if !ok || o.base.method != "" || len(o.steps) != 1 || o.steps[0].name != "name" || o.steps[0].call != nil || o.steps[0].index != nil ||
		slices.ContainsFunc(p.attrs[o.base.name], func(s setting) bool { return s.path == "name" }) {
		return nil
	}
	return p.argument(o.base.call, "name", place)
}

// ofWorkspace are the members that only a Workspace has, however it was obtained.
var ofWorkspace = []string{"compute_targets", "datastores", "datasets", "models", "environments", "get_default_datastore"}

// start resolves the first names of a chain. used is the number of names that are attributes of an object; a class,
// which has no base, is called.
func (p *program) start(names []string, t []python.Token, i, depth int) (o *object, used int) {
	classes := names
	if p.modules[names[0]] && !p.shadowed(names[0]) {
		at := slices.IndexFunc(names, func(n string) bool { return n[0] >= 'A' && n[0] <= 'Z' })
		if at < 0 {
			return nil, 0
		}
		classes = names[at:]
	} else if class, ok := p.classes[names[0]]; ok && !p.shadowed(names[0]) {
		classes = append([]string{class}, names[1:]...)
	} else if v := p.named(names[0], t[0].At, depth+1); v.object != nil {
		return &object{base: v.object}, len(names) - 1
	} else if !p.any || p.shadowed(names[0]) || names[0][0] < 'A' || names[0][0] > 'Z' {
		return nil, 0
	}
	if i >= len(t) || t[i].Text != "(" || len(classes) > 3 {
		return nil, 0
	}
	switch classes[0] {
	case "EnvironmentDefinition": // the name of the class until azureml-core 1.0.43
		classes = append([]string{"Environment"}, classes[1:]...)
	case "TabularDatasetFactory", "FileDatasetFactory": // what Dataset.Tabular and Dataset.File are
		classes = append([]string{"Dataset", strings.TrimSuffix(classes[0], "DatasetFactory")}, classes[1:]...)
	}
	return &object{class: strings.Join(classes[:max(1, len(classes)-1)], "."), method: strings.Join(classes[max(1, len(classes)-1):], ".")}, 0
}

// shadowed reports whether the program redefines a name that it imports.
func (p *program) shadowed(name string) bool {
	return p.lost[name] || len(p.set[name])+len(p.params[name]) > 0
}

// stepsOf reads what follows an object after its first attributes.
func stepsOf(t []python.Token, i int, attributes []string) (steps []step, ok bool) {
	for _, name := range attributes {
		steps = append(steps, step{name: name})
	}
	for i < len(t) {
		switch t[i].Text {
		case ".":
			if i+1 >= len(t) || t[i+1].Kind != python.Name {
				return nil, false
			}
			steps = append(steps, step{name: t[i+1].Text})
			i += 2
		case "(":
			c, read := python.CallAt(t, i)
			if !read || len(steps) == 0 || steps[len(steps)-1].call != nil {
				return nil, false
			}
			steps[len(steps)-1].call = &c
			i = c.End + 1
		case "[":
			c, read := python.CallAt(t, i)
			if !read || len(c.Positional) != 1 || len(c.Keywords) > 0 {
				return nil, false
			}
			steps = append(steps, step{index: c.Positional[0]})
			i = c.End + 1
		default:
			return nil, false
		}
	}
	return steps, true
}

// argument returns an argument of a call, by name or by position; place is its position, or -1 if it can only be given
// by name.
func argument(c python.Call, name string, place int) []python.Token {
	if t, ok := c.Keywords[name]; ok {
		return t
	}
	if place >= 0 && place < len(c.Positional) && !c.Star {
		return c.Positional[place]
	}
	return nil
}

// argument is the function argument, and records that the argument is read.
func (p *program) argument(c python.Call, name string, place int) []python.Token {
	t := argument(c, name, place)
	if t != nil {
		p.read[t[0].At] = true
	}
	return t
}

// spread adds the dictionaries after "**" to the arguments of a call, if their keys are literal. A name may stand for
// one only in AutoML, whose settings are kept in one: elsewhere, what changes in it meanwhile would be lost.
func (p *program) spread(o *object) {
	for _, t := range unpacked(o.tokens) {
		written := t
		if o.class == "AutoMLConfig" {
			written = p.written(t)
		}
		list, ok := p.pairs(written, 0)
		if !ok || !p.eval(t, 0).literal.IsMapping() { // it is changed in the meantime
			o.rest = append(o.rest, t)
			continue
		}
		for _, item := range list {
			o.call.Keywords[item.key.Value] = item.value
		}
	}
	o.call.Open = o.call.Star || len(o.rest) > 0
}

// unpacked returns the expressions after "**" in the arguments of a call.
func unpacked(t []python.Token) (list [][]python.Token) {
	depth, begin := 0, -1
	for i, k := range t {
		switch {
		case depth == 1 && k.Kind == python.Operator && k.Text == "**" && (t[i-1].Text == "(" || t[i-1].Text == ","):
			begin = i + 1
		case begin > 0 && begin < i && depth == 1 && k.Kind == python.Operator && (k.Text == "," || k.Text == ")"):
			list, begin = append(list, t[begin:i]), -1
		}
		depth += python.Bracket(k)
	}
	return list
}

// given evaluates an argument; ok is false when it is absent or None.
func (p *program) given(c python.Call, name string, place int) (v value, ok bool) {
	t := p.argument(c, name, place)
	if t == nil {
		return v, false
	}
	v = p.eval(t, 0)
	return v, v.literal == nil || v.literal.Tag() != "!!null"
}

// arg is given with a value that is absent if the argument is.
func (p *program) arg(c python.Call, name string, place int) value {
	if v, ok := p.given(c, name, place); ok {
		return v
	}
	return value{}
}

// others adds the arguments of a call that are given by other names, so that none is lost without a word; prefix is
// where they are in the tree.
func (b *builder) others(root *document.Node, prefix string, c python.Call, names ...string) {
	for _, name := range slices.Sorted(maps.Keys(c.Keywords)) {
		if !slices.Contains(names, name) && !strings.HasPrefix(name, "_") {
			b.take(root, prefix+name, c, name, -1)
		}
	}
}

// text returns a string argument, or "" for any other.
func (p *program) text(c python.Call, name string, place int) string {
	t := argument(c, name, place)
	if n := p.eval(t, 0).text(); n != nil {
		p.read[t[0].At] = true
		return n.Value
	}
	return ""
}

// computeName returns the name of the compute target that a value stands for.
func (p *program) computeName(v value) string {
	if n := p.compute(v); n != nil {
		return n.Value
	}
	return ""
}

// compute returns the node with a compute target's name, or nil if the value is not a target or has no literal name.
func (p *program) compute(v value) *document.Node {
	o := v.object
	if v.literal != nil || o == nil {
		return notEmpty(v)
	}
	name := targetName(o)
	if name != nil {
		p.read[name[0].At] = true
	}
	return notEmpty(p.eval(name, 1))
}

// targetName returns the name in the expression of a compute target, or nil.
func targetName(o *object) []python.Token {
	_, steps := steady(o)
	switch {
	case o.base == nil && slices.Contains([]string{"ComputeTarget", "AmlCompute", "RemoteCompute", "ComputeInstance", "DsvmCompute", "KubernetesCompute"}, o.class) && (o.method == "" || o.method == "create" || o.method == "attach"):
		return argument(o.call, "name", 1)
	case len(steps) < 2 || steps[len(steps)-2].name != "compute_targets":
	case steps[len(steps)-1].index != nil:
		return steps[len(steps)-1].index
	case steps[len(steps)-1].name == "get" && steps[len(steps)-1].call != nil:
		return argument(*steps[len(steps)-1].call, "key", 0)
	}
	return nil
}

// notEmpty returns the node of a string, or nil for an empty one, which is filled in, and for any other value.
func notEmpty(v value) *document.Node {
	if n := v.text(); n != nil && n.Value != "" {
		return n
	}
	return nil
}
