package citest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/tooltest"
)

// scratch is a user's repository with a correct project.
var scratch = map[string]string{
	"jobs/aml_config/vm.compute":             "type: remotedocker\naddress: vm.example.com\nusername: me\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\nnvidiaDocker: true\n",
	"jobs/aml_config/vm.runconfig":           "ArgumentVector: [train.py]\nFramework: Python\nTarget: vm\nCondaDependenciesFile: aml_config/conda_dependencies.yml\n",
	"jobs/aml_config/conda_dependencies.yml": "dependencies:\n  - python=3.5.2\n",
	"jobs/train.py":                          "print()\n",
	"other/aml_config/x.compute":             "type: loal\n", // faulty, and nobody's business
}

// user is a repository with pre-commit's hook installed in it.
type user struct {
	dir string
	env []string
}

// commit stages everything and commits; it returns what is shown, and whether
// the commit was made.
func (u user) commit(t *testing.T, message string) (out string, ok bool) {
	t.Helper()
	git(t, u.dir, "add", "-A")
	cmd := exec.Command("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-m", message)
	cmd.Dir, cmd.Env = u.dir, u.env
	text, err := cmd.CombinedOutput()
	return string(text), err == nil
}

// newUser installs a hook of ours; env is what pre-commit runs in.
func newUser(t *testing.T, env []string, repo, rev, hook string) user {
	t.Helper()
	bin := tooltest.Python(t)
	u := user{dir: t.TempDir(), env: env}
	git(t, u.dir, "init", "-q")
	for name, text := range scratch {
		write(t, u.dir, name, text)
	}
	write(t, u.dir, ".pre-commit-config.yaml", fmt.Sprintf("repos:\n- repo: file://%s\n  rev: %s\n  hooks: [{id: %s}]\n", repo, rev, hook))
	git(t, u.dir, "add", "-A")
	git(t, u.dir, "commit", "-qm", "first")
	cmd := exec.Command(filepath.Join(bin, "pre-commit"), "install", "--install-hooks")
	cmd.Dir, cmd.Env = u.dir, u.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("pre-commit install: %v\n%s", err, out)
	}
	return u
}

// TestPreCommit commits with the real pre-commit, which builds amlfix from a clone
// as it does for everyone.
func TestPreCommit(t *testing.T) {
	repo, rev := published(t)
	env := buildEnv("PRE_COMMIT_HOME="+t.TempDir(), "PRE_COMMIT_COLOR=never") // amlfix is built once for all users
	t.Run("amlfix", func(t *testing.T) {
		u := newUser(t, env, repo, rev, "amlfix")
		write(t, u.dir, "jobs/train.py", "print(1)\n")
		if out, ok := u.commit(t, "a script"); !ok || !strings.Contains(out, "(no files to check)Skipped") {
			t.Errorf("a commit that does not concern it: %v\n%s", ok, out)
		}
		// The fault is seen in the conda file, because of what changes in another.
		write(t, u.dir, "jobs/aml_config/conda_dependencies.yml", "dependencies:\n  - tensorflow\n")
		git(t, u.dir, "add", "-A")
		git(t, u.dir, "commit", "-qm", "unseen")
		write(t, u.dir, "jobs/aml_config/vm.compute", scratch["jobs/aml_config/vm.compute"]+"# changed\n")
		out, ok := u.commit(t, "faulty")
		if ok || !strings.Contains(out, "conda_dependencies.yml:2:5: error: ") || !strings.Contains(out, "[gpu/cpu-package]") || strings.Contains(out, "other/aml_config") {
			t.Errorf("a faulty commit: %v\n%s", ok, out)
		}
		if strings.Count(out, "[gpu/cpu-package]") != 1 {
			t.Errorf("told more than once:\n%s", out)
		}
		write(t, u.dir, "jobs/aml_config/conda_dependencies.yml", "dependencies:\n  - tensorflow-gpu==1.4.1\n")
		if out, ok := u.commit(t, "mended"); !ok {
			t.Errorf("a correct commit:\n%s", out)
		}
	})
	t.Run("amlfix-apply", func(t *testing.T) {
		u := newUser(t, env, repo, rev, "amlfix-apply")
		faulty := strings.Replace(scratch["jobs/aml_config/vm.compute"], "plus-gpu-0.9.9", "plus-0.9.9", 1)
		write(t, u.dir, "jobs/aml_config/vm.compute", faulty)
		out, ok := u.commit(t, "faulty")
		if ok || !strings.Contains(out, "files were modified by this hook") || !strings.Contains(out, "vm.compute:4: repaired: ") {
			t.Errorf("a faulty commit: %v\n%s", ok, out)
		}
		if d := cmp.Diff(scratch["jobs/aml_config/vm.compute"], read(t, u.dir, "jobs/aml_config/vm.compute")); d != "" {
			t.Errorf("the repair:\n%s", d)
		}
		write(t, u.dir, "jobs/readme", "so that there is something to commit")
		if out, ok := u.commit(t, "repaired"); !ok {
			t.Errorf("the next commit:\n%s", out)
		}
		if got := read(t, u.dir, "other/aml_config/x.compute"); got != scratch["other/aml_config/x.compute"] {
			t.Errorf("another project was changed: %q", got)
		}
	})
}

// TestHookPattern holds which files the hooks look at.
func TestHookPattern(t *testing.T) {
	bin := tooltest.Python(t)
	want := []string{".azureml/x.runconfig", "a/aml_config/conda_dependencies.yml", "a/aml_config/vm.compute", "aml_config/spark.yaml", "jobs/my.runconfig",
		"src/job.yml", "cli/deployment.YAML", "job.json"}
	others := []string{"aml_config/readme.md", "train.py", "x.compute", "requirements.txt"}
	script := `import re, sys, yaml
for hook in yaml.safe_load(open(sys.argv[1])):
    print(hook["id"], *[name for name in sys.argv[2:] if re.search(hook["files"], name)])`
	out, err := exec.Command(filepath.Join(bin, "python"), append([]string{"-c", script, filepath.Join(top(t), ".pre-commit-hooks.yaml")}, append(want, others...)...)...).CombinedOutput()
	list := strings.Join(want, " ")
	if d := cmp.Diff("amlfix "+list+"\namlfix-apply "+list+"\n", string(out)); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
}
