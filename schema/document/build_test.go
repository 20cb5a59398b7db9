package document

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDuplicates compares the duplicate keys of mappings with those that a list of all keys shows.
func TestDuplicates(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		var text strings.Builder
		var want []string
		met := map[string]bool{}
		for range 1 + random.IntN(12) {
			key := strings.Repeat("x", random.IntN(4)) + string("acz"[random.IntN(3)]) + strings.Repeat("y", random.IntN(4)) + string("bd"[random.IntN(2)])
			if random.IntN(10) == 0 {
				key = ""
			}
			if met[key] {
				want = append(want, key)
			}
			met[key] = true
			text.WriteString("\"" + key + "\": 1\n")
		}
		var got []string
		src := source.New("a.yml", []byte(text.String()))
		for _, p := range Parse(src).Problems {
			for _, span := range []source.Span{p.Span, p.First} { // each repetition is named like the first
				testkit.Same(t, string(src.Slice(p.Span)), string(src.Slice(span)), text.String())
			}
			if p.Kind == DuplicateKey {
				got = append(got, strings.Trim(string(src.Slice(p.Span)), `"`))
			}
		}
		testkit.Same(t, want, got, text.String())
	}
}

// TestDuplicateOfMerge checks that a key in quotes that is spelled like a merge key is reported, whatever keys are
// beside it.
func TestDuplicateOfMerge(t *testing.T) {
	for _, beside := range []string{"", "  SC: 1\n", "  b: 1\n"} {
		src := source.New("a.yml", []byte("a: &x {y: 1}\nc:\n"+beside+"  <<: *x\n  \"<<\": v\n"))
		problems := Parse(src).Problems
		if len(problems) != 1 || problems[0].Kind != DuplicateKey || string(src.Slice(problems[0].Span)) != `"<<"` {
			t.Errorf("%q: %+v", beside, problems)
		}
	}
}
