package rules_test

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// beyondRow matches a row of docs/accuracy.md about errors that the Azure ML client does not report: the project and
// the file, the lines, the rule, and the reason.
var beyondRow = regexp.MustCompile("(?m)^\\| `(v2-[0-9a-f]{12}/[^`:*]+):([0-9, ]+)` \\| `([a-z-]+/[a-z-]+)` \\| (.{20,}) \\|$")

// TestBeyondTheClient checks that docs/accuracy.md lists every error in a file of the corpus that the Azure ML client
// accepts, and no others.
func TestBeyondTheClient(t *testing.T) {
	page := testkit.Read(t, testkit.Root(t), "docs", "accuracy.md")
	var want []string
	for _, part := range strings.Split(page, "\n\n") {
		rows := beyondRow.FindAllStringSubmatch(part, -1)
		if len(rows) > 20 {
			t.Errorf("a table has %d rows", len(rows))
		}
		for _, row := range rows {
			for line := range strings.SplitSeq(row[2], ", ") {
				want = append(want, row[1]+":"+line+" "+row[3])
			}
		}
	}
	got := beyondTheClient(t, testkit.CorpusV2(t, "projects"))
	if len(got) == 0 {
		t.Fatal("no errors found")
	}
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-page +found): %s", d)
	}
}

// beyondTheClient returns the errors in the files that the client accepts.
func beyondTheClient(t *testing.T, projects string) (found []string) {
	t.Helper()
	projects, err := filepath.EvalSymlinks(projects) // the paths that findings use
	testkit.OK(t, err)
	lines, err := csv.NewReader(strings.NewReader(testkit.Read(t, projects, "verdicts.csv"))).ReadAll()
	testkit.OK(t, err)
	files := map[string]map[string]bool{} // by repository
	for _, l := range lines[1:] {
		if l[4] != "accepted" {
			continue
		}
		if files[l[0]] == nil {
			files[l[0]] = map[string]bool{}
		}
		files[l[0]][filepath.Join(projects, l[0], filepath.FromSlash(l[1]))] = true
	}
	for repository, accepted := range files {
		home := filepath.Join(projects, repository)
		roots, err := schema.Discover([]string{home})
		testkit.OK(t, err)
		met := map[string]bool{} // a file can belong to several projects
		for _, root := range roots {
			for _, f := range rules.Check(schema.Load(root, schema.Options{})) {
				rel, err := filepath.Rel(home, f.Source.Path)
				testkit.OK(t, err)
				at := fmt.Sprintf("v2-%s/%s:%d %s", short(repository), filepath.ToSlash(rel), f.Source.Position(f.Span.Start).Line, f.Rule)
				if f.Severity == finding.Error && accepted[f.Source.Path] && !met[at] {
					met[at] = true
					found = append(found, at)
				}
			}
		}
	}
	return found
}
