package fixers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestManyFixes repairs hostile files with thousands of faults: they must be made and proved together, not one by one.
func TestManyFixes(t *testing.T) {
	const n = 1500
	each := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	set := func(f *schema.File, pointer string) finding.Change {
		return finding.Change{Op: finding.SetScalar, File: f.Path, Pointer: pointer, Value: finding.Text("gpu")}
	}
	remove := func(f *schema.File, pointer string) finding.Change {
		return finding.Change{Op: finding.RemoveEntry, File: f.Path, Pointer: pointer}
	}
	for name, c := range map[string]struct {
		text   string
		change func(f *schema.File, pointer string) finding.Change
	}{
		"list":                   {"a:\n" + each("- cpu # %d\n"), set},
		"mapping":                {"a:\n" + each("  k%d: cpu\n"), set},
		"JSON":                   {"{\"a\": [\n" + each("\"cpu\", \"%d\",\n") + "\"x\"]}\n", set},
		"JSON on one line":       {"{\"a\": {" + each("\"k%d\": \"cpu\", ") + "\"x\": 1}}\n", set},
		"items to be removed":    {"a:\n" + each("- cpu\n- x%d\n") + "b: 1\n", remove},
		"entries to be removed":  {"a:\n" + each("  k%[1]d: cpu\n  x%[1]d: 1\n"), remove},
		"removed from one line":  {"{\"a\": [" + each("\"cpu\", \"%d\", ") + "\"x\"]}\n", remove},
		"all are removed":        {"a:\n" + each("- cpu # %d\n") + "b: 1\n", remove},
		"neighbours are removed": {"a:\n" + each("- cpu # %d\n") + "- x\n", remove},
	} {
		t.Run(name, func(t *testing.T) {
			p := load(t, map[string]string{"aml_config/a.compute": c.text})
			wrong := func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
				a := f.Root().Get("a")
				for i, item := range a.Items() {
					if item.Text() == "cpu" {
						report("x/x", "cpu", item.Span, c.change(f, fmt.Sprintf("/a/%d", i)))
					}
				}
				for _, e := range a.Entries() {
					if e.Value.Text() == "cpu" {
						report("x/x", "cpu", e.Value.Span, c.change(f, "/a/"+e.Key.Value))
					}
				}
			}
			var patch *fixers.Patch
			var err error
			took := testkit.Cost(func() { patch, err = fixers.Repair(p, fixers.Options{Recheck: lint(wrong)}) })
			if err != nil || len(patch.Applied) != n || len(patch.Refused) > 0 {
				t.Fatalf("%d applied, %d refused, %v", len(patch.Applied), len(patch.Refused), err)
			}
			// Checking the project again after each fix would take minutes.
			if took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestManyFailing repairs a file in which every tenth fix does not help: these are refused in a few proofs, and all
// others are made.
func TestManyFailing(t *testing.T) {
	const n = 2000
	p := load(t, map[string]string{"aml_config/a.compute": "a:\n" + strings.Repeat("- cpu\n", n)})
	proofs := 0
	recheck := lint(func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
		proofs++
		for i, item := range f.Root().Get("a").Items() {
			change := finding.Change{Op: finding.SetScalar, File: f.Path, Pointer: fmt.Sprintf("/a/%d", i), Value: finding.Text("gpu")}
			if i%10 == 0 {
				report("x/never", fmt.Sprintf("item %d", i), item.Span, change)
			} else if item.Text() == "cpu" {
				report("x/x", "cpu", item.Span, change)
			}
		}
	})
	patch, err := fixers.Repair(p, fixers.Options{Recheck: recheck})
	if err != nil || len(patch.Applied) != n-n/10 || len(patch.Refused) != n/10 {
		t.Errorf("%d applied, %d refused, %v", len(patch.Applied), len(patch.Refused), err)
	}
	if proofs > 40 {
		t.Errorf("the project was checked %d times", proofs)
	}
}
