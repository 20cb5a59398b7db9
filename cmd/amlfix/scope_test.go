package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/testkit"
)

// crossing is a project whose files have problems on their own and in combination.
const crossing = `
-- aml_config/gpu.compute --
type: remotedocker
address: a
username: b
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
-- aml_config/gpu.runconfig --
ArgumentVector: [train.py]
Framework: PySpark
Target: gpu
CondaDependenciesFile: aml_config/conda.yml
-- aml_config/cpu.compute --
type: local
pythonLocaton: python
-- aml_config/cpu.runconfig --
ArgumentVector: [train.py]
Framework: Pyton
Target: cpu
-- aml_config/conda.yml --
dependencies:
  - tensorflow
-- train.py --
import tensorflow
`

// reported returns "path rule" for each finding in a JSON report, except infos.
func reported(t *testing.T, r result) (list []string) {
	t.Helper()
	for line := range strings.Lines(r.out) {
		if strings.HasPrefix(line, `{"rule":`) && !strings.Contains(line, `"severity":"info"`) {
			words := strings.Split(line, `"`)
			at := slices.Index(words, "path")
			list = append(list, words[at+2]+" "+words[3])
		}
	}
	return list
}

// TestFilesNarrowAReport passes files, as pre-commit does: their projects are checked completely, but only the findings
// in these files are reported.
func TestFilesNarrowAReport(t *testing.T) {
	dir := testkit.Folder(t, crossing)
	const (
		conda = "aml_config/conda.yml gpu/cpu-package"
		key   = "aml_config/cpu.compute schema/unknown-key"
		value = "aml_config/cpu.runconfig schema/value"
		spark = "aml_config/gpu.runconfig gpu/framework"
	)
	for args, want := range map[string][]string{
		".":                        {conda, key, value, spark},
		"aml_config":               {conda, key, value, spark},
		"aml_config/gpu.compute":   {conda, spark},
		"aml_config/gpu.runconfig": {conda, spark},
		"aml_config/cpu.compute":   {key},
		"aml_config/conda.yml":     {conda},
		"aml_config/cpu.compute aml_config/cpu.runconfig": {key, value},
		"./aml_config/../aml_config/cpu.compute":          {key},
		"aml_config/cpu.compute .":                        {conda, key, value, spark},
	} {
		testkit.Same(t, want, reported(t, amlfix(t, dir, append(strings.Fields(args), "--format", "json")...)), args)
	}
	r := amlfix(t, dir, "--apply", "aml_config/cpu.compute")
	if got := testkit.Read(t, dir, "aml_config/conda.yml"); r.code != console.OK || got != "dependencies:\n  - tensorflow\n" {
		t.Errorf("a repair outside the files: %q, %+v", got, r)
	}
	testkit.Same(t, "type: local\npythonLocation: python\n", testkit.Read(t, dir, "aml_config/cpu.compute"), "no repair inside")
}

// mixed is a repository with v2 files in several folders, and a Workbench project.
const mixed = `
-- jobs/train.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py
environment: azureml:env@latest
compute: azureml:gpu
comput: x
-- infra/gpu.yml --
$schema: https://azuremlschemas.azureedge.net/latest/amlCompute.schema.json
name: gpu
type: amlcompute
size: Standard_NC24ads_A100_v4
siz: x
-- envs/env.yml --
$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json
name: env
image: ubuntu:22.04
conda_file: conda.yml
-- envs/conda.yml --
dependencies:
  - python=3.10
  - pip
  - pip:
    - torch==2.3.0+cpu
-- old/aml_config/cpu.compute --
type: local
pythonLocaton: python
-- old/aml_config/cpu.runconfig --
ArgumentVector: [train.py]
Framework: Python
Target: cpu
-- old/src/job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py
environment: azureml:env@latest
`

