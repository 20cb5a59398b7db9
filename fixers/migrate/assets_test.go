package migrate_test

import (
	"strings"
	"testing"
)

// TestAssets checks the clusters and data that several programs create.
func TestAssets(t *testing.T) {
	const head = "from azureml.core import Dataset, Datastore, Environment, ScriptRunConfig, Workspace\nfrom azureml.core.compute import AmlCompute, ComputeTarget\nws = Workspace.from_config()\n"
	cluster := func(name, more string) string {
		return "-- " + name + " --\n" + head + "ComputeTarget.create(ws, 'cpu', AmlCompute.provisioning_configuration('Standard_D4as_v4'" + more + "))\n"
	}
	data := func(path string) string {
		return "-- data.py --\n" + head + "Dataset.File.from_files((ws.get_default_datastore(), '" + path + "')).register(ws, 'd')\n"
	}
	const file, folder = "data-d.yml: ", "path: azureml://datastores/workspaceblobstore/paths/"
	checkWorked(t, []worked{
		{name: "the same cluster twice", project: cluster("a.py", ", max_nodes=2") + cluster("b.py", ", max_nodes=2"), has: []string{"compute-cpu.yml: Written by amlfix from a.py:4."}, lacks: []string{"MIGRATION.md: compute-cpu-2"}},
		{name: "a cluster of another size", project: cluster("a.py", ", max_nodes=2") + cluster("b.py", ", max_nodes=3"), has: []string{"compute-cpu-2.yml: max_instances: 3\n"}},
		{name: "computed values", project: cluster("a.py", ", max_nodes=f()") + cluster("b.py", ", max_nodes=f()"), has: []string{"compute-cpu-2.yml: max_instances: 4\n"}},
		{name: "networks and logins that are computed in part", project: cluster("a.py", ", vnet_name='v', subnet_name=f(), admin_username=f(), admin_user_ssh_key='k'"), has: []string{"MIGRATION.md: it needs `subnet_name`", "MIGRATION.md: it needs `admin_username`"}, lacks: []string{"compute-cpu.yml: settings"}},
		{name: "networks of which the first part is computed", project: cluster("a.py", ", vnet_name=f(), subnet_name='s', admin_username='u', admin_user_ssh_key=f()"), has: []string{"MIGRATION.md: it needs `vnet_name`"}, lacks: []string{"compute-cpu.yml: settings"}},
		{name: "values of other types", project: cluster("a.py", ", min_nodes='k', max_nodes='3', enable_node_public_ip='k'"), has: []string{"compute-cpu.yml: max_instances: 3\n", "MIGRATION.md: `min_instances` must be a number", "MIGRATION.md: `enable_node_public_ip` must be a boolean"}, lacks: []string{"compute-cpu.yml: public_ip", "compute-cpu.yml: min_instances"}},
		{name: "some files of a folder", project: data("a/b/*.csv"), has: []string{file + "type: uri_folder\n" + folder + "a/b/\n", "MIGRATION.md: data of v2 is a file or a whole folder"}},
		{name: "files of some folders", project: data("a/b?/c/*.csv"), has: []string{file + folder + "a/\n"}},
		{name: "files at the top", project: data("*.csv"), has: []string{file + folder + "\n"}},
		{name: "the same data twice, with a computed description", project: strings.Replace(data("x"), "'d')", "'d', description=f(), tags=g())", 1) + strings.NewReplacer("data.py", "more.py", "'d')", "'d', description=f(), tags=g())").Replace(data("x")), has: []string{"MIGRATION.md: description (not a literal)"}, lacks: []string{"MIGRATION.md: data-d-2"}},
		{name: "the same data twice, with a computed tag", project: strings.Replace(data("x"), "'d')", "'d', tags={'a': g(), 'b': 'c'})", 1) + strings.NewReplacer("data.py", "more.py", "'d')", "'d', tags={'a': g(), 'b': 'c'})").Replace(data("x")), has: []string{"data-d.yml: tags:\n  b: c\n"}, lacks: []string{"MIGRATION.md: data-d-2"}},
		{name: "other files", project: data("a/*.csv"), answers: "path=azureml://datastores/x/paths/y.csv", has: []string{file + "type: uri_file\npath: azureml://datastores/x/paths/y.csv\n"}},
	})
}

