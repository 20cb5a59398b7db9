package format

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// maxListed is the maximum number of allowed keys in a message.
const maxListed = 8

// unknownKeys reports each key of the mapping at p that its schema does not have.
func (v *validation) unknownKeys(p *place) {
	known := slices.Sorted(maps.Keys(p.schema.Properties))
	typos := v.typos(p)
	for _, e := range p.entries {
		if p.schema.Properties[e.name] == nil && !slices.Contains(typos, e.name) && !v.full(RuleUnknownKey) {
			v.unknownKey(p, e, known)
			if p.declares() {
				return
			}
		}
	}
}

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
	below := p.entries[i].value.Resolve().Entries
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

func (v *validation) unknownKey(p *place, e entry, known []string) {
	if other := v.otherTypes(p, e.name); other != "" {
		v.report(RuleUnknownKey, finding.Warning, e.key.Span,
			fmt.Sprintf("%s has no effect on %s: only %s", quote(e.name), v.container(p), other))
		return
	}
	if strings.HasPrefix(e.name, "\u00a0") {
		v.report(RuleUnknownKey, finding.Error, e.key.Span, "the spaces before this key are no-break spaces (U+00A0), as copied from a web page, so YAML takes them for a part of the key: write ordinary ones")
		return
	}
	message := fmt.Sprintf("%s is not a key of %s, %s", quote(e.name), v.container(p), v.effect(p))
	if v.condaInEnvironment(p, e.name) {
		v.report(RuleUnknownKey, v.unknownSeverity(p), e.key.Span, fmt.Sprintf(
			"%s is not a key of %s: it belongs to a conda environment; put it under conda_file, or in the file that conda_file refers to", quote(e.name), v.container(p)))
		return
	}
	if v.unnested(p, e) || v.misplaced(p, e) {
		return
	}
	if where := v.elsewhere(p, e.name); where != "" {
		v.report(RuleUnknownKey, v.unknownSeverity(p), e.key.Span, message+": "+where)
		return
	}
	near := suggest(e.name, known)
	if near.word != "" && v.kind.v2() && !fits(p, near.word, e.name) {
		near = suggestion{}
	}
	if words := preview(p, e.name); words != "" && v.kind.v2() && near.distance != 1 {
		f := v.report(RuleUnknownKey, v.unknownSeverity(p), e.key.Span, message+": "+words)
		if p.declares() {
			v.given(f, p)
		}
		return
	}
	if words := p.phrase(e.name); words != "" && v.kind.v2() && near.word == "" && p.older(e.name).word == "" {
		v.report(RuleUnknownKey, v.unknownSeverity(p), e.key.Span, message+": "+words)
		return
	}
	passed := near.word == "" && annotationOf(p.schema).Unknown == "passed"
	if passed {
		near = p.resembling(e.name, known)
		passed = near.word == ""
	}
	if passed && !runs(e.value) {
		return // the service may accept it
	}
	if near.word == "" && v.kind.v2() {
		if near = p.older(e.name); near.word == "" {
			near = p.abbreviated(e.name, known)
		}
	}
	if words, to := v.chosen(p, e); near.word == "" && v.kind.v2() && words != "" {
		f := v.report(RuleUnknownKey, v.unknownSeverity(p), e.key.Span, message+": "+words)
		if to != nil {
			v.move(f, p, e, to, p.name)
		}
		if f.Fix != nil {
			f.Fix.Applicability = finding.Unsafe
		}
		return
	}
	if passed {
		return
	}
	present := near.word != "" && p.has(near.word)
	switch {
	case present:
		message += fmt.Sprintf("; %q, which it resembles, also exists", near.word)
	case near.word != "":
		message += fmt.Sprintf(": did you mean %q?", near.word)
	case v.kind == Conda && p.parent != nil:
		message += ": a conda package is one string, such as python=3.5.2, and only pip has a list"
	case len(known) == 1 && v.kind.v2():
		message += ": its only key is " + known[0]
	case len(known) > 0 && len(known) <= maxListed && (!v.kind.v2() || len(strings.Join(known, ", ")) <= maxShown):
		message += ": its keys are " + plain.List(known, "and")
	default:
		message += ": remove it, or correct its name"
	}
	f := v.report(RuleUnknownKey, v.unknownSeverity(p), e.key.Span, message)
	switch {
	case near.word == "" || present || e.shared:
	case near.distance == 1 && near.unique:
		v.rename(f, p, e, near.word)
	case v.kind.v2() && near == p.older(e.name):
		if v.rename(f, p, e, near.word); f.Fix != nil {
			f.Fix.Applicability = finding.Unsafe // its values may be others
		}
	}
}

// unknownSeverity returns Warning if the file's parser ignores unknown keys, and Error if it rejects the file.
func (v *validation) unknownSeverity(p *place) finding.Severity {
	if v.kind.v2() && annotationOf(p.schema).Unknown == "" || v.kind == Compose || v.kind == Kubernetes {
		return finding.Error
	}
	return finding.Warning
}

// otherTypes says which other types of compute targets than p's have a key, or returns "".
func (v *validation) otherTypes(p *place, name string) string {
	if v.kind != Compute || p.parent != nil {
		return ""
	}
	var types []string
	for _, t := range computeTypes {
		if t.schema.Get().Properties[name] != nil {
			types = append(types, t.name)
		}
	}
	switch {
	case len(types) > 0:
		return plain.List(types, "and") + " targets use it"
	case untypedSchema.Get().Properties[name] != nil:
		return "files of the 2017 pre-release, without a \"type\", use it"
	}
	return ""
}

// container returns the name of the mapping at p for a message about one of its keys.
func (v *validation) container(p *place) string {
	if path := p.path(); path != "" {
		return fmt.Sprintf("%q", path)
	}
	if is := annotationOf(p.schema).Is; is != "" {
		return "an Azure ML v2 " + is
	}
	switch v.kind {
	case Compute:
		if name := v.root.Get("type").Text(); name != "" && p.schema != otherSchema.Get() {
			return fmt.Sprintf("a %s target", name)
		}
		return "a compute target"
	case WorkbenchRunConfig:
		return "a Workbench run configuration"
	case SDKRunConfig:
		return "an SDK v1 run configuration"
	case SDKEnvironment:
		return "an SDK v1 environment file"
	case Conda:
		return "a conda environment file"
	case Settings:
		return "amlfix's settings"
	case Baseline:
		return "a baseline"
	case Compose:
		return "a Compose file"
	case Kubernetes:
		return "a Kubernetes manifest"
	default:
		if v.kind.v2() {
			return "this file"
		}
		return "a Spark dependencies file"
	}
}

// effect says what the file's parser does with an unknown key.
func (v *validation) effect(p *place) string {
	switch annotationOf(p.schema).Unknown {
	case "dropped":
		return "and Azure ML ignores it silently"
	case "passed":
		return "and Azure ML does not support it"
	}
	switch v.kind {
	case SDKRunConfig, SDKEnvironment:
		return "and the SDK ignores it silently"
	case Conda:
		return "and conda does not support it"
	case Compose, Kubernetes:
		return "and amlfix never writes it"
	default: // it depends on the service
	}
	if v.kind.v2() {
		return "so Azure ML rejects the file"
	}
	return "so it has no effect"
}

// article returns a word with "a" or "an" before it.
func article(word string) string {
	if strings.ContainsRune("aeiouAEIO", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}
