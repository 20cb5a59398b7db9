package proof

import (
	"math/rand/v2"
	"testing"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// TestNothingNew checks at random that a comparison finds nothing new where nothingNew says so.
func TestNothingNew(t *testing.T) {
	files := []*source.Source{source.New("f", nil), source.New("g", nil)}
	r := rand.New(rand.NewPCG(5, 8))
	some := func(most int) (list []finding.Finding) {
		for range r.IntN(most) {
			at := finding.Location{Source: files[r.IntN(2)], Span: source.Span{Start: r.IntN(4)}, Message: []string{"a", "b"}[r.IntN(2)]}
			list = append(list, finding.Finding{Rule: []string{"x/x", "yaml/y"}[r.IntN(2)], Location: at})
		}
		return finding.Sort(list)
	}
	said := 0
	for range 100_000 {
		round := Round{Before: some(6), After: some(4), Files: []File{{Path: "f"}}}
		if r.IntN(2) == 0 {
			round.Files[0].Edits = []text.Edit{{Span: source.Span{Start: 1, End: 2}, New: []string{"", "zz"}[r.IntN(2)]}}
		}
		if len(round.Before) == 0 {
			continue
		}
		round.Fixed = []finding.Finding{round.Before[r.IntN(len(round.Before))]}
		if !round.nothingNew(round.moved()) {
			continue
		}
		said++
		if fresh := newComparison(round, round.moved()).fresh; len(fresh) > 0 {
			t.Fatalf("%v: %v are new", round, fresh)
		}
	}
	if said < 10_000 {
		t.Errorf("only %d of the rounds found nothing new", said)
	}
}
