package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestTokensOfCorpora looks for tokens in all files of real projects, including those that amlfix does not read. Each
// token outside Microsoft's own templates was reviewed: a better detector must not find more there.
func TestTokensOfCorpora(t *testing.T) {
	for root, want := range map[string][]string{
		testkit.Corpus(t, "projects"):   nil,
		testkit.CorpusV2(t, "projects"): {"gxtnewfolder+mlops-train/data-science/src/preprocess/config.json: ***"}, // the key of a storage account
	} {
		var got []string
		files := 0
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			kinds := []string{".yml", ".yaml", ".json", ".compute", ".runconfig", ".amlignore", ".txt", ".md", ".sh", ".py"}
			if err != nil || !d.Type().IsRegular() || !slices.Contains(kinds, filepath.Ext(name)) {
				return err
			}
			text, err := os.ReadFile(name)
			files++
			for _, token := range reported(text) {
				address := string(text[around(text, token.Span, " \t\r\n\"'<>").Start:token.Span.End])
				if _, public := catalog.LookupPublicToken(address); !public || token.Kind != secret.Signature {
					rel, _ := filepath.Rel(root, name)
					got = append(got, filepath.ToSlash(rel)+": "+secret.Hide(address))
				}
			}
			return err
		})
		testkit.OK(t, err)
		if files < 100 {
			t.Errorf("%s: only %d files: is the corpus complete?", root, files)
		}
		slices.Sort(got)
		testkit.Same(t, want, got, root)
	}
}
