package built

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// registration finds the call that registers a dataset.
func (b *program) registration(o *object) (c python.Call, ok bool) {
	for _, r := range b.registering() {
		if !b.spend(1) {
			return c, false
		}
		if on := b.subject(r, o); on != nil && on.tokens[0].At == o.tokens[0].At {
			return python.CallAt(r.at.Tokens, r.place+1)
		}
	}
	return c, false
}

// subject returns what a call registers, which may be o, or nil if it is not known.
func (b *program) subject(r registrar, o *object) (on *object) {
	t, i := r.at.Tokens, r.place
	if t[i-2].Kind == python.Name && (i < 3 || t[i-3].Text != ".") {
		on = b.before(t[i-2].Text, t[i].At)
	} else if t[i-2].End == o.tokens[len(o.tokens)-1].End {
		on = o
	}
	if on == nil || on.base != nil || len(on.tokens) == 0 {
		return nil
	}
	return on
}

// alone reports whether a dataset, outside of loops, is the only one that the program registers under a name, and is
// registered under no other: branches may register others.
func (b *program) alone(o *object, name value) bool {
	at := b.statement(o.tokens[0].At)
	if name.text() == nil || slices.ContainsFunc(at.Blocks, func(s *python.Statement) bool { return s.First() == "for" || s.First() == "while" }) {
		return false
	}
	for _, r := range b.registering() {
		c, _ := python.CallAt(r.at.Tokens, r.place+1)
		on := b.subject(r, o)
		unsure := on == nil && r.at.Tokens[r.place-2].Text == at.Tokens[0].Text
		is := on != nil && on.tokens[0].At == o.tokens[0].At
		if !b.spend(1) || unsure || is != (b.eval(argument(c, "name", 1), 0).text().Text() == name.text().Value) {
			return false
		}
	}
	return true
}

// registrar is a place where the program calls a method register, register_on_complete or publish.
type registrar struct {
	at    *python.Statement
	place int // of the method's name among its tokens
}

// registering returns all these places.
func (b *program) registering() []registrar {
	if b.registrars != nil {
		return b.registrars
	}
	b.registrars = []registrar{}
	for _, s := range b.all {
		t := s.Tokens
		for i := 2; i+1 < len(t) && b.spend(1); i++ {
			if t[i+1].Text == "(" && t[i-1].Text == "." && slices.Contains([]string{"register", "register_on_complete", "publish"}, t[i].Text) {
				b.registrars = append(b.registrars, registrar{s, i})
			}
		}
	}
	return b.registrars
}

// registeredAs returns the name under which the program registers a dataset.
func (b *program) registeredAs(o *object) (name value) {
	if c, ok := b.registration(o); ok {
		name = b.arg(c, "name", 1)
	}
	return name
}

// sameData returns the registered dataset that all of some settings of a name stand for, or nothing. Most programs look
// it up, and register it if there is none.
func (b *program) sameData(list []setting, depth int) (v value) {
	var known, in value
	var made *object
	for _, s := range list {
		called, ws, from := b.dataName(s.tokens, depth)
		switch text := called.text(); {
		case text == nil || ws.absent() || known.literal != nil && known.literal.Value != text.Value:
			return v
		case known.literal != nil && b.workspace(in.tokens) != b.workspace(ws.tokens):
			return v
		case from != nil && made != nil && from.tokens[0].At != made.tokens[0].At:
			return v // the same name for other data
		}
		known, in, made = called, ws, cmp.Or(from, made)
	}
	if made != nil && !b.alone(made, known) {
		return v
	}
	name := map[string][]python.Token{"name": known.tokens}
	return value{object: &object{class: "Dataset", method: "get_by_name", call: python.Call{Keywords: name}, tokens: list[0].tokens}, tokens: list[0].tokens}
}

// dataName returns the name of a registered dataset and its workspace, absent if they are not certain, and what the
// program registers, or nil if it looks it up.
func (b *program) dataName(t []python.Token, depth int) (called, ws value, made *object) {
	var c python.Call
	known := false
	if len(t) > 3 && t[1].Text == "." && t[2].Text == "register" { // d = d.register(…)
		c, known = python.CallAt(t, 3)
		made = b.before(t[0].Text, t[0].At)
		known = known && c.End == len(t)-1 && made != nil && made.base == nil && strings.HasPrefix(made.class, "Dataset")
	} else if o := b.eval(t, depth).object; o != nil {
		switch start, steps := steady(o); {
		case len(steps) == 2 && start.class == "Workspace":
			if at := slices.IndexFunc(t, func(t python.Token) bool { return t.Text == "datasets" }); at > 1 {
				called, ws.tokens = b.eval(registered(steps, "datasets"), depth), t[:at-1]
			}
			return called, ws, nil
		case len(steps) == 1 && steps[0].name == "register" && steps[0].call != nil && strings.HasPrefix(start.method, "from_"):
			c, known, made = *steps[0].call, true, start
		case len(steps) > 0:
		case start.method == "get_by_name" && argument(start.call, "version", 2) == nil:
			c, known = start.call, true
		case strings.HasPrefix(start.method, "from_"):
			c, known = b.registration(start)
			made = start
		}
	}
	if !known {
		return called, ws, nil
	}
	return b.eval(argument(c, "name", 1), depth), value{tokens: argument(c, "workspace", 0)}, made
}
