package tracking_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate/tracking"
)

// TestReasons has, for each reason about datasets and models, a script for which it is true, and one that differs only
// in that and is rewritten.
func TestReasons(t *testing.T) {
	const (
		one   = "os.listdir(run.input_datasets['d'])\n"
		model = "from sklearn.svm import SVC\nimport joblib\nm = SVC()\njoblib.dump(m, 'outputs/m')\n"
		name  = "run.register_model('name', 'outputs/m')\n"
	)
	folder := tracking.Options{Dataset: func(string) tracking.Dataset { return tracking.Folder }}
	for _, c := range []struct {
		why, is, not string
		of           tracking.Options // for the script for which it is true
		other        tracking.Options // for the other script
		instead      string
	}{
		{why: "the dataset is determined only at run time", is: "os.listdir(run.input_datasets[k])\n", not: one},
		{why: "it is a table", is: "x = run.input_datasets['a b']\nx.to_pandas_dataframe()\n", not: "x = run.input_datasets['a b']\nos.listdir(x)\n", instead: "mltable.load(args.a_b).to_pandas_dataframe()"},
		{why: "it is a table", is: "f(run.input_datasets['in'])\n", not: "f(run.input_datasets['in'])\n", of: tracking.Options{Dataset: func(string) tracking.Dataset { return tracking.Table }}, other: folder, instead: "${{inputs.data_in}}"},
		{why: "it is not certain that the dataset is a folder or a file", is: "f(run.input_datasets['d'])\n", not: "f(run.input_datasets['d'])\n", other: folder},
		{why: "it is not certain that the dataset is a folder or a file", is: "x = run.input_datasets['d']\nx = f(x)\nos.listdir(x)\n", not: "x = run.input_datasets['d']\ny = f(x)\nos.listdir(x)\n"},
		{why: "a dataset of the run is set", is: "run.input_datasets['d'] = 3\n", not: "x = run.output_datasets['d']\n"},
		{why: "the datasets are not used one by one", is: "f(run.input_datasets)\n", not: one},
		{why: "other scripts import this one", is: one, not: one, of: tracking.Options{Imported: true}},
		{why: "the names `dataset_parser` and `datasets` are already used", is: "datasets = 1\n" + one, not: one},
		{why: "a comment in the code that would be changed", is: "os.listdir(run.input_datasets[  # which\n'd'])\n", not: one},
		{why: "the location of the model is known only at run time", is: model + "run.register_model('name', p)\n", not: model + name, instead: ""},
		{why: "its return value is used", is: model + "x = " + name, not: model + name},
		{why: "have only tags", is: model + "run.register_model('name', 'outputs/m', properties=p)\n", not: model + name},
		{why: "it is not certain that MLflow supports the model", is: strings.ReplaceAll(model, "SVC()", "f()") + name, not: model + name, instead: "az ml model create --name name --type custom_model --path azureml://jobs/JOB/outputs/artifacts/paths/outputs/m`"},
		{why: "it is not certain that MLflow supports the model", is: strings.ReplaceAll(model, "outputs/m", "outputs/n") + name, not: model + name},
		{why: "a scoring script opens the file", is: model + name, not: model + name, of: tracking.Options{Deploys: true}},
		{why: "gets no tags", is: model + "run.register_model('name', 'outputs/m', tags=p)\n", not: model + name},
		{why: "its argument `datasets` is not known", is: model + "run.register_model('name', 'outputs/m', datasets=p)\n", not: model + name},
		{why: "the script starts an MLflow run itself", is: "run.log('a', 1)\nmlflow.start_run()\n", not: "run.log('a', 1)\nmlflow.end_run()\n"},
	} {
		const head = "import os\nfrom azureml.core import Run\nrun = Run.get_context()\n"
		r := tracking.Rewrite([]byte(head+c.is), c.of)
		found := false
		for _, l := range r.Skipped {
			found = found || strings.Contains(l.Why, c.why) && strings.Contains(l.Instead, c.instead)
		}
		if !found {
			t.Errorf("%s is not reported for\n%s%+v", c.why, c.is, r.Skipped)
		}
		if r := tracking.Rewrite([]byte(head+c.not), c.other); len(r.Skipped) > 0 || r.Text == nil {
			t.Errorf("%s: not rewritten:\n%s%+v", c.why, c.not, r.Skipped)
		}
	}
}
