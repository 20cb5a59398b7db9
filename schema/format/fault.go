package format

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// fault converts what the library found to findings, worded according to the schema and the nodes at that place.
func (v *validation) fault(f literal.Fault) {
	p := v.places[f.Location]
	if p != nil && p.schema == nil && v.kind.v2() {
		return // the key that selected the schema, which does not list it
	}
	if p == nil || p.schema == nil {
		f.Keyword, p = "", v.places[""]
	}
	if v.filledIn(p.value.Resolve()) {
		return
	}
	switch f.Keyword {
	case "type", "pattern":
		if !v.full(RuleType) && !v.lost(p, RuleType) {
			v.wrongType(p)
		}
	case "enum":
		if !v.full(RuleValue) {
			v.wrongValue(p)
		}
	case "required":
		if !v.full(RuleMissingKey) && !v.lost(p, RuleMissingKey) {
			v.missingKeys(p)
		}
	case "additionalProperties":
		if !v.full(RuleUnknownKey) && !v.lost(p, RuleUnknownKey) {
			v.unknownKeys(p)
		}
	default:
		v.report(RuleType, finding.Error, firstKey(v.root),
			"this file could not be checked against its schema: check it for an unusual value, and please report this")
	}
}

// firstKey returns the span of a mapping's first key, or of the mapping itself if it is empty.
func firstKey(mapping *document.Node) source.Span {
	if len(mapping.Entries()) > 0 {
		return mapping.Entries()[0].Key.Span
	}
	return mapping.Span
}

// wrongValue reports a value that is not one of those that the schema lists.
func (v *validation) wrongValue(p *place) {
	n := p.value.Resolve()
	if job := cmp.Or(p.moved("inputs"), p.moved("outputs")); v.named(p.schema, n.Value) || job != nil && annotationOf(job.schema).Check == "spark" && !directish(n) {
		return // the latter is reported by direct
	}
	names, words := enumOf(p.schema).sorted, wanted(p.schema)
	if all := v.dataTypes(p); len(all) > len(names) && (suggest(n.Value, names).word == "" || p.parent.parent.name != "search_space") {
		names, words = all, plain.List(all, "or")
	}
	near := suggest(n.Value, names)
	near.word = cmp.Or(near.word, wholeName(n.Value, names))
	part := near.word == ""
	near.word = cmp.Or(near.word, onlyPart(n.Value, names))
	if word := otherTypeNames()[strings.ToLower(n.Value)]; slices.Contains(names, word) {
		near, part = suggestion{word: word}, false
	}
	cannot := p.subject() + " cannot be " + v.shown(p)
	if v.shown(p) == hiddenValue {
		cannot = p.subject() + " cannot have this value"
	}
	message := fmt.Sprintf("%s: write %s", cannot, words)
	if v.kind.v2() && len(words) > 2*maxShown {
		message = fmt.Sprintf("%s: write one of %d names, such as %s", cannot, len(enumOf(p.schema).listed), enumOf(p.schema).listed[0])
	}
	if now := previewValues()[strings.ToLower(n.Value)]; now != "" && v.kind.v2() {
		message = fmt.Sprintf("%s, which only the previews of 2021 had: %s", cannot, now)
	} else if near.word != "" && near.word != words && !p.secret() {
		message += fmt.Sprintf("; did you mean %s?", near.word)
	}
	f := v.report(RuleValue, finding.Error, spanOf(p.key, p.value), message)
	if v.fileAsType(f, p, n.Value) {
		return
	}
	if strings.HasPrefix(previewValues()[n.Value], "remove") && v.kind.v2() && p.parent.has("component") {
		v.remove(f, p, finding.Unsafe)
	}
	if mounted(p, n.Value) && slices.Contains(names, "ro_mount") {
		v.set(f, p, finding.Text("ro_mount"), finding.Safe)
	}
	switch {
	case near.word == "" || f.Fix != nil:
	case sameFolded(near.word, strings.TrimRight(n.Value, ",;")) && (p.name != "type" || v.named(p.schema, near.word)):
		v.set(f, p, finding.Text(near.word), finding.Safe)
	case !part && !strings.Contains(n.Value, "{{"):
		v.set(f, p, finding.Text(near.word), finding.Unsafe)
	}
	v.relate(f, p)
}

