package built

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/source"
)

// Open is the tag of a node for an expression whose value is not in the program's text; the node's value is the
// expression as written.
const Open = "!!python"

// NotLiteral is the end of the keys of such nodes.
const NotLiteral = " (not a literal)"

// value is what an expression stands for: a literal, or an SDK object; if both are nil, it is not known.
type value struct {
	literal *document.Node
	object  *object
	tokens  []python.Token // where it is written
}

// absent reports whether nothing is written: an argument that is not given.
func (v value) absent() bool { return v.tokens == nil }

// text returns the node of a string, or nil for any other value.
func (v value) text() *document.Node {
	if v.literal != nil && v.literal.Tag() == "!!str" {
		return v.literal
	}
	return nil
}

const maxDepth = 20 // of names that refer to other names

// eval returns what an expression stands for.
func (p *program) eval(tokens []python.Token, depth int) value {
	v := p.reading(tokens, depth)
	if v.literal != nil && !p.spendText(len(v.literal.Value)) { // texts that repeat a long one grow fast
		v.literal = nil
	}
	return v
}

// reading is eval for a text of any length.
func (p *program) reading(tokens []python.Token, depth int) value {
	v := value{tokens: tokens}
	t := python.Bare(tokens)
	if len(t) == 0 || depth > maxDepth || !p.spend(len(t)) {
		return v
	}
	if text, ok := python.Literal(t); ok {
		v.literal = scalar("!!str", text, tokens)
		return v
	}
	switch {
	case len(t) == 1 && t[0].Kind == python.Number || len(t) == 2 && t[0].Text == "-" && t[1].Kind == python.Number:
		v.literal = number(t)
	case len(t) == 1 && (t[0].Text == "True" || t[0].Text == "False"):
		v.literal = scalar("!!bool", strings.ToLower(t[0].Text), tokens)
	case len(t) == 1 && t[0].Text == "None":
		v.literal = scalar("!!null", "", tokens)
	case len(t) == 1 && t[0].Kind == python.Name:
		named := p.named(t[0].Text, t[0].At, depth+1)
		v.literal, v.object = named.literal, named.object
		if v.literal == nil && v.object == nil {
			v.literal = p.defaultImage(t, depth)
		}
	case t[0].Kind == python.String:
		v.literal = p.spliced(t, depth)
	case t[0].Kind == python.Number:
		v.literal = p.product(t, depth)
	case t[0].Text == "[" || t[0].Text == "(":
		v.literal = p.list(t, depth)
	case t[0].Text == "{":
		v.literal = p.dict(t, depth)
	case t[0].Kind == python.Name:
		if set, is := p.ofName(&v, t, depth); is {
			return set
		}
	}
	v.read(t, depth, p.divided, p.composed, p.path, p.dict)
	return v
}

// ofName reads an expression that begins with a name; is means that it stands for set.
func (p *program) ofName(v *value, t []python.Token, depth int) (set value, is bool) {
	if v.object = p.chain(t, depth); v.object != nil && v.object.base != nil {
		for _, of := range [][]python.Token{p.attribute(v.object), p.ownName(v.object)} {
			if of != nil {
				set = p.eval(of, depth+1)
				set.tokens = v.tokens
				return set, true
			}
		}
		if name := p.naming(v.object); name != "" {
			return value{literal: scalar("!!str", name, v.tokens), tokens: v.tokens}, true
		}
	}
	v.read(t, depth, p.joined, p.picked, p.constant, p.defaultImage, p.numbers)
	if v.object == nil && v.literal == nil && len(t) > 1 {
		got := p.returned(t, depth)
		v.literal, v.object = got.literal, got.object
	}
	return value{}, false
}

// read sets the literal to what the first of some readers finds, unless the value is known.
func (v *value) read(t []python.Token, depth int, readers ...func([]python.Token, int) *document.Node) {
	for _, read := range readers {
		if v.object == nil && v.literal == nil {
			v.literal = read(t, depth)
		}
	}
}

// nameOf returns the name of the compute target that a value stands for, or of the datastore, with its workspace.
func (p *program) nameOf(v value) string {
	name := p.computeName(v)
	if store := p.datastore(v).Text(); name == "" && store != "" {
		o, _ := steady(v.object)
		of := o.name + " " + strconv.Itoa(place(o))
		if o.class == "Datastore" {
			of = p.workspace(p.argument(o.call, "workspace", 0))
		} else if o.name == "" {
			of = p.workspace(o.tokens[:1])
		}
		name = store + "/" + of
	}
	return name
}

