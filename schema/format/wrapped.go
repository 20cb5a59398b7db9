package format

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/secret"
)

// wrapped returns the entry that a single value was meant for where v2 expects a mapping, such as "path: data", or ""
// if that is not clear: the mapping's type, its only path, or the only key that it must have.
func (v *validation) wrapped(p *place, n *document.Node) string {
	if !v.kind.v2() || p.schema == nil || n.Kind != document.Scalar || p.secret() || secret.Contains(n.Value) {
		return ""
	}
	schemas := annotationOf(p.schema).Any
	if len(schemas) == 0 {
		schemas = []*literal.Schema{p.schema}
	}
	word, _, _ := strings.Cut(n.Value, "(") // as in uniform(0, 1)
	paths, needed := map[string]bool{}, map[string]bool{}
	for _, s := range schemas {
		s = v.variant(s, n)
		if s == nil {
			continue
		}
		if t := s.Properties["type"]; t != nil && v.named(t, word) {
			return "type: " + word
		} else if t != nil {
			if whole := wholeName(word, enumOf(t).sorted); whole != "" {
				return "type: " + whole
			}
		}
		for name, one := range s.Properties {
			if !(&Place{kind: v.kind, schema: one}).Fits(n) {
				continue
			}
			if name == "code" && (strings.HasSuffix(n.Value, ".yml") || strings.HasSuffix(n.Value, ".yaml")) {
				continue // a component's file is no folder of code
			}
			isPath := name == "path" || annotationOf(one).Path != "" && s.Properties["path"] == nil || name == "file" && strings.HasSuffix(n.Value, ".py")
			paths[name] = paths[name] || isPath && n.IsString()
			needed[name] = needed[name] || len(s.Required) == 1 && s.Required[0] == name
		}
	}
	for _, keys := range []map[string]bool{paths, needed} {
		maps.DeleteFunc(keys, func(_ string, is bool) bool { return !is })
		if names := slices.Collect(maps.Keys(keys)); len(names) == 1 {
			return names[0] + ": " + shorten(n.Value)
		}
	}
	return ""
}

// Wraps reports whether a mapping where v2 expects a component, or the name of one, only contains that name.
func Wraps(n *document.Node) bool {
	if n = n.Resolve(); !n.IsMapping() || n.Merges() || n.Has("command") || n.Has("jobs") || n.Has("task") || n.Has("entry") {
		return false
	}
	return n.Get("component").IsString() || len(n.Entries()) == 1 && n.Get("path").IsString()
}

// wraps reports a mapping that only contains the name of the component that is expected in its place, with what belongs
// to the job around it. It returns whether it did.
func (v *validation) wraps(p *place, among *literal.Schema) bool {
	if !v.kind.v2() || among == nil || p.key == nil || !Wraps(p.value) || !slices.ContainsFunc(annotationOf(among).Any, func(s *literal.Schema) bool {
		return annotationOf(s).Asset == "components"
	}) {
		return false
	}
	var e document.Entry
	beside := []string{}
	for _, one := range p.value.Resolve().Entries() {
		switch key := one.Key.Value; {
		case key == "component", key == "path" && e.Value == nil:
			e = one
		case slices.Contains([]string{"inputs", "outputs", "compute", "resources", "environment_variables"}, key):
			beside = append(beside, key)
		}
	}
	advice := fmt.Sprintf("%s is the component itself, not a mapping with its name: write %s: %s", quote(p.name), p.name, shorten(e.Value.Text()))
	if len(beside) > 0 {
		advice += fmt.Sprintf(", and %s next to it", strings.Join(beside, " and "))
	}
	f := v.report(RuleType, finding.Error, e.Key.Span, advice)
	if len(p.value.Resolve().Entries()) == 1 && !p.shared && p.value.Kind == document.Mapping {
		v.flatten(f, p.value, e.Value.Text(), finding.Unsafe)
	}
	return true
}

// listed says how to write a mapping with the list that a value is instead of it, as of the values to choose from in a
// search space, or of entries whose keys users choose; "" if that is not clear.
func (v *validation) listed(p *place, n *document.Node) (found string) {
	for _, s := range annotationOf(p.schema).Any {
		s = v.variant(s, n)
		if s == nil || s.Properties["type"] == nil || len(s.Properties["type"].Enum) != 1 {
			continue
		}
		for name, one := range s.Properties {
			if !slices.Equal(one.Types, []string{"array"}) {
				continue
			}
			if found != "" {
				return ""
			}
			found = fmt.Sprintf(": write type: %s, and %s: with the list, on indented lines under it", enumOf(s.Properties["type"]).sorted[0], name)
		}
	}
	for _, s := range append(slices.Clip(annotationOf(p.schema).Any), p.schema) {
		if found == "" && len(n.Items()) > 0 && slices.Contains(s.Types, "object") && len(s.Properties) == 0 {
			return ": write each item as NAME: VALUE, on indented lines under it"
		}
	}
	return found
}
