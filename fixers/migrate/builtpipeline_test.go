package migrate_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestBuiltPipelines checks that a pipeline that a program builds becomes a pipeline job, and that the migration asks
// about what the program computes and what v2 does not have.
func TestBuiltPipelines(t *testing.T) {
	const head = "-- pipe.py --\nfrom azureml.core import *\nfrom azureml.core.runconfig import *\nfrom azureml.data import *\nfrom azureml.pipeline.core import *\nfrom azureml.pipeline.steps import *\n"
	const scripts = "-- src/train.py --\n-- src/score.py --\n"
	const step = "a = PythonScriptStep(name='A', script_name='train.py', source_directory='src', compute_target='cpu')\n"
	project := func(text string) string { return head + text + scripts }
	const report = "MIGRATION.md: "
	checkWorked(t, []worked{
		{name: "a step", project: project(step + "Experiment(ws, 'e').submit(Pipeline(ws, [a]))\n"),
			has: []string{"job-pipe.yml: experiment_name: e\n", "job-pipe.yml:   a:\n    type: command\n    display_name: A\n    code: ../src\n    command: python train.py\n"}},
		{name: "data of a sweep's trial", project: project("from azureml.train.hyperdrive import *\ns = ScriptRunConfig('src', 'train.py', arguments=['--d', Dataset.get_by_name(ws, 'd').as_named_input('d')], compute_target='cpu', environment=Environment('e'))\nh = HyperDriveConfig(run_config=s, hyperparameter_sampling=GridParameterSampling({'--a': choice(1, 2)}), primary_metric_name='m', primary_metric_goal=PrimaryMetricGoal.MAXIMIZE, max_total_runs=2)\nPipeline(ws, [HyperDriveStep('H', h)])\n"),
			has: []string{"job-pipe.yml:       type: command\n      inputs:\n        d:\n          type: mltable\n"}},
		{name: "data references of a step's run configuration", project: project("rc = RunConfiguration()\nrc.environment = Environment('e')\nrc.data_references = {'k': Datastore(ws, 's').path('z').as_mount().to_config()}\na = PythonScriptStep(name='A', script_name='train.py', source_directory='src', compute_target='cpu', runconfig=rc)\nPipeline(ws, [a])\n"),
			has: []string{report + "| `rc.dataReferences.k.pathOnDataStore` | `'z'` | dropped | not a literal, so you have to write it into the new files |"}, lacks: []string{report + "the setting has no counterpart"}},
		{name: "an experiment that is computed", project: project(step + "p = Pipeline(ws, [a])\np.submit(f())\nb = ScriptRunConfig('src', 'train.py', compute_target='cpu', environment=Environment('e'))\nexp.submit(b)\n"),
			has: []string{"job-pipe-pipeline.yml: experiment_name: digits\n", report + "| In which experiment are the runs? | pipe, pipe-pipeline | `digits` | pipe.py:10 computes it | `--answer experiment=NAME` |"}},
		{name: "one that is answered", project: project(step + "Experiment(ws, f()).submit(Pipeline(ws, [a]))\n"), answers: "experiment=e", has: []string{"job-pipe.yml: experiment_name: e\n", report + "pipe.py:7 computes it"}},
		{name: "an environment of the workspace that is changed", project: project("e = Environment.get(ws, 'kept')\ne.environment_variables = {'A': 'b'}\nf = Environment.get(ws, 'changed')\nf.docker.base_image = 'python:3.11'\ng = Environment.from_conda_specification('g', 'c.yml')\ng.python.conda_dependencies.add_pip_package('numpy')\nfor r in [e, f, g]:\n    pass\nx = ScriptRunConfig('src', 'train.py', compute_target='cpu', environment=e)\ny = ScriptRunConfig('src', 'score.py', compute_target='cpu', environment=f)\nz = ScriptRunConfig('.', 'src/train.py', compute_target='cpu', environment=g)\n") + "-- c.yml --\ndependencies: [python=3.11, {pip: [pandas]}]\n", open: "registered",
			has: []string{"job-pipe.yml: environment: azureml:kept@latest\nenvironment_variables:\n  A: b\n", "job-pipe-2.yml: environment: azureml:DECIDE@latest\n", "c.yml: - numpy\n", report + "`'numpy'` | mapped | kept |"}},
		{name: "a conda file of a web service that is missing", project: project("from azureml.core.model import InferenceConfig, Model\nModel.deploy(ws, 'digits', [Model(ws, 'm')], InferenceConfig(entry_script='train.py', source_directory='src', conda_file='gone.yml'))\n"), open: "conda-file",
			has: []string{report + "| pipe.py:7 names src/gone.yml, which does not exist"}},
		{name: "one that the program writes", project: project("from azureml.core.model import InferenceConfig, Model\nc = CondaDependencies.create(conda_packages=['scipy'])\nwith open('src/made.yml', 'w') as f:\n    f.write(c.serialize_to_string())\nModel.deploy(ws, 'digits', [Model(ws, 'm')], InferenceConfig(entry_script='train.py', source_directory='src', conda_file='src/made.yml', base_image='example.com/own:1'))\n"),
			has: []string{"conda_dependencies_digits.yml: - scipy\n", "environment-digits.yml: image: example.com/own:1\n", "environment-digits.yml: description: Migrated from pipe.py on example.com/own:1\n", report + "| `'src/made.yml'` | dropped | the program writes its packages to it, which are in the new file |"}},
		{name: "one that it writes in other ways", project: project("from azureml.core.model import InferenceConfig\nc = CondaDependencies.create(conda_packages=['scipy'])\nc.save_to_file('src', 'a.yml')\nc.save('src/b.yml')\nInferenceConfig(entry_script='train.py', source_directory='src', conda_file='a.yml')\nInferenceConfig(entry_script='score.py', source_directory='src', conda_file='./src/b.yml')\n"), answers: "model=azureml:m@latest",
			has: []string{"conda_dependencies_train.yml: - scipy\n", "conda_dependencies_score.yml: - scipy\n"}},
		{name: "one that it may write", project: project("from azureml.core.model import InferenceConfig\nc = CondaDependencies.create(conda_packages=['scipy'])\nif x:\n    c.save('src/b.yml')\nInferenceConfig(entry_script='train.py', source_directory='src', conda_file='src/b.yml')\nc.save('src/b.yml')\n"), answers: "model=azureml:m@latest", open: "conda-file"},
		{name: "one that it writes before it changes the packages", project: project("from azureml.core.model import InferenceConfig\nc = CondaDependencies.create(conda_packages=['scipy'])\nc.save('src/b.yml')\nc.add_conda_package('numpy')\nInferenceConfig(entry_script='train.py', source_directory='src', conda_file='src/b.yml')\n"), answers: "model=azureml:m@latest", open: "conda-file"},
		{name: "one that a function would write", project: project("from azureml.core.model import InferenceConfig\nc = CondaDependencies.create(conda_packages=['scipy'])\ndef f():\n    c.save('src/b.yml')\nInferenceConfig(entry_script='train.py', source_directory='src', conda_file='src/b.yml')\n"), answers: "model=azureml:m@latest", open: "conda-file"},
		{name: "one that it reads", project: project("from azureml.core.model import InferenceConfig\nc = CondaDependencies.create(conda_packages=['scipy'])\nwith open('src/b.yml') as f:\n    print(c.serialize_to_string())\nInferenceConfig(entry_script='train.py', source_directory='src', conda_file='src/b.yml')\n"), answers: "model=azureml:m@latest", open: "conda-file"},
		{name: "one that it has written", project: project("from azureml.core.model import InferenceConfig\nc = CondaDependencies.create(conda_packages=['scipy'])\nc.save('src/b.yml')\nInferenceConfig(entry_script='train.py', source_directory='src', conda_file='src/b.yml')\n") + "-- src/b.yml --\ndependencies: [numpy]\n", answers: "model=azureml:m@latest", has: []string{"b.yml: - numpy\n"}, lacks: []string{"b.yml: scipy"}},
		{name: "variables of a web service", project: project("from azureml.core.model import InferenceConfig, Model\ne = Environment.get(ws, 'kept')\ne.environment_variables['A'] = 'b'\nModel.deploy(ws, 'digits', [Model(ws, 'm')], InferenceConfig(entry_script='train.py', source_directory='src', environment=e))\n"),
			has: []string{"deployment-digits.yml: environment: azureml:kept@latest\nenvironment_variables:\n  A: b\n"}},
		{name: "a pipeline beside a web service", project: project(step + "Pipeline(ws, [a])\nfrom azureml.core.model import InferenceConfig, Model\ne = Environment('e')\ne.python.conda_dependencies = CondaDependencies.create(pip_packages=['numpy'])\ni = InferenceConfig(entry_script='train.py', source_directory='src', environment=e)\nModel.deploy(ws, 'digits', [Model(ws, 'm')], i)\n"),
			has: []string{"job-pipe.yml: command: python train.py\n", "deployment-digits.yml: endpoint_name: digits\n"}},
		{name: "values that are computed", project: project("a = PythonScriptStep(name='A', script_name=s, compute_target=c, arguments=['--x', y])\nPipeline(ws, [a])\n"), open: "script target argument-2",
			has: []string{"job-pipe.yml: # DECIDE: the files do not say what the step runs", report + "pipe.py:6 computes it"}},
		{name: "different values", project: project("a = PythonScriptStep(name='A', script_name=s, compute_target=c, arguments=['--x', y])\nb = PythonScriptStep(name='B', script_name=t, compute_target=c, arguments=['--x', y])\nPipeline(ws, [a, b])\n"), open: "script target argument-2 script",
			has: []string{report + "| `--answer pipe-a/script=train.py` |", report + "| `--answer pipe-b/script=train.py` |", report + "| `--answer argument-2=VALUE` |", report + "| On which compute target does the job run? | pipe-a, pipe-b |"}},
		{name: "they are answered", project: project("a = PythonScriptStep(name='A', script_name=s, compute_target=c, arguments=['--x', y])\nPipeline(ws, [a])\n"), answers: "script=src/train.py target=cpu argument-2=3",
			has: []string{"job-pipe.yml: code: ..\n    command: python src/train.py --x 3\n", "job-pipe.yml: compute: azureml:cpu\n"}},
		{name: "arguments that are computed", project: project("a = PythonScriptStep(name='A', script_name='src/train.py', compute_target='cpu', arguments=args)\nPipeline(ws, [a])\n"), open: "arguments", has: []string{"job-pipe.yml: command: python src/train.py DECIDE\n"}},
		{name: "a folder that is computed", project: project("a = PythonScriptStep(name='A', script_name='train.py', source_directory=f(), compute_target='cpu')\nPipeline(ws, [a])\n"), has: []string{"job-pipe.yml: code: ../src\n    command: python train.py\n", report + "computes its folder"}},
		{name: "steps that are chosen", project: project(step + "b = CommandStep(name='B', command='ls', compute_target='cpu')\nall = [a]\nif x:\n    all = [a, b]\nPipeline(ws, all)\n"), has: []string{"job-pipe.yml:   b:\n", report + "`a,b`"}},
		{name: "one of them", project: project(step + "b = CommandStep(name='B', command='ls', compute_target='cpu')\nall = [a]\nif x:\n    all = [a, b]\nPipeline(ws, all)\n"), answers: "steps=a", lacks: []string{"job-pipe.yml:   b:\n"}},
		{name: "one that takes data of another", project: project("d = PipelineData('d')\na = CommandStep(name='A', command='ls', outputs=[d], compute_target='cpu')\nb = CommandStep(name='B', command='ls', inputs=[d], compute_target='cpu')\nc = CommandStep(name='C', command='ls', compute_target='cpu')\nPipeline(ws, f([a, b, c]))\n"), answers: "steps=b", has: []string{"job-pipe.yml:   a:\n", "job-pipe.yml:   b:\n"}, lacks: []string{"job-pipe.yml:   c:\n"}},
		{name: "an order that goes round", project: project(step + "b = CommandStep(name='B', command='ls', compute_target='cpu')\nb.run_after(a)\na.run_after(b)\nPipeline(ws, [a, b])\n"), has: []string{"job-pipe.yml: after_b: ${{parent.jobs.b.outputs.done}}\n"}, lacks: []string{"job-pipe.yml: after_a"}},
		{name: "none of them", project: project(step + "Pipeline(ws, all)\n"), answers: "steps=c", fails: "its steps are: a"},
		{name: "steps from elsewhere", project: project("Pipeline(ws, f())\n"), open: "steps", has: []string{report + "pipe.py:6 gets them from elsewhere"}},
		{name: "an order", project: project(step + "b = CommandStep(name='B', command='ls', compute_target='cpu')\nb.run_after(a)\nPipeline(ws, [b])\n"),
			has: []string{"job-pipe.yml: command: echo done > ${{outputs.done}}/done; python train.py\n", "job-pipe.yml: after_a: ${{parent.jobs.a.outputs.done}}\n"}},
		{name: "a command of a script's configuration", project: project("e = Environment('e')\no = OutputFileDatasetConfig('made')\nx = ScriptRunConfig('src', command=['Rscript', 'a.R', Dataset.get_by_name(ws, 'd').as_named_input('d').as_mount(), o], environment=e)\ny = ScriptRunConfig('src', command='wc made', environment=e)\na = CommandStep(name='A', runconfig=x, compute_target='cpu')\nb = CommandStep(name='B', runconfig=ScriptRunConfig('src', command=['wc', o.as_input('in')], environment=e), compute_target='cpu')\nc = CommandStep(name='C', runconfig=y, compute_target='cpu')\nPipeline(ws, [a, b, c])\n"),
			has: []string{"job-pipe.yml:     code: ../src\n    command: Rscript a.R ${{inputs.d}} ${{outputs.made}}\n", "job-pipe.yml:     command: wc ${{inputs.in}}\n    inputs:\n      in: ${{parent.jobs.a.outputs.made}}\n", "job-pipe.yml: command: wc made\n", report + "`x.command[1]` | `'a.R'` | mapped | the command of the step |"}, lacks: []string{report + "| dropped |"}},
		{name: "Databricks", project: project("a = DatabricksStep(name='A', notebook_path='/n', compute_target='bricks')\nPipeline(ws, [a])\n"), open: "script target", has: []string{report + "makes a step of type DatabricksStep, which v2 does not have"}},
		{name: "AutoML", project: project("a = AutoMLStep(name='A', automl_config=c)\nPipeline(ws, [a])\n"), open: "script target", has: []string{report + "makes a step of type AutoMLStep; v2 has jobs of type automl instead"}},
		{name: "AutoML on a cluster", project: project("from azureml.train.automl import *\na = AutoMLStep('A', AutoMLConfig(task='regression', compute_target='cpu'))\nPipeline(ws, [a])\n"), open: "script", has: []string{"job-pipe.yml: compute: azureml:cpu\n"}},
		{name: "data that is computed", project: project("def build(d, w):\n    a = PythonScriptStep('src/train.py', 'A', compute_target='cpu', outputs=[d])\n    b = PythonScriptStep('src/score.py', 'B', compute_target='cpu', inputs=[d])\n    return Pipeline(w, [b, a])\n"), open: "data-input_1",
			has: []string{"job-pipe.yml: after_a: ${{parent.jobs.a.outputs.done}}\n", report + "`Pipeline.steps.A.outputs (not a literal)` | `d` | dropped | not a literal, so you have to write it into the new files |"}},
		{name: "AutoML between other steps", project: project("from azureml.train.automl import *\no = OutputFileDatasetConfig('made')\nm = PipelineData('model', training_output=TrainingOutput('Model'))\nd = Dataset.get_by_name(ws, 'd')\na = PythonScriptStep('src/train.py', 'A', [o], 'cpu')\nb = AutoMLStep('B', AutoMLConfig('regression', training_data=o.read_delimited_files('x.csv').drop_columns('y'), validation_data=d, compute_target='cpu'), None, [m])\nc = PythonScriptStep('src/score.py', 'C', [m], 'cpu', inputs=[m])\nPipeline(ws, [c])\n"), open: "script",
			has: []string{"job-pipe.yml:   b:\n    type: command\n    display_name: B\n", "job-pipe.yml:     inputs:\n      made: ${{parent.jobs.a.outputs.made}}\n      d:\n        type: mltable\n        path: ${{parent.inputs.d}}\n", "job-pipe.yml:     inputs:\n      model: ${{parent.jobs.b.outputs.model}}\n"}},
		{name: "a copy to a folder", project: project("s = DataReference(Datastore.get(ws, 's'), 's', path_on_datastore='x')\nd = DataReference(Datastore.get(ws, 't'), 'd', path_on_datastore='y')\na = DataTransferStep('A', s, d, compute_target='adf')\nb = PythonScriptStep(name='B', script_name='train.py', compute_target='cpu', source_directory='src', inputs=[d])\nPipeline(ws, [a, b])\n"), open: "target",
			has: []string{"job-pipe.yml: command: cp -r ${{inputs.s}}/. ${{outputs.d}}\n", "job-pipe.yml: path: azureml://datastores/t/paths/y\n", "job-pipe.yml: d: ${{parent.jobs.a.outputs.d}}\n"}},
		{name: "a copy to no folder", project: project("s = DataReference(Datastore.get(ws, 's'), 's', path_on_datastore='x')\nd = DataReference(Datastore.get(ws, 't'), 'd')\na = DataTransferStep('A', s, d, compute_target='adf')\nPipeline(ws, [a])\n"), open: "target script"},
		{name: "a copy", project: project("d = PipelineData('d')\ns = Dataset.File.from_files((Datastore.get(ws, 's'), 'x/'))\na = DataTransferStep('A', s, d, compute_target='adf')\nPipeline(ws, [a])\n"), open: "target", has: []string{"job-pipe.yml: command: cp -r ${{inputs.s}}/. ${{outputs.d}}\n"}},
		{name: "data of one name", project: project("ds = Datastore(ws, 's')\nm = PipelineData('m', ds)\nn = PipelineData('m', ds)\nx = PipelineData('x-y', ds)\ny = PipelineData('x_y', ds)\na = PythonScriptStep('src/train.py', 'A', [m], 'cpu', outputs=[m])\nb = PythonScriptStep('src/train.py', 'B', ['--in', m, '--out', n, x, y], 'cpu', inputs=[m], outputs=[n, x, y])\nc = PythonScriptStep('src/score.py', 'C', [n, y], 'cpu', inputs=[n, y])\nPipeline(ws, [a, b, c])\n"),
			has: []string{"job-pipe.yml: command: python src/train.py --in ${{inputs.m_2}} --out ${{outputs.m}} ${{outputs.x_y}} ${{outputs.x_y_2}}\n    inputs:\n      m_2: ${{parent.jobs.a.outputs.m}}\n", "job-pipe.yml: inputs:\n      m: ${{parent.jobs.b.outputs.m}}\n      x_y: ${{parent.jobs.b.outputs.x_y_2}}\n"}},
		{name: "how it is run", project: project(step + "Experiment(ws, 'e').submit(Pipeline(ws, [a]), continue_on_step_failure=True, regenerate_outputs=True)\n"), has: []string{"job-pipe.yml: settings:\n  force_rerun: true\n  continue_on_step_failure: true\n"}},
		{name: "how it is published", project: project(step + "Pipeline(ws, [a]).publish('p', continue_on_step_failure=True)\np = Pipeline(ws, [a])\np.publish('p', continue_on_step_failure=True)\n"), has: []string{"job-pipe-2.yml: settings:\n  continue_on_step_failure: true\n"}},
		{name: "what SDK v1 does by default", project: project(step + "Experiment(ws, 'e').submit(Pipeline(ws, [a]))\n"), has: []string{"job-pipe.yml: settings:\n  continue_on_step_failure: false\n"}},
		{name: "MPI", project: project("d = PipelineData('d')\na = MpiStep('A', 'src', 'train.py', ['--d', d], 'gpu', 2, 4, outputs=[d], use_gpu=True, conda_packages=['numpy'])\nPipeline(ws, [a])\n"),
			has: []string{"job-pipe.yml: command: python train.py --d ${{outputs.d}}\n", "job-pipe.yml: instance_count: 2\n    distribution:\n      type: mpi\n      process_count_per_instance: 4\n", "environment-gpu.yml: cuda", "conda_dependencies_pipe-a.yml: - numpy\n"}},
		{name: "a step of another kind", project: project("a = RScriptStep(name='A', script_name='x.R', compute_target='cpu', cran_packages=['dplyr'])\nPipeline(ws, [a])\n"), open: "script",
			has: []string{"job-pipe.yml: compute: azureml:cpu\n", report + "cran_packages (not a literal)` | `['dplyr']` | decision |", report + "`'x.R'` | decision |"}},
		{name: "a run configuration in a file", project: project("import os\nrc = RunConfiguration.load(path=os.path.join(os.path.dirname(__file__), 'conf/rc.yml'), name='x')\na = PythonScriptStep(name='A', script_name='src/train.py', runconfig=rc)\nPipeline(ws, [a])\n") + "-- conf/rc.yml --\nscript: other.py\ntarget: cpu\nenvironment: {docker: {enabled: true, baseImage: \"python:3.11\"}, python: {userManagedDependencies: true}}\n",
			has: []string{"job-pipe.yml: compute: azureml:cpu\n", "environment-cpu-bare.yml: image: python:3.11\n"}, lacks: []string{report + "job-rc.yml"}},
		{name: "one that is missing", project: project("rc = RunConfiguration.load('.', 'gone')\na = PythonScriptStep(name='A', script_name='src/train.py', compute_target='cpu', runconfig=rc)\nPipeline(ws, [a])\n"), open: "registered",
			has: []string{"job-pipe.yml: environment: azureml:DECIDE@latest\n", report + "loads the run configuration ./.azureml/gone, which is not in the project"}, lacks: []string{report + "its environment; see its own keys"}},
		{name: "outputs that are registered", project: project("s = Datastore.get(ws, f())\nd = OutputFileDatasetConfig(name='d', destination=(s, 'made')).register_on_complete(name='kept.all')\no = PipelineData('o').as_dataset().register('table')\na = PythonScriptStep(name='A', script_name='src/train.py', compute_target='cpu', arguments=[d, o], outputs=[o])\nPipeline(ws, [a])\n"),
			has: []string{"job-pipe.yml:       d:\n        type: uri_folder\n        mode: rw_mount\n        name: kept-all\n", "job-pipe.yml:         name: table\n", report + "`outputs.d`.name", report + "| `'made'` | dropped | the program computes its datastore, so the service chooses the location |"}},
		{name: "an output that a job reads", project: project("o = OutputFileDatasetConfig('o').register_on_complete('my.out')\na = PythonScriptStep(name='A', script_name='src/train.py', compute_target='cpu', arguments=[o])\nPipeline(ws, [a])\nScriptRunConfig('src', 'train.py', compute_target='cpu', environment=Environment('e'), arguments=[Dataset.get_by_name(ws, 'my.out').as_named_input('d').as_mount()])\n"),
			has: []string{"job-pipe-pipeline.yml: name: my-out\n", "job-pipe.yml: path: azureml:my-out@latest\n"}},
		{name: "outputs whose names become the same", project: project("o = OutputFileDatasetConfig('o').register_on_complete('a.b')\np = OutputFileDatasetConfig('p').register_on_complete('a-b')\na = PythonScriptStep(name='A', script_name='src/train.py', compute_target='cpu', arguments=[o, p])\nPipeline(ws, [a])\n"),
			open: "name-a-b", has: []string{"job-pipe.yml: name: DECIDE\n", "job-pipe.yml: name: a-b\n"}},
		{name: "outputs with a dot and a space in the same place", project: project("o = OutputFileDatasetConfig('o').register_on_complete('my.out')\np = OutputFileDatasetConfig('p').register_on_complete('my out')\na = PythonScriptStep(name='A', script_name='src/train.py', compute_target='cpu', arguments=[o, p])\nPipeline(ws, [a])\n"),
			answers: "name-my-out=b", has: []string{"job-pipe.yml: name: my-out\n", "job-pipe.yml: name: b\n"}},
		{name: "outputs with a space and a hyphen in the same place", project: project("o = OutputFileDatasetConfig('o').register_on_complete('my-out')\np = OutputFileDatasetConfig('p').register_on_complete('my out')\na = PythonScriptStep(name='A', script_name='src/train.py', compute_target='cpu', arguments=[o, p])\nPipeline(ws, [a])\n"),
			open: "name-my-out", has: []string{"job-pipe.yml: name: my-out\n", "job-pipe.yml: name: DECIDE\n", report + "my-out is called my-out too, and what reads either of them reads my-out"}},
		{name: "what HyperDrive wrote itself", project: project("from azureml.train.hyperdrive import *\ns = ScriptRunConfig('src', 'train.py', compute_target='cpu', environment=Environment('e'))\nh = HyperDriveConfig(run_config=s, hyperparameter_sampling=GridParameterSampling({'--a': choice(1, 2)}), primary_metric_name='m', primary_metric_goal=PrimaryMetricGoal.MAXIMIZE, max_total_runs=2)\nm = PipelineData('best', training_output=TrainingOutput('Model', model_file='outputs/my model.pkl'))\ny = PipelineData('metrics', training_output=TrainingOutput(type='Metrics'))\nt = HyperDriveStep('H', h, outputs=[m, y])\nPipeline(ws, [t, PythonScriptStep(name='R', script_name='src/train.py', arguments=[m, y], inputs=[m, y], compute_target='cpu')])\n"),
			has: []string{"job-pipe.yml: command: python train.py --a ${{inputs.a}} && cp 'outputs/my model.pkl' ${{outputs.best}}\n", "job-pipe.yml:         best:\n          type: uri_file\n", "job-pipe.yml:       best:\n        type: uri_file\n", "job-pipe.yml: best: ${{parent.jobs.h.outputs.best}}\n", report + "the command copies it to `outputs.best`", report + "| `'Metrics'` | dropped | the metrics of the trials are in MLflow runs"}},
		{name: "the model of a distributed trial", project: project("from azureml.train.hyperdrive import *\ns = ScriptRunConfig('src', 'train.py', compute_target='cpu', environment=Environment('e'), distributed_job_config=MpiConfiguration(1, 2))\nh = HyperDriveConfig(run_config=s, hyperparameter_sampling=GridParameterSampling({'--a': choice(1, 2)}), primary_metric_name='m', primary_metric_goal=PrimaryMetricGoal.MAXIMIZE, max_total_runs=2)\nm = PipelineData('best', training_output=TrainingOutput('Model', model_file='outputs/my model.pkl'))\ny = PipelineData('metrics', training_output=TrainingOutput('Model'))\nt = HyperDriveStep('H', h, outputs=[m, y])\nPipeline(ws, [t, PythonScriptStep(name='R', script_name='src/train.py', arguments=[m, y], inputs=[m, y], compute_target='cpu')])\n"),
			has: []string{"job-pipe.yml: command: python train.py --a ${{inputs.a}}\n", "job-pipe.yml:         best:\n          type: uri_folder\n", report + "| pipe.py:9 | TrainingOutput(model_file) |", report + "PipelineData(training_output)"}, lacks: []string{report + "MLflow runs"}},
		{name: "a file whose name begins with a digit", project: strings.ReplaceAll(project(step+"Pipeline(ws, [a])\n"), "pipe.py", "04_pipe.py"), has: []string{"job-04-pipe.yml: type: pipeline\n"}},
		{name: "a text with spaces", project: project("p = PipelineParameter('p', 'a b')\na = PythonScriptStep(name='A', script_name='src/train.py', compute_target='cpu', arguments=[p])\nPipeline(ws, [a])\n"), has: []string{"job-pipe.yml: command: python src/train.py '${{inputs.p}}'\n"}},
		{name: "a script that is missing from a folder beside the program", project: "-- ml/go.py --\nfrom azureml.core import *\nfrom azureml.pipeline.core import *\nfrom azureml.pipeline.steps import *\na = PythonScriptStep('gone.py', 'A', compute_target='cpu', source_directory='src')\nPipeline(ws, [a])\n-- ml/src/other.py --\nprint(1)\n",
			open: "script", has: []string{"job-go.yml: code: ../ml/src\n"}},
		{name: "data that is downloaded", project: project("d = DatasetConsumptionConfig('d', PipelineParameter('p', Dataset.get_by_name(ws, 'd'))).as_download()\na = PythonScriptStep('src/train.py', 'A', compute_target='cpu', arguments=[d], inputs=[d])\nPipeline(ws, [a])\n"),
			has: []string{"job-pipe.yml: mode: eval_download\n"}},
		{name: "arguments that are no strings", project: project("a = PythonScriptStep('src/train.py', 'A', compute_target='cpu', arguments=['--x', True, False, 2, 'true'])\nPipeline(ws, [a])\n"), has: []string{"job-pipe.yml: train.py --x True False 2 true\n"}},
		{name: "the newest version of data", project: project("d = Dataset.get_by_name(ws, 'd', version='latest')\na = PythonScriptStep('src/train.py', 'A', compute_target='cpu', arguments=['--d', d.as_named_input('d')])\nPipeline(ws, [a])\n"), has: []string{"job-pipe.yml: path: azureml:d@latest\n"}},
		{name: "a secret", project: project("a = PythonScriptStep(name='A', script_name='src/train.py', compute_target='cpu', arguments=['sig=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH%3D&se=2030-01-01'])\nPipeline(ws, [a])\n"), open: "secret-line-6", lacks: []string{"job-pipe.yml: abcdefghij"}},
		{name: "a secret in a folder", project: project("Experiment(ws, 'e').submit(ScriptRunConfig('.', os.path.join('sig=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH%3D&se=2030-01-01', 'a.py'), compute_target='cpu'))\n"), open: "script secret-pipe", has: []string{"job-pipe.yml: compute"}},
		{name: "a target of a step's run configuration that is computed", project: project("rc = RunConfiguration()\nrc.target = f()\na = PythonScriptStep('src/train.py', 'A', runconfig=rc)\nPipeline(ws, [a])\n"), open: "target",
			has: []string{report + "| pipe.py:7 computes it | `--answer target=cpu-cluster` |", report + "`rc.target (not a literal)` | `f()` | decision |"}},
		{name: "split work", project: project("e = Environment('e')\nc = ParallelRunConfig(e, 'score.py', 5, 'append_row', 'cpu', 2, mini_batch_size='3', source_directory='src')\no = PipelineData('o', datastore=ws.get_default_datastore())\na = ParallelRunStep('A', c, [Dataset.get_by_name(ws, 'd').as_named_input('d')], o)\nPipeline(ws, [a])\n"),
			has: []string{"job-pipe.yml: input_data: ${{inputs.d}}\n", "job-pipe.yml: instance_count: 2\n", "job-pipe.yml: mini_batch_size: '3'\n", "job-pipe.yml: error_threshold: 5\n", "job-pipe.yml: append_row_to: ${{outputs.o}}\n"}},
		{name: "an estimator of a step is no job", project: project("from azureml.train.estimator import *\ne = Estimator('src', entry_script='train.py', compute_target='cpu', script_params={'--a': 1})\nPipeline(ws, [EstimatorStep('A', e)])\n"), has: []string{"job-pipe.yml: command: python train.py --a 1\n"}, lacks: []string{report + "job-pipe-train"}},
		{name: "CRLF", project: project("a = PythonScriptStep(name='A',\r\n  script_name='train.py', source_directory='src', compute_target='cpu')\r\nPipeline(ws, [a])\r\n"), has: []string{"job-pipe.yml: command: python train.py\n"}},
		{name: "Compose", project: project(step+"Pipeline(ws, [a])\n") + "-- aml_config/x.runconfig --\nScript: src/train.py\n", to: "compose", has: []string{"MIGRATION.md: amlfix does not write SDK v1 pipelines for Docker Compose"}, lacks: []string{"compose.yaml: pipe"}},
	})
}

