package citest

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

var (
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	inCode = regexp.MustCompile("`([a-z]+/[a-z0-9-]+)`")
)

// TestDocuments checks that links within the documentation lead somewhere, and that the rules it names exist.
func TestDocuments(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(top(t), "docs", "*.md"))
	if err != nil || len(names) < 5 {
		t.Fatalf("%d documents, %v", len(names), err)
	}
	groups := map[string]bool{}
	for _, r := range rules.All() {
		group, _, _ := strings.Cut(r.ID, "/")
		groups[group] = true
	}
	for _, name := range append(names, filepath.Join(top(t), "README.md"), filepath.Join(top(t), "CONTRIBUTING.md")) {
		text := testkit.Read(t, name)
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, err := url.Parse(m[1])
			if err != nil || to.Scheme != "" || to.Path == "" {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), to.Path)); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", filepath.Base(name), m[1])
			}
		}
		for _, m := range inCode.FindAllStringSubmatch(text, -1) {
			group, _, _ := strings.Cut(m[1], "/")
			if _, ok := rules.ByID(m[1]); groups[group] && !ok && !folder(t, m[1]) {
				t.Errorf("%s: there is no rule %s", filepath.Base(name), m[1])
			}
		}
	}
}

// The files of this repository and the tests that documents name; a name may be the beginning of several tests'.
var (
	ownFile = regexp.MustCompile("`((?:cmd|docs|fixers|rules|runtime|schema)/[^`*{} ]+\\.[a-z]+)`")
	ownTest = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w+`)
)

// TestDocumentsNameWhatIsThere looks up the files and the tests that documents name.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	var tests strings.Builder
	testkit.OK(t, filepath.WalkDir(top(t), func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && strings.HasSuffix(name, "_test.go") {
			tests.WriteString(testkit.Read(t, name))
		}
		return err
	}))
	names, err := filepath.Glob(filepath.Join(top(t), "docs", "*.md"))
	testkit.OK(t, err)
	for _, name := range names {
		text := testkit.Read(t, name)
		for _, m := range ownFile.FindAllStringSubmatch(text, -1) {
			if !folder(t, m[1]) {
				t.Errorf("%s: there is no file %s", filepath.Base(name), m[1])
			}
		}
		for _, test := range ownTest.FindAllString(text, -1) {
			if !strings.Contains(tests.String(), "func "+test) {
				t.Errorf("%s: there is no test %s", filepath.Base(name), test)
			}
		}
	}
}

// folder reports whether there is a folder or file of that name here.
func folder(t *testing.T, name string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(top(t), name))
	return err == nil
}
