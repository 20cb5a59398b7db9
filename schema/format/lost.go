package format

import (
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
)

// free returns the schema of the values of a mapping whose keys users choose, such as inputs, tags and jobs, or nil.
func (p *place) free() *literal.Schema {
	if p == nil || p.schema == nil || p.key == nil {
		return nil
	}
	return p.schema.Additional
}

// lost reports an invalid entry of such a mapping of v2 that is there by its indentation only: it is a key of the entry
// above, or one of the mapping around. It returns whether it did, also before.
func (v *validation) lost(p *place, rule string) bool {
	in := p.parent
	if !v.kind.v2() || p.key == nil || in.free() == nil || in.schema.Properties[p.name] != nil {
		return false
	}
	if slices.Contains(v.reported, p.key) {
		return true
	}
	if v.nameless(in) {
		return true
	}
	e := entry{name: p.name, key: p.key, value: p.value, shared: p.shared}
	message := fmt.Sprintf("%s is not one of %s, although it is indented like one: ", quote(p.name), quote(in.name))
	owner, inner := v.above(p)
	out := in.parent
	outer := out != nil && out.schema != nil && out.schema.Properties[p.name] != nil && !out.has(p.name)
	switch {
	case inner && outer && !slices.Contains(everywhere, p.name):
		v.report(rule, finding.Error, p.key.Span, message+fmt.Sprintf("indent it further if it belongs to %s, or write it next to %s", quote(owner.Key.Value), quote(in.name)))
	case inner:
		f := v.report(rule, finding.Error, p.key.Span, message+"it belongs to "+quote(owner.Key.Value)+", so indent it further")
		v.move(f, in, e, &place{parent: in, name: owner.Key.Value, key: owner.Key, value: owner.Value}, "")
	case outer:
		f := v.report(rule, finding.Error, p.key.Span, message+"write it one level further out, next to "+quote(in.name))
		v.move(f, in, e, out, in.name)
	default:
		return false
	}
	v.reported = append(v.reported, p.key)
	return true
}

// above returns the entry above p, or above others that are lost, if it may have p's key and does not have it.
func (v *validation) above(p *place) (owner document.Entry, ok bool) {
	all := p.parent.value.Resolve().Entries()
	for i := indexOf(all, p.key) - 1; i >= 0 && i >= indexOf(all, p.key)-near; i-- {
		at := all[i]
		if at.Value.IsMapping() {
			s := v.variant(p.parent.free(), at.Value)
			return at, !at.Value.Has(p.name) && s != nil && s.Properties[p.name] != nil
		}
		if !mayHave(p.parent.free(), at.Key.Value) {
			break
		}
	}
	return owner, false
}

// chosen says that an unknown key may be an entry of a mapping next to it, or around it, whose keys users choose. It
// returns "" if there is none, or if the value is not such an entry.
func (v *validation) chosen(p *place, e entry) (words string, to *place) {
	all := p.value.Resolve().Entries()
	i := indexOf(all, e.key)
	first := i
	for first > 0 && p.schema.Properties[all[first-1].Key.Value] == nil {
		first--
	}
	if first > 0 && all[first-1].Value.IsNull() && anyName(p.schema.Properties[all[first-1].Key.Value]) {
		return fmt.Sprintf("if it is one of %s, indent it", quote(all[first-1].Key.Value)), nil
	}
	if i > 0 {
		name := all[i-1].Key.Value
		next := &place{schema: p.schema.Properties[name], parent: p, name: name, key: all[i-1].Key, value: all[i-1].Value}
		if next.schema != nil {
			next.schema = v.variant(next.schema, next.value)
		}
		if next.value.IsMapping() && next.free() != nil && alike(e.value, next.value) && v.fits(next.free(), e.value) {
			return fmt.Sprintf("if it is one of %s, indent it", quote(name)), next
		}
	}
	if in := p.parent; in.free() != nil && e.value.IsMapping() && v.fits(in.free(), e.value) {
		return fmt.Sprintf("if it is one of %s, write it one level further out, next to %s", quote(in.name), quote(p.name)), in
	}
	return "", nil
}

// alike reports whether a value is like the entries of a mapping: both are mappings, or neither is.
func alike(value, mapping *document.Node) bool {
	return slices.ContainsFunc(mapping.Resolve().Own(), func(e document.Entry) bool { return e.Value.IsMapping() == value.IsMapping() })
}

// fits reports whether a value may have a schema: a mapping has at least one of its keys, if any are known.
func (v *validation) fits(s *literal.Schema, n *document.Node) bool {
	s = v.variant(s, n)
	return !n.IsMapping() || s == nil || len(s.Properties) == 0 ||
		slices.ContainsFunc(n.Resolve().Own(), func(e document.Entry) bool { return s.Properties[e.Key.Value] != nil })
}

// runs reports whether a value looks like a job.
func runs(n *document.Node) bool {
	return n.IsMapping() && (n.Has("component") || n.Has("command") || n.Has("trial"))
}
