package migrate_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

const datasetScript = `import os
from azureml.core import Run

run = Run.get_context()
data = run.input_datasets["train set"]
print(data)
with open(os.path.join(run.output_datasets["scores"], "a.txt"), "w") as f:
    f.write(str(os.listdir(data)))
`

const datasetScriptNow = `import os
import argparse
import sys

dataset_parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
dataset_parser.add_argument("--train_set", required=True, help="path of the input dataset train set")
dataset_parser.add_argument("--scores", required=True, help="path of the output dataset scores")
datasets, sys.argv[1:] = dataset_parser.parse_known_args()

data = datasets.train_set
print(data)
with open(os.path.join(datasets.scores, "a.txt"), "w") as f:
    f.write(str(os.listdir(data)))
`

// datasetProject writes a project whose script takes datasets from the run; data is the section of the run
// configuration that lists them.
func datasetProject(t *testing.T, script, data string) string {
	dir := schema.Identity(t.TempDir())
	testkit.Write(t, dir, "train.py", script)
	testkit.Write(t, dir, ".azureml/job.runconfig", "script: train.py\narguments: [--rate, '0.1']\ntarget: cpu\nenvironment:\n  python:\n    condaDependenciesFile: .azureml/conda_dependencies.yml\n"+data)
	testkit.Write(t, dir, ".azureml/conda_dependencies.yml", "dependencies:\n  - python=3.11\n  - pip:\n    - azureml-core\n")
	return dir
}

const givenData = `data:
  train set:
    dataLocation:
      dataset:
        name: iris
    mechanism: mount
outputData:
  scores:
    outputLocation:
      dataPath:
        datastoreName: store
        relativePath: scores
    mechanism: mount
`

// TestDatasets checks that the script's datasets become options, and that the job passes it the paths.
func TestDatasets(t *testing.T) {
	for name, c := range map[string]struct{ data, command, inputs string }{
		"given":     {givenData, "--train_set ${{inputs.train_set}} --scores ${{outputs.scores}}", "path: azureml:iris@latest"},
		"not given": {"", "--train_set ${{inputs.train_set}} --scores ${{outputs.scores}}", "DECIDE"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := datasetProject(t, datasetScript, c.data)
			m, files := migrateTracked(t, dir, "v2", true)
			testkit.Same(t, datasetScriptNow, string(m.Rewritten[0].New), "script")
			job := files["job-job.yml"]
			testkit.Has(t, job, "python train.py --rate 0.1 "+c.command, "inputs:\n", "\n  train_set:\n", "outputs:\n  scores:", c.inputs)
			testkit.Write(t, dir, "train.py", datasetScriptNow) // as undone by hand, or applied
			_, again := migrateTracked(t, dir, "v2", false)
			testkit.Same(t, job, again["job-job.yml"])
			_, compose := migrateTracked(t, dir, "compose", false)
			testkit.Has(t, compose["compose.yaml"], "--train_set")
		})
	}
}

// TestDatasetAsked checks that the migration asks about what neither the script nor the run configuration says, and
// rewrites nothing until the answer is that it is a folder.
func TestDatasetAsked(t *testing.T) {
	const script = "from azureml.core import Run\nfrom mine import load\nload(Run.get_context().input_datasets['a'])\n"
	dir := datasetProject(t, script, "")
	m, files := migrateTracked(t, dir, "v2", true)
	if len(m.Rewritten) > 0 || !strings.Contains(files["MIGRATION.md"], "mltable.load(") || !strings.Contains(files["MIGRATION.md"], "`train.py:3`") && !strings.Contains(files["MIGRATION.md"], "train.py:3") {
		t.Errorf("the call is not listed with what to write:\n%s", files["MIGRATION.md"])
	}
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	m, err = migrate.New(schema.Load(roots[0], schema.Options{}), emitters[0], migrate.Options{RewriteScripts: true, Answers: map[string]migrate.Answer{"dataset-a": {Value: "folder", From: migrate.FromFlag}}})
	testkit.OK(t, err)
	if len(m.Rewritten) != 1 || !strings.Contains(string(m.Rewritten[0].New), "load(datasets.a)") {
		t.Errorf("the answer changes nothing: %v", m.Rewritten)
	}
}