// TestFoldersOfV2NarrowAReport checks parts of a repository whose v2 files form one project: each part has its own
// findings, and those caused by its files.
func TestFoldersOfV2NarrowAReport(t *testing.T) {
	dir := testkit.Folder(t, mixed)
	testkit.Git(t, dir, "init", "-q")
	const (
		conda = "envs/conda.yml gpu/cpu-package"
		job   = "jobs/train.yml schema/unknown-key"
		gpu   = "infra/gpu.yml schema/unknown-key"
		old   = "old/aml_config/cpu.compute schema/unknown-key"
	)
	for args, want := range map[string][]string{
		".":              {conda, gpu, job, old},
		"jobs":           {conda, job},
		"infra":          {conda, gpu},
		"envs":           {conda},
		"jobs infra":     {conda, gpu, job},
		"jobs/train.yml": {conda, job},
		"old":            {old},
		"old/aml_config": {old},
		"old/src":        nil,
	} {
		testkit.Same(t, want, reported(t, amlfix(t, dir, append(strings.Fields(args), "--format", "json")...)), args)
	}
	testkit.Git(t, dir, "add", ".")
	testkit.Git(t, dir, "commit", "-qm", "a")
	for changed, want := range map[string][]string{"jobs/train.yml": {conda, job}, "infra/notes.txt": {conda, gpu}, "README.md": nil} {
		text, _ := os.ReadFile(filepath.Join(dir, changed)) // a new file does not exist yet
		testkit.Write(t, dir, changed, string(text)+"# changed\n")
		testkit.Same(t, want, reported(t, amlfix(t, dir, "--since", "HEAD", "--format", "json")), changed)
		testkit.Git(t, dir, "add", ".")
		testkit.Git(t, dir, "commit", "-qm", changed)
	}
	if r := amlfix(t, dir, "baseline", "jobs"); r.code != console.OK {
		t.Fatalf("%+v", r)
	}
	r := amlfix(t, dir)
	for path, want := range map[string]bool{"jobs/train.yml:5": false, "infra/gpu.yml:5": true, "old/aml_config/cpu.compute:2": true} {
		if strings.Contains(r.out, path) != want {
			t.Errorf("after a baseline of jobs, %s is among the findings: %v\n%s", path, !want, r.out)
		}
	}
}

// TestJobsOfV2AreNoRunConfigurations runs the commands about run configurations in a project that also has v2 jobs.
func TestJobsOfV2AreNoRunConfigurations(t *testing.T) {
	dir := testkit.Folder(t, mixed)
	testkit.Git(t, dir, "init", "-q")
	for _, c := range []struct{ in, args, want string }{
		{"old", "run --plan", "cpu"},
		{"old/src", "run --plan", "cpu"},
		{"old", "run --plan -c train", "There are:\n  cpu "},
		{".", "run --plan -c job", "There are:\n  cpu "},
		{"jobs", "prepare", "there is no run configuration"},
		{"old/src", "migrate --to v2 --dry-run", "there is no run configuration to migrate"},
		{".", "migrate --to v2 --dry-run", "job-cpu.yml"},
		{"jobs", "migrate --to v2 --dry-run", "there is no run configuration to migrate"},
	} {
		r := amlfix(t, filepath.Join(dir, c.in), strings.Fields(c.args)...)
		if said := r.out + r.err; !strings.Contains(said, c.want) || strings.Contains(said, "train.yml") || strings.Contains(said, "job.yml") {
			t.Errorf("%s: amlfix %s: %+v", c.in, c.args, r)
		}
	}
}

// TestFaultySettingsAreReportedForEveryFile checks that a finding that makes the whole check unreliable is reported
// even if another file was named.
func TestFaultySettingsAreReportedForEveryFile(t *testing.T) {
	dir := testkit.Folder(t, "-- .amlfix.yaml --\nignor: [gpu]\n-- aml_config/x.compute --\ntype: local\n")
	if r := amlfix(t, dir, "aml_config/x.compute"); !strings.Contains(r.out, ".amlfix.yaml:1:1: ") {
		t.Errorf("%+v", r)
	}
}

