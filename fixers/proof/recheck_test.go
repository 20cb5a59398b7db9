package proof_test

import (
	"errors"
	"testing"

	"github.com/amlfix/amlfix/fixers/proof"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// at returns a finding at an offset of a file.
func at(src *source.Source, rule string, severity finding.Severity, offset int, message string) finding.Finding {
	return finding.Finding{Rule: rule, Severity: severity, Location: finding.Location{Source: src, Span: source.Span{Start: offset, End: offset + 1}, Message: message}}
}

func TestRecheck(t *testing.T) {
	const old, new = "a: x\nb: x\n", "a: zz\nb: x\n"
	before, after, other := source.New("f", []byte(old)), source.New("f", []byte(new)), source.New("g", nil)
	copied := source.New("h", []byte(old))
	set := finding.Change{Op: finding.SetScalar, File: "f", Pointer: "/a", Value: finding.Text("zz")}
	fixed := at(before, "x/x", finding.Error, 3, "bad a")
	fixed.Fix = &finding.Fix{Changes: []finding.Change{set}}
	same := fixed
	same.Rule, same.Source, same.Span.Start = "y/y", after, 3
	remove := at(after, "y/y", finding.Error, 3, "bad a")
	remove.Fix = &finding.Fix{Changes: []finding.Change{{Op: finding.RemoveEntry, File: "f", Pointer: "/a"}}}

	for _, c := range []struct {
		name          string
		before, after []finding.Finding
		old           string
		clause        string
		finding       int
	}{
		{"gone", nil, nil, old, "", 0},
		{"still there", nil, []finding.Finding{at(after, "x/x", finding.Error, 3, "bad a")}, old, proof.Repaired, 0},
		{"still there, in other words", nil, []finding.Finding{at(after, "x/x", finding.Error, 3, "bad a: zz")}, old, proof.Repaired, 0},
		{"moved elsewhere", nil, []finding.Finding{at(after, "x/x", finding.Error, 9, "bad a")}, old, proof.Repaired, 0},
		{"the same rule elsewhere", nil, []finding.Finding{at(after, "x/x", finding.Info, 9, "bad b")}, old, proof.Repaired, -1},
		{"the same rule in another file", nil, []finding.Finding{at(other, "x/x", finding.Info, 0, "bad")}, old, proof.Repaired, -1},
		{"one that was there, moved along", []finding.Finding{at(before, "x/x", finding.Error, 8, "bad b")}, []finding.Finding{at(after, "x/x", finding.Error, 9, "bad b")}, old, "", 0},
		{"one that was there, in other words", []finding.Finding{at(before, "x/x", finding.Error, 8, "bad b")}, []finding.Finding{at(after, "x/x", finding.Error, 9, "b is bad")}, old, "", 0},
		{"one that was there, elsewhere", []finding.Finding{at(before, "x/x", finding.Error, 8, "bad b")}, []finding.Finding{at(after, "x/x", finding.Error, 0, "bad b")}, old, "", 0},
		{"one that was there, twice now", []finding.Finding{at(before, "x/x", finding.Error, 8, "bad b")},
			[]finding.Finding{at(after, "x/x", finding.Error, 9, "bad b"), at(after, "x/x", finding.Error, 0, "bad b")}, old, proof.Repaired, -1},
		{"a closer match is not used up", []finding.Finding{at(before, "x/x", finding.Error, 8, "bad b"), at(before, "x/x", finding.Error, 5, "bad b")},
			[]finding.Finding{at(after, "x/x", finding.Error, 0, "bad b"), at(after, "x/x", finding.Error, 9, "bad b")}, old, "", 0},
		{"one that was there, twice elsewhere", []finding.Finding{at(before, "x/x", finding.Error, 8, "bad b")},
			[]finding.Finding{at(after, "x/x", finding.Error, 0, "bad b"), at(after, "x/x", finding.Error, 5, "bad b")}, old, proof.Repaired, -1},
		{"one that was there, in other words and elsewhere", []finding.Finding{at(before, "x/x", finding.Error, 8, "bad b")},
			[]finding.Finding{at(after, "x/x", finding.Error, 0, "bad b"), at(after, "x/x", finding.Error, 9, "b is bad")}, old, proof.Repaired, -1},
		{"one that was there, and in a copy", []finding.Finding{at(before, "x/x", finding.Error, 8, "bad b")},
			[]finding.Finding{at(after, "x/x", finding.Error, 9, "bad b"), at(copied, "x/x", finding.Error, 8, "bad b")}, old, "", 0},
		{"one in a copy alone", nil, []finding.Finding{at(copied, "x/x", finding.Error, 8, "bad b")}, old, proof.Repaired, -1},
		{"a schema error", nil, []finding.Finding{at(after, "schema/value", finding.Error, 3, "zz")}, old, proof.Repaired, -1},
		{"a YAML error", nil, []finding.Finding{at(after, "yaml/duplicate-key", finding.Error, 3, "zz")}, old, proof.Repaired, -1},
		{"a schema warning", nil, []finding.Finding{at(after, "schema/unknown-key", finding.Warning, 3, "zz")}, old, "", 0},
		{"an error of another rule", nil, []finding.Finding{at(after, "y/y", finding.Error, 3, "zz")}, old, "", 0},
		{"what a broken file hid", nil, []finding.Finding{at(after, "schema/value", finding.Error, 3, "zz")}, "a: \"\n", "", 0},
		{"another fault of a broken file", nil, []finding.Finding{at(after, "yaml/syntax", finding.Error, 3, "zz")}, "a: \"\n", proof.Repaired, -1},
		{"the same change planned again", nil, []finding.Finding{same}, old, proof.Settled, 0},
		{"another change planned", nil, []finding.Finding{remove}, old, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := proof.Recheck(proof.Round{
				Fixed:  []finding.Finding{fixed},
				Before: append([]finding.Finding{fixed}, c.before...),
				After:  c.after,
				Files: []proof.File{
					{Path: "f", Old: []byte(c.old), New: []byte(new), Edits: []text.Edit{{Span: source.Span{Start: 3, End: 4}, New: "zz"}}},
					{Path: "h", From: "f", Old: []byte(old), New: []byte(old)},
				},
				Fixable: func(finding.Finding) bool { return true },
			})
			var failed *proof.Error
			switch {
			case c.clause == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.clause != "" && (!errors.As(err, &failed) || failed.Clause != c.clause || first(failed.Findings) != c.finding):
				t.Errorf("%v (%+v), want clause (%s) and finding %d", err, failed, c.clause, c.finding)
			}
		})
	}
}

// first returns the first of some findings, -1 without one.
func first(findings []int) int {
	if len(findings) == 0 {
		return -1
	}
	return findings[0]
}
