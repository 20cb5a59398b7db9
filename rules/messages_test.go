package rules_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// maxMessage is the maximum length of a message about a v2 file, in characters.
const maxMessage = 200

// libraryWords matches words of schema libraries, of the client's classes and of Go.
var libraryWords = regexp.MustCompile(`(?i)anyOf|oneOf|allOf|does not (?:match|validate)|additionalPropert|instance value|expected (?:string|object|array)|` +
	`\b(?:marshmallow|ValidationError|nil|int64|float64|interface|map\[|\[\]string|enum|regexp?|schema library)\b|missing properties|%!|<nil>`)

// TestV2Messages checks that every message about the real v2 files, and about files with a mistake, is readable.
//
//testkit:norace
func TestV2Messages(t *testing.T) {
	t.Parallel()
	said := 0
	check := func(p *schema.Project) {
		for _, f := range rules.Check(p) {
			if file := p.File(f.Source.Path); file == nil || file.V2 == "" {
				continue
			}
			said++
			texts := []string{f.Message}
			for _, r := range f.Related {
				texts = append(texts, r.Message)
			}
			if f.Fix != nil {
				texts = append(texts, f.Fix.Title)
			}
			for _, text := range texts {
				if n := utf8.RuneCountInString(text); n > maxMessage {
					t.Errorf("%s: %d characters: %s", f.Rule, n, text)
				}
				if word := libraryWords.FindString(text); word != "" {
					t.Errorf("%s: %q is not a word for users: %s", f.Rule, word, text)
				}
			}
		}
	}
	eachV2Project(t, check)
	if said < 500 {
		t.Errorf("only %d messages", said)
	}
}

// eachV2Project calls check for each project of the v2 corpus, and for its files with a mistake.
func eachV2Project(t *testing.T, check func(*schema.Project)) {
	t.Helper()
	for _, below := range []string{"projects", "mutants"} {
		dirs, err := os.ReadDir(testkit.CorpusV2(t, below))
		testkit.OK(t, err)
		for _, dir := range dirs {
			if dir.IsDir() {
				for _, p := range loadAll(t, filepath.Join(testkit.CorpusV2(t, below), dir.Name())) {
					check(p)
				}
			}
		}
	}
}

func loadAll(t *testing.T, dir string) (projects []*schema.Project) {
	t.Helper()
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	for _, root := range roots {
		projects = append(projects, schema.Load(root, schema.Options{}))
	}
	return projects
}

// judgedV2 counts errors and warnings in the v2 projects, by project, rule and severity.
func judgedV2(t *testing.T, got map[string]row) {
	t.Helper()
	dirs, err := os.ReadDir(testkit.CorpusV2(t, "projects"))
	testkit.OK(t, err)
	for _, dir := range dirs {
		if !dir.IsDir() {
			continue
		}
		var found []finding.Finding
		for _, p := range loadAll(t, filepath.Join(testkit.CorpusV2(t, "projects"), dir.Name())) {
			found = append(found, rules.Check(p)...)
		}
		tally(t, got, "v2-"+short(dir.Name()), found, func(string) bool { return true })
	}
}
