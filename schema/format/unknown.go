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

func (v *validation) unknownKey(p *place, e entry, known []string) {
	if n := e.value.Resolve(); e.name == "environment_variables" && annotationOf(p.schema).Is == "command component" && !n.IsNull() && n.Kind != document.Mapping {
		v.report(RuleType, finding.Error, spanOf(e.key, n), `"environment_variables" must be a mapping, and a component's has no effect: write it in the job that runs the component`)
		return
	}
	if v.oddKey(p, e) || v.unnested(p, e) || v.misplaced(p, e) {
		return
	}
	message := fmt.Sprintf("%s is not a key of %s, %s", quote(e.name), v.container(p), v.effect(p))
	say := func(words string) *finding.Finding {
		return v.report(RuleUnknownKey, v.unknownSeverity(p), e.key.Span, message+words)
	}
	if where := v.elsewhere(p, e.name); where != "" {
		say(": " + where)
		return
	}
	near := suggest(e.name, known)
	if v.kind.v2() {
		if older := p.older(e.name); near.distance > 1 && older.word != "" {
			near = older // vm_size is not shm_size
		}
		if near.word != "" && !fits(p, near.word, e.name) {
			near = suggestion{}
		}
		if listsVariables(p, e) {
			near = p.older("env_vars")
		}
		if near.word == "file" && p.schema.Properties["pattern"] != nil && strings.Contains(e.value.Text(), "*") {
			near.word = "pattern" // of a table: a file has no "*"
		}
		if words := preview(p, e.name); words != "" && near.distance != 1 {
			f := say(": " + words)
			if p.declares() {
				v.given(f, p)
			} else if v.renameUnknown(f, p, e, p.older(e.name)); f.Fix == nil {
				v.outdated(f, p, e, words)
			}
			return
		}
		if words := p.phrase(e.name); words != "" && near.word == "" && p.older(e.name).word == "" {
			say(": " + words)
			return
		}
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
		f := say(": " + words)
		if to != nil {
			v.move(f, p, e, to, p.name)
		}
		if f.Fix != nil {
			f.Fix.Applicability = finding.Unsafe
		}
	} else if !passed {
		v.renameUnknown(say(v.hint(p, near, known)), p, e, near)
	}
}

// listsVariables reports whether an entry is what Docker and Kubernetes call env, and not short for environment.
func listsVariables(p *place, e entry) bool {
	n := e.value.Resolve()
	list := n.Entries()
	return e.name == "env" && (e.value.IsSequence() || n.Kind == document.Mapping && (len(list) == 0 || !mayHave(p.schema.Properties["environment"], list[0].Key.Value)))
}

// renameUnknown sets the fix of an unknown key that a known one resembles.
func (v *validation) renameUnknown(f *finding.Finding, p *place, e entry, near suggestion) {
	switch {
	case near.word == "" || p.has(near.word) || e.shared:
	case near.distance == 1 && near.unique:
		v.rename(f, p, e, near.word)
	case v.kind.v2() && near.distance == len(near.word) && v.misfit(p.schema.Properties[near.word], e.value) == 0: // of older or abbreviated
		if v.rename(f, p, e, near.word); f.Fix != nil {
			f.Fix.Applicability = finding.Unsafe // its values may be others
		}
	}
}

// oddKey reports an unknown key that no other key of the mapping explains: one of another type of target, one with
// no-break spaces before it, or one of a conda environment.
func (v *validation) oddKey(p *place, e entry) bool {
	if other := v.otherTypes(p, e.name); other != "" {
		v.report(RuleUnknownKey, finding.Warning, e.key.Span,
			fmt.Sprintf("%s has no effect on %s: only %s", quote(e.name), v.container(p), other))
		return true
	}
	if strings.HasPrefix(e.name, "\u00a0") {
		v.report(RuleUnknownKey, finding.Error, e.key.Span, "the spaces before this key are no-break spaces (U+00A0), as copied from a web page, so YAML takes them for a part of the key: write ordinary ones")
		return true
	}
	if v.condaInEnvironment(p, e.name) {
		v.report(RuleUnknownKey, v.unknownSeverity(p), e.key.Span, fmt.Sprintf(
			"%s is not a key of %s: it belongs to a conda environment; put it under conda_file, or in the file that conda_file refers to", quote(e.name), v.container(p)))
		return true
	}
	return false
}

// hint says what to write instead of an unknown key that resembles near, if anything.
func (v *validation) hint(p *place, near suggestion, known []string) string {
	switch {
	case near.word != "" && p.has(near.word):
		return fmt.Sprintf("; %q, which it resembles, also exists", near.word)
	case near.word != "":
		return fmt.Sprintf(": did you mean %q?", near.word)
	case v.kind == Conda && p.parent != nil:
		return ": a conda package is one string, such as python=3.5.2, and only pip has a list"
	case len(known) == 1 && v.kind.v2():
		return ": its only key is " + known[0]
	case len(known) > 0 && len(known) <= maxListed && (!v.kind.v2() || len(strings.Join(known, ", ")) <= maxShown):
		return ": its keys are " + plain.List(known, "and")
	default:
		return ": remove it, or correct its name"
	}
}

// unknownSeverity returns Warning if the file's parser ignores unknown keys, and Error if it rejects the file.
func (v *validation) unknownSeverity(p *place) finding.Severity {
	unknown := annotationOf(p.schema).Unknown
	if v.kind.v2() && unknown == "" || unknown == "rejected" || v.kind == Compose || v.kind == Kubernetes {
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
