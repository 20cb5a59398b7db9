package format

import (
	"fmt"
	"maps"
	"slices"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
)

// otherType reports a "type" whose keys a file does not have, while it has those of another type, and nothing else: one
// wrong word would make a finding of each key.
func (v *validation) otherType(s *literal.Schema) bool {
	e, given := v.root.Entry("type")
	a := v.byType(s)
	if a == nil || !given || e.Value.Kind != document.Scalar {
		return false
	}
	picked := a.pick(v.root)
	own := v.variant(picked, v.root)
	misses := func(s *literal.Schema) bool {
		return slices.ContainsFunc(v.root.Entries(), func(e document.Entry) bool { return s.Properties[e.Key.Value] == nil })
	}
	if own == nil || picked == a.Variants[""] || !misses(own) || v.misfit(own, v.root) < 2*unknownCost {
		return false
	}
	names := slices.Sorted(maps.Keys(a.Variants))
	i := slices.IndexFunc(names, func(name string) bool {
		s := v.variant(a.Variants[name], v.root)
		return name != "" && s != nil && !misses(s) && v.misfit(s, v.root) == wrongNameCost // that of the type itself
	})
	if i < 0 {
		return false
	}
	right := names[i]
	is := annotationOf(v.variant(a.Variants[right], v.root)).Is
	if is == "" || is == annotationOf(v.variant(own, v.root)).Is {
		return false
	}
	f := v.report(RuleValue, finding.Error, e.Value.Span, fmt.Sprintf("\"type\" is %s, but the other keys are those of %s, so Azure ML rejects the file: write type: %s", shorten(e.Value.Value), article(is), right))
	if e.Value.Anchor() != "" {
		return true // something else repeats it
	}
	f.Fix = &finding.Fix{Title: "write type: " + right, Applicability: finding.Unsafe, Changes: []finding.Change{
		{Op: finding.SetScalar, File: v.src.Path, Pointer: "/type", Value: finding.Text(right)}}}
	return true
}

// byType returns the annotation of a schema that the type of a mapping selects from, or nil.
func (v *validation) byType(s *literal.Schema) *annotation {
	for s != nil && v.root.Kind == document.Mapping {
		a := annotationOf(s)
		if a.Variants != nil {
			if a.By != "type" {
				return nil
			}
			return a
		}
		next := v.resolver.step(s, v.root)
		if next == nil || next == s {
			return nil
		}
		s = next
	}
	return nil
}