// TestTypesOfDatasets checks the types and modes with which jobs get registered datasets.
func TestTypesOfDatasets(t *testing.T) {
	const head = "-- train.py --\nprint(1)\n-- submit.py --\nfrom azureml.core import Dataset, Datastore, Environment, ScriptRunConfig, Workspace\nfrom azureml.pipeline.core import Pipeline\nfrom azureml.pipeline.steps import PythonScriptStep\nws = Workspace.from_config()\n"
	const old, own = "d = Dataset.get_by_name(ws, 'd')\n", "d = Dataset.File.from_files((Datastore.get(ws, 's'), 'x.csv')).register(ws, 'd')\n"
	const some = "d = Dataset.File.from_files((Datastore.get(ws, 's'), 'x/*.csv'))\nd.register(ws, 'd')\n"
	job := func(mode string) string {
		return "ScriptRunConfig('.', 'train.py', arguments=[d.as_named_input('d')" + mode + "], compute_target='cpu', environment=Environment('e'))\n"
	}
	step := func(mode string) string {
		return "Pipeline(ws, [PythonScriptStep(name='A', script_name='train.py', compute_target='cpu', inputs=[d.as_named_input('d')" + mode + "])])\n"
	}
	const inJob, inPipeline, inStep = "job-submit.yml:   d:\n    type: ", "job-submit.yml: inputs:\n  d:\n    type: ", "job-submit.yml:       d:\n        type: mltable\n        path: ${{parent.inputs.d}}\n        mode: "
	checkWorked(t, []worked{
		{name: "mounted", project: head + old + job(".as_mount()"), has: []string{inJob + "mltable\n    path: azureml:d@latest\n    mode: eval_mount\n"}},
		{name: "downloaded", project: head + old + job(".as_download()"), has: []string{inJob + "mltable\n    path: azureml:d@latest\n    mode: eval_download\n"}},
		{name: "a table", project: head + old + job(""), has: []string{inJob + "mltable\n    path: azureml:d@latest\n    mode: direct\n"}},
		{name: "created again", project: head + old + job(".as_mount()"), answers: "data-type=uri_folder", has: []string{inJob + "uri_folder\n    path: azureml:d@latest\n    mode: ro_mount\n"}},
		{name: "a table, created again", project: head + old + job(""), answers: "data-type=uri_folder", has: []string{inJob + "uri_folder\n    path: azureml:d@latest\n    mode: ro_mount\n"}},
		{name: "written here", project: head + own + job(".as_mount()"), has: []string{inJob + "uri_file\n    path: azureml:d@latest\n    mode: ro_mount\n"}, lacks: []string{"MIGRATION.md: data-type"}},
		{name: "some files, registered here", project: head + some + job(".as_mount()"), has: []string{inJob + "uri_folder\n    path: azureml:d@latest\n    mode: ro_mount\n", "data-d.yml: paths/x/\n"}},
		{name: "some files, registered here, in a step", project: head + some + step(".as_mount()"), has: []string{inPipeline + "uri_folder\n    path: azureml:d@latest\n"}},
		{name: "all files of a folder", project: head + strings.Replace(strings.Replace(some, "d.register(ws, 'd')\n", "", 1), "*.csv", "**", 1) + job(".as_mount()"), has: []string{inJob + "uri_folder\n    path: azureml://datastores/s/paths/x\n"}},
		{name: "all files of a folder, in a step", project: head + strings.Replace(strings.Replace(some, "d.register(ws, 'd')\n", "", 1), "*.csv", "**/*", 1) + step(".as_mount()"), has: []string{inPipeline + "uri_folder\n    path: azureml://datastores/s/paths/x\n"}},
		{name: "some files that are not registered", project: head + strings.Replace(some, "d.register(ws, 'd')\n", "", 1) + step(".as_mount()"), open: "data-d"},
		{name: "mounted in a step", project: head + old + step(".as_mount()"), has: []string{inPipeline + "mltable\n", inStep + "eval_mount\n"}},
		{name: "downloaded in a step", project: head + old + step(".as_download()"), has: []string{inPipeline + "mltable\n", inStep + "eval_download\n"}},
		{name: "a table in a step", project: head + old + step(""), has: []string{inPipeline + "mltable\n", inStep + "direct\n"}},
		{name: "a pipeline's, written here", project: head + own + strings.Replace(step(".as_download()"), "d.as", "Dataset.get_by_name(ws, 'd').as", 1), has: []string{inPipeline + "uri_file\n", strings.Replace(inStep, "mltable", "uri_file", 1) + "download\n"}},
	})
}

