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

// maxMessage is how many characters a message about a file of v2 has at most.
const maxMessage = 200

// libraryWords are those of schema libraries, of the client's classes and of Go.
var libraryWords = regexp.MustCompile(`(?i)anyOf|oneOf|allOf|does not (?:match|validate)|additionalPropert|instance value|expected (?:string|object|array)|` +
	`\b(?:marshmallow|ValidationError|nil|int64|float64|interface|map\[|\[\]string|enum|regexp?|schema library)\b|missing properties|%!|<nil>`)

// TestV2Messages holds every message about the real files of v2, and about those with
// a mistake, to what a person can read.
//
//testkit:norace
func TestV2Messages(t *testing.T) {
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
					t.Errorf("%s: %q is no word for a reader: %s", f.Rule, word, text)
				}
			}
		}
	}
	eachV2Project(t, check)
	if said < 500 {
		t.Errorf("only %d messages", said)
	}
}

// eachV2Project calls check with each project of the corpus of v2, and of its files
// with a mistake.
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

// judgedV2 counts the errors and warnings of the rules in the projects of v2, by
// project, rule and severity.
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
