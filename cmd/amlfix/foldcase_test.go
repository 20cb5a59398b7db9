//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/disk/disktest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestOneIdentityWhateverTheCase is TestOneIdentity on a file system that ignores case.
//
//testkit:norace
func TestOneIdentityWhateverTheCase(t *testing.T) {
	t.Parallel()
	mounted := disktest.Folding(t)
	layOut := func(name string) string {
		base := filepath.Join(mounted, name)
		for _, f := range txtar.Parse([]byte(severalJobs)).Files {
			testkit.Write(t, base, f.Name, f.Data)
		}
		testkit.Git(t, filepath.Join(base, "repo"), "init", "-q")
		testkit.OK(t, os.Mkdir(filepath.Join(base, "other"), 0o755))
		return base
	}
	want := askFrom(t, standpoint{"repo", "", true, true, ""}, layOut("as written"))
	for name, at := range map[string]standpoint{
		"the working folder": {"REPO", "", true, false, "repo"},
		"aml config":         {"Repo/AML_CONFIG", "", true, false, "repo/aml_config"},
		"a path":             {"other", "../rEPO", false, false, ""},
		"a named folder":     {"repo", "Aml_Config", true, false, ""},
		"a subfolder":        {"repo/JOBS", "", true, false, "repo/jobs"},
	} {
		t.Run(name, func(t *testing.T) {
			got := askFrom(t, at, layOut(name))
			for command, want := range want {
				if _, ran := got[command]; ran || at.inside {
					testkit.Same(t, want, got[command], command)
				}
			}
		})
	}
	base := layOut("files")
	lower := amlfix(t, filepath.Join(base, "repo"), "--format", "json", "aml_config/gpu.runconfig", "aml_config/here.compute")
	if upper := amlfix(t, filepath.Join(base, "repo"), "--format", "json", "AML_CONFIG/Gpu.RunConfig", "aml_config/HERE.compute"); upper != lower || len(reported(t, lower)) == 0 {
		t.Errorf("%s", cmp.Diff(lower.out, upper.out)+upper.err)
	}
	testkit.Write(t, base, "repo/aml_config/cpu.runconfig", "ArgumentVector: [job.sh]\nFramework: Python\nTarget: cpu\nCondaDependenciesFile: AML_CONFIG/Conda_Dependencies.yml\n")
	if r := amlfix(t, filepath.Join(base, "repo"), "--apply"); r.code != console.OK && r.code != console.Findings || testkit.Read(t, base, "repo/aml_config/conda_dependencies_gpu.yml") == "" {
		t.Errorf("an environment shared under two spellings is not split: %+v", r)
	}
}