// TestOutputsOfJobs checks where jobs write what a program passes to them as an output.
func TestOutputsOfJobs(t *testing.T) {
	program := func(output string) string {
		return "-- train.py --\n-- submit.py --\nfrom azureml.core import *\nfrom azureml.data import OutputFileDatasetConfig\nws = Workspace.from_config()\no = OutputFileDatasetConfig(" + output +
			"\nScriptRunConfig('.', 'train.py', arguments=['--to', o], compute_target='cpu', environment=Environment('e'))\n"
	}
	const job, stored = "job-submit.yml: ", "path: azureml://datastores/s/paths/"
	settings := sdk("outputData: {o: {mechanism: upload, outputLocation: {dataPath: {datastoreName: s, relativePath: 'a/{run-id}/{output-name}'}}}}")
	checkWorked(t, []worked{
		{name: "mounted", project: program("'o', (Datastore.get(ws, 's'), 'a'))"), has: []string{job + "--to ${{outputs.o}}\n", job + stored + "a\n    mode: rw_mount\n"}},
		{name: "uploaded", project: program("'o', destination=(Datastore.get(ws, 's'), 'a/{run-id}')).as_upload(overwrite=True)"), has: []string{job + stored + "a/${{name}}\n    mode: upload\n"}},
		{name: "registered", project: program("name='o').register_on_complete(name='r')"), has: []string{job + "  o:\n    type: uri_folder\n    mode: rw_mount\n    name: r\n"}},
		{name: "registered with what is not read", project: program("'o').register_on_complete('r', description=f(), tags=g())"), has: []string{"MIGRATION.md: | submit.py:4 | register_on_complete(description, tags) |"}},
		{name: "a place that is computed", project: program("'o', (Datastore.get(ws, 's'), f()))"), open: "argument-2"},
		{name: "read again", project: program("'o').read_delimited_files()"), open: "argument-2"},
		{name: "in a run configuration", project: settings, has: []string{"job-job.yml: " + stored + "a/${{name}}/o\n    mode: upload\n"}},
		{name: "for Compose", project: program("'o')"), to: "compose", open: "image", has: []string{"compose.yaml: --to, /outputs/o]", "compose.yaml: - ../outputs/o:/outputs/o\n"}},
	})
}

