package fixers_test

import (
	"fmt"
	"testing"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// lined is a rule whose messages say on which line.
func lined(of rule) rule {
	return func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
		of(f, func(id, message string, span source.Span, changes ...finding.Change) {
			report(id, fmt.Sprintf("%s in line %d", message, f.Source.LineAt(span.Start)), span, changes...)
		})
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

// counts are the numbers of findings; those that vanished are among the repaired ones.
type counts struct{ offered, repaired, uncovered, vanished, refused int }

// TestWhatCanBeRepairedIsRepaired counts what has a fix in the beginning, and holds that as many findings are repaired,
// refused or left in the end; others are said to have come to light.
func TestWhatCanBeRepairedIsRepaired(t *testing.T) {
	for name, tt := range map[string]struct {
		rules []rule
		want  counts
	}{
		"each by its own":          {[]rule{becomes("x/a", "type", "a", "b"), becomes("x/b", "image", "cpu", "gpu")}, counts{2, 2, 0, 0, 0}},
		"the same fix":             {[]rule{becomes("x/a", "image", "cpu", "gpu"), becomes("x/b", "image", "cpu", "gpu")}, counts{2, 2, 0, 0, 0}},
		"its line goes":            {[]rule{removes("x/a", "image"), becomes("x/b", "image", "cpu", "gpu")}, counts{2, 2, 0, 1, 0}},
		"comes up without a line":  {[]rule{removes("x/a", "type"), after("type", "", lined(becomes("x/b", "image", "cpu", "gpu")))}, counts{1, 1, 1, 0, 0}},
		"its message changes":      {[]rule{removes("x/a", "type"), after("image", "cpu", lined(becomes("x/b", "port", "1", "2"))), removes("x/c", "image")}, counts{3, 3, 0, 0, 0}},
		"and it waits for a round": {[]rule{needs("x/a", "type", "a"), needs("x/b", "image", "b"), lined(needs("x/c", "image", "c"))}, counts{3, 3, 0, 0, 0}},
		"and it does not hold":     {[]rule{removes("x/a", "type"), lined(becomes("x/b", "port", "1", "2")), never("schema/value", "port", "2")}, counts{2, 1, 0, 0, 1}},
		"the same, in vain": {[]rule{becomes("x/a", "image", "cpu", "gpu"), becomes("x/b", "image", "cpu", "gpu"), after("image", "gpu", func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
			becomes("x/b", "type", "a", "a")(f, func(id, _ string, span source.Span, changes ...finding.Change) {
				report(id, "image must be gpu", span, changes...)
			})
		})}, counts{2, 1, 0, 0, 1}},
		"another rule comes up":  {[]rule{removes("x/a", "image"), becomes("x/b", "image", "cpu", "gpu"), after("image", "", becomes("x/d", "port", "1", "2"))}, counts{2, 2, 1, 1, 0}},
		"another comes to light": {[]rule{becomes("x/a", "image", "cpu", "gpu"), after("image", "gpu", becomes("x/b", "port", "1", "2"))}, counts{1, 1, 1, 0, 0}},
		"one that does not hold": {[]rule{becomes("x/a", "image", "cpu", "gpu"), becomes("x/b", "port", "1", "2"), never("schema/value", "port", "2")}, counts{2, 1, 0, 0, 1}},
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
		got := counts{offered: offered, refused: len(patch.Refused)}
		for _, a := range append(patch.Applied, patch.Also...) {
			if a.Uncovered {
				got.uncovered++
			} else {
				got.repaired++
			}
			if a.Title == fixers.Vanished {
				got.vanished++
			}
		}
		if got != tt.want {
			t.Errorf("%s: %+v; want %+v\n%+v", name, got, tt.want, patch.Also)
		}
	}
}
