package format

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
)

// everywhere are keys that so many mappings have that they show nothing.
var everywhere = []string{"name", "type", "path", "description", "tags", "properties", "version", "mode", "value", "id", "display_name"}

// misplaced reports an unknown key of v2 or SDK v1 that belongs one level further out, or in a mapping next to it, and
// returns whether it did.
func (v *validation) misplaced(p *place, e entry) bool {
	if !v.kind.v2() && v.kind != SDKRunConfig && v.kind != SDKEnvironment || annotationOf(p.schema).Unknown == "passed" {
		return false
	}
	if out := p.parent; out != nil && out.schema != nil && out.schema.Properties[e.name] != nil && !out.has(e.name) && p.key != nil && v.fits(out.schema.Properties[e.name], e.value) {
		f := v.report(RuleUnknownKey, v.unknownSeverity(p), e.key.Span, fmt.Sprintf(
			"%s is not a key of %s, %s: write it one level further out, next to %s", quote(e.name), v.container(p), v.effect(p), quote(p.name)))
		v.move(f, p, e, out, p.name)
		return true
	}
	if slices.Contains(everywhere, e.name) {
		return false
	}
	inner := v.home(p, e.name)
	if inner == "" {
		return v.beside(p, e)
	}
	f := v.report(RuleUnknownKey, v.unknownSeverity(p), e.key.Span, fmt.Sprintf(
		"%s is not a key of %s, %s: write it under %s, indented", quote(e.name), v.container(p), v.effect(p), quote(inner)))
	i := p.first(inner)
	if i >= 0 && !p.entries[i].shared {
		v.move(f, p, e, &place{schema: p.schema.Properties[inner], parent: p, name: inner, key: p.entries[i].key, value: p.entries[i].value}, "")
	}
	return true
}

// beside reports an unknown key that belongs in the mapping of a key next to p's, and returns whether it did.
func (v *validation) beside(p *place, e entry) bool {
	out := p.parent
	if out == nil || out.schema == nil || p.key == nil {
		return false
	}
	next := v.home(out, e.name)
	if next == "" || next == p.name || suggest(e.name, slices.Collect(maps.Keys(p.schema.Properties))).word != "" {
		return false
	}
	f := v.report(RuleUnknownKey, v.unknownSeverity(p), e.key.Span, fmt.Sprintf(
		"%s is not a key of %s, %s: write it under %s, next to %s", quote(e.name), v.container(p), v.effect(p), quote(next), quote(p.name)))
	if i := out.first(next); i >= 0 && !out.entries[i].shared {
		v.move(f, p, e, &place{schema: out.schema.Properties[next], parent: out, name: next, key: out.entries[i].key, value: out.entries[i].value}, "")
		if f.Fix != nil {
			f.Fix.Applicability = finding.Unsafe // what is ignored so far then counts
		}
	}
	return true
}

// home returns the only key of p's mapping whose value may have a key with that name, or "" if there is not exactly
// one. A key without a value may have any that its schema has.
func (v *validation) home(p *place, name string) (home string) {
	for _, key := range slices.Sorted(maps.Keys(p.schema.Properties)) {
		i := p.first(key)
		var has bool
		if i >= 0 && !p.entries[i].value.IsNull() {
			s := v.variant(p.schema.Properties[key], p.entries[i].value)
			has = s != nil && s.Properties[name] != nil && p.entries[i].value.IsMapping() && !p.entries[i].value.Has(name)
		} else {
			has = mayHave(p.schema.Properties[key], name) && (!p.has(name) || !isPart(name, key) || !fits(p, key, name)) // else short for it
		}
		if has && home != "" {
			return ""
		}
		if has {
			home = key
		}
	}
	return home
}

// unindented returns the key after p's, which has no value, if it belongs to that value and not to the mapping around
// it: its line should be indented.
func (p *place) unindented() string {
	if p.key == nil || p.parent == nil || p.parent.schema == nil {
		return ""
	}
	all := p.parent.value.Resolve().Entries()
	i := indexOf(all, p.key) + 1
	if i == 0 || i == len(all) || !p.owns(all[i]) {
		return ""
	}
	return all[i].Key.Value
}

// owns reports whether an entry next to p's is one that only p's value may have.
func (p *place) owns(e document.Entry) bool {
	known := p.parent.schema.Properties
	return known[e.Key.Value] == nil && (mayHave(p.schema, e.Key.Value) || anyName(known[p.name]) && suggest(e.Key.Value, slices.Sorted(maps.Keys(known))).word == "")
}

// anyName reports whether a schema allows a mapping whose keys users choose.
func anyName(s *literal.Schema) bool {
	s = referred(s)
	return s != nil && (s.Additional != nil && len(s.Properties) == 0 || slices.ContainsFunc(annotationOf(s).Any, anyName))
}

// mayHave reports whether a schema allows a mapping with a key of that name.
func mayHave(s *literal.Schema, name string) bool {
	s = referred(s)
	return s != nil && (s.Properties[name] != nil || slices.ContainsFunc(annotationOf(s).Any, func(s *literal.Schema) bool { return mayHave(s, name) }))
}

// move sets a finding's fix, which moves an entry to another mapping: by its indentation if it is next to its place, or
// else, for a scalar, by its value.
func (v *validation) move(f *finding.Finding, p *place, e entry, to *place, after string) {
	n, target := e.value, to.value.Resolve()
	if s := v.variant(to.schema, to.value); s != nil && v.misfit(s.Properties[e.name], n) > 0 {
		return // another finding would take the place of this one
	}
	if p.shared || e.shared || to.shared || n.Anchor() != "" || target != to.value || target.Style == document.Flow ||
		p.value.Resolve().Style == document.Flow || len(p.entries) < 2 || len(target.Entries()) == 0 {
		return
	}
	if changes := v.shift(p, e, to); changes != nil {
		f.Fix = &finding.Fix{Title: fmt.Sprintf("indent %q where it belongs", shorten(e.name)), Applicability: finding.Safe, Changes: changes}
		return
	}
	line := v.src.Line(v.src.LineAt(n.Span.Start))
	if n.Kind != document.Scalar || n.Span.End > line.End || len(bytes.TrimSpace(v.src.Text[n.Span.End:line.End])) > 0 {
		return // a comment would be left behind
	}
	var value finding.Scalar
	switch {
	case n.IsString():
		value = finding.Text(n.Value)
	case n.Tag() == "!!int" && canonicalInt(n.Value):
		value = finding.Scalar{Kind: finding.Int, Text: n.Value}
	case n.Value == "true" || n.Value == "false":
		value = finding.Scalar{Kind: finding.Bool, Text: n.Value}
	default:
		return
	}
	child := place{parent: p, name: e.name, key: e.key}
	f.Fix = &finding.Fix{Title: fmt.Sprintf("move %q to where it belongs", shorten(e.name)), Applicability: finding.Safe, Changes: []finding.Change{
		{Op: finding.RemoveEntry, File: v.src.Path, Pointer: child.pointer()},
		{Op: finding.InsertEntry, File: v.src.Path, Pointer: to.pointer(), Key: e.name, Value: value, After: after}}}
}