// TestSince changes files in a real repository and checks which projects are checked.
func TestSince(t *testing.T) {
	files := map[string]string{"shared.yml": "dependencies:\n  - nothing\n", "other.txt": "x", "outer/train.py": "x"}
	for _, p := range []string{"a", "b", "outer", "outer/inner"} {
		files[p+"/aml_config/x.compute"] = "type: local\n"
		files[p+"/aml_config/x.runconfig"] = "ArgumentVector: [a.py]\nFramework: Pyton\nTarget: x\nCondaDependenciesFile: " + strings.Repeat("../", strings.Count(p, "/")+1) + "conda-" + p[:1] + ".yml\n"
	}
	for change, want := range map[string][]string{
		"":                                     nil,
		"other.txt":                            nil,
		"a/aml_config/x.compute":               {"a"},
		"a/aml_config/new.compute":             {"a"},
		"- b/aml_config/x.compute":             {"b"},
		"outer/train.py":                       {"outer"},
		"outer/inner/aml_config/x.compute":     {"outer/inner"},
		"conda-a.yml":                          {"a"},
		"a/.amlfix.yaml":                       {"a"},
		".amlfix.yaml":                         {"a", "b", "outer", "outer/inner"},
		"a/aml_config/x.compute other.txt b/y": {"a", "b"},
	} {
		dir := t.TempDir()
		testkit.Git(t, dir, "init", "-q", "-b", "main")
		for name, text := range files {
			testkit.Write(t, dir, name, text)
		}
		testkit.Write(t, dir, "conda-a.yml", "dependencies:\n  - nothing\n")
		testkit.Git(t, dir, "add", "-A")
		testkit.Git(t, dir, "commit", "-qm", "one")
		if name, gone := strings.CutPrefix(change, "- "); gone {
			testkit.OK(t, os.Remove(filepath.Join(dir, name)))
		} else {
			for name := range strings.FieldsSeq(change) {
				text := "type: local\n# changed\n"
				if strings.HasSuffix(name, "yaml") {
					text = "fail-on: error\n"
				}
				testkit.Write(t, dir, name, text)
			}
		}
		for _, path := range []string{"", dir} {
			r := amlfix(t, dir, append([]string{"--since", "main", "--format", "json"}, strings.Fields(path)...)...)
			var got []string
			for _, line := range reported(t, r) {
				if name, ok := strings.CutSuffix(line, "/aml_config/x.runconfig schema/value"); ok {
					got = append(got, name)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%q changed, checked %q:\n%s%s", change, path, d, r.err)
			}
		}
	}
}

func TestSinceSaysWhyNot(t *testing.T) {
	dir := testkit.Folder(t, crossing)
	if r := amlfix(t, dir, "--since", "HEAD"); r.code != console.BadUsage || !strings.Contains(r.err, "--since HEAD: this folder is not in a git repository") {
		t.Errorf("%+v", r)
	}
	testkit.Git(t, dir, "init", "-q")
	if r := amlfix(t, dir, "--since", "main"); r.code != console.BadUsage || !strings.Contains(r.err, `--since main: git does not find the revision "main" here`) {
		t.Errorf("%+v", r)
	}
}

// amlfixReading is like amlfix, with a text on standard input.
func amlfixReading(t *testing.T, dir, text string, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	c := Command{Stdin: strings.NewReader(text), Stdout: &out, Stderr: &err, Dir: dir, Env: func(string) string { return "" }}
	code := c.Run(t.Context(), args)
	return result{out.String(), err.String(), code}
}

func TestStdin(t *testing.T) {
	dir := testkit.Folder(t, crossing)
	const name = "aml_config/gpu.runconfig"
	check := []string{"--stdin-filename", name, "--format", "json", "-"}
	onDisk := testkit.Read(t, dir, name)
	unsaved := strings.Replace(onDisk, "PySpark", "Python", 1)
	testkit.Same(t, []string{name + " gpu/framework"}, reported(t, amlfixReading(t, dir, onDisk, check...)))
	if r := amlfixReading(t, dir, unsaved, check...); r.code != console.OK || len(reported(t, r)) > 0 {
		t.Errorf("the unsaved text is right: %+v", r)
	}
	wrong := strings.Replace(onDisk, "Target: gpu", "Target: gpus", 1)
	testkit.Same(t, []string{name + " ref/target"}, reported(t, amlfixReading(t, dir, wrong, check...)))

	r := amlfixReading(t, dir, onDisk, "--diff", "--stdin-filename", name)
	if r.code != console.Findings || !strings.HasPrefix(r.out, "--- a/"+name+"\n+++ b/"+name+"\n") || !strings.Contains(r.out, "-Framework: PySpark\n+Framework: Python\n") {
		t.Errorf("--diff: %+v", r)
	}
	r = amlfixReading(t, dir, onDisk, "--apply", "--stdin-filename", name, "-")
	if r.code != console.OK || r.out != unsaved || !strings.Contains(r.err, name+":2: repaired: set Framework to Python") {
		t.Errorf("--apply: %+v", r)
	}
	again := amlfixReading(t, dir, r.out, "--apply", "--stdin-filename", name, "-")
	if again != (result{out: unsaved}) {
		t.Errorf("--apply again: %+v", again)
	}
	if got := testkit.Read(t, dir, name); got != onDisk {
		t.Errorf("the file was written: %q", got)
	}
}

// TestStdinOfFilesThatAreNotThere checks texts that were never saved, inside and outside a project.
func TestStdinOfFilesThatAreNotThere(t *testing.T) {
	dir := testkit.Folder(t, crossing)
	for name, want := range map[string]string{
		"aml_config/new.runconfig":         "aml_config/new.runconfig schema/value",
		"new.runconfig":                    "new.runconfig schema/value",
		"no/such/aml_config/new.runconfig": "no/such/aml_config/new.runconfig schema/value",
		"no/such/new.runconfig":            "no/such/new.runconfig schema/value",
	} {
		r := amlfixReading(t, dir, "ArgumentVector: [a.py]\nFramework: Pyton\nTarget: gpu\n", "--stdin-filename", name, "--format", "json")
		if got := reported(t, r); !slices.Contains(got, want) || slices.Contains(got, name+" ref/target") == (name == "aml_config/new.runconfig") {
			t.Errorf("%s: %q", name, got)
		}
	}
	r := amlfixReading(t, dir, strings.Repeat("a: b\n", 300_000), "--stdin-filename", "aml_config/big.compute")
	if r.code != console.Findings || !strings.Contains(r.out, "big.compute:1:1: error: ") {
		t.Errorf("a text without end: %.300v", r)
	}
}

// TestInAFolderOfAProject checks that amlfix names the enclosing project, which it was not asked to check.
func TestInAFolderOfAProject(t *testing.T) {
	dir := testkit.Folder(t, "-- my project/aml_config/x.compute --\ntype: local\n-- my project/src/deep/train.py --\n-- elsewhere/x --\n"+
		"-- v2/.git/HEAD --\nref: refs/heads/main\n-- v2/job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: a\n-- v2/src/train.py --\n")
	for at, want := range map[string]string{
		"my project/src/deep":   "; the project above it is ../..: amlfix ../.. checks it",
		"my project/src":        "; the project above it is ..: amlfix .. checks it",
		"my project/aml_config": "",
		"elsewhere":             "for v2 files (amlfix migrate also reads programs that use SDK v1)",
		"v2/src":                "; the repository has such files elsewhere: amlfix .. checks them",
	} {
		if r := amlfix(t, filepath.Join(dir, filepath.FromSlash(at))); r.code != console.OK || r.out != "" || !strings.HasSuffix(strings.TrimSpace(r.err), want) {
			t.Errorf("%s: %+v", at, r)
		}
	}
	if r := amlfix(t, filepath.Join(dir, "v2", "src"), "run", "../job.yml", "--plan"); strings.Contains(r.err, "found in this folder") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "my project/src"); !strings.Contains(r.err, "amlfix 'my project' checks it") {
		t.Errorf("%+v", r)
	}
}

