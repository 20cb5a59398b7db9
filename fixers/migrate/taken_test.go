package migrate_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// notebookOf returns a notebook with cells.
func notebookOf(cells ...string) string {
	list := []any{}
	for _, c := range cells {
		list = append(list, map[string]any{"cell_type": "code", "source": c})
	}
	text, _ := json.MarshalIndent(map[string]any{"cells": list}, "", " ")
	return string(text)
}

const (
	folderCell = "import os\nfrom azureml.core import Environment, ScriptRunConfig\nfolder = './code'\nos.makedirs(folder, exist_ok=True)"
	writeCell  = "%%writefile $folder/train.py\nprint(1)"
	submitCell = "ScriptRunConfig(source_directory=folder, script='train.py', compute_target='cpu', environment=Environment('e'))"
)

// TestTaken checks which files of notebooks are added to the project.
func TestTaken(t *testing.T) {
	const one = "code/train.py: print(1)\n"
	for _, c := range []struct {
		name  string
		cells []string
		files map[string]string // of the project
		want  string
		none  bool
	}{
		{name: "a variable", cells: []string{folderCell, writeCell, submitCell}, want: one},
		{name: "a literal", cells: []string{folderCell, "%%writefile code/train.py\nprint(1)\n", submitCell}, want: one},
		{name: "a path in a variable", cells: []string{folderCell + "\npath = os.path.join(folder, 'train.py')", "%%writefile $path\nprint(1)", submitCell}, want: one},
		{name: "a later cell", cells: []string{folderCell, "%%writefile $folder/train.py\nprint(0)", writeCell, submitCell}, want: one},
		{name: "a cell that appends", cells: []string{folderCell, writeCell, "%%writefile -a $folder/train.py\nprint(2)", submitCell}, want: one + "print(2)\n"},
		{name: "a module", cells: []string{folderCell, "%%writefile $folder/train.py\nimport util", "%%writefile $folder/util.py\nprint(1)", submitCell}, want: "code/train.py: import util\ncode/util.py: print(1)\n"},
		{name: "a list for pip", cells: []string{folderCell, writeCell, "%%writefile r.txt\nnumpy", strings.Replace(submitCell, "Environment('e')", "Environment.from_pip_requirements('e', 'r.txt')", 1)}, want: one + "r.txt: numpy\n"},
		{name: "the same text in the project", cells: []string{folderCell, writeCell, submitCell}, files: map[string]string{"code/train.py": "print(1)\r\n"}, want: one},
		{name: "another text in the project", cells: []string{folderCell, writeCell, submitCell}, files: map[string]string{"code/train.py": "print(2)\n"}},
		{name: "the same text in another notebook", cells: []string{folderCell, writeCell, submitCell}, files: map[string]string{"b.ipynb": notebookOf(folderCell, writeCell, submitCell)}, want: one},
		{name: "another text in another notebook", cells: []string{folderCell, writeCell, submitCell}, files: map[string]string{"b.ipynb": notebookOf(folderCell, "%%writefile $folder/train.py\nprint(2)", submitCell)}, none: true},
		{name: "different texts, each for a job", cells: []string{folderCell, writeCell, submitCell, "%%writefile $folder/train.py\nprint(2)", submitCell}, none: true},
		{name: "an unknown folder", cells: []string{folderCell, "%%writefile $other/train.py\nprint(1)", submitCell}, none: true},
		{name: "a cell that may write the same file", cells: []string{folderCell, writeCell, "%%writefile $other/train.py\nprint(2)", submitCell}, none: true},
		{name: "nothing to append to", cells: []string{folderCell, "%%writefile -a $folder/train.py\nprint(1)", submitCell}, none: true},
		{name: "no job", cells: []string{folderCell, writeCell, "Environment('e')"}, none: true},
		{name: "above the project", cells: []string{folderCell, "%%writefile ../train.py\nprint(1)", submitCell}, none: true},
		{name: "anywhere", cells: []string{folderCell, "%%writefile /tmp/train.py\nprint(1)", submitCell}, none: true},
		{name: "hidden", cells: []string{folderCell, "%%writefile .git/hooks/pre-commit\nprint(1)", "%%writefile code/.x/train.py\nprint(1)", submitCell}, none: true},
		{name: "the new folder", cells: []string{folderCell, "%%writefile azureml/job-a.yml\nprint(1)", submitCell}, none: true},
		{name: "a secret", cells: []string{folderCell, "%%writefile $folder/train.py\nkey = 'https://a.blob.core.windows.net/b?sig=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH%3D&se=2030-01-01'", submitCell}, none: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := schema.Identity(t.TempDir())
			testkit.Write(t, dir, "a.ipynb", notebookOf(c.cells...))
			for name, text := range c.files {
				testkit.Write(t, dir, name, text)
			}
			m, files := migrateTracked(t, dir, "v2", false)
			got := ""
			for _, taken := range m.Taken {
				got += taken.File + ": " + string(taken.Text)
				if taken.New == (c.files["code/train.py"] != "") {
					t.Errorf("%s is new: %t", taken.File, taken.New)
				}
			}
			testkit.Same(t, c.want, got)
			if open := strings.Contains(files["job-a.yml"], "DECIDE: the script"); open != c.none && c.name != "no job" {
				t.Errorf("the script is open: %t", open)
			}
			if c.name == "a list for pip" && !strings.Contains(files["conda_dependencies_a.yml"], "- numpy\n") {
				t.Errorf("the list is not read:\n%s", files["conda_dependencies_a.yml"])
			}
			testkit.OK(t, m.Commit())
			for _, taken := range m.Taken {
				testkit.Same(t, string(taken.Text), strings.ReplaceAll(testkit.Read(t, dir, taken.File), "\r\n", "\n"))
			}
			m, _ = migrateTracked(t, dir, "v2", false)
			u, err := m.Existing()
			testkit.OK(t, err)
			if len(u.Changes) > 0 {
				t.Errorf("a second migration changes %s", paths(u.Changes))
			}
		})
	}
}

// TestTakenLater checks that an update writes such files, rewritten if the user wants that, and that undo removes them.
func TestTakenLater(t *testing.T) {
	dir, store := schema.Identity(t.TempDir()), t.TempDir()
	testkit.Write(t, dir, "a.ipynb", notebookOf(folderCell, "%%writefile $folder/train.py\n"+tracked, submitCell))
	m, files := migrateTracked(t, dir, "v2", false)
	if !strings.Contains(files["scripts.patch"], "code/train.py") {
		t.Errorf("the diff lacks the script:\n%s", files["scripts.patch"])
	}
	testkit.OK(t, m.Commit())
	testkit.Same(t, tracked, testkit.Read(t, dir, "code/train.py"))
	for rewrite, want := range map[bool]string{false: tracked, true: trackedNow} {
		testkit.OK(t, os.RemoveAll(dir+"/code"))
		m, _ = migrateTracked(t, dir, "v2", rewrite)
		u, err := m.Existing()
		testkit.OK(t, err)
		_, err = u.Commit(store)
		testkit.OK(t, err)
		testkit.Same(t, want, testkit.Read(t, dir, "code/train.py"))
		s, _, err := transaction.Open(store, dir)
		testkit.OK(t, err)
		_, err = s.Undo()
		testkit.OK(t, err)
		s.Close()
		if _, err := os.Stat(dir + "/code/train.py"); err == nil {
			t.Error("the script is still there")
		}
	}
}
