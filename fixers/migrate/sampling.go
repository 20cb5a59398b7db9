package migrate

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// sampled reads how parameters are sampled, and from which space.
func (m *Migration) sampled(j *Job, t tree) {
	f := j.Sweep.File
	sampling := f.Root().Get("sampling").Resolve()
	kind := sampling.Get("type")
	choices := []string{"random", "grid", "bayesian"}
	name := ""
	if plainText(kind) {
		name = strings.ToLower(kind.Resolve().Value)
	}
	if slices.Contains(choices, name) {
		t.put("sampling", kind, text(name, kind))
	} else {
		answer, open := m.Decide(&account.Question{ID: "sampling", Scope: j.Name, Ask: "How does the sweep choose parameters?", Choices: choices,
			Why: account.Name(f.Rel) + " contains no sampling method that HyperDrive supported"})
		m.Ledger.Decide(j.Name, "`sampling_algorithm`", "sampling", schema.FieldAt(f, sampling, "type"))
		if !open {
			n := text(answer, sampling)
			t.root.AddEntry(text("sampling", n), n)
		}
	}
	if list := sampling.Get("parameter_space").Resolve(); list.IsSequence() {
		if space := m.space(list); space != nil {
			t.root.AddEntry(text("space", list), space)
			return
		}
	}
	m.Ledger.Decide(j.Name, "`search_space`", "search-space", schema.FieldAt(f, sampling, "parameter_space"))
}

// space returns the parameters with their distributions, or nil if one of them is not known, because an incomplete
// space is a different sweep.
func (m *Migration) space(list *document.Node) *document.Node {
	space := document.NewMapping(list.Span)
	for _, item := range list.Items() {
		name, drawn := m.drawn(item.Resolve())
		if drawn == nil || space.Get(name) != nil {
			return nil
		}
		space.AddEntry(text(name, item), drawn)
	}
	return space
}

// drawn returns the name of a parameter and its distribution with v2's keys, or nil if HyperDrive would have rejected
// it.
func (m *Migration) drawn(item *document.Node) (name string, drawn *document.Node) {
	key, expression, values := item.Get("name"), item.Get("expression"), item.Get("values")
	if !plainText(key) || !plainText(expression) || built.Arguments(expression.Resolve().Value) == nil || !values.Resolve().IsSequence() {
		return "", nil
	}
	kind, given := expression.Resolve().Value, values.Resolve().Items()
	drawn = document.NewMapping(item.Span)
	add := func(key string, n *document.Node) {
		drawn.AddEntry(text(key, item), n)
	}
	add("type", text(kind, expression))
	if kind == "choice" {
		if len(given) == 1 && given[0].Resolve().IsSequence() {
			given = given[0].Resolve().Items()
		}
		list := document.NewSequence(values.Span)
		for _, v := range given {
			if v = v.Resolve(); v.Kind != document.Scalar || v.IsNull() || open(v) {
				return "", nil
			}
			list.AddItem(v)
		}
		add("values", list)
	} else {
		names := built.Arguments(kind)
		if len(names) != len(given) {
			return "", nil
		}
		for i, v := range given {
			v = v.Resolve()
			if !built.IsNumber(v, kind == "randint") {
				return "", nil
			}
			add(names[i], v)
		}
	}
	if len(given) == 0 {
		return "", nil
	}
	m.Ledger.Stands(drawn, key, expression, values)
	return key.Resolve().Value, drawn
}