// TestDatasetCommands checks that a command gets the paths as words, and that the migration asks about a shell command.
func TestDatasetCommands(t *testing.T) {
	for command, c := range map[string]struct{ want, open string }{
		"[python, train.py, --rate, '1']":          {"command: python train.py --rate 1 --train_set ${{inputs.train_set}} --scores ${{outputs.scores}}", ""},
		"python train.py --rate 1":                 {"command: python train.py --rate 1", "options"},
		"python train.py --train_set=a --scores b": {"command: python train.py --train_set=a --scores b", ""},
	} {
		dir := datasetProject(t, datasetScriptNow, givenData+"command: "+command+"\n")
		m, files := migrateTracked(t, dir, "v2", false)
		if !strings.Contains(files["job-job.yml"], c.want) {
			t.Errorf("%s: no %q:\n%s", command, c.want, files["job-job.yml"])
		}
		var open []string
		for _, d := range m.Open() {
			open = append(open, d.ID)
		}
		testkit.Same(t, c.open, strings.Join(open, " "), command)
	}
}

// TestDatasetsOfRun checks the decision about datasets that a script takes from the run, where v2 does not put them.
func TestDatasetsOfRun(t *testing.T) {
	project := func(use, more string) string {
		return "-- train.py --\nfrom azureml.core import Run\nrun = Run.get_context()\n" + use + "\n-- pipe.py --\nfrom azureml.core import Dataset, Workspace\nfrom azureml.pipeline.core import Pipeline\nfrom azureml.pipeline.steps import PythonScriptStep\nws = Workspace.from_config()\n" +
			"Pipeline(ws, [PythonScriptStep('train.py', compute_target='cpu', inputs=[Dataset.get_by_name(ws, 'd').as_named_input('d')" + more + "])])\n"
	}
	const fault = "MIGRATION.md: train.py:3 takes a dataset from the run, where only SDK v1 jobs have it"
	const patched = "scripts.patch: +f(datasets.d)\n"
	checkWorked(t, []worked{
		{name: "a table", project: project("run.input_datasets['d'].to_pandas_dataframe()", ""), open: "rewrite", has: []string{fault}},
		{name: "in a function", project: project("def f():\n    run.input_datasets['d'].to_pandas_dataframe()", ""), lacks: []string{fault}},
		{name: "in functions that are called", project: project("def f():\n    run.input_datasets['d'].to_pandas_dataframe()\n    return\ndef main():\n    f()\nif __name__ == '__main__':\n    main()", ""), open: "rewrite", has: []string{strings.Replace(fault, ":3", ":4", 1)}},
		{name: "after a return", project: project("def f():\n    if x:\n        return\n    run.input_datasets['d'].to_pandas_dataframe()\nf()", "")},
		{name: "in a generator", project: project("def f():\n    run.input_datasets['d'].to_pandas_dataframe()\n    yield\nf()", "")},
		{name: "in a function that may be called", project: project("def f():\n    run.input_datasets['d'].to_pandas_dataframe()\nif x:\n    f()\ny = x and f()\ng = lambda: f()\ndef h(f): f()\nh(f)", "")},
		{name: "on a condition", project: project("if x: run.input_datasets['d'].to_pandas_dataframe()\ny = run.input_datasets['d'].to_pandas_dataframe() if x else 1", "")},
		{name: "in a function of a module that it imports", project: strings.Replace(project("import data", ""), "-- pipe.py", "-- data.py --\nfrom azureml.core import Run\nrun = Run.get_context()\ndef f():\n    run.input_datasets['d'].to_pandas_dataframe()\nf()\n-- pipe.py", 1)},
		{name: "unknown", project: project("f(run.input_datasets['d'])", ""), open: "rewrite", has: []string{fault}},
		{name: "an answer", project: project("f(run.input_datasets['d'])", ""), answers: "dataset-d=folder", has: []string{patched}},
		{name: "what the script says", project: project("import os\nd = run.input_datasets['d']\nos.listdir(d)", ""), lacks: []string{"MIGRATION.md: dataset-d"}},
		{name: "mounted by the step", project: project("f(run.input_datasets['d'])", ".as_mount()"), has: []string{patched}, lacks: []string{"MIGRATION.md: dataset-d"}},
		{name: "set by the script", project: project("run.input_datasets['d'] = 'x'", ""), lacks: []string{fault}},
	})
}