// dataTypes returns the types of all alternatives for an input, an output or a parameter of a search space, sorted, or
// nil.
func (v *validation) dataTypes(p *place) (names []string) {
	if !v.kind.v2() || p.name != "type" || p.parent == nil || p.parent.has("path") || p.parent.parent.free() == nil || p.parent.parent.name != "inputs" && p.parent.parent.name != "outputs" && p.parent.parent.name != "search_space" {
		return nil
	}
	for _, s := range annotationOf(p.parent.parent.free()).Any {
		if s = v.variant(s, p.parent.value); s != nil && s.Properties["type"] != nil {
			names = append(names, enumOf(s.Properties["type"]).listed...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// otherTypeNames maps what other programs call the types of inputs and outputs, and how often a schedule runs, to Azure
// ML's names.
func otherTypeNames() map[string]string {
	return map[string]string{
		"float": "number", "double": "number", "decimal": "number", "text": "string", "enum": "string", "model": "custom_model",
		"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "directory": "uri_folder", "dir": "uri_folder", "dataframe": "mltable", "table": "mltable", "tabular": "mltable",
	}
}

// fileAsType words a finding about a job of a pipeline whose type is the path of its component, and returns whether it
// did.
func (v *validation) fileAsType(f *finding.Finding, p *place, value string) bool {
	in := p.parent
	if ext := filepath.Ext(value); p.name != "type" || ext != ".yml" && ext != ".yaml" || in == nil || in.parent == nil || in.parent.name != "jobs" || in.has("component") {
		return false
	}
	f.Message = `"type" is the kind of job and cannot be a file: write component: ` + shorten(value)
	if v.rename(f, in, entry{name: p.name, key: p.key, value: p.value, shared: p.shared}, "component"); f.Fix != nil {
		f.Fix.Applicability = finding.Unsafe // the component may have another type than command
	}
	return true
}

// missingKeys reports each required key that the mapping at p does not have.
func (v *validation) missingKeys(p *place) {
	mapping := p.value.Resolve()
	for _, name := range p.schema.Required {
		if slices.ContainsFunc(p.entries, func(e entry) bool { return e.name == name }) || v.kind.v2() && (v.strayed(p, name) || p.previewed(name)) {
			continue
		}
		why := annotationOf(p.schema.Properties[name]).Missing
		if only := p.schema.Properties[name]; why == "" && only != nil && len(enumOf(only).sorted) == 1 {
			why = fmt.Sprintf("so Azure ML rejects the file: write %s: %s", name, enumOf(only).sorted[0])
		}
		if why == "" {
			why = "so Azure ML rejects the file: " + v.container(p) + " needs it" + needs(p.schema.Properties[name])
		}
		if near := v.instead(p, name); near.word != "" {
			v.misnamed(p, near, name)
			continue
		}
		i := p.first("type")
		if command := i < 0 || p.entries[i].value.Resolve().Value == "command"; command && name == "component" && (p.has("environment") || p.has("code")) {
			name, why = "command", "so Azure ML does not know what the node runs: write it, or component"
		}
		v.report(RuleMissingKey, finding.Error, firstKey(mapping), fmt.Sprintf("%q is missing, %s", name, why))
	}
}

// needs says which keys a mapping must have, if it must have any.
func needs(s *literal.Schema) string {
	if s = referred(s); s == nil || len(s.Required) == 0 {
		return ""
	}
	return ", with " + plain.List(s.Required, "and") + " under it"
}

// strayed reports whether a missing key, or one that belongs below it, is one level too far out or in, and is reported
// there as an error.
func (v *validation) strayed(p *place, name string) bool {
	if out := p.parent; out != nil && out.schema != nil && out.schema.Properties[name] == nil && out.has(name) &&
		out.schema.Closed && annotationOf(out.schema).Unknown == "" {
		return true
	}
	return slices.ContainsFunc(p.entries, func(e entry) bool {
		if s := v.variant(p.schema.Properties[e.name], e.value); s != nil && e.value.Has(name) {
			return s.Properties[name] == nil && s.Closed && annotationOf(s).Unknown != "passed"
		}
		return p.schema.Properties[e.name] == nil && !slices.Contains(everywhere, e.name) && v.home(p, e.name) == name
	})
}

// unknownNames returns the keys at p that its schema does not have.
func unknownNames(p *place) []string {
	var names []string
	for _, e := range p.entries {
		if p.schema.Properties[e.name] == nil {
			names = append(names, e.name)
		}
	}
	return names
}

// set sets a finding's fix, which writes a scalar at p.
func (v *validation) set(f *finding.Finding, p *place, value finding.Scalar, how finding.Applicability) {
	if p.shared || p.secret() {
		return
	}
	title := fmt.Sprintf("set %s to %s", p.subject(), shorten(value.Text))
	if value.Kind == finding.String {
		title = fmt.Sprintf("set %s to %q", p.subject(), shorten(value.Text))
	}
	f.Fix = &finding.Fix{Title: title, Applicability: how, Changes: []finding.Change{
		{Op: finding.SetScalar, File: v.src.Path, Pointer: p.pointer(), Value: value}}}
}

// relate adds the value that an alias repeats to a finding's related locations.
func (v *validation) relate(f *finding.Finding, p *place) {
	if n := p.value.Resolve(); n != p.value {
		f.Related = []finding.Location{{Source: v.src, Span: spanOf(nil, n), Message: "the alias repeats this value"}}
	}
}
