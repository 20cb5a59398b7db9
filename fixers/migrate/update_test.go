package migrate_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// again migrates a folder, and returns the update that its existing output needs.
func again(t *testing.T, dir string, e migrate.Emitter, answers string) (*migrate.Migration, *migrate.Update, error) {
	t.Helper()
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	opts := migrate.Options{Out: filepath.Join(dir, "azureml"), Answers: map[string]migrate.Answer{}}
	for answer := range strings.FieldsSeq(answers) {
		id, value, _ := strings.Cut(answer, "=")
		opts.Answers[id] = migrate.Answer{Value: value, From: migrate.FromFlag}
	}
	m, err := migrate.New(schema.Load(roots[0], schema.Options{}), e, opts)
	testkit.OK(t, err)
	u, err := m.Existing()
	return m, u, err
}

func paths(changes []migrate.Change) (list []string) {
	for _, c := range changes {
		sign := "~"
		switch {
		case c.Old == nil:
			sign = "+"
		case c.New == nil:
			sign = "-"
		}
		list = append(list, sign+c.Path)
	}
	return list
}

// TestUpdate migrates again to the folder of a first migration, and checks that the changes are one transaction and
// that edited files are kept.
func TestUpdate(t *testing.T) {
	for _, e := range emitters {
		t.Run(e.Format(), func(t *testing.T) {
			dir := schema.Identity(t.TempDir())
			testkit.Write(t, dir, "train.py", []byte("print(1)\n"))
			testkit.Write(t, dir, "aml_config/one.compute", []byte("type: localdocker\nbaseDockerImage: python:3.11\n"))
			testkit.Write(t, dir, "aml_config/one.runconfig", []byte("ArgumentVector: [train.py, --a]\nTarget: one\nFramework: Python\n"))
			testkit.Write(t, dir, "aml_config/two.runconfig", []byte("ArgumentVector: [train.py, --b]\nTarget: one\nFramework: Python\n"))
			m, u, err := again(t, dir, e, "")
			if u != nil || err != nil {
				t.Fatal("a new folder is an update", u, err)
			}
			testkit.OK(t, m.Commit())
			_, u, err = again(t, dir, e, "")
			testkit.OK(t, err)
			testkit.Same(t, 0, len(u.Changes)+len(u.Kept), "nothing changed: %v", paths(u.Changes))

			testkit.Write(t, dir, "aml_config/one.runconfig", []byte("ArgumentVector: [train.py, --new]\nTarget: one\nFramework: Python\n"))
			testkit.OK(t, os.Remove(filepath.Join(dir, "aml_config", "two.runconfig")))
			_, u, err = again(t, dir, e, "")
			testkit.OK(t, err)
			want := map[string]string{"v2": "~MIGRATION.md ~job-one.yml -job-two.yml", "v1": "~.azureml/one.runconfig -.azureml/two.runconfig ~MIGRATION.md", "compose": "~MIGRATION.md ~compose.yaml", "k8s": "~MIGRATION.md ~job-one.yaml -job-two.yaml", "skypilot": "~MIGRATION.md ~task-one.yaml -task-two.yaml"}
			testkit.Same(t, want[e.Format()], strings.Join(paths(u.Changes), " "))
			if _, err := u.Commit(t.TempDir()); err != nil {
				t.Fatal(err)
			}
			_, u, err = again(t, dir, e, "")
			testkit.OK(t, err)
			testkit.Same(t, 0, len(u.Changes)+len(u.Kept), "the update did all: %v", paths(u.Changes))
		})
	}
}

// TestAgain checks that a second migration writes the same, whatever the first one added to the project: a conda file
// in a Docker context is no source, and what one program builds stays in the order of its text.
func TestAgain(t *testing.T) {
	var data strings.Builder
	for i := range 20 {
		fmt.Fprintf(&data, "d = Dataset.File.from_files((Datastore.get(ws, 's'), f()))\nd.register(ws, 'data-%d')\n", 20-i)
	}
	for name, files := range map[string]map[string]string{
		"a Docker context": {"train.py": "import cntk\n", "aml_config/a.compute": "type: localdocker\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n", "aml_config/a.runconfig": "ArgumentVector: [train.py]\nTarget: a\nFramework: Python\nCondaDependenciesFile: aml_config/c.yml\n",
			"aml_config/c.yml": "dependencies:\n- python=3.5.2\n- pip:\n  - https://cntk.ai/PythonWheel/CPU-Only/cntk-2.2-cp35-cp35m-linux_x86_64.whl\n"},
		"a program": {"submit.py": "from azureml.core import Dataset, Datastore, Workspace\nws = Workspace.from_config()\n" + data.String(), ".azureml/conda_dependencies.yml": "dependencies:\n- python=3.11\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := schema.Identity(t.TempDir())
			for name, text := range files {
				testkit.Write(t, dir, name, []byte(text))
			}
			m, _, err := again(t, dir, emitters[0], "")
			testkit.OK(t, err)
			testkit.OK(t, m.Commit())
			_, u, err := again(t, dir, emitters[0], "")
			testkit.OK(t, err)
			for _, c := range u.Changes {
				t.Errorf("%s: %s", c.Path, cmp.Diff(string(c.Old), string(c.New)))
			}
		})
	}
}

