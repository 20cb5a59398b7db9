package proof_test

import (
	"testing"

	"github.com/amlfix/amlfix/fixers/proof"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// TestUncovered names a key that was unknown: what is wrong in its value was so before, and elsewhere it was not.
func TestUncovered(t *testing.T) {
	const old, new = "as: {c: 1}\nd: 2\n", "a: {c: 1}\nd: 2\n"
	before, after := source.New("f", []byte(old)), source.New("f", []byte(new))
	for _, c := range []struct {
		name, rule string
		fresh      finding.Finding
		edits      []text.Edit
		refused    bool
	}{
		{"in the value", "schema/unknown-key", at(after, "schema/type", finding.Error, 4, "c"), nil, false},
		{"of the same rule", "schema/unknown-key", at(after, "schema/unknown-key", finding.Error, 4, "c"), nil, false},
		{"beside it", "schema/unknown-key", at(after, "schema/type", finding.Error, 10, "d"), nil, true},
		{"the whole value", "schema/unknown-key", finding.Finding{Rule: "schema/type", Severity: finding.Error,
			Location: finding.Location{Source: after, Span: source.Span{Start: 3, End: 9}}}, nil, true},
		{"of a key that was known", "ref/input", at(after, "schema/type", finding.Error, 4, "c"), nil, true},
		{"in a value that changed", "schema/unknown-key", at(after, "schema/type", finding.Error, 4, "c"),
			[]text.Edit{{Span: source.Span{Start: 8, End: 9}, New: "1"}}, true},
	} {
		fixed := at(before, c.rule, finding.Error, 0, "as")
		fixed.Fix = &finding.Fix{Changes: []finding.Change{{Op: finding.RenameKey, File: "f", Pointer: "/as", Key: "a"}}}
		err := proof.Recheck(proof.Round{
			Fixed: []finding.Finding{fixed}, Before: []finding.Finding{fixed}, After: []finding.Finding{c.fresh},
			Files: []proof.File{{Path: "f", Old: []byte(old), New: []byte(new),
				Edits: append([]text.Edit{{Span: source.Span{Start: 1, End: 2}}}, c.edits...)}},
			Fixable: func(finding.Finding) bool { return true },
		})
		if (err != nil) != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
