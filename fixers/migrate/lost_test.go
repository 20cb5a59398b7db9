package migrate_test

import (
	"strings"
	"testing"
)

// TestComputedEnvironment checks that a job with a computed environment does not start with nothing installed, and that
// requirements files are read.
func TestComputedEnvironment(t *testing.T) {
	const head = "-- submit.py --\nfrom azureml.core import *\nfrom azureml.train.estimator import *\n"
	const files = "-- train.py --\n-- requirements.txt --\nnumpy==1.26.4 # numbers\n\n# more\nscikit-learn>=1.3\n-- more.txt --\n-r requirements.txt\n"
	job := func(environment string) string {
		return head + "ScriptRunConfig('.', 'train.py', compute_target='cpu', environment=" + environment + ")\n" + files
	}
	image := func(name string) string {
		return head + "from azureml.core.runconfig import DEFAULT_GPU_IMAGE, CondaDependencies\ne = Environment('e')\ne.docker.base_image = " + name + "\ne.python.conda_dependencies = CondaDependencies.create(pip_packages=['numpy'])\nScriptRunConfig('.', 'train.py', compute_target='cpu', environment=e)\n" + files
	}
	const conda = "conda_dependencies_submit.yml: "
	checkWorked(t, []worked{
		{name: "a function", project: job("make()"), open: "registered", has: []string{"job-submit.yml: environment: azureml:DECIDE@latest\n", "MIGRATION.md: submit.py:3 computes it"}},
		{name: "it is registered", project: job("make()"), answers: "registered=azureml:mine:3", has: []string{"job-submit.yml: environment: azureml:mine:3\n"}},
		{name: "there is none", project: job("make()"), answers: "registered=none", has: []string{"job-submit.yml: environment: file:environment-cpu-bare.yml\n"}},
		{name: "a list for pip", project: job("Environment.from_pip_requirements('e', 'requirements.txt')"), has: []string{conda + "numpy==1.26.4\n", conda + "scikit-learn>=1.3\n"}, lacks: []string{conda + "numbers"}},
		{name: "an image and a list for pip", project: job("Environment.from_docker_image('e', 'python:3.11', pip_requirements='requirements.txt')"), has: []string{conda + "numpy==1.26.4\n", "environment-cpu.yml: image: python:3.11\n"}},
		{name: "an estimator with a list for pip", project: head + "Estimator('.', entry_script='train.py', compute_target='cpu', pip_requirements_file='requirements.txt')\n" + files, has: []string{conda + "scikit-learn>=1.3\n"}},
		{name: "a missing list", project: job("Environment.from_pip_requirements('e', 'gone.txt')"), open: "registered", has: []string{"MIGRATION.md: submit.py:3 loads the requirements file gone.txt, which is not in the project"}},
		{name: "a list that names others", project: job("Environment.from_pip_requirements('e', 'more.txt')"), open: "registered"},
		{name: "a name that is computed", project: job("Environment.from_pip_requirements('e', f())"), open: "registered"},
		{name: "an image that is computed", project: image("f()"), open: "image", has: []string{"environment-cpu.yml: image: DECIDE\n", "MIGRATION.md: Which image does the job start from?"}},
		{name: "an image that the SDK names", project: image("DEFAULT_GPU_IMAGE"), has: []string{"environment-gpu.yml: cuda"}},
		{name: "the Python of an image", project: head + "e = Estimator('.', entry_script='train.py', compute_target='cpu', custom_docker_image='own.azurecr.io/a:1', user_managed=True)\ne.run_config.environment.python.interpreter_path = '/opt/py/bin/python'\n" + files, has: []string{"job-submit.yml: command: /opt/py/bin/python train.py\n"}},
		{name: "a command that is computed", project: head + "ScriptRunConfig('.', command=f(), compute_target='cpu')\n" + files, open: "script", has: []string{"MIGRATION.md: submit.py:3 computes it"}},
		{name: "a cluster with a capital letter", project: head + "from azureml.core.compute import *\nc = ComputeTarget.create(Workspace.from_config(), 'gpuCluster', AmlCompute.provisioning_configuration('Standard_NC24ads_A100_v4', max_nodes=2))\nScriptRunConfig('.', 'train.py', compute_target=c, environment=Environment('e'))\n" + files,
			has: []string{"compute-gpucluster.yml: name: gpuCluster\n", "job-submit.yml: compute: azureml:gpuCluster\n"}, lacks: []string{"MIGRATION.md: compute-gpuCluster.yml"}},
		{name: "arguments that are computed", project: head + "ScriptRunConfig('.', 'train.py', compute_target='cpu', environment=Environment('e'), arguments=f())\n" + files, open: "arguments", has: []string{"job-submit.yml: command: python train.py DECIDE\n", "MIGRATION.md: submit.py:3 computes them"}},
		{name: "the Python of this computer", project: head + "e = Environment('e')\ne.python.user_managed_dependencies = True\nScriptRunConfig('.', 'train.py', environment=e, compute_target='local')\n" + files, open: "conda-file", lacks: []string{"job-submit.yml: environment: azureml:e@latest\n"}},
		{name: "a run configuration that is loaded", project: head + "from azureml.core.runconfig import RunConfiguration\nrc = RunConfiguration.load('.', 'a')\nrc.node_count = 1\nrc.data_references = {'d': f()}\nScriptRunConfig('.', 'train.py', run_config=rc)\n" + files, open: "target data-d registered", has: []string{"job-submit.yml: compute: azureml:DECIDE\n", "MIGRATION.md: submit.py:7 computes it"}},
		{name: "a target that is computed", project: head + "ScriptRunConfig('.', 'train.py', compute_target=f())\n" + files, open: "target", has: []string{"job-submit.yml: compute: azureml:DECIDE\n"}},
	})
}

