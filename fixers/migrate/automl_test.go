package migrate_test

import "testing"

// TestAutoML checks what becomes of programs that use AutoML.
func TestAutoML(t *testing.T) {
	const report, job = "MIGRATION.md: ", "job-pipe.yml: "
	data := func(how string) string {
		return on(learns(""), "AutoMLConfig(", "d = Dataset.Tabular.from_delimited_files('https://a/d.csv').register(ws, 'd')\nAutoMLConfig(") + how
	}
	unregistered := func(table string) string {
		return on(on(learns(""), "Dataset.get_by_name(ws, 'd')", "d"), "AutoMLConfig(", "from azureml.data.dataset_factory import *\nd = "+table+"\nAutoMLConfig(")
	}
	prepared := func(how, then string) string {
		return on(learns(", featurization=f"), "AutoMLConfig(", "from azureml.automl.core.featurization import *\nf = FeaturizationConfig("+how+")\n"+then+"AutoMLConfig(")
	}
	uncertain := func(how, then string) worked {
		return worked{name: how + then, project: prepared(how, then), has: []string{job + "# Not carried over, because the program computes it: featurization. See MIGRATION.md.\n"}, lacks: []string{job + "featurization:\n"}}
	}
	checkWorked(t, []worked{
		uncertain("column_purposes={'a': x}", ""),
		uncertain("drop_columns=x", ""),
		uncertain("**x", ""),
		uncertain("", "f.add_transformer_params('Imputer', x, {'strategy': 'mean'})\n"),
		uncertain("", "f.add_transformer_params('Imputer', 'b', {'strategy': 'mean'})\n"),
		uncertain("", "f.transformer_params = {'Imputer': [(x, {'strategy': 'mean'})]}\n"),
		uncertain("", "f.add_transformer_params('Imputer')\n"),
		uncertain("", "f.remove_column_purpose('a')\n"),
		uncertain("", "for c in x:\n    f.add_drop_columns([c])\n"),
		uncertain("", "if x:\n    f.add_column_purpose('e', 'Text')\n"),
		uncertain("", "g = f\ng.add_column_purpose('e', 'Text')\n"),
		uncertain("", "prepare(f)\n"),
		uncertain("", "def prepare():\n    f.add_column_purpose('e', 'Text')\n"),
		{name: "changes after the job", project: on(prepared("", ""), "label_column_name='y', featurization=f)", "label_column_name='y', featurization=f)\nf.add_column_purpose('e', 'Text')\n"), has: []string{job + "program computes it: featurization."}},
		{name: "a registered table", project: learns(""), has: []string{job + "type: automl\n", job + "path: azureml:d@latest\n", job + "target_column_name: y\n"}},
		{name: "one that this migration writes as a file", project: data(""), open: "training-data"},
		{name: "as a table", project: data(""), answers: "data-type=mltable", has: []string{job + "path: azureml:d@latest\n"}},
		{name: "a table that is not registered", project: unregistered("TabularDatasetFactory.from_delimited_files(path='https://a/d.csv', separator=';')"),
			has: []string{job + "training_data:\n  type: mltable\n  path: ./mltable-pipe-training-data\n", "mltable-pipe-training-data/MLTable: - file: https://a/d.csv\n", "mltable-pipe-training-data/MLTable: delimiter: ;\n", report + "`mltable-pipe-training-data/MLTable`"}},
		{name: "such a table on a datastore", project: unregistered("Dataset.Tabular.from_delimited_files((Workspace.from_config().get_default_datastore(), 'a/d.csv'))"), open: "training-data", has: []string{report + "pipe.py:11 reads files that are not registered"}},
		{name: "such a table with a signature", project: unregistered("Dataset.Tabular.from_delimited_files('https://a.blob.core.windows.net/c/d.csv?sv=2020&sig=dGhpc2lzbm90YXNlY3JldGtleWF0YWxsMTIzNDU2Nzg%3D')"), open: "training-data"},
		{name: "such a table of several files", project: unregistered("Dataset.Tabular.from_delimited_files('https://a/*.csv')"), open: "training-data"},
		{name: "such a table with other settings", project: unregistered("Dataset.Tabular.from_delimited_files('https://a/d.csv', encoding='latin1')"), open: "training-data"},
		{name: "a part of such a table", project: unregistered("Dataset.Tabular.from_delimited_files('https://a/d.csv').take(5)"), open: "training-data"},
		{name: "such a table on this computer", project: unregistered("Dataset.Tabular.from_delimited_files('d.csv')"), open: "training-data"},
		{name: "objects in settings", project: on(on(unregistered("TabularDatasetFactory.from_delimited_files('https://a/d.csv')"), "AutoMLConfig(", "s = {'training_data': d, 'compute_target': ws.compute_targets['gpu'], 'n_cross_validations': 5, 'verbosity': logging.INFO}\nAutoMLConfig("), "compute_target='cpu', training_data=d", "**s"),
			has: []string{job + "path: ./mltable-pipe-training-data\n", job + "compute: azureml:gpu\n", job + "n_cross_validations: 5\n", job + "log_verbosity: info\n"}},
		{name: "answers", project: builder + "from azureml.train.automl import *\nAutoMLConfig(task='regression', training_data=f(), label_column_name=x)\n", answers: "target=cpu label=y training-data=azureml:d:3",
			has: []string{job + "compute: azureml:cpu\n", job + "target_column_name: y\n", job + "path: azureml:d:3\n"}, lacks: []string{job + "DECIDE"}},
		{name: "a forecast whose column of times is computed", project: on(learns(", time_column_name=f(), forecast_horizon=2"), "'regression'", "'forecasting'"), open: "time-column", has: []string{report + "pipe.py:9 computes it", job + "forecasting:\n  forecast_horizon: 2\n  # DECIDE"}},
		{name: "such a forecast, answered", project: on(learns(", forecasting_parameters=ForecastingParameters(time_column_name=f())"), "'regression'", "'forecasting'"), answers: "time-column=day", has: []string{job + "forecasting:\n  time_column_name: day\n"}},
		{name: "a forecast without one", project: on(learns(""), "'regression'", "'forecasting'"), open: "time-column"},
		{name: "a forecast whose parameters are computed", project: on(learns(", forecasting_parameters=f()"), "'regression'", "'forecasting'"), open: "time-column", has: []string{report + "| pipe.py:9 computes it |"}, lacks: []string{report + "has no time_column_name"}},
		{name: "what settings may have", project: builder + "from azureml.train.automl import *\nAutoMLConfig(task='forecasting', compute_target='cpu', **f())\n", open: "label training-data time-column", has: []string{report + "pipe.py:9 computes it"}, lacks: []string{report + "has no time_column_name", report + "names no training_data", report + "has no label_column_name"}},
		{name: "settings that are computed", project: learns(", **f()"), has: []string{job + "# Not carried over, because the program computes it: settings. See MIGRATION.md.\n"}},
		{name: "a metric of another task", project: learns(", primary_metric='accuracy'"), lacks: []string{job + "primary_metric"}},
		{name: "old names of what is also set", project: learns(", allowed_models=['LightGBM'], whitelist_models=['SVM'], experiment_timeout_minutes=20, experiment_timeout_hours=3"),
			has: []string{job + "- LightGBM\n", job + "timeout_minutes: 20\n", report + "another parameter sets the same"}, lacks: []string{job + "SVM", job + "180"}},
		{name: "a task that is computed", project: on(learns(""), "'regression'", "f()"), lacks: []string{report + "job-pipe.yml"}},
		{name: "how columns are prepared", project: on(learns(", featurization=f"), "AutoMLConfig(", "from azureml.automl.core.featurization import *\nf = FeaturizationConfig(blocked_transformers=['TfIdf', 'Mine'], column_purposes={'a': 'Numeric'}, dataset_language='deu')\nf.add_column_purpose('b.c', 'Text')\nf.add_blocked_transformers('LabelEncoder')\n"+
			"f.add_transformer_params('Imputer', ['a'], {'strategy': 'constant', 'fill_value': 0})\nf.add_transformer_params('Imputer', [], {'strategy': 'median'})\nf.add_drop_columns(['d'])\nAutoMLConfig("),
			has: []string{job + "featurization:\n  mode: custom\n  dataset_language: deu\n  blocked_transformers:\n    - tf_idf\n    - label_encoder\n  column_name_and_types:\n    a: Numeric\n    b.c: Text\n  transformer_params:\n    imputer:\n      - fields:\n          - a\n        parameters:\n          strategy: constant\n          fill_value: 0\n      - parameters:\n          strategy: median\n",
				job + "# Not carried over, because AutoML of v2 drops no columns: featurization.drop_columns. See MIGRATION.md.\n", report + "v2 does not know this transformer", report + "AutoML of v2 drops no columns"}},
		{name: "values that replace earlier ones", project: prepared("", "f.add_blocked_transformers('TfIdf')\nf.blocked_transformers = ['OneHotEncoder']\nf.add_blocked_transformers(['LabelEncoder'])\n"), has: []string{job + "blocked_transformers:\n    - one_hot_encoder\n    - label_encoder\n"}, lacks: []string{job + "tf_idf"}},
		{name: "a FeaturizationConfig with nothing in it", project: on(learns(", featurization=FeaturizationConfig()"), "AutoMLConfig(", "from azureml.automl.core.featurization import *\nAutoMLConfig("), has: []string{job + "featurization:\n  mode: auto\n"}},
		{name: "a step's", project: builder + "from azureml.train.automl import *\nc = AutoMLConfig(task='regression', compute_target='cpu')\nPipeline(ws, [AutoMLStep('a', c)])\n", open: "script", lacks: []string{report + "job-pipe-2.yml", job + "type: automl"}},
		{name: "Compose", project: learns(""), to: "compose", fails: "amlfix does not write AutoML jobs for Docker Compose: --to v2 writes a job of type automl"},
	})
}
