package migrate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestUnsearched checks that skipped files are listed, and that nothing is listed if everything was searched.
func TestUnsearched(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"all searched": {map[string]string{"small.yml": "a: b\n"}, nil},
		"large files": {map[string]string{"data/large.py": strings.Repeat("a = 1\n", 200_000), "large.yml": strings.Repeat("a: b\n", 250_000), "data.csv": strings.Repeat("1,2\n", 300_000)},
			[]string{"- data/large.py: not readable, or larger than 1 MB", "- large.yml: not readable, or larger than 1 MB"}},
		"many files": {many(2010), []string{"- 12 files after the first 2000"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := trackedProject(t, "print(1)\n")
			for file, text := range tt.files {
				testkit.Write(t, dir, file, text)
			}
			_, files := migrateTracked(t, dir, "v2", false)
			_, section, _ := strings.Cut(files[account.Report], "\n## Not searched\n")
			section, _, _ = strings.Cut(section, "\n## ")
			var got []string
			for line := range strings.Lines(section) {
				if strings.HasPrefix(line, "- ") {
					got = append(got, strings.TrimSpace(line))
				}
			}
			testkit.Same(t, tt.want, got)
		})
	}
}

func many(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("many/m%04d.sh", i)] = "echo\n"
	}
	return files
}
