package citest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// scratch is a user's repository with a correct project.
var scratch = map[string]string{
	"jobs/aml_config/vm.compute":             "type: remotedocker\naddress: vm.example.com\nusername: me\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\nnvidiaDocker: true\n",
	"jobs/aml_config/vm.runconfig":           "ArgumentVector: [train.py]\nFramework: Python\nTarget: vm\nCondaDependenciesFile: aml_config/conda_dependencies.yml\n",
	"jobs/aml_config/conda_dependencies.yml": "dependencies:\n  - python=3.5.2\n",
	"jobs/train.py":                          "print()\n",
	"other/aml_config/x.compute":             "type: loal\n", // faulty, but not part of any commit
}

// user is a repository in which pre-commit's hook is installed.
type user struct {
	dir string
	env []string
}

// commit stages everything and commits; it returns the output, and whether the commit was made.
func (u user) commit(t *testing.T, message string) (out string, ok bool) {
	t.Helper()
	testkit.Git(t, u.dir, "add", "-A")
	cmd := exec.Command("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-m", message)
	cmd.Dir, cmd.Env = u.dir, u.env
	text, err := cmd.CombinedOutput()
	return string(text), err == nil
}

// newUser installs one of our hooks; env is pre-commit's environment.
func newUser(t *testing.T, env []string, repo, rev, hook string) user {
	t.Helper()
	bin := tooltest.Python(t)
	u := user{dir: t.TempDir(), env: env}
	testkit.Git(t, u.dir, "init", "-q")
	for name, text := range scratch {
		testkit.Write(t, u.dir, name, text)
	}
	testkit.Write(t, u.dir, ".pre-commit-config.yaml", fmt.Sprintf("repos:\n- repo: file://%s\n  rev: %s\n  hooks: [{id: %s}]\n", repo, rev, hook))
	testkit.Git(t, u.dir, "add", "-A")
	testkit.Git(t, u.dir, "commit", "-qm", "first")
	cmd := exec.Command(filepath.Join(bin, "pre-commit"), "install", "--install-hooks")
	cmd.Dir, cmd.Env = u.dir, u.env
	testkit.Output(t, cmd)
	return u
}

// TestPreCommit commits with the real pre-commit, which builds amlfix from a clone as it does for users.
func TestPreCommit(t *testing.T) {
	testkit.Set(t, testkit.Channels)
	t.Parallel()
	repo, rev := published(t)
	env := buildEnv("PRE_COMMIT_HOME="+t.TempDir(), "PRE_COMMIT_COLOR=never") // amlfix is built once for all users
	t.Run("amlfix", func(t *testing.T) {
		u := newUser(t, env, repo, rev, "amlfix-go")
		testkit.Write(t, u.dir, "jobs/train.py", "print(1)\n")
		if out, ok := u.commit(t, "a script"); !ok || !strings.Contains(out, "(no files to check)Skipped") {
			t.Errorf("a commit that does not concern it: %v\n%s", ok, out)
		}
		// The problem shows in the conda file because of a change in another file.
		testkit.Write(t, u.dir, "jobs/aml_config/conda_dependencies.yml", "dependencies:\n  - tensorflow\n")
		testkit.Git(t, u.dir, "add", "-A")
		testkit.Git(t, u.dir, "commit", "-qm", "unseen")
		testkit.Write(t, u.dir, "jobs/aml_config/vm.compute", scratch["jobs/aml_config/vm.compute"]+"# changed\n")
		out, ok := u.commit(t, "faulty")
		if ok || !strings.Contains(out, "conda_dependencies.yml:2:5: error: ") || !strings.Contains(out, "[gpu/cpu-package]") || strings.Contains(out, "other/aml_config") {
			t.Errorf("a faulty commit: %v\n%s", ok, out)
		}
		if strings.Count(out, "[gpu/cpu-package]") != 1 {
			t.Errorf("reported more than once, or not at all:\n%s", out)
		}
		testkit.Write(t, u.dir, "jobs/aml_config/conda_dependencies.yml", "dependencies:\n  - tensorflow-gpu==1.4.1\n")
		if out, ok := u.commit(t, "repaired"); !ok {
			t.Errorf("a correct commit:\n%s", out)
		}
	})
	t.Run("everywhere", func(t *testing.T) {
		u := newUser(t, env, repo, rev, "amlfix-go")
		testkit.Write(t, u.dir, "v2/job.yml", "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: ls\nenvironment: {image: x, conda_file: ../envs/gpu.yml}\n")
		testkit.Write(t, u.dir, "envs/gpu.yml", "dependencies:\n  - numpy\n")
		testkit.Git(t, u.dir, "add", "-A")
		testkit.Git(t, u.dir, "commit", "-qm", "unseen")
		for name, text := range map[string]string{
			"envs/gpu.yml":          "dependencies:\n  - pip: numpy\n", // a job elsewhere refers to it
			"v2/bad.yml":            "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: [ls]\nenvironment: {image: x}\n",
			".amlfix.yaml":          "fail-on: loud\n",
			"my.runconfig":          "Framework: Pyton\nTarget: x\n",
			"jobs/.azureml/env.yml": "dependencies:\n  - pip: numpy\n",
		} {
			testkit.Write(t, u.dir, name, text)
			if out, ok := u.commit(t, "faulty"); ok || !strings.Contains(out, name+":") || !strings.Contains(out, ": error: ") {
				t.Errorf("%s was not checked: %v\n%s", name, ok, out)
			}
			testkit.Git(t, u.dir, "reset", "-q", "--hard")
		}
		testkit.Write(t, u.dir, "charts/Chart.yaml", "name: x\ndependencies: [{name: redis}]\n")
		testkit.Write(t, u.dir, "app/pubspec.yaml", "dependencies: {http: ^1.0}\n")
		if out, ok := u.commit(t, "foreign"); !ok || !strings.Contains(out, "Passed") {
			t.Errorf("files that are no job's: %v\n%s", ok, out)
		}
	})
	t.Run("amlfix-apply", func(t *testing.T) {
		u := newUser(t, env, repo, rev, "amlfix-apply-go")
		faulty := strings.Replace(scratch["jobs/aml_config/vm.compute"], "plus-gpu-0.9.9", "plus-0.9.9", 1)
		testkit.Write(t, u.dir, "jobs/aml_config/vm.compute", faulty)
		out, ok := u.commit(t, "faulty")
		if ok || !strings.Contains(out, "files were modified by this hook") || !strings.Contains(out, "vm.compute:4: repaired: ") {
			t.Errorf("a faulty commit: %v\n%s", ok, out)
		}
		testkit.Same(t, scratch["jobs/aml_config/vm.compute"], testkit.Read(t, u.dir, "jobs/aml_config/vm.compute"), "the repair")
		testkit.Write(t, u.dir, "jobs/readme", "so that there is something to commit")
		if out, ok := u.commit(t, "repaired"); !ok {
			t.Errorf("the next commit:\n%s", out)
		}
		if got := testkit.Read(t, u.dir, "other/aml_config/x.compute"); got != scratch["other/aml_config/x.compute"] {
			t.Errorf("another project was changed: %q", got)
		}
	})
}

