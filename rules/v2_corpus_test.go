package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// older are the rules about things that v2 does not have.
var older = []string{"ref/target", "ref/spark-file", "gpu/nvidia-docker", "gpu/framework", "gpu/linux-host", "cluster/ssh-suffix", "image/not-plus", "schema/deprecated"}

// TestOlderRulesLeaveV2Alone checks that older rules report nothing in real v2 files.
func TestOlderRulesLeaveV2Alone(t *testing.T) {
	dir := testkit.CorpusV2(t, "projects")
	repositories, err := os.ReadDir(dir)
	testkit.OK(t, err)
	kinds := map[schema.JobKind]int{}
	linked, sized := 0, 0
	for _, r := range repositories {
		if !r.IsDir() {
			continue
		}
		roots, err := schema.Discover([]string{filepath.Join(dir, r.Name())})
		testkit.OK(t, err)
		for _, root := range roots {
			p := schema.Load(root, schema.Options{})
			for _, f := range rules.Check(p) {
				if slices.Contains(older, f.Rule) && p.File(f.Source.Path).V2 != "" {
					t.Errorf("%s: %s: %s", f.Source.Path, f.Rule, f.Message)
				}
			}
			for _, j := range p.Jobs {
				kinds[j.Kind]++
				if j.V2.Environment != nil && j.V2.Environment.File != j.File {
					linked++
				}
				if j.Dialect == schema.V2 && j.Target.VMSize.Explicit {
					sized++
				}
			}
		}
	}
	t.Logf("%v, %d with an environment of another file, %d with a known size", kinds, linked, sized)
	for kind := schema.Standalone; kind <= schema.Deployment; kind++ {
		if kinds[kind] < 10 {
			t.Errorf("only %d of the kind %s", kinds[kind], kind)
		}
	}
	if linked < 50 || sized < 50 {
		t.Errorf("only %d have an environment of another file, %d a known size", linked, sized)
	}
}
