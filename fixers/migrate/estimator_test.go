package migrate_test

import (
	"strings"
	"testing"
)

// TestEstimators checks what estimators give a job in addition to its script.
func TestEstimators(t *testing.T) {
	project := func(arguments string) string {
		return "-- code/train.py --\nprint(1)\n-- code/more.txt --\nscipy\nazureml-defaults==1.30\n-- submit.py --\nfrom azureml.core import Dataset, Datastore, Workspace\nfrom azureml.train.dnn import Gloo, Mpi, ParameterServer, PyTorch\nfrom azureml.pipeline.steps import EstimatorStep\nfrom azureml.train.estimator import Estimator\nws = Workspace.from_config()\n" +
			"PyTorch('code', entry_script='train.py', " + arguments + ")\n"
	}
	const job, conda, cpu = "job-submit.yml: ", "conda_dependencies_submit.yml:       - ", "compute_target=ws.compute_targets.get('cpu'), "
	checkWorked(t, []worked{
		{name: "two lists for pip", project: project(cpu + "pip_packages=['pillow'], pip_requirements_file='more.txt'"), has: []string{conda + "pillow\n", conda + "scipy\n", job + "compute: azureml:cpu\n"}},
		{name: "a list for pip that is missing", project: project(cpu + "pip_packages=['pillow'], pip_requirements_file='gone.txt'"), has: []string{conda + "pillow\n", "MIGRATION.md: | `PyTorch.environment.pipRequirements (not readable)` | `'gone.txt'` | dropped |"}},
		{name: "an image with all packages", project: project(cpu + "user_managed=True, custom_docker_image='example.com/own:1'"), has: []string{"environment-cpu-bare.yml: image: example.com/own:1\n"}, lacks: []string{"environment-cpu-bare.yml: conda_file"}},
		{name: "one that only Azure may use", project: project(cpu + "user_managed=True, custom_docker_image='mcr.microsoft.com/azureml/bert:1'"), to: "compose", open: "image"},
		{name: "an image of Azure without packages", project: project(cpu + "user_managed=True, custom_docker_image='mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04:latest'"), to: "compose"},
		{name: "an image with all packages that is computed", project: project("compute_target=args.target, user_managed=True, custom_docker_image=f()"), open: "target image", lacks: []string{"environment-cpu-bare.yml: conda_file"}},
		{name: "packages of the machine", project: strings.Replace(project("compute_target='local', user_managed=True"), "PyTorch('code'", "Estimator('code'", 1), open: "conda-file"},
		{name: "packages of the machine that are listed", project: project("compute_target='local', user_managed=True, pip_packages=['pillow']"), has: []string{conda + "pillow\n"}},
		{name: "packages of the machine, and of the estimator", project: project("compute_target='local', user_managed=True, framework_version='1.4'"), has: []string{"conda_dependencies_submit.yml: # was: torch==1.4 ("}},
		{name: "MPI", project: project(cpu + "node_count=2, distributed_training=Mpi(process_count_per_node=3)"), has: []string{job + "  instance_count: 2\n", job + "  type: mpi\n  process_count_per_instance: 3\n"}},
		{name: "Gloo", project: project(cpu + "node_count=2, distributed_training=Gloo()"), has: []string{job + "  instance_count: 2\n", job + "  type: pytorch\n  process_count_per_instance: 1\n"}},
		{name: "parameter servers", project: project(cpu + "node_count=2, distributed_training=ParameterServer(worker_count=4)"), has: []string{job + "  instance_count: 2\n", job + "  type: tensorflow\n  worker_count: 4\n"}},
		{name: "data", project: project(cpu + "inputs=[Dataset.get_by_name(ws, 'd').as_named_input('a').as_mount(), Datastore.get(ws, 's').path('x').as_download()]"), has: []string{job + "  a:\n    type: mltable\n    path: azureml:d@latest\n", job + "    path: azureml://datastores/s/paths/x\n    mode: download\n"}},
		{name: "a step whose pipeline is made elsewhere", project: project("pip_packages=['pillow']") + "def step(data):\n  est = Estimator('code', entry_script='train.py')\n  return EstimatorStep('fit', est, ['--rate', 0.1, '--data', data], compute_target='gpu')\n",
			open: "argument-4", has: []string{"job-submit-2.yml: command: python train.py --rate 0.1 --data DECIDE\n", "job-submit-2.yml: compute: azureml:gpu\n"}},
		{name: "two steps with one estimator", project: project("pip_packages=['pillow']") + "def steps():\n  est = Estimator('code', entry_script='train.py')\n  return EstimatorStep('a', est, ['--rate', 0.1], compute_target='gpu'), EstimatorStep('b', est, ['--rate', 0.2], compute_target='cpu')\n",
			has: []string{"job-submit-2.yml: command: python train.py\n", "MIGRATION.md: | submit.py:9 | EstimatorStep(compute_target, …, …) |\n| submit.py:9 | EstimatorStep(compute_target, …, …) |\n"}},
		{name: "data that is computed", project: project(cpu + "inputs=[f()]"), has: []string{"MIGRATION.md: not a literal, so you have to write it into the new files"}},
	})
}

