package citest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestHookInPython runs the hook amlfix with the real pre-commit and with prek: from a release, which installs the
// wheel from an index and needs no Go, and from another commit, which is built with Go.
func TestHookInPython(t *testing.T) {
	testkit.Set(t, testkit.Channels)
	t.Parallel()
	bin := tooltest.Python(t)
	repo, commit := published(t)
	testkit.Write(t, repo, "pyproject.toml", strings.Replace(testkit.Read(t, repo, "pyproject.toml"), "0.1.0.dev0", "0.1.0", 1))
	testkit.Git(t, repo, "commit", "-qam", "a release")
	testkit.Git(t, repo, "tag", "v0.1.0")
	url := index(t, wheels(t, "0.1.0", map[string]string{"linux_amd64_v1": build(t, top(t), "linux", "amd64")}))
	noGo := t.TempDir() // what git and Python need is elsewhere on PATH
	testkit.Write(t, noGo, "go", "#!/bin/sh\necho Go was started >&2\nexit 1\n")
	testkit.OK(t, exec.Command("chmod", "+x", filepath.Join(noGo, "go")).Run())
	for _, tt := range []struct{ tool, rev, path string }{
		{"pre-commit", "v0.1.0", noGo}, {"prek", "v0.1.0", noGo}, {"pre-commit", commit, bin}, {"prek", commit, bin},
	} {
		t.Run(tt.tool+" "+tt.rev[:6], func(t *testing.T) {
			t.Parallel()
			dir, home := t.TempDir(), t.TempDir()
			testkit.Git(t, dir, "init", "-q")
			for name, text := range scratch {
				testkit.Write(t, dir, name, text)
			}
			testkit.Write(t, dir, ".pre-commit-config.yaml", fmt.Sprintf("repos:\n- repo: file://%s\n  rev: %s\n  hooks: [{id: amlfix}]\n", repo, tt.rev))
			testkit.Git(t, dir, "add", "-A")
			cmd := exec.Command(filepath.Join(bin, tt.tool), "run", "--all-files")
			cmd.Dir = dir
			cmd.Env = buildEnv("PRE_COMMIT_HOME="+home, "PREK_HOME="+home, "PIP_EXTRA_INDEX_URL="+url, "UV_EXTRA_INDEX_URL="+url, "PATH="+tt.path+":"+bin+":"+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "other/aml_config/x.compute:1:7: error: ") || strings.Contains(string(out), "Go was started") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