// TestDatastorePaths checks that paths on datastores in the arguments of a job become its inputs.
func TestDatastorePaths(t *testing.T) {
	const head = "-- notebooks/submit.py --\nfrom azureml.core import *\nfrom azureml.train.dnn import *\nfrom azureml.core.runconfig import *\nfrom azureml.data.data_reference import *\nds = Workspace.from_config().get_default_datastore()\n"
	const files = "-- src/train.py --\nprint(1)\n"
	const script = "ScriptRunConfig('../src', 'train.py', compute_target='cpu', environment=Environment('e'), arguments="
	const job = "job-submit.yml: "
	checkWorked(t, []worked{
		{name: "of an estimator", project: head + "PyTorch(source_directory='../src', entry_script='train.py', compute_target='cpu', script_params={'--data-dir': ds.path('a/b').as_mount(), '--n': 2}, node_count=2, process_count_per_node=4, distributed_backend='mpi')\n" + files,
			has: []string{job + "code: ../src\n", job + "python train.py --data-dir ${{inputs.data_dir}} --n 2\n", job + "path: azureml://datastores/workspaceblobstore/paths/a/b\n", job + "instance_count: 2\n", job + "process_count_per_instance: 4\n"}},
		{name: "of a script", project: head + script + "['--file', ds.path('a/b.csv').as_download(), DataReference(Datastore.get(ws, 's'), 'own', path_on_datastore='c')])\n" + files,
			has: []string{job + "train.py --file ${{inputs.file}} ${{inputs.own}}\n", job + "type: uri_file\n    path: azureml://datastores/workspaceblobstore/paths/a/b.csv\n    mode: download\n", job + "path: azureml://datastores/s/paths/c\n"}},
		{name: "two of one option", project: head + script + "['--a', ds.path('x').as_mount(), '--a', ds.path('y').as_mount()])\n" + files, has: []string{job + "--a ${{inputs.a}} --a ${{inputs.a_2}}\n"}},
		{name: "a script that the program copies", project: head + "shutil.copy('../src/train.py', 'made')\n" + strings.Replace(script, "../src", "made", 1) + "[])\n" + files, has: []string{job + "command: python src/train.py\n", "MIGRATION.md: the program copies it from src/train.py"}},
		{name: "uploads", project: head + script + "['--out', ds.path('x').as_upload()])\n" + files, has: []string{job + "--out ${{outputs.out}}\n", job + "mode: upload\n"}},
		{name: "a path that is computed", project: head + script + "['--a', ds.path(f()).as_mount()])\n" + files, open: "data-a"},
		{name: "a dataset from elsewhere", project: head + script + "['--a', get()['x'].as_named_input('in').as_mount(), '--b', load(f()).as_download()])\n" + files, open: "argument-2 argument-4"},
		{name: "a dataset that is computed", project: head + "d = get()\n" + script + "['--a', d.as_named_input('in').as_mount(), '--b', d.as_download(), '--c', d.as_mount(), '--d', d.as_named_input('e').name, '--e', d.as_named_input('t')])\n" + files, open: "argument-6 argument-8 data-in data-b data-t",
			has: []string{job + "train.py --a ${{inputs.in}} --b ${{inputs.b}} --c DECIDE --d DECIDE --e ${{inputs.t}}\n", job + "  in:\n    type: mltable\n    path: azureml:DECIDE@latest\n    mode: eval_mount\n", "MIGRATION.md: notebooks/submit.py:7 computes it"}},
		{name: "a dataset that is computed, answered", project: head + "d = get()\n" + script + "['--a', d.as_download()])\n" + files, answers: "data-a=azureml:d:2 data-type=uri_folder", has: []string{job + "train.py --a ${{inputs.a}}\n", job + "  a:\n    type: uri_folder\n    path: azureml:d:2\n    mode: download\n"}},
		{name: "MPI whose processes are set later", project: head + "mpi = MpiConfiguration()\nmpi.process_count_per_node = 4\nPyTorch(source_directory='../src', entry_script='train.py', compute_target='cpu', node_count=2, distributed_training=mpi)\n" + files, has: []string{job + "process_count_per_instance: 4\n"}},
	})
}