// workspace tells workspaces apart: expressions, and names by where they were last set before.
func (p *program) workspace(t []python.Token) string {
	text, last := python.Written(t), 0
	if len(t) == 1 {
		for _, s := range p.settings(text, t[0].At) {
			if at := s.tokens[0].At; at < t[0].At {
				last = at
			}
		}
	}
	return text + " " + strconv.Itoa(last)
}

// named returns what a name stands for if it is set in one place, or in several that all yield the same compute target,
// datastore or registered dataset.
func (p *program) named(name string, at, depth int) value {
	if one := p.parameter(name, p.scope(at)); one != nil {
		return p.passed(name, one, depth)
	}
	list := p.settings(name, at)
	if s, ok := p.inForce(name, at); ok {
		list = []setting{s}
	}
	none := len(list) > 1 && python.Written(list[0].tokens) == "None" // until a compute target is found or created
	if none {
		list = list[1:]
	}
	if len(list) == 0 || p.changedElsewhere(name) || p.busy[list[0].at] {
		return value{}
	}
	p.busy[list[0].at] = true
	defer delete(p.busy, list[0].at)
	first := p.eval(list[0].tokens, depth)
	switch o := first.object; {
	case o != nil && !o.returned:
		o.name = name
	case o != nil && p.changed(name, list[0].tokens[0].At):
		return value{} // its settings are in two places
	}
	if in := list[0].at.Blocks; none && (first.object == nil || p.nameOf(first) == "" || len(list) == 1 && (len(in) == 0 || in[len(in)-1].First() != "try")) {
		return value{}
	}
	if len(list) == 1 {
		if first.literal != nil && len(p.during(p.attrs[name], name, list[0].tokens[0].At))+len(p.during(p.calls[name], name, list[0].tokens[0].At)) > 0 {
			return value{} // list.append and the like
		}
		return first
	}
	const most = 5 // places
	if len(list) > most {
		return value{}
	}
	for _, other := range list[1:] {
		v := p.eval(other.tokens, depth)
		if a, b := p.nameOf(first), p.nameOf(v); a == "" || a != b {
			return p.sameData(list, depth)
		}
		if v.object != nil && v.object.method == "create" {
			if first = v; !first.object.returned {
				first.object.name = name
			}
		}
	}
	return first
}

// written returns the tokens of an expression or, for a name that is set in one place, of what it is set to.
func (p *program) written(t []python.Token) []python.Token {
	t = python.Bare(t)
	if len(t) == 1 {
		if s, ok := p.inForce(t[0].Text, t[0].At); ok {
			return python.Bare(s.tokens)
		}
	}
	return t
}

//go:noinline
func scalar(tag, text string, tokens []python.Token) *document.Node {
	span := source.Span{Start: tokens[0].At, End: tokens[len(tokens)-1].End}
	style := document.Plain
	if tag == "!!str" {
		style = document.SingleQuoted
	}
	n := document.NewScalar(tag, text, span)
	n.Style = style
	return n
}

// number returns a number as a YAML node, or nil if YAML reads it differently.
func number(t []python.Token) *document.Node {
	var b strings.Builder
	for _, k := range t {
		b.WriteString(strings.ReplaceAll(k.Text, "_", ""))
	}
	text := b.String()
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return scalar("!!int", text, t)
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil && !strings.ContainsAny(text, "xXpP") {
		return scalar("!!float", text, t)
	}
	return nil
}

// list returns a list, in which items that are not literal are Open. It returns nil if the expression is not a list, or
// if the number of items is computed.
func (p *program) list(t []python.Token, depth int) *document.Node {
	c, ok := python.CallAt(t, 0)
	if !ok || c.Open || c.End != len(t)-1 || len(c.Keywords) > 0 {
		return nil
	}
	n := list(t)
	for _, item := range c.Positional {
		if item[0].Text == "*" && item[0].Kind == python.Operator || slices.ContainsFunc(item, func(k python.Token) bool { return k.Text == "for" && k.Kind == python.Name }) {
			return nil
		}
		attach(n, p.node(p.eval(item, depth+1)))
	}
	return n
}