// TestLargeReport checks that a report larger than the files that amlfix reads is still known as its own.
func TestLargeReport(t *testing.T) {
	dir := schema.Identity(t.TempDir())
	testkit.Write(t, dir, "train.py", []byte("print(1)\n"))
	testkit.Write(t, dir, ".azureml/a.runconfig", []byte("script: train.py\ntarget: cpu\n"))
	m, _, err := again(t, dir, emitters[0], "")
	testkit.OK(t, err)
	testkit.OK(t, m.Commit())
	text := testkit.Read(t, dir, "azureml", account.Report)
	testkit.Write(t, dir, "azureml/"+account.Report, []byte(strings.Replace(text, "\n## ", "\n"+strings.Repeat("- a note\n", source.MaxSize/8)+"\n## ", 1)))
	_, _, err = again(t, dir, emitters[0], "")
	testkit.OK(t, err)
}

// TestEditedFilesAreKept checks that an edited file is neither replaced nor removed, and that edits of the report are
// kept.
func TestEditedFilesAreKept(t *testing.T) {
	dir := schema.Identity(t.TempDir())
	testkit.Write(t, dir, "train.py", []byte("print(1)\n"))
	testkit.Write(t, dir, ".azureml/a.runconfig", []byte("script: train.py\ntarget: cpu\n"))
	testkit.Write(t, dir, ".azureml/b.runconfig", []byte("script: train.py\ntarget: cpu\n"))
	m, _, err := again(t, dir, emitters[0], "")
	testkit.OK(t, err)
	testkit.OK(t, m.Commit())
	edit := func(name string) {
		text := testkit.Read(t, dir, "azureml", name)
		testkit.Write(t, dir, "azureml/"+name, []byte(strings.Replace(text, "\n", "\n# mine\n", 1)))
	}
	edit("job-a.yml")
	edit("job-b.yml")
	edit(account.Report)
	testkit.OK(t, os.Remove(filepath.Join(dir, ".azureml", "b.runconfig")))
	testkit.Write(t, dir, ".azureml/a.runconfig", []byte("script: train.py\ntarget: gpu\n"))
	for range 2 { // the second time they are still edited
		_, u, err := again(t, dir, emitters[0], "")
		testkit.OK(t, err)
		testkit.Same(t, "MIGRATION.md job-a.yml", strings.Join(u.Kept[:2], " "))
		_, err = u.Commit(t.TempDir())
		testkit.OK(t, err)
	}
	for _, name := range []string{"job-a.yml", "job-b.yml", account.Report} {
		if text := testkit.Read(t, dir, "azureml", name); !strings.Contains(text, "# mine\n") {
			t.Errorf("%s was replaced:\n%s", name, text)
		}
	}
}

// TestUpdateOfCRLF checks that line ends that git changed do not count as an edit.
func TestUpdateOfCRLF(t *testing.T) {
	dir := newProject(t)
	m, _, err := again(t, dir, emitters[0], "")
	testkit.OK(t, err)
	testkit.OK(t, m.Commit())
	for _, f := range m.Files {
		testkit.Write(t, dir, "azureml/"+f.Path, []byte(strings.ReplaceAll(string(f.Text), "\n", "\r\n")))
	}
	_, u, err := again(t, dir, emitters[0], "")
	testkit.OK(t, err)
	testkit.Same(t, 0, len(u.Changes)+len(u.Kept), "%v", paths(u.Changes))
	testkit.Write(t, dir, ".azureml/a.runconfig", []byte("script: train.py\r\ntarget: gpu\r\n"))
	_, u, err = again(t, dir, emitters[0], "")
	testkit.OK(t, err)
	testkit.Same(t, "~MIGRATION.md ~job-a.yml", strings.Join(paths(u.Changes), " "))
}

