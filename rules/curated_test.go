package rules_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

// environmentLine matches how v2 files of the corpus name an environment.
var environmentLine = regexp.MustCompile(`^\s*(?:environment|image): *["']?((?:azureml:|mcr\.microsoft\.com/azureml/curated/)[^\s"'#]+)`)

// TestSupersededInCorpus checks that every curated environment that no longer gets updates is reported where a v2 file
// names it, with a successor that is current.
//
//testkit:norace
func TestSupersededInCorpus(t *testing.T) {
	const least = 40
	dirs, err := os.ReadDir(testkit.CorpusV2(t, "projects"))
	testkit.OK(t, err)
	repositories := map[string]bool{}
	for _, dir := range dirs {
		for _, p := range loadAll(t, filepath.Join(testkit.CorpusV2(t, "projects"), dir.Name())) {
			said := map[string]map[int]string{}
			for _, f := range rules.Check(p) {
				if f.Rule == "ref/environment" {
					path := f.Source.Path
					if said[path] == nil {
						said[path] = map[int]string{}
					}
					said[path][f.Source.Position(f.Span.Start).Line] = f.Message
				}
			}
			for _, f := range p.Files {
				if f.V2 == "" || f.Broken() {
					continue
				}
				n := 0
				for line := range strings.Lines(string(f.Source.Text)) {
					n++
					match := environmentLine.FindStringSubmatch(line)
					if match == nil {
						continue
					}
					name := catalog.CuratedName(match[1])
					e, known := catalog.Curated(match[1])
					own := strings.HasPrefix(match[1], "azureml:") && !strings.Contains(match[1], "/registries/") && !strings.HasPrefix(name, "AzureML-")
					if !known || e.Status == "current" || own {
						continue
					}
					repositories[dir.Name()] = true
					message := said[f.Source.Path][n]
					next, ok := catalog.Curated(e.Successor)
					if !strings.Contains(message, name) || e.Successor != "" && (!ok || next.Status != "current" || !strings.Contains(message, e.Successor)) {
						t.Errorf("%s:%d: %s is superseded by %q, but the message is %q", f.Source.Path, n, name, e.Successor, message)
					}
				}
			}
		}
	}
	t.Logf("%d repositories name one", len(repositories))
	if len(repositories) < least {
		t.Errorf("%d repositories name one, want at least %d", len(repositories), least)
	}
}