// TestComputedValues checks that no expression of a program becomes a value of the job.
func TestComputedValues(t *testing.T) {
	const program = "-- train.py --\n-- submit.py --\nfrom azureml.core import *\nfrom azureml.core.runconfig import *\nv = f()\nrc = RunConfiguration()\nrc.target = 'cpu'\nrc.environment_variables = {'A': v, 'B': 'x'}\n" +
		"rc.environment.docker.base_image = 'example.com/own:1'\nrc.environment.python.user_managed_dependencies = True\n" +
		"ScriptRunConfig('.', 'train.py', run_config=rc, docker_runtime_config=DockerConfiguration(arguments=['--cap-add', v]))\n"
	spark := strings.NewReplacer("-- train.py --\n", "-- train.py --\nimport pyspark\n", "rc.target", "rc.spark.configuration = {'spark.a': v, 'spark.b': 'x'}\nrc.framework = 'PySpark'\nrc.target", ", docker_runtime_config=DockerConfiguration(arguments=['--cap-add', v])", "").Replace(program)
	checkWorked(t, []worked{
		{name: "asked for", project: program, open: "value-a docker-argument-2", has: []string{"job-submit.yml:   A: DECIDE\n  B: x\n", "job-submit.yml: docker_args: --cap-add DECIDE\n"}},
		{name: "answered", project: program, answers: "value-a=1 docker-argument-2=SYS_PTRACE", has: []string{"job-submit.yml:   A: '1'\n", "job-submit.yml: docker_args: --cap-add SYS_PTRACE\n"}},
		{name: "variables together", project: strings.Replace(program, "environment_variables = {", "environment_variables = f() or {", 1), answers: "docker-argument-2=x", open: "variables", has: []string{"job-submit.yml: # DECIDE: Which other environment variables does the job get? See MIGRATION.md\n"}},
		{name: "variables together, answered", project: strings.Replace(program, "environment_variables = {", "environment_variables = f() or {", 1), answers: "variables=A=1·B_KEY=7b9d0e docker-argument-2=x", open: "secret-b-key", has: []string{"job-submit.yml:   A: '1'\n", "job-submit.yml: # DECIDE: B_KEY is a secret", "MIGRATION.md: B_KEY=***"}, lacks: []string{"MIGRATION.md: 7b9d0e", "job-submit.yml: 7b9d0e"}},
		{name: "variables together, and no packages", project: strings.NewReplacer("environment_variables = {", "environment_variables = f() or {", "rc.environment.python.user_managed_dependencies = True\n", "").Replace(program), answers: "variables=none docker-argument-2=x", has: []string{"conda_dependencies_submit.yml:   - python="}},
		{name: "variables together, none", project: strings.Replace(program, "environment_variables = {", "environment_variables = f() or {", 1), answers: "variables=none docker-argument-2=x", lacks: []string{"job-submit.yml: environment_variables"}},
		{name: "variables together, answered with less", project: strings.Replace(program, "environment_variables = {", "environment_variables = f() or {", 1), answers: "variables=A docker-argument-2=x", fails: "write NAME=VALUE"},
		{name: "more variables than are read", project: strings.Replace(program, "rc.target", strings.Repeat("rc.environment_variables.update({'C': '1'})\n", 1001)+"rc.target", 1), answers: "docker-argument-2=x value-a=1", open: "variables", has: []string{"job-submit.yml:   C: '1'\n"}},
		{name: "for Compose", project: program, to: "compose", open: "value-a docker-arguments", has: []string{"compose.yaml:       A: DECIDE\n"}},
		{name: "a secret", project: strings.Replace(program, "'A': v", "'A': 'y', 'API_KEY': os.environ['API_KEY']", 1), open: "docker-argument-2 secret-api-key", has: []string{"job-submit.yml: DECIDE: API_KEY is a secret and is not copied", "job-submit.yml:   A: y\n", "MIGRATION.md: environmentVariables.API_KEY` | `os.environ['API_KEY']` | decision"}},
		{name: "a secret for Compose", project: strings.Replace(program, "'A': v", "'API_KEY': ws.get_default_keyvault().get_secret('k')", 1), to: "compose", open: "docker-arguments", has: []string{"compose.yaml: API_KEY: ${API_KEY:?it is a secret"}},
		{name: "of Spark", project: spark, answers: "value-a=1", has: []string{"job-submit.yml: spark.b: x\n", "MIGRATION.md: | `v` | dropped | not a literal"}, lacks: []string{"job-submit.yml: spark.a"}},
	})
}

