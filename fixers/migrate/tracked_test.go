package migrate_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

const tracked = `from azureml.core import Run

run = Run.get_context()
run.log("accuracy", 0.5)
`

const trackedNow = `import mlflow

mlflow.log_metric("accuracy", 0.5)
`

// trackedProject writes a project whose script logs with SDK v1.
func trackedProject(t *testing.T, script string) (dir string) {
	dir = schema.Identity(t.TempDir())
	testkit.Write(t, dir, "train.py", script)
	testkit.Write(t, dir, ".azureml/job.runconfig", "script: train.py\ntarget: cpu\nenvironment:\n  python:\n    condaDependenciesFile: .azureml/conda_dependencies.yml\n")
	testkit.Write(t, dir, ".azureml/conda_dependencies.yml", "dependencies:\n  - python=3.11\n  - pip:\n    - azureml-core\n")
	return dir
}

// migrateTracked migrates such a project, and returns the files by name.
func migrateTracked(t *testing.T, dir, to string, rewrite bool) (m *migrate.Migration, files map[string]string) {
	t.Helper()
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	roots = migrate.Projects(dir, roots)
	e := emitters[slices.IndexFunc(emitters, func(e migrate.Emitter) bool { return e.Format() == to })]
	m, err = migrate.New(schema.Load(roots[0], schema.Options{}), e, migrate.Options{RewriteScripts: rewrite})
	testkit.OK(t, err)
	files = map[string]string{}
	for _, f := range m.Files {
		files[f.Path] = string(f.Text)
	}
	return m, files
}

// TestScriptsPatch checks that the diff is written next to the other files, that git can apply it, and that the next
// migration no longer needs SDK v1 or a diff.
func TestScriptsPatch(t *testing.T) {
	testkit.Program(t, "git")
	for name, script := range map[string]string{"LF": tracked, "CRLF": strings.ReplaceAll(tracked, "\n", "\r\n")} {
		t.Run(name, func(t *testing.T) {
			dir := trackedProject(t, script)
			m, files := migrateTracked(t, dir, "v2", false)
			testkit.OK(t, m.Commit())
			if text := testkit.Read(t, dir, "train.py"); text != script {
				t.Errorf("the script was changed:\n%s", text)
			}
			for _, want := range []string{"azureml-core", "mlflow", "azureml-mlflow"} {
				if !strings.Contains(files["conda_dependencies.yml"], "- "+want) {
					t.Errorf("no %s:\n%s", want, files["conda_dependencies.yml"])
				}
			}
			if !strings.Contains(files["MIGRATION.md"], "git apply azureml/scripts.patch") || !strings.Contains(files["MIGRATION.md"], "| train.py | 1 |") {
				t.Errorf("MIGRATION.md does not say it:\n%s", files["MIGRATION.md"])
			}
			git := exec.Command("git", "apply", "azureml/scripts.patch")
			git.Dir = dir
			testkit.Output(t, git)
			want := trackedNow
			if name == "CRLF" {
				want = strings.ReplaceAll(want, "\n", "\r\n")
			}
			testkit.Same(t, want, testkit.Read(t, dir, "train.py"))
			m, files = migrateTracked(t, dir, "v2", false)
			if text := files["conda_dependencies.yml"]; strings.Contains(text, "- azureml-core") || !strings.Contains(text, "- mlflow") {
				t.Errorf("the environment is not that of the new script:\n%s", text)
			}
			u, err := m.Existing()
			testkit.OK(t, err)
			testkit.Same(t, []string{"~MIGRATION.md", "~conda_dependencies.yml", "-scripts.patch"}, paths(u.Changes))
		})
	}
}

// TestRewriteScripts checks that the script itself is changed, that undo reverts it, and that the same migration again
// changes nothing.
func TestRewriteScripts(t *testing.T) {
	dir, store := trackedProject(t, tracked), t.TempDir()
	m, files := migrateTracked(t, dir, "v2", true)
	testkit.OK(t, m.Commit())
	_, err := m.RewriteScripts(store)
	testkit.OK(t, err)
	testkit.Same(t, trackedNow, testkit.Read(t, dir, "train.py"))
	if _, written := files["scripts.patch"]; written || strings.Contains(files["conda_dependencies.yml"], "- azureml-core") {
		t.Errorf("the files are for the old script: %v", files)
	}
	m, _ = migrateTracked(t, dir, "v2", true)
	if len(m.Rewritten) > 0 {
		t.Errorf("rewritten once more: %v", m.Rewritten)
	}
	u, err := m.Existing()
	testkit.OK(t, err)
	if len(u.Changes)+len(u.Kept) > 0 {
		t.Errorf("the second migration changes %v", paths(u.Changes))
	}
	s, _, err := transaction.Open(store, dir)
	testkit.OK(t, err)
	_, err = s.Undo()
	testkit.OK(t, err)
	s.Close()
	testkit.Same(t, tracked, testkit.Read(t, dir, "train.py"))
}