// TestScriptRuns checks what a ScriptRunConfig gives a job in addition to its script.
func TestScriptRuns(t *testing.T) {
	project := func(arguments string) string {
		return "-- train.py --\nprint(1)\n-- submit.py --\nfrom azureml.core import Dataset, Datastore, Environment, ScriptRunConfig, Workspace\nfrom azureml.core.runconfig import RunConfiguration, TensorflowConfiguration\nws = Workspace.from_config()\nd = Dataset.File.from_files((Datastore.get(ws, 's'), 'a/b.csv'))\n" +
			"ScriptRunConfig('.', compute_target='cpu', environment=Environment('e'), " + arguments + ")\n"
	}
	const job = "job-submit.yml: "
	command := func(more string) string { return project("command=['python', 'train.py', '--data', " + more + "]") }
	checkWorked(t, []worked{
		{name: "data in a command", project: command("d.as_mount()"), has: []string{job + "command: python train.py --data ${{inputs.input_3}}\n", job + "    type: uri_file\n    path: azureml://datastores/s/paths/a/b.csv\n    mode: ro_mount\n"}},
		{name: "a file in a container", to: "compose", project: command("d.as_mount()"), answers: "image=python:3.11 file-input_3=b.csv", has: []string{"compose.yaml: command: [python, train.py, --data, /data/input_3/b.csv]", "compose.yaml:         target: /data/input_3/b.csv\n"}},
		{name: "a computed word", project: command("f()"), open: "argument-4", has: []string{job + "command: python train.py --data DECIDE\n"}},
		{name: "a computed secret", project: project("script='train.py', arguments=['--api_key', key, '--data', data]"), open: "secret-line-5 argument-4", has: []string{job + "command: python train.py --api_key DECIDE --data DECIDE\n"}},
		{name: "an answered word", project: command("f()"), answers: "argument-4=x", has: []string{job + "command: python train.py --data x\n"}},
		{name: "a computed command", project: project("command=f()"), open: "script"},
		{name: "one file by its address", project: strings.Replace(project("script='train.py', arguments=[d.as_mount()]"), "(Datastore.get(ws, 's'), 'a/b.csv')", "'https://a.com/b.csv'", 1), has: []string{job + "    type: uri_file\n    path: https://a.com/b.csv\n"}},
		{name: "a host alone", project: strings.Replace(project("script='train.py', arguments=[d.as_mount()]"), "(Datastore.get(ws, 's'), 'a/b.csv')", "'https://a.com'", 1), has: []string{job + "    type: uri_folder\n    path: https://a.com\n"}},
		{name: "a Dockerfile and packages", project: strings.Replace(project("script='train.py'"), "Environment('e')", "Environment.from_dockerfile('e', 'd/Dockerfile', conda_specification='c.yml')", 1) + "-- d/Dockerfile --\nFROM python:3.11\n-- c.yml --\ndependencies: [python=3.11, scipy]\n",
			has: []string{"docker-cpu/Dockerfile: FROM python:3.11\nCOPY c.yml /tmp/conda.yml\n", "docker-cpu/c.yml:   - scipy\n", "environment-cpu.yml:   path: docker-cpu\n"}},
		{name: "a Dockerfile beside the program", project: "-- train.py --\n-- jobs/submit.py --\nfrom azureml.core import Environment, ScriptRunConfig\nScriptRunConfig('..', 'train.py', compute_target='cpu', environment=Environment.from_dockerfile('e', '../docker/Dockerfile'))\n-- docker/Dockerfile --\nFROM python:3.11\n",
			has: []string{"environment-cpu.yml:   path: ../docker\n"}},
		{name: "workers of TensorFlow that are computed", project: project("script='train.py', distributed_job_config=TensorflowConfiguration(worker_count=f())"), answers: "nodes=4", has: []string{job + "  instance_count: 4\n", job + "  worker_count: 4\n"}},
		{name: "workers and servers that are computed", project: strings.Replace(project("script='train.py', run_config=r, distributed_job_config=TensorflowConfiguration(worker_count=f(), parameter_server_count=g())"), "d = ", "r = RunConfiguration()\nr.node_count = 4\nd = ", 1), open: "servers", has: []string{job + "  instance_count: 4\n", job + "  worker_count: 3\n", job + "# DECIDE: How many parameter servers"}},
		{name: "workers of TensorFlow", project: project("script='train.py', distributed_job_config=TensorflowConfiguration(worker_count=3)"), has: []string{job + "  instance_count: 3\n", job + "  worker_count: 3\n"}},
	})
}