// dict is like list, for a mapping whose keys are strings.
func (p *program) dict(t []python.Token, depth int) *document.Node {
	list, ok := p.pairs(t, depth)
	if !ok {
		return nil
	}
	n := mapping(t)
	for _, item := range list {
		add(n, item.key, p.node(p.eval(item.value, depth+1)))
	}
	return n
}

// pair is an item of a dictionary.
type pair struct {
	key   *document.Node
	value []python.Token
}

// colon returns the index of the first colon in the item of a dictionary, or -1.
func colon(item []python.Token) int {
	return slices.IndexFunc(item, func(k python.Token) bool { return k.Text == ":" && k.Kind == python.Operator })
}

// pairs returns the items of a dictionary whose keys are literal; ok is false for any other expression.
func (p *program) pairs(t []python.Token, depth int) (list []pair, ok bool) {
	if t[0].Text == "dict" && !p.shadowed("dict") {
		c, ok := python.CallAt(t, 1)
		if !ok || c.Open || c.End != len(t)-1 || len(c.Positional) > 0 {
			return nil, false
		}
		for _, name := range slices.Sorted(maps.Keys(c.Keywords)) {
			list = append(list, pair{scalar("!!str", name, c.Keywords[name]), c.Keywords[name]})
		}
		return list, true
	}
	c, ok := python.CallAt(t, 0)
	if !ok || t[0].Text != "{" || c.Open || c.End != len(t)-1 || len(c.Keywords) > 0 {
		return nil, false
	}
	for _, item := range c.Positional {
		at := colon(item)
		if at < 1 || at == len(item)-1 {
			return nil, false
		}
		key := p.eval(item[:at], depth+1).literal
		if key == nil || key.Tag() != "!!str" || slices.ContainsFunc(item, func(k python.Token) bool { return k.Text == "for" && k.Kind == python.Name }) {
			return nil, false
		}
		list = append(list, pair{key, item[at+1:]})
	}
	return list, true
}

// joined returns the path that os.path.join of strings yields.
func (p *program) joined(t []python.Token, depth int) *document.Node {
	at := slices.IndexFunc(t, func(k python.Token) bool { return k.Text == "(" })
	if at < 0 || python.Written(t[:at]) != "os.path.join" {
		return nil
	}
	c, ok := python.CallAt(t, at)
	if !ok || c.Open || c.End != len(t)-1 || len(c.Keywords) > 0 {
		return nil
	}
	path := ""
	for _, part := range c.Positional {
		n := p.eval(part, depth+1).literal
		if n == nil || n.Tag() != "!!str" {
			return nil
		}
		switch {
		case strings.HasPrefix(n.Value, "/"), path == "":
			path = n.Value
		default:
			path = strings.TrimSuffix(path, "/") + "/" + n.Value
		}
		if !p.spendText(len(path)) {
			return nil
		}
	}
	return scalar("!!str", path, t)
}

// node returns the node of a value, which is Open if it is not a literal.
func (p *program) node(v value) *document.Node {
	if v.literal == nil {
		text := string(p.src.Slice(source.Span{Start: v.tokens[0].At, End: v.tokens[len(v.tokens)-1].End}))
		n := scalar(Open, strings.Join(strings.Fields(text), " "), v.tokens)
		n.Style = document.Plain
		p.guess(v.tokens, n.Span)
		return n
	}
	if !p.spend(values(v.literal)) { // a list that repeats the same nested list grows fast
		return p.node(value{tokens: v.tokens})
	}
	return clone(v.literal)
}

// values returns how many scalars, lists and mappings a tree has.
func values(n *document.Node) int {
	sum := 1
	for _, e := range n.Entries() {
		sum += 1 + values(e.Value)
	}
	for _, item := range n.Items() {
		sum += values(item)
	}
	return sum
}

// clone copies a tree, because a name's value may be used in several places.
func clone(n *document.Node) *document.Node {
	c := *n
	if n.Kind == document.Scalar {
		return &c
	}
	c.SetEntries(nil)
	c.SetItems(nil)
	for _, e := range n.Entries() {
		add(&c, clone(e.Key), clone(e.Value))
	}
	for _, item := range n.Items() {
		attach(&c, clone(item))
	}
	return &c
}

func mapping(t []python.Token) *document.Node {
	n := scalar("!!map", "", t)
	n.Kind, n.Style = document.Mapping, document.Flow
	return n
}

// add adds an entry to a mapping.
func add(n, key, child *document.Node) {
	key.Parent, child.Parent = n, n
	n.AddEntry(key, child)
}
