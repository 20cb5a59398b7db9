package shell_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestCorpus counts the distinct commands of the v2 corpus that are understood, and compares docs/accuracy.md with the
// count.
func TestCorpus(t *testing.T) {
	all := commands(t, testkit.CorpusV2(t, "projects"))
	left := map[string]int{}
	for _, text := range slices.Sorted(maps.Keys(all)) {
		if why := shell.Read(text).Left; why != "" {
			left[why]++
			t.Logf("%s: %.80q", why, text)
		}
	}
	count := 0
	want := []string{}
	for _, why := range slices.Sorted(maps.Keys(left)) {
		count += left[why]
		want = append(want, fmt.Sprintf("| %s | %d |", why, left[why]))
	}
	page := testkit.Read(t, testkit.Root(t), "docs", "accuracy.md")
	if sum := fmt.Sprintf("of %d commands in the projects, %d are left alone", len(all), count); !strings.Contains(strings.Join(strings.Fields(page), " "), sum) {
		t.Errorf("docs/accuracy.md does not say: %s", sum)
	}
	_, table, _ := strings.Cut(page, "| left alone | commands |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	testkit.Same(t, want, strings.Split(table, "\n"), "docs/accuracy.md lists otherwise")
	if count*20 > len(all) {
		t.Errorf("%d of %d commands are not analyzed", count, len(all))
	}
}

// commands returns the command lines in v2 files.
func commands(t *testing.T, dir string) map[string]bool {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(testkit.Read(t, dir, "verdicts.csv"))).ReadAll()
	testkit.OK(t, err)
	all := map[string]bool{}
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		for _, e := range n.Entries() {
			if e.Key.Value == "command" && e.Value.IsString() {
				all[strings.TrimSpace(e.Value.Value)] = true
			}
			walk(e.Value)
		}
		for _, item := range n.Items() {
			walk(item)
		}
	}
	for _, row := range rows[1:] {
		name := filepath.Join(dir, row[0], filepath.FromSlash(row[1]))
		for _, root := range document.Parse(source.New(name, []byte(testkit.Read(t, name)))).Documents {
			walk(root)
		}
	}
	return all
}
