package v2_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/internal/filetest"
	"github.com/amlfix/amlfix/fixers/migrate"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestCounts counts the open decisions in migrations of the real projects, and compares them with docs/migration.md.
//
//testkit:norace
func TestCounts(t *testing.T) {
	t.Parallel()
	made := filetest.Projects(t)
	projects, jobs, environments, decided, open, without := 0, 0, 0, 0, 0, 0
	ids := map[string]int{}
	for _, root := range made {
		p := schema.Load(root, schema.Options{})
		if len(p.RunConfigurations()) == 0 {
			continue
		}
		m, err := migrate.New(p, v2.Emitter{}, migrate.Options{Out: filepath.Join(root.Dir, "azureml")})
		testkit.OK(t, err)
		projects++
		jobs += len(m.Jobs)
		environments += len(m.Conda)
		decided += len(m.Decisions)
		open += len(m.Open())
		if len(m.Open()) == 0 {
			without++
		}
		for _, id := range slices.Compact(openIDs(m)) {
			ids[id]++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| what | number |\n|---|---|\n| projects | %d |\n| jobs | %d |\n| conda files written | %d |\n| decisions | %d, %.1f a project |\n| of these open | %d, %.1f a project |\n| projects with nothing open | %d |\n",
		projects, jobs, environments, decided, float64(decided)/float64(projects), open, float64(open)/float64(projects), without)
	b.WriteString("\n| open decision | projects |\n|---|---|\n")
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		fmt.Fprintf(&b, "| `%s` | %d |\n", id, ids[id])
	}
	t.Log("\n" + b.String())
	if page := testkit.Read(t, testkit.Root(t), "docs", "migration.md"); !strings.Contains(page, b.String()) {
		t.Errorf("docs/migration.md has other counts; these are right:\n%s", b.String())
	}
}

// openIDs returns the ids of the open decisions, with all those about packages, data and secrets as one each.
func openIDs(m *migrate.Migration) (list []string) {
	for _, d := range m.Open() {
		id := d.ID
		for _, group := range []string{"package-", "data-", "secret-", "environment-"} {
			if strings.HasPrefix(id, group) {
				id = group + "…"
			}
		}
		list = append(list, id)
	}
	slices.Sort(list)
	return list
}