// TestLeaveBuilt checks that pipelines and sweeps that a format does not have are named.
func TestLeaveBuilt(t *testing.T) {
	const sweep = "s = ScriptRunConfig('.', 'train.py', compute_target='cpu', environment=Environment('e'))\nHyperDriveConfig(run_config=s, hyperparameter_sampling=GridParameterSampling({'--a': choice(1, 2)}), primary_metric_name='m', primary_metric_goal=PrimaryMetricGoal.MAXIMIZE, max_total_runs=2)\n"
	for to, want := range map[string]int{"v2": 0, "k8s": 2} {
		m, err := worked{project: builder + oneStep + "Pipeline(ws, [a])\n" + sweep, to: to}.migrate(t)
		testkit.OK(t, err)
		testkit.Same(t, want, len(m.Refused), to)
	}
	m, err := worked{project: builder + oneStep + "Schedule.create(ws, f(), Pipeline(ws, [a]).publish('p').id, 'e', datastore=ws.get_default_datastore())\n"}.migrate(t)
	testkit.OK(t, err)
	testkit.Same(t, "pipe.py:9", m.Refused[0].File)
	for program, want := range map[string]string{
		oneStep + "Pipeline(ws, [a])\n":              "amlfix does not write SDK v1 pipelines for Docker Compose",
		"InferenceConfig(entry_script='score.py')\n": "there is no run configuration to migrate; --to v2 writes its web services",
	} {
		_, err := worked{project: builder + program, to: "compose"}.migrate(t)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error: %v, want %s", err, want)
		}
	}
}

