package archtest

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

var (
	packageName = regexp.MustCompile("`([a-z][a-z0-9]*(?:/[a-z0-9]+)*)`")
	testName    = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z][A-Za-z0-9]*\b`)
)

// TestNamedTests checks that the tests named in the tables of two pages are in a package named in the same row.
func TestNamedTests(t *testing.T) {
	for page, least := range map[string]int{"testing.md": 50, "security.md": 45} {
		named := 0
		for row := range strings.Lines(testkit.Read(t, "../../../docs", page)) {
			if !strings.HasPrefix(row, "|") {
				continue
			}
			var tests strings.Builder
			for _, m := range packageName.FindAllStringSubmatch(row, -1) {
				tests.WriteString(testsOf(t, m[1]))
			}
			for _, name := range testName.FindAllString(row, -1) {
				if named++; !strings.Contains(tests.String(), "\nfunc "+name+"(") {
					t.Errorf("%s: no package of its row has a test %s", page, name)
				}
			}
		}
		if named < least {
			t.Errorf("%s names only %d tests", page, named)
		}
	}
}

// testsOf returns the source of a package's tests.
func testsOf(t *testing.T, folder string) (text string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../../..", folder, "*_test.go"))
	testkit.OK(t, err)
	for _, f := range files {
		text += testkit.Read(t, f)
	}
	return text
}
