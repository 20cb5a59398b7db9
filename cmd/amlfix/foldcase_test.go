//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// foldingFolder returns an empty folder on a file system that folds case: vfat in
// a file, which only root can mount, or NTFS by way of FUSE.
func foldingFolder(t *testing.T) string {
	t.Helper()
	image, folder := filepath.Join(t.TempDir(), "image"), t.TempDir()
	run := func(words ...string) error {
		out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%q: %w: %s", words, err, out)
		}
		return nil
	}
	var failed error
	for _, steps := range [][][]string{
		{{"mkfs.vfat", image}, {"mount", "-o", "loop", image, folder}},
		{{"mkntfs", "-q", "-F", image}, {"lowntfs-3g", "-o", "ignore_case", image, folder}},
	} {
		err := errors.Join(run("truncate", "-s", "64M", image), run(steps[0]...))
		if err == nil {
			err = run(steps[1]...)
		}
		if err == nil {
			failed = nil
			break
		}
		failed = errors.Join(failed, err)
	}
	if failed != nil && os.Getenv("CI") == "true" && os.Getuid() == 0 {
		t.Fatal(failed)
	}
	if failed != nil {
		t.Skipf("SKIPPED: no file system that folds case can be made here: %v", failed)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", folder).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return folder
}

// TestOneIdentityWhateverTheCase is TestOneIdentity where a file is found under
// its name in any case.
func TestOneIdentityWhateverTheCase(t *testing.T) {
	mounted := foldingFolder(t)
	layOut := func(name string) string {
		base := filepath.Join(mounted, name)
		for _, f := range txtar.Parse([]byte(severalJobs)).Files {
			writeFile(t, base, f.Name, f.Data)
		}
		gitIn(t, filepath.Join(base, "repo"), "init", "-q")
		if err := os.Mkdir(filepath.Join(base, "other"), 0o755); err != nil {
			t.Fatal(err)
		}
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
					if d := cmp.Diff(want, got[command]); d != "" {
						t.Errorf("%s:\n%s", command, d)
					}
				}
			}
		})
	}
	base := layOut("files")
	lower := amlfix(t, filepath.Join(base, "repo"), "--format", "json", "aml_config/gpu.runconfig", "aml_config/here.compute")
	if upper := amlfix(t, filepath.Join(base, "repo"), "--format", "json", "AML_CONFIG/Gpu.RunConfig", "aml_config/HERE.compute"); upper != lower || len(told(t, lower)) == 0 {
		t.Errorf("%s", cmp.Diff(lower.out, upper.out)+upper.err)
	}
	writeFile(t, base, "repo/aml_config/cpu.runconfig", []byte("ArgumentVector: [job.sh]\nFramework: Python\nTarget: cpu\nCondaDependenciesFile: AML_CONFIG/Conda_Dependencies.yml\n"))
	if r := amlfix(t, filepath.Join(base, "repo"), "--apply"); r.code != statusOK && r.code != statusFindings || readFile(t, base, "repo/aml_config/conda_dependencies_gpu.yml") == "" {
		t.Errorf("an environment shared under two spellings is not split: %+v", r)
	}
}
