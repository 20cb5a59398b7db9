package migrate_test

import "testing"

// TestAutoML checks what becomes of programs that use AutoML.
func TestAutoML(t *testing.T) {
	const report, job = "MIGRATION.md: ", "job-pipe.yml: "
	data := func(how string) string {
		return on(learns(""), "AutoMLConfig(", "d = Dataset.Tabular.from_delimited_files('https://a/d.csv').register(ws, 'd')\nAutoMLConfig(") + how
	}
	checkWorked(t, []worked{
		{name: "a registered table", project: learns(""), has: []string{job + "type: automl\n", job + "path: azureml:d@latest\n", job + "target_column_name: y\n"}},
		{name: "one that this migration writes as a file", project: data(""), open: "training-data"},
		{name: "as a table", project: data(""), answers: "data-type=mltable", has: []string{job + "path: azureml:d@latest\n"}},
		{name: "answers", project: builder + "from azureml.train.automl import *\nAutoMLConfig(task='regression', training_data=f(), label_column_name=x)\n", answers: "target=cpu label=y training-data=azureml:d:3",
			has: []string{job + "compute: azureml:cpu\n", job + "target_column_name: y\n", job + "path: azureml:d:3\n"}, lacks: []string{job + "DECIDE"}},
		{name: "settings that are computed", project: learns(", **f()"), has: []string{job + "# Not carried over, because the program computes it: settings. See MIGRATION.md.\n"}},
		{name: "a metric of another task", project: learns(", primary_metric='accuracy'"), lacks: []string{job + "primary_metric"}},
		{name: "old names of what is also set", project: learns(", allowed_models=['LightGBM'], whitelist_models=['SVM'], experiment_timeout_minutes=20, experiment_timeout_hours=3"),
			has: []string{job + "- LightGBM\n", job + "timeout_minutes: 20\n", report + "another parameter sets the same"}, lacks: []string{job + "SVM", job + "180"}},
		{name: "a task that is computed", project: on(learns(""), "'regression'", "f()"), lacks: []string{report + "job-pipe.yml"}},
		{name: "a step's", project: builder + "from azureml.train.automl import *\nc = AutoMLConfig(task='regression', compute_target='cpu')\nPipeline(ws, [AutoMLStep('a', c)])\n", open: "script", lacks: []string{report + "job-pipe-2.yml", job + "type: automl"}},
		{name: "Compose", project: learns(""), to: "compose", fails: "amlfix does not write AutoML jobs for Docker Compose: --to v2 writes a job of type automl"},
	})
}
