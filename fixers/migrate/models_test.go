package migrate_test

import (
	"testing"
)

// TestModels checks that a model registered with a file of the project is written, and that one that a job creates, or
// whose name is computed, is listed.
func TestModels(t *testing.T) {
	const head = "-- register.py --\nfrom azureml.core import Workspace, Model\nws = Workspace.from_config()\n"
	const files = "-- models/a.pkl --\nx\n-- models/kept/MLmodel --\nflavors: {}\n"
	program := func(call string) string { return sdk("") + head + call + "\n" + files }
	line := func(text string) string { return sdk("") + "-- ci/run.sh --\n" + text + "\n" + files }
	const file, report = "model-digits.yml: ", "MIGRATION.md: "
	written := []string{file + "name: digits\n", file + "type: custom_model\npath: ../models/a.pkl\n", report + "az ml model create --file model-digits.yml\n"}
	none := []string{report + "model-"}
	checkWorked(t, []worked{
		{name: "a program", project: program("m = Model.register(workspace=ws, model_path='models/a.pkl', model_name='digits', tags={'area': 'x'}, description='of old', model_framework=Model.Framework.SCIKITLEARN)"), has: append(written, file+"description: of old\n", file+"tags:\n  area: x\n", report+"`Model.Framework.SCIKITLEARN` | dropped | v2 knows frameworks")},
		{name: "by its places", project: program("Model.register(ws, './models/a.pkl', 'digits')"), has: written},
		{name: "a model of MLflow", project: program("Model.register(ws, 'models/kept', 'digits')"), has: []string{file + "type: mlflow_model\npath: ../models/kept\n"}},
		{name: "made by a job", project: program("Model.register(ws, 'outputs/a.pkl', 'digits')"), lacks: none, has: []string{report + "Model.register(model_path=outputs/a.pkl)"}},
		{name: "a name that is computed", project: program("Model.register(ws, 'models/a.pkl', name)"), lacks: none},
		{name: "a path that is computed", project: program("Model.register(ws, path, 'digits')"), lacks: none},
		{name: "outside of the project", project: program("Model.register(ws, '../a.pkl', 'digits')"), lacks: none},
		{name: "a command line", project: line("az ml model register -n digits -p models/a.pkl -d 'of old'"), has: append(written, file+"description: of old\n", report+"| `az ml model create --file model-digits.yml` |")},
		{name: "long options", project: line("az ml model register --name=digits --model-path=models/a.pkl"), has: written},
		{name: "of a job's run", project: line("az ml model register -n digits -p outputs/a.pkl --run-metadata-file run.json"), lacks: none, has: []string{report + "| `az ml model create --type custom_model` |"}},
		{name: "both", project: line("az ml model register -n digits -p models/a.pkl") + head + "Model.register(ws, 'models/a.pkl', 'digits')\n", lacks: []string{report + "model-digits-2.yml"}},
		{name: "three of one name", project: program("Model.register(ws, 'models/a.pkl', 'digits', tags={'n': 'a'})\nModel.register(ws, 'models/a.pkl', 'digits', tags={'n': 'b'})\nModel.register(ws, 'models/a.pkl', 'digits', tags={'n': 'c'})\n"), has: append(written, "model-digits-2.yml: name: digits\n", "model-digits-3.yml: name: digits\n")},
		{name: "a program alone", project: head + "Model.register(ws, 'models/a.pkl', 'digits')\n" + files, has: written},
		{name: "a secret", project: program("Model.register(ws, 'models/a.pkl', 'digits', tags={'key': 'sig=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH%3D&se=2030-01-01'})"), has: written, lacks: []string{file + "abcdefghij"}},
		{name: "Compose", project: program("Model.register(ws, 'models/a.pkl', 'digits')"), to: "compose", lacks: none},
	})
}

// TestTags checks that the tags of jobs, data and clusters are copied, as those of models are.
func TestTags(t *testing.T) {
	const program = "-- make.py --\nfrom azureml.core import Dataset, Datastore\nfrom azureml.core.compute import AmlCompute, ComputeTarget\n" +
		"Dataset.File.from_files((Datastore.get(ws, 's'), 'x')).register(ws, 'd', tags={'n': 1, 'a': f()})\n" +
		"ComputeTarget.create(ws, 'cpu', AmlCompute.provisioning_configuration('Standard_D4as_v4', tags={'owner': 'me'}))\n"
	const submit = "-- train.py --\n-- submit.py --\nfrom azureml.core import *\nfrom azureml.train.hyperdrive import *\nfrom azureml.pipeline.core import *\nfrom azureml.pipeline.steps import *\n" +
		"s = ScriptRunConfig('.', 'train.py', compute_target='cpu', environment=Environment('e'))\n"
	const sweep = "h = HyperDriveConfig(GridParameterSampling({'a': choice(1)}), 'm', PrimaryMetricGoal.MINIMIZE, 1, run_config=s)\nExperiment(ws, 'e').submit(h, {'owner': 'me'})\n"
	const pipe = "Experiment(ws, 'e').submit(Pipeline(ws, [PythonScriptStep('train.py', compute_target='cpu')]), tags={'owner': 'me'})\n"
	checkWorked(t, []worked{{
		name: "a job", project: submit + "Experiment(ws, 'e').submit(s, tags={'owner': 'me', 'a': f()})\n", has: []string{"job-submit.yml: tags:\n  owner: me\n", "MIGRATION.md: `s.tags.owner` | `'me'` | mapped", "MIGRATION.md: `f()` | dropped | not a literal"},
	}, {
		name: "a sweep", project: submit + sweep, has: []string{"job-submit.yml: tags:\n  owner: me\n"},
	}, {
		name: "a pipeline", project: submit + pipe, has: []string{"job-submit-pipeline.yml: tags:\n  owner: me\n"},
	}, {
		name: "data and clusters", project: program, has: []string{"data-d.yml: tags:\n  n: '1'\n", "compute-cpu.yml: tags:\n  owner: me\n", "MIGRATION.md: `f()` | dropped | not a literal"},
	}})
}
