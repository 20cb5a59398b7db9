package schema_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// withSchema writes the addresses of schemas out: "#component" at the beginning of a file is the schema of command
// components.
var withSchema = strings.NewReplacer("#commandJob\n", address("commandJob"), "#pipelineJob\n", address("pipelineJob"), "#sweepJob\n", address("sweepJob"),
	"#parallelComponent\n", address("parallelComponent"), "#pipelineComponent\n", address("pipelineComponent"),
	"#sparkJob\n", address("sparkJob"), "#commandComponent\n", address("commandComponent"), "#environment\n", address("environment"), "#amlCompute\n", address("amlCompute"),
	"#managedOnlineDeployment\n", address("managedOnlineDeployment"), "#managedOnlineEndpoint\n", address("managedOnlineEndpoint"), "#model\n", address("model"),
	"#batchDeployment\n", address("batchDeployment"), "#schedule\n", address("schedule"), "#data\n", address("data"), "#azureBlob\n", address("azureBlob"))

func address(name string) string {
	return "$schema: https://azuremlschemas.azureedge.net/latest/" + name + ".schema.json\n"
}

// TestOneProjectOfV2 groups files: those of v2 by the repository, those of Workbench and SDK v1 by their folders,
// whichever path leads to them, and each once.
func TestOneProjectOfV2(t *testing.T) {
	const job, config = "#commandJob\ncommand: a\n", "Target: t\n"
	const conda = "dependencies: [python=3.11, pip: [azureml-defaults]]\n"
	const run, env = "# the job\nscript: a.py\ntarget: t\n", "environment:\n  python: {condaDependenciesFile: env.yml}\n"
	for name, c := range map[string]struct {
		files map[string]string
		args  string // "." if not given
		want  string
	}{
		"a repository":              {map[string]string{".git/HEAD": "", "jobs/a.yml": job, "infra/b.yml": job}, "", ".: infra/b.yml jobs/a.yml"},
		"a part of it":              {map[string]string{".git/HEAD": "", "jobs/a.yml": job, "infra/b.yml": job}, "jobs", ".: infra/b.yml jobs/a.yml"},
		"a file of it":              {map[string]string{".git/HEAD": "", "jobs/a.yml": job, "infra/deep/b.yml": job}, "jobs/a.yml", ".: infra/deep/b.yml jobs/a.yml"},
		"no repository":             {map[string]string{"jobs/a.yml": job, "infra/b.yml": job}, "", ".: infra/b.yml jobs/a.yml"},
		"no repository, a part":     {map[string]string{"jobs/deep/a.yml": job, "infra/b.yml": job}, "jobs", "jobs: jobs/deep/a.yml"},
		"a repository in another":   {map[string]string{".git/HEAD": "", "a.yml": job, "sub/.git/HEAD": "", "sub/x/b.yml": job}, "", ".: a.yml, sub: sub/x/b.yml"},
		"beside Workbench projects": {map[string]string{".git/HEAD": "", "one/aml_config/c.runconfig": config, "two/aml_config/c.runconfig": config, "one/a.yml": job, "b.yml": job}, "", ".: b.yml one/a.yml, one: one/aml_config/c.runconfig, two: two/aml_config/c.runconfig"},
		"a Workbench project":       {map[string]string{".git/HEAD": "", "one/aml_config/c.runconfig": config, "one/sub/a.yml": job, "b.yml": job}, "one/aml_config/c.runconfig", "one: one/aml_config/c.runconfig"},
		"in a Workbench project":    {map[string]string{"one/aml_config/c.runconfig": config, "one/sub/a.yml": job, "b.yml": job}, "", ".: b.yml, one: one/aml_config/c.runconfig one/sub/a.yml"},
		"in a configuration folder": {map[string]string{".git/HEAD": "", "one/.azureml/c.runconfig": config, "one/.azureml/a.yml": job, "b.yml": job}, "", ".: b.yml one/.azureml/a.yml, one: one/.azureml/c.runconfig"},
		"a file of such a folder":   {map[string]string{".git/HEAD": "", "one/.azureml/c.runconfig": config, "one/.azureml/a.yml": job, "b.yml": job}, "one/.azureml/a.yml", ".: b.yml one/.azureml/a.yml"},
		"such a folder":             {map[string]string{".git/HEAD": "", "one/.azureml/c.runconfig": config, "one/.azureml/a.yml": job, "b.yml": job}, "one/.azureml", ".: b.yml one/.azureml/a.yml, one: one/.azureml/c.runconfig"},
		"such a folder of v2 alone": {map[string]string{".git/HEAD": "", "one/.azureml/a.yml": job, "b.yml": job}, "one/.azureml", ".: b.yml one/.azureml/a.yml"},
		"such a folder without v2":  {map[string]string{".git/HEAD": "", "one/.azureml/c.runconfig": config, "b.yml": job}, "one/.azureml", "one: one/.azureml/c.runconfig"},
		"the same in no repository": {map[string]string{"one/.azureml/c.runconfig": config, "one/.azureml/a.yml": job, "b.yml": job}, "one/.azureml", "one: one/.azureml/a.yml one/.azureml/c.runconfig"},
		"run configurations":        {map[string]string{".git/HEAD": "", "code/a/run.yml": run + env, "code/b/run.yaml": run + "framework: Python\ncommunicator: None\n", "c.yml": job}, "", ".: c.yml, code/a: code/a/run.yml, code/b: code/b/run.yaml"},
		"one of them":               {map[string]string{".git/HEAD": "", "code/a/run.yml": run + env, "code/b/run.yaml": run + env, "c.yml": job}, "code/a/run.yml", "code/a: code/a/run.yml"},
		"one below a project":       {map[string]string{".git/HEAD": "", "aml_config/c.runconfig": config, "code/a/run.yml": run + env}, "code/a", ".: aml_config/c.runconfig code/a/run.yml"},
		"one with a command":        {map[string]string{".git/HEAD": "", "a/run.yml": "command: python a.py\ntarget: t\n" + env}, "", "a: a/run.yml"},
		"conda files for Azure ML":  {map[string]string{".git/HEAD": "", "a/env.yml": conda, "b.yml": job}, "", ".: a/env.yml b.yml"},
		"one of them named":         {map[string]string{".git/HEAD": "", "a/env.yml": conda, "b.yml": job}, "a/env.yml", ".: a/env.yml b.yml"},
		"one in a Workbench folder": {map[string]string{"one/aml_config/c.runconfig": config, "one/sub/a.yml": conda}, "one", "one: one/aml_config/c.runconfig one/sub/a.yml"},
		"none: other packages":      {map[string]string{".git/HEAD": "", "a/env.yml": "dependencies: [python=3.11, pip: [azure-ai-ml]]\n"}, "", ""},
		"none: another program's":   {map[string]string{".git/HEAD": "", "a/Chart.yaml": "name: azureml\ndependencies: [{name: azureml-chart}]\n"}, "", ""},
		"none: no target":           {map[string]string{".git/HEAD": "", "a/run.yml": "script: a.py\nframework: Python\ncommunicator: None\n" + env}, "", ""},
		"none: nothing of SDK v1":   {map[string]string{".git/HEAD": "", "a/run.yml": run + "framework: Python\narguments: [a]\nenvironment: {docker: {image: b}}\n", "a/run.json": "{\"script\": \"a\", \"target\": \"b\", \"framework\": \"c\", \"communicator\": \"d\"}"}, "", ""},
		"names of prompt flow":      {map[string]string{".git/HEAD": "", "flow.dag.yaml": "nodes: []\n", "a/flow.flex.yml": "entry: a:b\n", "b/flow.yaml": "nodes: []\n"}, "", ".: a/flow.flex.yml flow.dag.yaml"},
		"settings of its own":       {map[string]string{".git/HEAD": "", ".amlfix.yaml": "", "a.yml": job, "sub/.amlfix.yaml": "", "sub/x/b.yml": job}, "", ".: a.yml, sub: sub/x/b.yml"},
		"a part below settings":     {map[string]string{".git/HEAD": "", "a.yml": job, "sub/.amlfix.yaml": "", "sub/x/b.yml": job, "sub/c.yml": job}, "sub/x", "sub: sub/c.yml sub/x/b.yml"},
	} {
		t.Run(name, func(t *testing.T) {
			var archive txtar.Archive
			for path, text := range c.files {
				archive.Files = append(archive.Files, txtar.File{Name: path, Data: []byte(withSchema.Replace(text))})
			}
			dir := testkit.Folder(t, string(txtar.Format(&archive)))
			roots, err := schema.Discover([]string{dir + "/" + c.args})
			testkit.OK(t, err)
			var got []string
			for _, r := range roots {
				line := slashes(t, dir, r.Dir) + ":"
				for _, f := range r.Files.All() {
					line += " " + slashes(t, dir, f)
				}
				got = append(got, line)
			}
			testkit.Same(t, c.want, strings.Join(got, ", "))
		})
	}
}

