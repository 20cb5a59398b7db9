package lsp

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// bound returns the input or output that an expression at a byte offset names, or that is declared there.
func (p place) bound(offset int) (t thing, ok bool) {
	all := flow.Read(p.project.result.Project)
	for _, b := range all {
		if b.File != p.file {
			continue
		}
		for _, group := range groups {
			if group.of(b).Node.Resolve() == nil {
				continue
			}
			for _, e := range group.of(b).Node.Resolve().Entries() {
				one := group.named(all, b, e)
				if e.Key == p.node || slices.ContainsFunc(one.uses, func(l location) bool { return l.path == p.file.Path && holds(l.at, offset) }) {
					return one, true
				}
			}
		}
	}
	return t, false
}

// group is one of the lists of names in a job or component.
type group struct {
	prefix string // in expressions
	of     func(*flow.Body) flow.Names
}

var groups = []group{
	{"inputs.", func(b *flow.Body) flow.Names { return b.Inputs }},
	{"outputs.", func(b *flow.Body) flow.Names { return b.Outputs }},
	{"search_space.", func(b *flow.Body) flow.Names { return b.Space }},
}

// named returns an input or output with everything that names it: expressions, and the component that declares it with
// all pipelines that run the component.
func (g group) named(all []*flow.Body, b *flow.Body, e document.Entry) thing {
	name := e.Key.Value
	t := thing{kind: "input", home: location{b.File.Path, e.Key.Inner()}, elsewhere: b.Elsewhere}
	take := func(of *flow.Body, full string) {
		for _, use := range of.Uses {
			if use.Name == full {
				text := of.File.Source.Text[use.At.Start:use.At.End]
				if i := strings.LastIndex(string(text), name); i >= 0 {
					start := use.At.Start + i
					t.uses = append(t.uses, location{of.File.Path, source.Span{Start: start, End: start + len(name)}})
				}
			}
		}
	}
	if b.Runs != nil {
		b = b.Runs
	}
	for _, one := range all {
		if one != b && (one.Runs != b || one.Runs == nil) {
			continue
		}
		if other, ok := g.of(one).Node.Entry(name); ok && one != b {
			t.uses = append(t.uses, location{one.File.Path, other.Key.Inner()})
		} else if ok {
			t.home = location{one.File.Path, other.Key.Inner()}
		}
		t.beside = append(t.beside, g.of(one))
		take(one, g.prefix+name)
		for _, child := range one.Jobs {
			take(child, "parent."+g.prefix+name)
		}
		if one.Parent != nil {
			full := "parent.jobs." + one.Key.Value + "." + g.prefix + name
			take(one.Parent, full)
			for _, child := range one.Parent.Jobs {
				take(child, full)
			}
		}
	}
	return t
}
