package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNamedTests holds that the tests which the tables of two pages name exist.
func TestNamedTests(t *testing.T) {
	for page, least := range map[string]int{"testing.md": 50, "security.md": 45} {
		text, err := os.ReadFile("../../../docs/" + page)
		testkit.OK(t, err)
		list := ReadNamedTests(string(text))
		if len(list) < least {
			t.Errorf("%s names only %d tests", page, len(list))
		}
		testsExist(t, list)
	}
}

func testsExist(t *testing.T, list []NamedTest) {
	t.Helper()
	sources := map[string]string{}
	for _, n := range list {
		if _, read := sources[n.Package]; !read {
			sources[n.Package] = testsOf(t, n.Package)
		}
		if n.Package == "" || !strings.Contains(sources[n.Package], "\nfunc "+n.Test+"(") {
			t.Errorf("there is no test %s in package %q", n.Test, n.Package)
		}
	}
}

// testsOf is the text of a package's tests.
func testsOf(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../../..", filepath.FromSlash(folder), "*_test.go"))
	testkit.OK(t, err)
	var b strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		testkit.OK(t, err)
		b.Write(text)
	}
	return b.String()
}

func TestReadNamedTests(t *testing.T) {
	got := ReadNamedTests("TestNoRow\n\n| event | test |\n|---|---|\n| stop, `docker stop` | `a` TestOne, TestTwo; `b/c` and `d` TestThree of `e` |\n| TestNowhere |\n")
	want := []NamedTest{{"a", "TestOne"}, {"a", "TestTwo"}, {"b/c", "TestThree"}, {"d", "TestThree"}, {"", "TestNowhere"}}
	testkit.Same(t, want, got)
}
