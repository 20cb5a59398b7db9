package rules_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// row is one reviewed line of testdata/accuracy.csv: how many findings of a rule a project of the corpus has, and the
// verdict of a person who looked at each of them. The corpus must not get into the repository, so a project is
// identified by a hash of its name.
type row struct {
	project, rule, severity string
	count                   int
	verdict, reason         string
}

func (r row) key() string { return r.project + " " + r.rule + " " + r.severity }

// TestAccuracy compares every error and warning on the corpora with the reviewed rows. No flag writes them: look at a
// new finding, then fix the rule or add a row with a reason by hand.
func TestAccuracy(t *testing.T) {
	t.Parallel()
	compareReviewed(t, "accuracy.csv", newestProjects, olderFiles)
}

// TestAccuracyV2 does the same for the v2 projects. With -update it prints the rows that nobody has reviewed, but does
// not write them.
//
//testkit:norace
func TestAccuracyV2(t *testing.T) { compareReviewed(t, "accuracy-v2.csv", judgedV2) }

func compareReviewed(t *testing.T, name string, parts ...func(*testing.T, map[string]row)) {
	t.Helper()
	got := map[string]row{}
	for _, part := range parts {
		part(t, got)
	}
	want := map[string]row{}
	for _, r := range reviewed(t, name) {
		r.count += want[r.key()].count // one row per verdict
		want[r.key()] = r
	}
	if *update {
		for _, key := range sortedKeys(got) {
			if g := got[key]; g.count != want[key].count {
				t.Logf("%s,%s,%s,%d,JUDGE,REASON", g.project, g.rule, g.severity, g.count)
			}
		}
		return
	}
	for _, key := range sortedKeys(got, want) {
		if got[key].count != want[key].count {
			t.Errorf("%s: %d findings, %d reviewed; look at them, then write: %s,%s,%s,%d,right,REASON",
				key, got[key].count, want[key].count, got[key].project, got[key].rule, got[key].severity, got[key].count)
		}
	}
}

func sortedKeys(maps ...map[string]row) (keys []string) {
	for _, m := range maps {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// reviewed reads the rows and checks that each has a verdict and a reason.
func reviewed(t *testing.T, name string) (rows []row) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	testkit.OK(t, err)
	defer func() { _ = f.Close() }() // only read from
	lines, err := csv.NewReader(f).ReadAll()
	testkit.OK(t, err)
	for _, l := range lines[1:] {
		n, err := strconv.Atoi(l[3])
		if err != nil || !slices.Contains([]string{"right", "wrong", "copy"}, l[4]) || len(l[5]) < 10 {
			t.Errorf("row %v: needs a count, the verdict right, wrong or copy, and a reason", l)
		}
		rows = append(rows, row{l[0], l[1], l[2], n, l[4], l[5]})
	}
	return rows
}

func newestProjects(t *testing.T, got map[string]row) {
	for _, dir := range testkit.Glob(t, testkit.Corpus(t, "projects"), "*") {
		roots, err := schema.Discover([]string{dir})
		testkit.OK(t, err)
		for _, root := range roots {
			tally(t, got, "p-"+short(filepath.Base(dir)), rules.Check(schema.Load(root, schema.Options{})), func(string) bool { return true })
		}
	}
}

// olderFiles checks single files from the projects' histories. The files that they refer to are missing, so only rules
// that look at one file count.
func olderFiles(t *testing.T, got map[string]row) {
	names := testkit.Glob(t, testkit.Corpus(t, "history"), "*")
	oneFile := func(rule string) bool {
		group, _, _ := strings.Cut(rule, "/")
		return slices.Contains([]string{"yaml", "schema", "conda", "image", "secret", "cluster"}, group)
	}
	for _, name := range names {
		text := []byte(testkit.Read(t, name))
		parts := strings.Split(filepath.Base(name), "__")
		dir := t.TempDir()
		testkit.Write(t, dir, "aml_config/"+parts[len(parts)-1], text)
		roots, err := schema.Discover([]string{dir})
		testkit.OK(t, err)
		for _, root := range roots {
			tally(t, got, "h-"+short(parts[0]), rules.Check(schema.Load(root, schema.Options{})), oneFile)
		}
	}
}

func short(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:6])
}

func tally(t *testing.T, got map[string]row, project string, list []finding.Finding, counts func(rule string) bool) {
	t.Helper()
	for _, f := range list {
		if f.Severity == finding.Info || !counts(f.Rule) {
			continue
		}
		r := row{project: project, rule: f.Rule, severity: f.Severity.String()}
		r.count = got[r.key()].count + 1
		got[r.key()] = r
		if testing.Verbose() {
			at := f.Source.Position(f.Span.Start)
			t.Logf("%s %s:%d: %s: %s", project, filepath.Base(f.Source.Path), at.Line, f.Rule, f.Message)
		}
	}
}

// TestAccuracyPage checks that docs/accuracy.md shows the totals of the reviewed rows.
func TestAccuracyPage(t *testing.T) {
	page := testkit.Read(t, "..", "docs", "accuracy.md")
	older, v2, found := strings.Cut(page, "\n## Azure ML v2\n")
	if !found {
		t.Fatal("docs/accuracy.md has no part about v2")
	}
	pageShows(t, older, "accuracy.csv")
	if rate := pageShows(t, v2, "accuracy-v2.csv"); rate < 0.98 {
		t.Errorf("%.1f%% of the findings in projects of v2 are right", 100*rate)
	}
}

// pageShows checks that a section of the page has a line for each rule, and returns the rate of correct findings.
func pageShows(t *testing.T, page, rows string) (rate float64) {
	t.Helper()
	type sum struct{ right, all int }
	sums := map[string]sum{}
	var total sum
	for _, r := range reviewed(t, rows) {
		if r.verdict == "copy" {
			continue // true only of the copy, which lacks files of the repository
		}
		s := sums[r.rule]
		s.all += r.count
		if r.verdict == "right" {
			s.right += r.count
		}
		sums[r.rule] = s
	}
	var names []string
	for name, s := range sums {
		names = append(names, name)
		total.right += s.right
		total.all += s.all
	}
	slices.SortFunc(names, cmp.Compare[string])
	for _, name := range names {
		line := fmt.Sprintf("| `%s` | %d | %d |", name, sums[name].right, sums[name].all)
		if !strings.Contains(page, line) {
			t.Errorf("docs/accuracy.md lacks the line %s", line)
		}
	}
	return float64(total.right) / float64(total.all)
}
