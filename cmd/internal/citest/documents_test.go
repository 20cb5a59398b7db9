package citest

import (
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

// folder reports whether a name that looks like a rule's is that of a package here.
func folder(t *testing.T, name string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(top(t), name))
	return err == nil
}
