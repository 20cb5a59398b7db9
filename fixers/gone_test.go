package fixers_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// worded is becomes with a message that says on which line.
func worded(id, key, from, to string) rule {
	return func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
		if n := f.Root().Get(key); n != nil && n.Text() == from {
			line := f.Source.LineAt(n.Span.Start)
			report(id, fmt.Sprintf("%s must be %s in line %d", key, to, line), n.Span, finding.Change{Op: finding.SetScalar, File: f.Path, Pointer: n.Pointer(), Value: finding.Text(to)})
		}
	}
}

// after makes a rule wait until a key has a value.
func after(key, value string, then rule) rule {
	return func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
		if f.Root().Get(key).Text() == value {
			then(f, report)
		}
	}
}

// removes is a rule that wants a key to go.
func removes(id, key string) rule {
	return func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
		if n := f.Root().Get(key); n != nil {
			report(id, key+" must go", n.Span, finding.Change{Op: finding.RemoveEntry, File: f.Path, Pointer: n.Pointer()})
		}
	}
}

// TestWhatCanBeRepairedIsRepaired counts what has a fix in the beginning, and holds that as many findings are repaired,
// refused or left in the end; others are said to have come to light.
func TestWhatCanBeRepairedIsRepaired(t *testing.T) {
	for name, tt := range map[string]struct {
		rules                                 []rule
		offered, repaired, uncovered, refused int
	}{
		"each by its own":         {[]rule{becomes("x/a", "type", "a", "b"), becomes("x/b", "image", "cpu", "gpu")}, 2, 2, 0, 0},
		"the same fix":            {[]rule{becomes("x/a", "image", "cpu", "gpu"), becomes("x/b", "image", "cpu", "gpu")}, 2, 2, 0, 0},
		"its line goes":           {[]rule{removes("x/a", "image"), becomes("x/b", "image", "cpu", "gpu")}, 2, 2, 0, 0},
		"comes up without a line": {[]rule{removes("x/a", "type"), after("type", "", worded("x/b", "image", "cpu", "gpu"))}, 1, 1, 1, 0},
		"its message changes":     {[]rule{removes("x/a", "type"), after("image", "cpu", worded("x/b", "port", "1", "2")), removes("x/c", "image")}, 3, 3, 0, 0},
		"another comes to light":  {[]rule{becomes("x/a", "image", "cpu", "gpu"), after("image", "gpu", becomes("x/b", "port", "1", "2"))}, 1, 1, 1, 0},
		"one that does not hold":  {[]rule{becomes("x/a", "image", "cpu", "gpu"), becomes("x/b", "port", "1", "2"), never("schema/value", "port", "2")}, 2, 1, 0, 1},
	} {
		p := load(t, map[string]string{"aml_config/a.compute": "type: a\nimage: cpu\nport: 1\n"})
		recheck := lint(tt.rules...)
		offered := 0
		for _, f := range recheck(p) {
			if f.Fix != nil {
				offered++
			}
		}
		patch, err := fixers.Repair(p, fixers.Options{Recheck: recheck})
		testkit.OK(t, err)
		got := map[bool]int{}
		for _, a := range append(patch.Applied, patch.Also...) {
			got[a.Uncovered]++
		}
		if d := cmp.Diff([]int{tt.offered, tt.repaired, tt.uncovered, tt.refused}, []int{offered, got[false], got[true], len(patch.Refused)}); d != "" {
			t.Errorf("%s: offered, repaired, uncovered, refused (-want +got):\n%s\n%+v", name, d, patch.Also)
		}
	}
}
