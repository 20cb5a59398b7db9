package rules

import (
	"bytes"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
)

// slip returns the entry of a name that an expression is nearly equal to, if that entry has the typo and not the
// expression: nothing uses the entry's name, and something else agrees with the expression's.
func (p *Pass) slip(e expression, of *flow.Body, in *document.Node, near string) (entry document.Entry, ok bool) {
	in = in.Resolve()
	entry, ok = in.Entry(near)
	if !ok || of.File != e.body.File || entry.Value.Parent != in || !binding.PortName.Get().MatchString(e.name) || e.uses(p, of, near) > 0 {
		return entry, false
	}
	if p.given(of, near) {
		return entry, false
	}
	return entry, !binding.PortName.Get().MatchString(near) || e.agreed(p, of)
}

// agreed reports whether the name in an expression also occurs beside it, as an option of the command or as the input
// that gets the value, in another expression, or where the component is used.
func (e expression) agreed(p *Pass, of *flow.Body) bool {
	option := optionBefore(e.body.File.Source.Text[:e.At.Start])
	return e.To == e.name || strings.HasPrefix(option+"_", e.name+"_") || e.uses(p, of, e.name) > 1 || p.given(of, e.name)
}

// given reports whether a use of a component gives it an input or output of a name.
func (p *Pass) given(of *flow.Body, name string) bool {
	return slices.ContainsFunc(p.shared.bodies, func(b *flow.Body) bool { return b.Runs == of && (b.Inputs.Has(name) || b.Outputs.Has(name)) })
}

// uses returns how many expressions have the name for an input, output, parameter or job of a body, as the expression
// has another.
func (e expression) uses(p *Pass, of *flow.Body, name string) (n int) {
	count := func(bodies []*flow.Body, root string) {
		root += "." + name
		for _, b := range bodies {
			for _, u := range b.Uses {
				if u.Name == root || strings.HasPrefix(u.Name, root+".") {
					n++
				}
			}
		}
	}
	part := e.root[strings.LastIndexByte(e.root, '.')+1:]
	count(of.Jobs, "parent."+part)
	if part != "jobs" {
		count([]*flow.Body{of}, part)
	}
	for _, b := range p.shared.bodies {
		if (b == of || b.Runs == of) && b.Key != nil && b.Parent != nil {
			count(b.Parent.Jobs, "parent.jobs."+b.Key.Value+"."+part)
		}
	}
	return n
}

// optionBefore returns the name of the option at the end of a text, with underscores, or "".
func optionBefore(text []byte) string {
	before := string(text[bytes.LastIndexByte(text, '\n')+1:])
	before = strings.TrimSuffix(strings.TrimRight(before, "\"' "), "=")
	name, ok := strings.CutPrefix(before[strings.LastIndexAny(before, " \t")+1:], "-")
	if !ok {
		return ""
	}
	return strings.ReplaceAll(strings.TrimPrefix(name, "-"), "-", "_")
}