// TestSweptAndAlone checks that a job that a program submits with and without a sweep becomes two.
func TestSweptAndAlone(t *testing.T) {
	program := func(submit string) string {
		return "-- train.py --\n-- submit.py --\nfrom azureml.core import *\nfrom azureml.train.hyperdrive import *\nsrc = ScriptRunConfig('.', 'train.py', compute_target='cpu', environment=Environment('e'))\n" +
			"sweep = HyperDriveConfig(GridParameterSampling({'--n': choice(1, 2)}), 'acc', PrimaryMetricGoal.MAXIMIZE, 2, run_config=src)\nExperiment(ws, 'many').submit(sweep)\n" + submit
	}
	checkWorked(t, []worked{
		{name: "booleans", project: strings.Replace(program(""), "choice(1, 2)", "choice(True, False)", 1), has: []string{"job-submit.yml: - 'True'\n      - 'False'\n"}},
		{name: "bounds", project: strings.Replace(program(""), "choice(1, 2)", "uniform(1, 0.5)", 1), has: []string{"job-submit.yml: min_value: 0.5\n", "job-submit.yml: max_value: 1\n", "MIGRATION.md: the bounds are swapped"}},
		{name: "both", project: program("Experiment(ws, 'one').submit(src)\n"), has: []string{"job-submit.yml: type: command\n", "job-submit.yml: experiment_name: one\n", "job-submit-sweep.yml: type: sweep\n", "job-submit-sweep.yml: experiment_name: many\n"}},
		{name: "only the sweep", project: program(""), has: []string{"job-submit.yml: type: sweep\n", "job-submit.yml: experiment_name: many\n"}},
	})
}

