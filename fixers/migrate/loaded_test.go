package migrate_test

import "testing"

// TestLoaded checks what jobs get from files that a program loads, and that what the program sets itself counts.
func TestLoaded(t *testing.T) {
	const (
		files = "-- train.py --\nprint(1)\n-- c.yml --\ndependencies: [python=3.11, {pip: [numpy]}]\n-- .azureml/rc.runconfig --\nscript: other.py\narguments: [--n, 5]\ntarget: cpu\nnodeCount: 1\nmaxRunDurationSeconds: 60\n" +
			"environment:\n  environmentVariables: {A: file, B: file}\n  python: {condaDependenciesFile: c.yml}\n  docker: {baseImage: 'python:3.11', shmSize: 4g}\n"
		saved  = "-- saved/azureml_environment.json --\n{\"name\": \"e\", \"version\": \"3\", \"environmentVariables\": {\"A\": \"file\", \"B\": \"file\"}, \"python\": {\"condaDependenciesFile\": null},\n\"docker\": {\"baseImage\": \"python:3.11\", \"baseDockerfile\": null, \"shmSize\": \"4g\"}}\n-- saved/conda_dependencies.yml --\ndependencies: [python=3.11, {pip: [numpy]}]\n"
		report = "MIGRATION.md: "
		head   = "from azureml.core import *\nfrom azureml.core.runconfig import RunConfiguration\n"
	)
	program := func(text string) string { return files + "-- go.py --\n" + head + text }
	const load = "rc = RunConfiguration.load('.', 'rc')\n"
	const submit = "ScriptRunConfig('.', 'train.py', run_config=rc)\n"
	environment := func(made string) string {
		return "-- train.py --\nprint(1)\n" + saved + "-- go.py --\n" + head + "e = Environment." + made + "\nScriptRunConfig('.', 'train.py', compute_target='cpu', environment=e)\n"
	}
	checkWorked(t, []worked{
		{name: "a run configuration", project: program(load + submit), lacks: []string{report + "job-rc.yml"},
			has: []string{"job-go.yml: command: python train.py --n 5\n", "job-go.yml: compute: azureml:cpu\n", "job-go.yml: A: file\n  B: file\n", "job-go.yml: timeout: 60\n", "job-go.yml: shm_size: 4g\n", "environment-cpu.yml: conda_file: c.yml\n", "environment-cpu.yml: image: python:3.11\n",
				report + "| `script` | `other.py` | dropped | go.py sets its own value |", report + "| `ScriptRunConfig.runConfig` | `rc` | mapped | .azureml/rc.runconfig; see its own keys |", report + "| `target` | `cpu` | mapped |"}},
		{name: "by its path, and changed", project: program("rc = RunConfiguration.load('.azureml/rc.runconfig')\nrc.target = 'gpu'\nrc.environment.environment_variables['A'] = 'program'\nrc.environment.python.conda_dependencies = CondaDependencies.create(pip_packages=['scipy'])\n" + submit),
			has:   []string{"job-go.yml: compute: azureml:gpu\n", "job-go.yml: A: program\n  B: file\n", "conda_dependencies_go.yml: - scipy\n", report + "| `environment.python.condaDependenciesFile` | `c.yml` | dropped | go.py sets its own value |"},
			lacks: []string{"conda_dependencies_go.yml: numpy"}},
		{name: "with more packages", project: program(load + "rc.environment.python.conda_dependencies.add_pip_package('scipy')\n" + submit), has: []string{"c.yml: - scipy\n", report + "`'scipy'` | mapped | kept |"}},
		{name: "with another environment", project: program(load + "rc.environment = Environment.get(ws, 'kept')\n" + submit), has: []string{"job-go.yml: environment: azureml:kept@latest\n", "job-go.yml: compute: azureml:cpu\n"}, lacks: []string{"job-go.yml: environment_variables"}},
		{name: "with another environment that is then changed", project: program("rc = RunConfiguration()\nrc.target = 'cpu'\nrc.environment = Environment.from_conda_specification('e', 'c.yml')\nrc.environment.docker.base_image = 'own:1'\n" + submit), config: "go", has: []string{"environment-cpu.yml: image: own:1\nconda_file: c.yml\n"}},
		{name: "with a registered one that is then changed", project: program("rc = RunConfiguration()\nrc.target = 'cpu'\nrc.environment = Environment.get(ws, 'kept')\nrc.environment.docker.base_image = 'own:1'\n" + submit), config: "go", open: "image"},
		{name: "with a computed environment", project: program(load + "rc.environment = f()\n" + submit), open: "registered"},
		{name: "that a line submits, too", project: program(load+submit) + "-- run.sh --\naz ml run submit-script -c rc train.py\n", has: []string{"job-rc.yml: compute: azureml:cpu\n", "job-go.yml: compute: azureml:cpu\n"}},
		{name: "with a target and an image that are lists", project: on(on(program(load+submit), "target: cpu", "target: [cpu]"), "'python:3.11'", "['python:3.11']"), open: "target image", has: []string{"job-go.yml: compute: azureml:DECIDE\n"}},
		{name: "with an empty target", project: on(program(load+submit), "target: cpu", "target: ''"), has: []string{"job-go.yml: compute: local\n"}},
		{name: "that is missing", project: program("rc = RunConfiguration.load('.', 'gone')\n" + submit), open: "script target registered"},
		{name: "whose name is computed", project: program("rc = RunConfiguration.load('.', f())\n" + submit), open: "script target registered"},
		{name: "of a step, which changes it", project: on(program(load+"rc.target = 'gpu'\nfrom azureml.pipeline.core import Pipeline\nfrom azureml.pipeline.steps import PythonScriptStep\nPipeline(ws, [PythonScriptStep('train.py', 'a', runconfig=rc)])\n"), "script: other.py\n", ""), lacks: []string{report + "job-rc.yml"},
			has: []string{"job-go.yml: compute: azureml:gpu\n", "job-go.yml: A: file\n", report + "| `target` | `cpu` | dropped | go.py sets its own value |"}},
		{name: "whose environment is in a file", project: on(program(load+"rc.environment.environment_variables['A'] = 'program'\n"+submit), "environment:\n ", "environment: .azureml/e.yml\n-- .azureml/e.yml --\nname: e\nx:\n "), has: []string{"job-go.yml: A: program\n"}},
		{name: "whose sections the program replaces", project: program(load + "rc.environment.environment_variables = {'B': 'program'}\n" + submit), has: []string{"job-go.yml: B: program\n"}, lacks: []string{"job-go.yml: A: file"}},
		{name: "whose settings of Docker the program replaces", project: on(program(load+"rc.docker = DockerConfiguration(use_docker=True)\n"+submit), "nodeCount: 1\n", "nodeCount: 1\ndocker: {useDocker: true, arguments: [--privileged]}\n"), lacks: []string{"job-go.yml: --privileged"}},
		{name: "with an empty list of arguments", project: program(load + "ScriptRunConfig('.', 'train.py', arguments=[], run_config=rc)\n"), has: []string{"job-go.yml: command: python train.py --n 5\n"}},
		{name: "with merge keys", project: on(program(load+submit), "environment:\n  environmentVariables: {A: file, B: file}\n", "base: &b {environmentVariables: {C: merged}}\nenvironment:\n  <<: *b\n"), has: []string{"job-go.yml: C: merged\n"}},
		{name: "with endless aliases", project: on(program(load+submit), "environment:\n ", "environment: &e\n  x: *e\n "), open: "script target registered"},
		{name: "Compose", project: program(load + submit), to: "compose", has: []string{"compose.yaml: go:\n", "compose.yaml: B: file\n"}, lacks: []string{"compose.yaml: rc:\n"}},
		{name: "an environment in a folder", project: environment("load_from_directory('./saved')\ne.environment_variables['A'] = 'program'"), lacks: []string{"environment-cpu.yml: DECIDE"},
			has: []string{"environment-cpu.yml: image: python:3.11\nconda_file: conda_dependencies.yml\n", "job-go.yml: A: program\n  B: file\n", "job-go.yml: shm_size: 4g\n", report + "`environmentVariables.A` | `\"file\"` | dropped | go.py sets its own value |"}},
		{name: "beside a Dockerfile", project: environment("load_from_directory('saved')") + "-- saved/BaseDockerfile --\nFROM python:3.11\n", has: []string{report + "the Dockerfile of the environment"}},
		{name: "in a folder that is missing", project: environment("load_from_directory('gone')"), open: "registered"},
		{name: "in a computed folder", project: environment("load_from_directory(f())"), open: "registered"},
		{name: "an installed environment", project: environment("from_existing_conda_environment('e', 'mine')"), open: "conda-file", has: []string{"job-go.yml: DECIDE: Which packages does the job need?"}},
		{name: "none of its packages", project: environment("from_existing_conda_environment('e', 'mine')"), answers: "conda-file=none", lacks: []string{"job-go.yml: DECIDE", "environment-cpu-bare.yml: conda_file"}},
		{name: "a folder to build in", project: environment("from_docker_build_context('e', DockerBuildContext.from_local_directory(ws, 'image', dockerfile_path='sub/Dockerfile'))") + "-- image/sub/Dockerfile --\nFROM python:3.11\n", has: []string{"environment-cpu.yml: path: ../image\n  dockerfile_path: sub/Dockerfile\n"}},
		{name: "a missing folder to build in", project: environment("from_docker_build_context('e', DockerBuildContext.from_local_directory(ws, 'image'))"), open: "build-context"},
		{name: "an image in a registry", project: environment("from_docker_image('e', 'ml/base:1', container_registry=f())"), open: "image"},
		{name: "an image in a registry of the program", project: on(environment("X"), "e = Environment.X", "r = ContainerRegistry()\nr.address = 'mine.example.com'\nr.password = 'abc123'\ne = Environment.from_docker_image('e', 'ml/base:1', container_registry=r)"),
			has: []string{"environment-cpu-bare.yml: image: mine.example.com/ml/base:1\n"}, lacks: []string{report + "abc123"}},
	})
}