// TestPipelineAgain checks that a pipeline of SDK v1 gets to other platforms by way of v2.
func TestPipelineAgain(t *testing.T) {
	dir := schema.Identity(testkit.Folder(t, builder+"d = PipelineData('d')\na = PythonScriptStep(name='A', script_name='train.py', compute_target='cpu', arguments=['--o', d], outputs=[d])\nb = PythonScriptStep(name='B', script_name='score.py', compute_target='cpu', arguments=['--i', d], inputs=[d])\nPipeline(ws, [a, b])\n"))
	migrated := func(to string) (*migrate.Migration, error) {
		roots, err := schema.Discover([]string{dir})
		testkit.OK(t, err)
		roots = migrate.Projects(dir, roots)
		i := slices.IndexFunc(emitters, func(e migrate.Emitter) bool { return e.Format() == to })
		return migrate.New(schema.Load(roots[0], schema.Options{}), emitters[i], migrate.Options{Out: filepath.Join(dir, to)})
	}
	if _, err := migrated("compose"); err == nil || !strings.Contains(err.Error(), "use --to v2 first, and then --to compose again") {
		t.Errorf("without v2: %v", err)
	}
	m, err := migrated("v2")
	testkit.OK(t, err)
	testkit.OK(t, m.Commit())
	m, err = migrated("compose")
	testkit.OK(t, err)
	for _, text := range []string{"command: [sh, -c, python train.py --o /outputs/d]", "command: [sh, -c, python score.py --i /data/d]", "condition: service_completed_successfully"} {
		holds(t, m, "compose.yaml: "+text, true)
	}
	holds(t, m, "MIGRATION.md: the job is migrated that an earlier migration wrote for v2", true)
	testkit.Same(t, 0, len(m.Refused))
}