// TestPathsOnCompute checks that a script is listed that contains the path at which SDK v1 put data.
func TestPathsOnCompute(t *testing.T) {
	const row = "MIGRATION.md: | train.py:2 | `/mnt/x`: where SDK v1 put the data d |"
	project := sdk("data: {d: {pathOnCompute: /mnt/x, mechanism: mount, dataLocation: {dataset: {name: y}}}}")
	program := "-- train.py --\n\nopen('/mnt/x')\n-- submit.py --\nfrom azureml.core import *\nd = Dataset.get_by_name(ws, 'y')\nScriptRunConfig('.', 'train.py', arguments=[d.as_named_input('d').as_mount('/mnt/x')], compute_target='cpu', environment=Environment('e'))\n"
	checkWorked(t, []worked{
		{name: "below it", project: strings.Replace(project, "-- train.py --\n", "-- train.py --\n\nopen('/mnt/x/a.csv')\n", 1), has: []string{row}},
		{name: "another path", project: strings.Replace(project, "-- train.py --\n", "-- train.py --\n\nopen('/mnt/xy', '/a/mnt/x')\n", 1), lacks: []string{row}},
		{name: "of a program", project: program, has: []string{row}},
		{name: "in arguments", project: strings.Replace(project, "data:", "arguments: [--a, /mnt/x, --b=/mnt/x/c.csv, /mnt/xy, a=/mnt/x]\ndata:", 1), has: []string{"job-job.yml: python train.py --a ${{inputs.d}} --b=${{inputs.d}}/c.csv /mnt/xy a=/mnt/x\n"}},
		{name: "in arguments, with the root", project: strings.Replace(project, "pathOnCompute: /mnt/x", "pathOnCompute: /", 1) + "arguments: [/mnt]\n", has: []string{"job-job.yml: python train.py /mnt\n"}},
		{name: "in arguments, of an output", project: sdk("arguments: [--out, /out/a]\noutputData: {o: {outputLocation: {dataPath: {datastoreName: s, relativePath: y}}, additionalOptions: {pathOnCompute: /out}}}"), has: []string{"job-job.yml: python train.py --out ${{outputs.o}}/a\n"}},
		{name: "in arguments, of a folder that is uploaded", project: sdk("arguments: [--out, ./out/a, out/b, out, --c=./out, ./outer]\ndataReferences: {o: {dataStoreName: s, mode: upload, pathOnDataStore: y, pathOnCompute: ./out}}"), has: []string{"job-job.yml: python train.py --out ${{outputs.o}}/a ${{outputs.o}}/b out --c=${{outputs.o}} ./outer\n"}},
		{name: "in arguments, of a folder of the project", project: sdk("arguments: [--config, conf/a.json, ./conf/a.json, 'conf/.*', conf/b.json]\ndataReferences: {o: {dataStoreName: s, mode: upload, pathOnDataStore: y, pathOnCompute: conf}}") + "-- conf/a.json --\n{}\n", has: []string{"job-job.yml: python train.py --config conf/a.json ./conf/a.json 'conf/.*' ${{outputs.o}}/b.json\n"}},
		{name: "in arguments, with the root after a dot", project: strings.Replace(project, "data:", "arguments: [.//mnt/x/y]\ndata:", 1), has: []string{"job-job.yml: python train.py .//mnt/x/y\n"}},
		{name: "in an answer", project: strings.Replace(project, "-- train.py --\n", "-- train.py --\nimport argparse\np = argparse.ArgumentParser()\np.add_argument('--a', required=True)\np.parse_args()\n", 1), answers: "arguments=--a=/mnt/x/c", has: []string{"job-job.yml: python train.py --a=${{inputs.d}}/c\n"}},
		{name: "in an answer after an option", project: strings.Replace(program, "=[d.as_named_input", "=['--a=1', f(), '-1', f(), '--', f(), '-n', f(), d.as_named_input", 1), open: "argument-2 argument-4 argument-6 argument-8",
			has: []string{"MIGRATION.md: argument 2 of the script? |", "MIGRATION.md: argument 4 of the script? |", "MIGRATION.md: argument 6 of the script? |", "MIGRATION.md: argument 8 of the script, after -n? |"}},
		{name: "in an answer about a program", project: strings.Replace(program, "=[d.as_named_input", "=[f(), d.as_named_input", 1), answers: "argument-1=/mnt/x/c", has: []string{"job-submit.yml: python train.py ${{inputs.d}}/c ${{inputs.d}}\n"}},
		{name: "in an answer about all arguments", project: strings.Replace(program, "ScriptRunConfig('.', 'train.py', arguments=[d.as_named_input('d').as_mount('/mnt/x')], ", "r = RunConfiguration()\nr.data_references = {'d': DataReferenceConfiguration(datastore_name='s', path_on_datastore='y', path_on_compute='/mnt/x')}\nScriptRunConfig('.', 'train.py', arguments=f(), run_config=r, ", 1), answers: "arguments=/mnt/x/c", has: []string{"job-submit.yml: python train.py ${{inputs.d}}/c\n"}},
		{name: "of a reference in arguments", project: strings.Replace(program, "arguments=[d.as_named_input('d').as_mount('/mnt/x')]", "arguments=[Datastore(ws, 's').path('p').as_download('/tmp/in'), '/tmp/in/x']", 1), has: []string{"job-submit.yml: python train.py ${{inputs.input_0}} ${{inputs.input_0}}/x\n"}},
		{name: "in arguments, for Compose", to: "compose", project: strings.Replace(project, "data:", "arguments: [--a, /mnt/x]\ndata:", 1), answers: "folder-d=data", has: []string{"compose.yaml: --a, /data/d]"}},
	})
}