// TestRewriteAndUpdate checks that updating an existing folder and the scripts is one transaction: one undo reverts
// both, and nothing is written if a script has changed.
func TestRewriteAndUpdate(t *testing.T) {
	dir, store := trackedProject(t, tracked), t.TempDir()
	m, before := migrateTracked(t, dir, "v2", false)
	testkit.OK(t, m.Commit())
	m, after := migrateTracked(t, dir, "v2", true)
	u, err := m.Existing()
	testkit.OK(t, err)
	testkit.Same(t, []string{"~MIGRATION.md", "~conda_dependencies.yml", "-scripts.patch"}, paths(u.Changes))

	testkit.Write(t, dir, "train.py", "changed\n")
	if _, err := u.Commit(store); err == nil {
		t.Error("a script that had changed was written")
	}
	testkit.Same(t, before["conda_dependencies.yml"], testkit.Read(t, dir, "azureml/conda_dependencies.yml"))

	testkit.Write(t, dir, "train.py", tracked)
	_, err = u.Commit(store)
	testkit.OK(t, err)
	testkit.Same(t, trackedNow, testkit.Read(t, dir, "train.py"))
	testkit.Same(t, after["conda_dependencies.yml"], testkit.Read(t, dir, "azureml/conda_dependencies.yml"))

	s, _, err := transaction.Open(store, dir)
	testkit.OK(t, err)
	defer s.Close()
	_, err = s.Undo()
	testkit.OK(t, err)
	testkit.Same(t, tracked, testkit.Read(t, dir, "train.py"))
	for _, name := range []string{"MIGRATION.md", "conda_dependencies.yml", "scripts.patch"} {
		testkit.Same(t, before[name], testkit.Read(t, dir, "azureml/"+name))
	}
}

// TestScriptChanged checks that a script that was changed since it was read is not rewritten.
func TestScriptChanged(t *testing.T) {
	dir := trackedProject(t, tracked)
	m, _ := migrateTracked(t, dir, "v2", true)
	testkit.Write(t, dir, "train.py", "changed\n")
	if _, err := m.RewriteScripts(t.TempDir()); err == nil {
		t.Error("a script that had changed was written")
	}
	testkit.Same(t, "changed\n", testkit.Read(t, dir, "train.py"))
}

// TestScriptsOfFormats checks that SDK v1's own format keeps the calls, and that all others have the diff.
func TestScriptsOfFormats(t *testing.T) {
	for _, e := range emitters {
		if e.Format() == "v1" {
			continue // an SDK v1 project is not migrated to SDK v1
		}
		if _, files := migrateTracked(t, trackedProject(t, tracked), e.Format(), false); files["scripts.patch"] == "" {
			t.Errorf("%s: no diff", e.Format())
		}
	}
	dir := schema.Identity(t.TempDir())
	testkit.Write(t, dir, "train.py", "from azureml.logging import get_azureml_logger\nget_azureml_logger().log('a', 1)\n")
	testkit.Write(t, dir, "aml_config/one.compute", "type: localdocker\nbaseDockerImage: python:3.11\n")
	testkit.Write(t, dir, "aml_config/one.runconfig", "ArgumentVector: [train.py]\nTarget: one\nFramework: Python\n")
	if _, files := migrateTracked(t, dir, "v1", false); files["scripts.patch"] != "" {
		t.Error("v1: a diff")
	}
	if m, files := migrateTracked(t, dir, "v2", false); files["scripts.patch"] == "" || len(m.Open()) != 1 || !strings.Contains(m.Open()[0].Why, "scripts.patch") {
		t.Errorf("the decision does not name the diff: %v", m.Open())
	}
	if m, _ := migrateTracked(t, dir, "v2", true); len(m.Open()) > 0 {
		t.Errorf("the rewritten script is still asked about: %v", m.Open()[0])
	}
}

// TestScriptsHide checks that the diff shows no secrets, and that a name that another script imports is kept.
func TestScriptsHide(t *testing.T) {
	const key = "AccountKey=Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFyYmF6Zg=="
	dir := trackedProject(t, tracked+"connection = 'DefaultEndpointsProtocol=https;AccountName=a;"+key+";EndpointSuffix=core.windows.net'\n")
	m, files := migrateTracked(t, dir, "v2", false)
	for name, text := range files {
		if strings.Contains(text, "Zm9vYmFy") {
			t.Errorf("%s shows the key", name)
		}
	}
	if len(m.Rewritten) > 0 || !strings.Contains(files["MIGRATION.md"], "--rewrite-scripts makes no diff") {
		t.Errorf("nothing says why there is no diff:\n%s", files["MIGRATION.md"])
	}
	dir = trackedProject(t, tracked)
	testkit.Write(t, dir, "eval.py", "from train import run\nrun.log('b', 1)\n")
	m, _ = migrateTracked(t, dir, "v2", true)
	_, err := m.RewriteScripts(t.TempDir())
	testkit.OK(t, err)
	text := []byte(testkit.Read(t, dir, "train.py"))
	testkit.Has(t, string(text), "run = Run.get_context()")
}