// TestOrdinaryWords checks that words of the new files stay, whatever the old ones contain where a secret may be.
func TestOrdinaryWords(t *testing.T) {
	const program = "-- submit.py --\nfrom azureml.core import *\nenv = {\n    \"APPLICATION_CONNECTION_STRING\":\n    settings.text\n}\nenvironment = f(x,\n                environment,\n                command)\nScriptRunConfig('.', 'train.py', compute_target='cpu', environment=Environment('e'), arguments=['--with', 'scikit-learn'])\n-- train.py --\nprint(1)\n"
	checkWorked(t, []worked{
		{name: "of a program", project: program, has: []string{"job-submit.yml: environment: azureml:e@latest\n", "job-submit.yml: command: python train.py"}},
		{name: "a comparison", project: strings.Replace(program, "env = {", "if dist.key == 'scikit-learn':\n    x = 1\nenv = {", 1), has: []string{"job-submit.yml: command: python train.py --with scikit-learn\n"}},
		{name: "a name in a formatted text", project: strings.Replace(program, "env = {", "print(f\"Key: {primary}\")\nenv = {", 1) + "-- sweep.py --\nfrom azureml.core import *\nfrom azureml.train.hyperdrive import *\nHyperDriveConfig(run_config=ScriptRunConfig('.', 'train.py', compute_target='cpu'), hyperparameter_sampling=GridParameterSampling({'a': choice(1)}), primary_metric_name='m', primary_metric_goal=PrimaryMetricGoal.MAXIMIZE, max_total_runs=2)\n", has: []string{"job-sweep.yml: primary_metric: m\n"}},
		{name: "the key of a dataset", project: "-- submit.py --\nfrom azureml.core import *\nkey = 'Bank Marketing'\nif key not in ws.datasets:\n    d = Dataset.Tabular.from_delimited_files('https://a/b.csv').register(ws, key)\n", has: []string{"data-bank-marketing.yml: name: Bank-Marketing\n"}},
		{name: "a key of one word", project: strings.NewReplacer("env = {", "key = 'SuperSecretPassword'\nenv = {", "'scikit-learn'", "key").Replace(program), open: "secret-line-2", lacks: []string{"job-submit.yml: SuperSecret"}},
		{name: "a passphrase", project: strings.NewReplacer("env = {", "key = 'correct horse battery staple'\nenv = {", "'scikit-learn'", "key").Replace(program), open: "secret-line-2", lacks: []string{"job-submit.yml: correct"}},
		{name: "a key of two literals", project: strings.NewReplacer("env = {", "key = 'Bank Marketing' 'MnopqrstUvw'\nenv = {", "'scikit-learn'", "key").Replace(program), open: "secret-line-2", lacks: []string{"job-submit.yml: Bank"}},
		{name: "a weak password", project: workbench("EnvironmentVariables: {AREA: horses}", "type: remotedocker\naddress: a\nusername: u\npassword: azureml\nbaseDockerImage: python:3.11"), has: []string{"job-job.yml: compute: azureml:cpu-cluster\n"}},
		{name: "a password that is a part of a key", project: workbench("EnvironmentVariables: {AREA: horses}", "type: remotedocker\naddress: a\nusername: u\npassword: display\nbaseDockerImage: python:3.11"), has: []string{"job-job.yml: display_name: job"}},
		{name: "a password that is a part of a variable's name", project: workbench("EnvironmentVariables: {service_horses: x, AREA: horses}", "type: remotedocker\naddress: a\nusername: u\npassword: horses\nbaseDockerImage: python:3.11"), open: "secret-vm", lacks: []string{"job-job.yml: horses"}},
		{name: "a password that an argument repeats", project: workbench("EnvironmentVariables: {AREA: horses}", "type: remotedocker\naddress: a\nusername: u\npassword: horses\nbaseDockerImage: python:3.11"), open: "secret-vm", lacks: []string{"job-job.yml: horses"}},
	})
}