// TestModelOfService checks from where the name of a service's model is read.
func TestModelOfService(t *testing.T) {
	project := func(model string) string {
		return "-- score.py --\ndef init():\n    pass\n\ndef run(data):\n    return data\n-- deploy.py --\nfrom azureml.core import Environment, Run, Workspace\nfrom azureml.core.model import InferenceConfig, Model\n" + model +
			"\nModel.deploy(ws, 'digits', [model], InferenceConfig(entry_script='score.py', environment=Environment.from_pip_requirements('e', 'r.txt')))\n-- r.txt --\nnumpy\n"
	}
	const two = "i = InferenceConfig(entry_script='score.py', environment=Environment.from_pip_requirements('e', 'r.txt'))\nModel.deploy(ws, 'a', [model], i)\nModel.deploy(ws, 'b', [model], i)\n"
	const known = "deployment-digits.yml: model: azureml:m@latest\n"
	checkWorked(t, []worked{
		{name: "two services of a model", project: strings.ReplaceAll(project("model = Model(ws, 'm')\n"+two), "Model.deploy(ws, 'digits', [model], InferenceConfig(", "(dict("), has: []string{"deployment-a.yml: model: azureml:m@latest\n", "endpoint-b.yml: name: endpoint-b\n"}},
		{name: "services of two models", project: strings.ReplaceAll(project("model = Model(ws, 'm')\n"+strings.Replace(two, "[model]", "[Model(ws, 'n')]", 1)), "Model.deploy(ws, 'digits', [model], InferenceConfig(", "(dict("), has: []string{"deployment-a.yml: model: azureml:n@latest\n", "deployment-b.yml: model: azureml:m@latest\n"}},
		{name: "tried on this machine, and deployed again", project: strings.ReplaceAll(project("from azureml.core.webservice import *\nmodel = Model(ws, 'm')\n"+two+"Model.deploy(ws, 'c', [model], i, LocalWebservice.deploy_configuration(port=6789))\nModel.deploy(ws, 'a', [], i)\nModel.deploy(ws, 'd', [model], i, AksWebservice.deploy_configuration(num_replicas=2))\n"), "Model.deploy(ws, 'digits', [model], InferenceConfig(", "(dict("), has: []string{"deployment-a.yml: model: azureml:m@latest\n", "deployment-d.yml: instance_count: 2\n"}, lacks: []string{"MIGRATION.md: deployment-c.yml"}},
		{name: "a model by its name", project: project("model = Model(ws, 'm')"), has: []string{known}},
		{name: "a model in a version that is computed", project: project("model = Model(ws, 'm', version=f())"), has: []string{known}},
		{name: "two services with a long name", project: "-- score_of_a_very_long_project.py --\ndef init():\n    pass\n\ndef run(data):\n    return data\n-- a.py --\nfrom azureml.core import *\nfrom azureml.core.model import InferenceConfig\ne = Environment('e')\nInferenceConfig(entry_script='score_of_a_very_long_project.py', environment=e)\nInferenceConfig(entry_script='score_of_a_very_long_project.py', environment=e)\n", open: "model",
			has: []string{"endpoint-score-of-a-very-long-project.yml: name: dig-score-of-a-very-long-project\n", "endpoint-score-of-a-very-long-project-2.yml: name: d-score-of-a-very-long-project-2\n"}},
		{name: "no name of an endpoint", project: project("model = Model(ws, 'm')"), answers: "endpoint=my_digits", fails: "endpoint=my_digits: the name must have 3 to 32 letters, digits and dashes, and begin with a letter"},
		{name: "the workspace's models", project: project("model = ws.models['m']"), has: []string{known}},
		{name: "of a workspace that is known", project: project("ws = Workspace.from_config()\nmodel = ws.models.get('m')"), has: []string{known}},
		{name: "a model of a run", project: project("model = best_run.register_model(model_name='m', model_path='outputs/model.pkl')"), has: []string{known}},
		{name: "by place", project: project("run = f().submit(c)\nmodel = run.register_model('m', 'outputs/model.pkl')"), has: []string{known}},
		{name: "without a name", project: project("model = best_run.register_model(description='d')"), open: "model"},
		{name: "a computed name", project: project("model = ws.models[name]"), open: "model"},
		{name: "models of something else", project: project("model = other.models.get('m')"), open: "model"},
		{name: "of which one is chosen", project: project("model = ws.models['m'] if a else b"), open: "model"},
	})
}