// TestShellCommands checks that a shell reads a list of words that was written for one, as SDK v1's service let it.
func TestShellCommands(t *testing.T) {
	project := func(command string) string {
		return "-- train.py --\n-- submit.py --\nfrom azureml.core import Dataset, Environment, ScriptRunConfig, Workspace\nws = Workspace.from_config()\nd = Dataset.File.from_files('https://a.com/b.csv')\nScriptRunConfig('.', compute_target='cpu', environment=Environment('e'), command=" + command + ")\n"
	}
	const job = "job-submit.yml: command: "
	const split = `"export A=$PWD && python train.py".split()`
	data := project("['echo', 'a b', '>', 'c', '&&', 'python train.py', d.as_mount()]")
	checkWorked(t, []worked{
		{name: "a text that is split", project: project(split), has: []string{job + "export A=$PWD && python train.py\n"}},
		{name: "for Compose", to: "compose", project: project(split), answers: "image=python:3.11", has: []string{"compose.yaml: command: [sh, -c, export A=$$PWD && python train.py]\n"}},
		{name: "for SkyPilot", to: "skypilot", project: project(split), answers: "image=python:3.11", has: []string{"task-submit.yaml:   export A=$PWD && python train.py\n"}},
		{name: "several words in the first", project: project("['xvfb-run -a python', 'train.py']"), has: []string{job + "xvfb-run -a python train.py\n"}},
		{name: "with data", project: data, has: []string{job + "echo a b > c && python train.py ${{inputs.input_6}}\n"}},
		{name: "with data, for Compose", to: "compose", project: data, answers: "image=python:3.11 file-input_6=b.csv", has: []string{"compose.yaml: command: [sh, -c, echo a b > c && python train.py /data/input_6/b.csv]\n"}},
		{name: "a script for another shell", project: project("['bash', '-c', 'python train.py && ls $A']"), has: []string{job + "bash -c 'python train.py && ls $A'\n"}},
		{name: "a vector", project: project("['python', 'train.py', 'a b', '*']"), has: []string{job + "python train.py 'a b' '*'\n"}},
		{name: "an expression", project: project("['python', 'train.py', '${{a}}', '&&', 'ls']"), has: []string{job + "python train.py $''{{a}} && ls\n"}},
		{name: "a script that is missing", project: project("['cd', 'src', '&&', 'python', 'gone.py']"), open: "command"},
	})
}

