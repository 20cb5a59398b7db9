package fixers_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestPreview(t *testing.T) {
	const text = "type: remotedocker\nimage: cpu  # the image\nport: 1\n"
	copied := false
	copies := func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
		if copied = copied || f.Rel == "aml_config/0.yml"; f.Rel == "aml_config/a.compute" && !copied {
			to := filepath.Join(filepath.Dir(f.Path), "0.yml")
			report("x/copy", "copy it", f.Root().Span, finding.Change{Op: finding.CopyFile, File: to, From: f.Path, Changes: []finding.Change{
				{Op: finding.SetScalar, File: to, Pointer: "/port", Value: finding.Text("22")}}})
		}
	}
	for _, c := range []struct {
		name  string
		rules []rule
		want  []string
	}{
		{"a value and an entry", []rule{becomes("x/image", "image", "cpu", "gpu"), needs("x/nvidia", "image", "nvidia")},
			[]string{`x/image "cpu" → "gpu"`, `x/nvidia "" → "nvidia: true\n"`}},
		{"each alone, though they clash", []rule{becomes("x/a", "image", "cpu", "gpu"), becomes("x/b", "image", "cpu", "new")},
			[]string{`x/a "cpu" → "gpu"`, `x/b "cpu" → "new"`}},
		{"none", []rule{never("x/x", "image", "cpu")}, []string{"x/x: the finding has no fix"}},
		{"one that does not hold", []rule{becomes("x/image", "image", "cpu", "gpu"), never("schema/value", "image", "gpu")},
			[]string{"x/image: a.compute: proof failed at clause (d): schema/value would be reported where it was not before: image must not be gpu"}},
		{"one that creates a file", []rule{copies}, []string{"x/copy \"\" → \"type: remotedocker\\nimage: cpu  # the image\\nport: \\\"22\\\"\\n\""}},
	} {
		p := load(t, map[string]string{"aml_config/a.compute": text})
		recheck := lint(c.rules...)
		preview := fixers.NewPreview(p, fixers.Options{Recheck: recheck})
		var got []string
		for _, f := range recheck(p) {
			files, err := preview.Edits(f)
			if err != nil {
				got = append(got, f.Rule+": "+strings.ReplaceAll(err.Error(), filepath.Dir(f.Source.Path)+string(filepath.Separator), ""))
				continue
			}
			for _, file := range files {
				for _, e := range file.Edits {
					got = append(got, fmt.Sprintf("%s %q → %q", f.Rule, file.Source.Slice(e.Span), e.New))
				}
			}
		}
		testkit.Same(t, c.want, got, c.name)
	}
}

// TestPreviewOfPart checks that a fix is proved with a part of the rules, and with all of them if it seems not to hold.
func TestPreviewOfPart(t *testing.T) {
	image, back := becomes("x/image", "image", "cpu", "gpu"), becomes("x/image", "image", "gpu", "cpu")
	hidden := never("schema/value", "image", "gpu")
	for _, c := range []struct {
		name        string
		part, whole []rule
		err         string
		checks      int // with all rules
	}{
		{"the part is enough", []rule{image}, []rule{image, back}, "", 0},
		{"the whole hides what is in the part", []rule{image, hidden}, []rule{image}, "", 1},
		{"it does not hold", []rule{image, hidden}, []rule{image, hidden}, "schema/value would be reported where it was not before: image must not be gpu", 1},
	} {
		p := load(t, map[string]string{"aml_config/a.compute": "image: cpu\n"})
		checks, asked := 0, ""
		found := lint(image)(p)
		preview := fixers.NewPreview(p, fixers.Options{
			Found:   found,
			Recheck: func(p *schema.Project) []finding.Finding { checks++; return lint(c.whole...)(p) },
			RecheckPart: func(p *schema.Project, rule string) []finding.Finding {
				asked = rule
				return lint(c.part...)(p)
			},
		})
		reason := ""
		if _, err := preview.Edits(found[0]); err != nil {
			reason = fixers.Reason(found[0], err)
		}
		testkit.Same(t, c.err, reason, c.name)
		testkit.Same(t, c.checks, checks, c.name)
		testkit.Same(t, "x/image", asked, c.name)
	}
}

// TestPreviewOfMany checks that no fix is proved where the text and its findings are too many for a report.
func TestPreviewOfMany(t *testing.T) {
	p := load(t, map[string]string{"aml_config/a.compute": "image: cpu\n# " + strings.Repeat("x", 1<<19)})
	recheck := lint(becomes("x/image", "image", "cpu", "gpu"))
	for n, want := range map[int]string{100: "", 10_000: "in a project of this size, no more fixes are worked out alone; amlfix --diff shows all of them"} {
		found := slices.Repeat(recheck(p), n)
		for i := range found {
			found[i].Message += strconv.Itoa(i)
		}
		_, err := fixers.NewPreview(p, fixers.Options{Found: found, Recheck: recheck}).Edits(found[0])
		if got := fmt.Sprint(err); err != nil && got != want || err == nil && want != "" {
			t.Errorf("%d findings: %s", n, got)
		}
	}
}
