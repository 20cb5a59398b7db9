package rules_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestScriptsOfCorpus checks the number of findings about scripts in the v2 projects, as in docs/accuracy.md. Compare a
// new finding with the files before you change the numbers here and there.
func TestScriptsOfCorpus(t *testing.T) {
	t.Parallel()
	dirs := testkit.Glob(t, testkit.CorpusV2(t, "projects"), "*")
	got, met := map[string]int{}, map[string]bool{} // a component can belong to several projects
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		roots, err := schema.Discover([]string{dir})
		testkit.OK(t, err)
		for _, root := range roots {
			for _, f := range rules.Check(schema.Load(root, schema.Options{})) {
				if f.Rule != "ref/argument" && f.Rule != "ref/script" || f.Severity == finding.Info || strings.Contains(f.Message, "does not exist") || strings.Contains(f.Message, "previews") {
					continue
				}
				at := fmt.Sprint(f.Source.Path, f.Span, f.Message)
				if met[at] {
					continue
				}
				met[at] = true
				got[f.Severity.String()+" "+f.Rule]++
				t.Logf("%s: %s", f.Source.Path, f.Message)
			}
		}
	}
	if d := cmp.Diff(map[string]int{"error ref/argument": 15, "warning ref/argument": 4, "error ref/script": 18}, got); d != "" {
		t.Errorf("(-reviewed +got): %s", d)
	}
	page := testkit.Read(t, testkit.Root(t), "docs", "accuracy.md")
	errs, warnings := got["error ref/argument"]+got["error ref/script"], got["warning ref/argument"]
	sum := fmt.Sprintf("The %d findings of `ref/script` and `ref/argument` about scripts in the projects (%d errors, %d warnings)", errs+warnings, errs, warnings)
	if !strings.Contains(strings.Join(strings.Fields(page), " "), sum) {
		t.Errorf("docs/accuracy.md does not say: %s", sum)
	}
}

// TestCodeNamedLikeAsset has a folder whose name Windows does not allow.
func TestCodeNamedLikeAsset(t *testing.T) {
	if runtime.GOOS == "windows" {
		return
	}
	job := "-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncode: azureml:code\ncommand: echo\nenvironment: azureml:env:1\n"
	for _, f := range rules.Check(load(t, job+"-- azureml:code/a.py --\n")) {
		if f.Rule == "ref/script" {
			t.Error(f.Message)
		}
	}
}
