package format

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// misnamed reports a key that is similar to a missing required key, as one fault at the key.
func (v *validation) misnamed(p *place, near suggestion, wanted string) {
	i := slices.IndexFunc(p.entries, func(e entry) bool { return e.name == near.word })
	e := p.entries[i]
	f := v.report(RuleUnknownKey, finding.Error, e.key.Span, fmt.Sprintf("%s is not a key of %s, which needs the key %q: did you mean that?",
		quote(e.name), v.container(p), wanted))
	if near.distance == 1 && near.unique {
		v.rename(f, p, e, wanted)
	}
}

// instead returns the unknown key that is in place of a required one: a typo of it or, in v2, SDK v1's name for it or a
// part of its name.
func (v *validation) instead(p *place, name string) suggestion {
	unknown := unknownNames(p)
	if near := suggest(name, unknown); near.word != "" && fits(p, name, near.word) {
		return near
	}
	if !v.kind.v2() {
		return suggestion{}
	}
	known := slices.Sorted(maps.Keys(p.schema.Properties))
	for _, other := range unknown {
		if suggest(other, known).word == "" && preview(p, other) == "" && v.home(p, other) == "" && (p.older(other).word == name || p.abbreviated(other, known).word == name) {
			return suggestion{word: other, distance: len(name)}
		}
	}
	return suggestion{}
}

// typos returns the unknown keys that misnamed reports.
func (v *validation) typos(p *place) (names []string) {
	for _, name := range p.schema.Required {
		if p.has(name) {
			continue
		}
		if near := v.instead(p, name).word; near != "" {
			names = append(names, near)
		}
	}
	return names
}

// fits reports whether the value of an unknown key may be valid for a known one: a key with a mapping is not a typo of
// one with text, or with other keys only.
func fits(p *place, name, unknown string) bool {
	i := slices.IndexFunc(p.entries, func(e entry) bool { return e.name == unknown })
	s := p.schema.Properties[name]
	if i < 0 || !p.entries[i].value.IsMapping() || s == nil {
		return true
	}
	if s = referred(s); len(s.Properties) == 0 {
		return len(s.Types) == 0 || slices.Contains(s.Types, "object")
	}
	below := p.entries[i].value.Resolve().Entries()
	return len(below) == 0 || slices.ContainsFunc(below, func(e document.Entry) bool { return mayHave(s, e.Key.Value) })
}

// rename sets a finding's fix, which renames a key.
func (v *validation) rename(f *finding.Finding, p *place, e entry, name string) {
	if p.shared || e.shared {
		return
	}
	child := place{parent: p, name: e.name, key: e.key}
	f.Fix = &finding.Fix{Title: fmt.Sprintf("rename %q to %q", shorten(e.name), name), Applicability: finding.Safe,
		Changes: []finding.Change{{Op: finding.RenameKey, File: v.src.Path, Pointer: child.pointer(), Key: name}}}
}

// abbreviated returns the only key that a name is a part of, as desc of description and algorithm of
// sampling_algorithm, or that begins with it, as timeout_minutes with timeout, if the mapping does not have it yet.
func (p *place) abbreviated(name string, known []string) (near suggestion) {
	if begin := slices.DeleteFunc(slices.Clone(known), func(key string) bool { return !strings.HasPrefix(key, name+"_") }); len(begin) == 1 {
		known = begin
	}
	for _, key := range known {
		switch {
		case !isPart(name, key) || p.has(key) || !fits(p, key, name):
		case near.word != "" && strings.HasPrefix(key, near.word+"_"):
		case near.word != "":
			return suggestion{}
		default:
			near = suggestion{word: key, distance: len(key)}
		}
	}
	return near
}

// resembling returns the only key that resembles a name, if the mapping does not have it yet.
func (p *place) resembling(name string, known []string) (near suggestion) {
	alike := slices.DeleteFunc(slices.Clone(known), func(key string) bool { return !Resembles(name, key) || p.has(key) || !fits(p, key, name) })
	if len(alike) != 1 {
		return suggestion{}
	}
	return suggestion{word: alike[0], distance: len(name)}
}