// TestMigratedFolder checks that only the new files are checked where the folder that a migration wrote is named.
func TestMigratedFolder(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: loal\n-- azureml/job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncomand: a\n")
	for at, want := range map[string][]string{
		"azureml":    {"azureml/job.yml schema/missing-key", "azureml/job.yml schema/unknown-key"},
		"aml_config": {"aml_config/x.compute schema/value", "azureml/job.yml schema/missing-key", "azureml/job.yml schema/unknown-key"},
	} {
		got := slices.DeleteFunc(reported(t, amlfix(t, dir, at, "--format", "json", "--select", "schema")), func(line string) bool { return strings.Contains(line, "deprecated") })
		slices.Sort(got)
		testkit.Same(t, want, got, at)
	}
}

// TestForeignFiles passes files that no job uses, as pre-commit does: they are ignored, whatever is wrong with them.
func TestForeignFiles(t *testing.T) {
	dir := testkit.Folder(t, crossing+"-- charts/Chart.yaml --\ndependencies: [{name: redis}]\n-- app/pubspec.yaml --\ndependencies: {http: ^1.0}\n-- t/x.yaml --\n{{ a }}: [\n-- train.py --\n")
	args := []string{"charts/Chart.yaml", "app/pubspec.yaml", "t/x.yaml", "train.py"}
	for _, mode := range []string{"check", "--apply", "--diff"} {
		r := amlfix(t, dir, append([]string{mode}, args...)...)
		if r.code != console.OK || r.out != "" && r.out != "nothing to repair in 0 projects (0 files)\n" || !strings.Contains(r.err, "nothing to check in charts/Chart.yaml, ") {
			t.Errorf("%s: %+v", mode, r)
		}
	}
	testkit.Same(t, []string{"aml_config/cpu.compute schema/unknown-key"}, reported(t, amlfix(t, dir, append(args, "aml_config/cpu.compute", "--format", "json")...)))
	if r := amlfix(t, dir, append(args, "aml_config/cpu.compute")...); !strings.HasSuffix(r.out, "can be repaired: amlfix --apply aml_config/cpu.compute\n") {
		t.Errorf("%+v", r)
	}
}

// TestFilesOfTwoProjects counts a conda file once that the job of a repository names in a project of its own.
func TestFilesOfTwoProjects(t *testing.T) {
	dir := testkit.Folder(t, "-- .git/x --\n-- job.yml --\ncommand: echo\ntype: command\ncompute: azureml:cpu\n"+
		"environment: {image: 'mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04:20240101.v1', conda_file: old/aml_config/conda_dependencies.yml}\n"+
		"-- old/a.py --\n-- old/aml_config/x.compute --\ntype: local\n-- old/aml_config/x.runconfig --\nArgumentVector: [a.py]\nFramework: Python\nTarget: x\n"+
		"-- old/aml_config/conda_dependencies.yml --\nname: e\ndependencies: [python=3.10, pip]\n")
	if r := amlfix(t, dir, "--format", "json"); !strings.Contains(r.out, `"summary":{"projects":2,"files":4,`) {
		t.Errorf("%+v", r)
	}
}