// TestHookPattern checks which files the hooks examine: everything that a check reads, including in the corpora.
func TestHookPattern(t *testing.T) {
	t.Parallel()
	bin := tooltest.Python(t)
	want := []string{
		".amlfix.yaml", ".azureml/env/gpu.yml", ".azureml/x.runconfig", "a/aml_config/conda_dependencies.yml", "a/aml_config/vm.compute", "aml_config/project.json",
		"aml_config/spark.yaml", "docker-compose.yml", "envs/conda.txt", "envs/environment.json", "job.json", "jobs/my.runconfig", "mlops/job.YML", "shared/vm.compute",
	}
	others := []string{"aml_config.py", "requirements.txt", "train.py", "x.yml.j2", "xaml_config/a.txt"}
	testkit.Same(t, want, looked(t, bin, append(others, want...)))
	dirs, _ := filepath.Glob(filepath.Join(top(t), "../shared/corpus*/projects/*+*"))
	var all []string
	roots, err := schema.Discover(dirs)
	for _, r := range roots {
		for _, f := range schema.Load(r, schema.Options{}).Files {
			all = append(all, filepath.ToSlash(f.Path))
		}
	}
	if len(dirs) > 0 && (len(all) < 1000 || err != nil) {
		t.Errorf("only %d files: %v", len(all), err)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	testkit.Same(t, all, looked(t, bin, all))
}

// looked returns those paths that pre-commit passes to the hooks, sorted.
func looked(t *testing.T, bin string, paths []string) []string {
	t.Helper()
	const script = `import re, sys, yaml
names = sorted(sys.stdin.read().splitlines())
hooks = yaml.safe_load(open(sys.argv[1]))
lists = [[name for name in names if re.search(hook["files"], name)] for hook in hooks]
assert len(lists) == 4 and all(each == lists[0] for each in lists)
print("\n".join(lists[0]))`
	cmd := exec.Command(filepath.Join(bin, "python"), "-c", script, filepath.Join(top(t), ".pre-commit-hooks.yaml"))
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\n"))
	out := testkit.Output(t, cmd)
	return strings.FieldsFunc(out, func(r rune) bool { return r == '\n' })
}
