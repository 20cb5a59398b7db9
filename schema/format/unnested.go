package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/finding"
)

// unnested reports an unknown key of v2 that an expression shows to be an input or output with the wrong indentation,
// and returns whether it did.
func (v *validation) unnested(p *place, e entry) bool {
	if !v.kind.v2() {
		return false
	}
	for _, group := range []string{"inputs", "outputs"} {
		in, i, passed := p.parent, p.first(group), annotationOf(p.schema).Unknown == "passed"
		switch {
		case i >= 0 && (v.uses(p, group, e.name) || passed && boundTo(e, group)):
			severity, why := finding.Error, "an expression uses it as one of the "+group
			if passed {
				severity, why = finding.Warning, "its value is that of one of the "+group
			}
			f := v.report(RuleUnknownKey, severity, e.key.Span, fmt.Sprintf("%s is not a key of %s, and %s: write it under %q, indented",
				quote(e.name), v.container(p), why, group))
			if !p.entries[i].shared {
				v.move(f, p, e, &place{parent: p, name: group, key: p.entries[i].key, value: p.entries[i].value}, "")
			}
		case p.key != nil && in != nil && in.parent != nil && in.name == group && v.uses(in.parent, group, e.name):
			f := v.report(RuleUnknownKey, finding.Error, e.key.Span, fmt.Sprintf(
				"%s is not a key of %s, and an expression uses it as one of the %s: write it one level further out, next to %s", quote(e.name), v.container(p), group, quote(p.name)))
			v.move(f, p, e, in, p.name)
		default:
			continue
		}
		return true
	}
	return false
}

// uses reports whether an expression in the text of a job or component, or one elsewhere that names the job, names one
// of its inputs or outputs.
func (v *validation) uses(p *place, group, name string) bool {
	name = p.portName(group, name)
	at, span := v.used()[name], p.value.Resolve().Span
	i, _ := slices.BinarySearch(at, span.Start)
	return i < len(at) && at[i] < span.End || len(v.used()["parent.jobs."+p.name+"."+name]) > 0
}

// portName returns the name that expressions in a job or component have for one of its inputs or outputs.
func (p *place) portName(group, name string) string {
	if p.has("jobs") {
		return "parent." + group + "." + name
	}
	return group + "." + name
}

// used returns where the expressions in the text begin, by name.
func (v *validation) used() map[string][]int {
	if v.expressions == nil {
		v.expressions = map[string][]int{}
		for _, e := range binding.Parse(string(v.src.Text)) {
			v.expressions[e.Name] = append(v.expressions[e.Name], e.Span.Start)
		}
	}
	return v.expressions
}

// boundTo reports whether a value is what a step gives for one of its inputs, or an output of its pipeline.
func boundTo(e entry, group string) bool {
	name, ok := binding.Whole(e.value.Text())
	return ok && strings.HasPrefix(name, "parent.") && strings.HasPrefix(name, "parent.outputs.") == (group == "outputs")
}