// TestOtherFoldersAreRefused checks that only a folder that a migration wrote is updated, and that no link leads out of
// it.
func TestOtherFoldersAreRefused(t *testing.T) {
	dir, elsewhere := schema.Identity(t.TempDir()), schema.Identity(t.TempDir())
	testkit.Write(t, dir, "train.py", []byte("print(1)\n"))
	testkit.Write(t, dir, ".azureml/a.runconfig", []byte("script: train.py\ntarget: cpu\n"))
	testkit.Write(t, dir, "azureml/MIGRATION.md", []byte("# my notes\n"))
	if _, u, err := again(t, dir, emitters[0], ""); u != nil || !errors.Is(err, migrate.ExistsError{}) {
		t.Fatal(u, err)
	}
	testkit.OK(t, os.RemoveAll(filepath.Join(dir, "azureml")))
	m, _, err := again(t, dir, emitters[0], "")
	testkit.OK(t, err)
	testkit.OK(t, m.Commit())
	if _, u, err := again(t, dir, emitters[3], ""); u != nil || !errors.Is(err, migrate.ExistsError{}) {
		t.Fatal("another format replaced the files", u, err)
	}
	testkit.OK(t, os.Rename(filepath.Join(dir, "azureml"), filepath.Join(elsewhere, "azureml")))
	testkit.OK(t, os.Symlink(filepath.Join(elsewhere, "azureml"), filepath.Join(dir, "azureml")))
	testkit.Write(t, dir, ".azureml/a.runconfig", []byte("script: train.py\ntarget: other\n"))
	if _, u, err := again(t, dir, emitters[0], ""); err == nil {
		if _, err = u.Commit(t.TempDir()); err == nil {
			t.Error("a link led out of the project")
		}
	}
}

// TestIgnoreFile checks that old and new files are not uploaded with the code, that what git ignores is not uploaded
// either, and that the user's own file is not changed.
func TestIgnoreFile(t *testing.T) {
	for _, c := range []struct{ own, git, want string }{
		{"", "", "/.azureml/\n/\\[old]/b.runconfig\n/azureml/\n"},
		{"", "data/\n", "data/\n"},
		{"# mine\n", "data/\n", ""},
	} {
		dir := schema.Identity(t.TempDir())
		testkit.Write(t, dir, "train.py", []byte("print(1)\n"))
		testkit.Write(t, dir, ".azureml/a.runconfig", []byte("script: train.py\ntarget: cpu\n"))
		testkit.Write(t, dir, "[old]/b.runconfig", []byte("script: train.py\ntarget: cpu\n"))
		for name, text := range map[string]string{".amlignore": c.own, ".gitignore": c.git} {
			if text != "" {
				testkit.Write(t, dir, name, []byte(text))
			}
		}
		m, _, err := again(t, dir, emitters[0], "")
		testkit.OK(t, err)
		testkit.OK(t, m.Commit())
		text := testkit.Read(t, dir, ".amlignore")
		if c.own != "" && text != c.own || !strings.Contains(text, c.want) {
			t.Errorf("%+v: %s", c, text)
		}
		p := schema.Load(schema.Root{Dir: dir, Boundary: dir}, schema.Options{})
		if c.own == "" && (p.Excluded(".", ".azureml/a.runconfig") == "" || p.Excluded(".", "azureml/job-a.yml") == "" || p.Excluded(".", "[old]/b.runconfig") == "" || p.Excluded(".", "train.py") != "") {
			t.Errorf("%s does not exclude what it says", text)
		}
	}
	dir := newProject(t)
	m, _, err := again(t, dir, emitters[0], "")
	testkit.OK(t, err)
	testkit.OK(t, m.Commit())
	first := testkit.Read(t, dir, ".amlignore")
	testkit.OK(t, os.Remove(filepath.Join(dir, ".amlignore")))
	_, u, err := again(t, dir, emitters[0], "")
	testkit.OK(t, err)
	_, err = u.Commit(t.TempDir())
	testkit.OK(t, err)
	testkit.Same(t, first, testkit.Read(t, dir, ".amlignore"), "an update")
	m, _, err = again(t, newProject(t), emitters[2], "")
	testkit.OK(t, err)
	if m.Ignore != nil {
		t.Error("Compose does not upload anything, but there is an .amlignore")
	}
}

func newProject(t *testing.T) string {
	t.Helper()
	dir := schema.Identity(t.TempDir())
	testkit.Write(t, dir, "train.py", []byte("print(1)\n"))
	testkit.Write(t, dir, ".azureml/a.runconfig", []byte("script: train.py\ntarget: cpu\n"))
	return dir
}

// TestUpdateOfLarge checks that what an earlier migration wrote does not count as part of the project.
func TestUpdateOfLarge(t *testing.T) {
	dir := trackedProject(t, tracked)
	testkit.Write(t, dir, "azureml/MIGRATION.md", "# x: migration to Azure ML v2\n\nWritten by amlfix.\n")
	testkit.Write(t, dir, "azureml/data-x.yml", "$schema: https://azuremlschemas.azureedge.net/latest/data.schema.json\nname: x\npath: y\ntags: {"+strings.Repeat("a: b, ", migrate.MaxValues)+"}\n")
	migrateTracked(t, dir, "v2", false)
}