// TestPythonOfSDK checks that the packages of SDK v1, if a script still needs them, can be installed with the new
// Python.
func TestPythonOfSDK(t *testing.T) {
	project := func(script string) string {
		return "-- train.py --\n" + script + "\n-- .azureml/a.runconfig --\nscript: train.py\ntarget: cpu\nframework: Python\nenvironment: {python: {condaDependenciesFile: .azureml/c.yml}}\n-- .azureml/c.yml --\ndependencies:\n- python=3.7\n- pip:\n  - azureml-sdk\n  - lightgbm==3.1.0\n"
	}
	checkWorked(t, []worked{
		{name: "needed", project: project("from azureml.core import Run\nf(Run)"), has: []string{"c.yml:   - python=3.13\n"}},
		{name: "removed", project: project("print(1)"), has: []string{"c.yml:   - python=3.15\n"}},
	})
}

// TestUsualPackages checks that a job for which a program names no packages gets those of SDK v1, and mlflow with them.
func TestUsualPackages(t *testing.T) {
	project := func(program string) string {
		return "-- train.py --\nfrom azureml.core import Run\nRun.get_context().log('a', 1.0)\n-- submit.py --\nfrom azureml.core import Environment, RunConfiguration, ScriptRunConfig, Workspace\nfrom azureml.pipeline.core import Pipeline\nfrom azureml.pipeline.steps import PythonScriptStep\nws = Workspace.from_config()\n" + program
	}
	const run, step = "ScriptRunConfig('.', 'train.py', compute_target='cpu'", "PythonScriptStep('train.py', compute_target='cpu'"
	const installed = "      - azureml-defaults\n      # replaces the old logging calls\n      - mlflow\n"
	has := []string{"conda_dependencies_submit.yml: " + installed}
	inStep := []string{"conda_dependencies_submit-pythonscript.yml: " + installed}
	checkWorked(t, []worked{
		{name: "no environment", project: project(run + ")\n"), has: has},
		{name: "an image", project: project("e = Environment('e')\ne.docker.base_image = 'python:3.11'\n" + run + ", environment=e)\n"), has: append(has, "environment-cpu.yml: image: python:3.11\n")},
		{name: "an image of a run configuration", project: project("c = RunConfiguration()\nc.environment.docker.base_image = 'python:3.11'\n" + run + ", run_config=c)\n"), has: has},
		{name: "a step", project: project("Pipeline(ws, [" + step + ")])\n"), has: inStep},
		{name: "steps", project: project("Pipeline(ws, [" + step + "), " + step + ")])\n"), has: inStep, lacks: []string{"MIGRATION.md: environment-cpu-bare.yml"}},
		{name: "a run configuration of a step", project: project("c = RunConfiguration()\nc.target = 'cpu'\nPipeline(ws, [" + step + ", runconfig=c)])\n"), has: inStep},
		{name: "the image's own packages", project: project("e = Environment('e')\ne.docker.base_image = 'python:3.11'\ne.python.user_managed_dependencies = True\n" + run + ", environment=e)\n"), lacks: []string{"MIGRATION.md: conda_dependencies_submit.yml"}},
		{name: "a Dockerfile", project: project("e = Environment('e')\ne.docker.base_dockerfile = 'FROM python:3.11'\n" + run + ", environment=e)\n"), lacks: []string{"MIGRATION.md: conda_dependencies_submit.yml"}},
		{name: "a registered environment", project: project(run + ", environment=Environment('e'))\n"), has: []string{"job-submit.yml: environment: azureml:e@latest\n"}},
	})
}