// TestOnlyV2 asks whether a project with a run configuration that only its text shows to be one has something to run.
func TestOnlyV2(t *testing.T) {
	dir := testkit.Folder(t, "-- code/run.yml --\nscript: a.py\ntarget: t\nframework: Python\ncommunicator: None\n-- code/v2/job.yml --\ntype: command\ncommand: a\nenvironment: azureml:e:1\n")
	roots, err := schema.Discover([]string{dir + "/code"})
	testkit.OK(t, err)
	got := map[string]bool{}
	for _, r := range roots {
		for _, folder := range []string{"code", "code/v2"} {
			got[slashes(t, dir, r.Dir)+" "+folder] = r.OnlyV2(schema.Identity(dir + "/" + folder))
		}
	}
	testkit.Same(t, map[string]bool{"code code": false, "code code/v2": true}, got)
}

// TestSourceFolder finds the conda file of a run configuration that a program loads from a folder above it.
func TestSourceFolder(t *testing.T) {
	const run = "script: a.py\ntarget: t\nenvironment:\n  python: {condaDependenciesFile: NAME}\n"
	for name, want := range map[string]string{
		"env.yml": "code/train/env.yml", "train/env.yml": "code/train/env.yml", "code/train/env.yml": "code/train/env.yml", "top.yml": "top.yml", "other.yml": "",
	} {
		dir := testkit.Folder(t, "-- .git/HEAD --\n-- code/train/run.yml --\n"+strings.Replace(run, "NAME", name, 1)+"-- code/train/env.yml --\ndependencies: []\n-- top.yml --\ndependencies: []\n")
		roots, err := schema.Discover([]string{dir})
		testkit.OK(t, err)
		found := ""
		for _, e := range schema.Load(roots[0], schema.Options{}).Environments {
			rel, err := filepath.Rel(dir, e.File.Path)
			testkit.OK(t, err)
			found += filepath.ToSlash(rel)
		}
		testkit.Same(t, want, found, "%s", name)
	}
}
