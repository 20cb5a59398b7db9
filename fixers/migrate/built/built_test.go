package built_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

const head = "from azureml.core import *\nfrom azureml.core.runconfig import RunConfiguration\nfrom azureml.train.estimator import Estimator\n"

// text returns a tree on one line; what is not a literal is in angle brackets.
func text(n *document.Node) string {
	switch {
	case n.Tag() == built.Open:
		return "<" + n.Value + ">"
	case n.Kind == document.Scalar && n.Tag() == "!!str":
		return strconv.Quote(n.Value)
	case n.Kind == document.Scalar && n.Tag() == "!!null":
		return "null"
	case n.Kind == document.Scalar:
		return n.Value
	}
	var parts []string
	for _, e := range n.Entries() {
		parts = append(parts, strings.TrimSuffix(e.Key.Value, " (not a literal)")+": "+text(e.Value))
	}
	for _, item := range n.Items() {
		parts = append(parts, text(item))
	}
	if n.Kind == document.Mapping {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func read(program string) (list []string) {
	for _, th := range built.Read(source.New("submit.py", []byte(program)), "steps") {
		line := text(th.Root)
		if th.Uses != nil {
			line += " in " + th.Uses.Of
		}
		if th.Experiment != "" {
			line += " as " + th.Experiment
		}
		list = append(list, line)
	}
	return list
}

// TestRead checks what is read from programs, and what is ignored.
func TestRead(t *testing.T) {
	for name, test := range map[string]struct{ program, want string }{
		"a job": {"src = ScriptRunConfig('.', 'train.py', ['--a', 1, -2.5, True])\nExperiment(ws, 'first').submit(src)\n",
			`{sourceDirectory: ".", script: "train.py", arguments: ["--a", 1, -2.5, true]} as first`},
		"names set once": {"folder = 'src'\nname = folder\nScriptRunConfig(source_directory=name, script='a' 'b.py')\n", `{sourceDirectory: "src", script: "ab.py"}`},
		"names set twice": {"s = 'a.py'\nif x:\n    s = 'b.py'\nScriptRunConfig('.', script=s)\n",
			`{sourceDirectory: ".", script: <s>}`},
		"names set twice to one text": {"if x:\n    s = 'a.py'\nelse:\n    s = 'a.py'\nScriptRunConfig('.', script=s)\n", `{sourceDirectory: ".", script: "a.py"}`},
		"names that a loop sets":      {"s = 'a.py'\nfor s in list:\n    ScriptRunConfig('.', script=s)\n", `{sourceDirectory: ".", script: <s>}`},
		"names that are parameters":   {"s = 'a.py'\ndef f(s):\n    return ScriptRunConfig('.', script=s)\n", `{sourceDirectory: ".", script: <s>}`},
		"names with +=":               {"s = 'a'\ns += '.py'\nScriptRunConfig('.', script=s)\n", `{sourceDirectory: ".", script: <s>}`},
		"unpacked names":              {"s, t = 'a', 'b'\nScriptRunConfig('.', script=s)\n", `{sourceDirectory: ".", script: <s>}`},
		"a modified list":             {"a = ['x']\na.append('y')\na.extend(['z'] + b.split())\nScriptRunConfig('.', arguments=a)\nb = 'v w'\n", `{sourceDirectory: ".", arguments: ["x", "y", "z", "v", "w"]}`},
		"a list that may change":      {"a = ['x']\nif b:\n    a.append('y')\nScriptRunConfig('.', arguments=a)\nc = ['x']\nc.insert(0, 'y')\nScriptRunConfig('.', arguments=c)\n", `{sourceDirectory: ".", arguments: <a>}; {sourceDirectory: ".", arguments: <c>}`},
		"added lists":                 {"a = ['x']\na = a + ['y', z]\nScriptRunConfig('.', arguments=['w'] + a)\nEstimator('.', entry_script='b.py', conda_packages=['c'] + ['d=1'], pip_packages=['e'] + f())\n", `{sourceDirectory: ".", arguments: ["w", "x", "y", <z>]}; {sourceDirectory: ".", script: "b.py", pip_packages: <['e'] + f()>, environment: {python: {condaDependencies: {dependencies: ["c", "d=1", {pip: ["azureml-defaults"]}]}}}}`},
		"a list in its own value":     {"a = a + ['x']\nScriptRunConfig('.', arguments=a)\nb = [*a]\nScriptRunConfig('.', arguments=b)\n", `{sourceDirectory: ".", arguments: <a>}; {sourceDirectory: ".", arguments: <b>}`},
		"words and data":              {"d = Dataset.get_by_name(ws, 'd')\nScriptRunConfig('.', command='python a.py --d'.split() + [d.as_mount()])\n", `{sourceDirectory: ".", command: ["python", "a.py", "--d", "DatasetConsumptionConfig:input_3"], data: {input_3: {dataLocation: {dataset: {name: "d"}}, mechanism: "mount"}}}`},
		"what is computed":            {"ScriptRunConfig('.', script=args.s, arguments=['a', f'{b}', b'c', *d])\n", `{sourceDirectory: ".", script: <args.s>, arguments: <['a', f'{b}', b'c', *d]>}`},
		"a comprehension":             {"ScriptRunConfig('.', arguments=[a for a in b])\n", `{sourceDirectory: ".", arguments: <[a for a in b]>}`},
		"some of a list":              {"ScriptRunConfig('.', arguments=['a', f'{b}', os.path.join('c', 'd')])\n", `{sourceDirectory: ".", arguments: ["a", <f'{b}'>, "c/d"]}`},
		"keywords in a dictionary":    {"ScriptRunConfig(**settings)\n", `{}`},
		"another library's class":     {"from mine import ScriptRunConfig\nScriptRunConfig('.', 'a.py')\n", ``},
		"a class of the program":      {"class ScriptRunConfig:\n    pass\nScriptRunConfig('.', 'a.py')\n", ``},
		"another name":                {"from azureml.core import ScriptRunConfig as Run\nRun('.', 'a.py')\n", `{sourceDirectory: ".", script: "a.py"}`},
		"a module":                    {"import azureml.core\nazureml.core.ScriptRunConfig('.', 'a.py')\n", `{sourceDirectory: ".", script: "a.py"}`},
		"a run configuration": {"rc = RunConfiguration()\nrc.target = 'cpu'\nrc.environment.docker.base_image = 'python:3.11'\nrc.node_count = 2\nif x:\n    rc.framework = 'R'\nScriptRunConfig('.', 'a.py', run_config=rc)\n",
			`{target: "cpu", environment: {docker: {baseImage: "python:3.11"}}, nodeCount: 2, framework: <'R'>, sourceDirectory: ".", script: "a.py"}`},
		"packages": {"c = CondaDependencies.create(conda_packages=['a'], pip_packages=['b', mine])\nc.add_pip_package('d')\nif x:\n    c.add_pip_package('e')\ne = Environment('env')\ne.python.conda_dependencies = c\nScriptRunConfig('.', 'a.py', environment=e)\n",
			`{name: "env", pip_packages: <mine>, add_pip_package: <'e'>, python: {condaDependencies: {dependencies: ["a", {pip: ["b", "d"]}]}}}; {sourceDirectory: ".", script: "a.py", environment: "e"} in e`},
		"a cluster that is found or created": {"try:\n    c = ComputeTarget(ws, 'gpu')\nexcept Exception:\n    c = ComputeTarget.create(ws, 'gpu', AmlCompute.provisioning_configuration('Standard_D4as_v4', max_nodes=n))\nScriptRunConfig('.', 'a.py', compute_target=c)\n",
			`{name: "gpu", vm_size: "Standard_D4as_v4", max_nodes: <n>}; {sourceDirectory: ".", script: "a.py", target: "gpu", amlcompute: {vmSize: "Standard_D4as_v4"}}`},
		"a cluster that is found in a list of them": {"ws = Workspace.from_config()\nall = ws.compute_targets\nif 'gpu' in all:\n    c = all['gpu']\nelse:\n    c = ComputeTarget.create(ws, 'gpu', AmlCompute.provisioning_configuration('Standard_D4as_v4'))\nstores = ws.datastores\nScriptRunConfig('.', 'a.py', [stores['s'].path('b').as_mount()], compute_target=c)\n",
			`{name: "gpu", vm_size: "Standard_D4as_v4"}; {sourceDirectory: ".", script: "a.py", arguments: ["$AZUREML_DATAREFERENCE_input_0"], dataReferences: {input_0: {dataStoreName: "s", pathOnDataStore: "b", mode: "mount"}}, target: "gpu", amlcompute: {vmSize: "Standard_D4as_v4"}}`},
		"a datastore that is found or registered": {"try:\n    d = Datastore.get(ws, 's')\nexcept Exception:\n    d = Datastore.register_azure_blob_container(ws, datastore_name='s', container_name='c', account_name='a')\nif x:\n    e = Datastore(ws, 's')\nelse:\n    e = Datastore(ws, 't')\nScriptRunConfig('.', 'a.py', [d.path('p').as_download(), e.path('p').as_download()])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["$AZUREML_DATAREFERENCE_input_0", "DatasetConsumptionConfig:input_1"], dataReferences: {input_0: {dataStoreName: "s", pathOnDataStore: "p", mode: "download"}}, data: {input_1: {mechanism: "download"}}}`},
		"datastores of one name for two workspaces": {"if x:\n    w = Workspace.get('a')\n    d = Datastore.get(w, 's')\nelse:\n    w = Workspace.get('b')\n    d = Datastore.get(w, 's')\nif x:\n    e = Datastore.get(w, 's')\nelse:\n    e = Datastore(w, 's')\nScriptRunConfig('.', 'a.py', [d.path('p').as_download(), e.path('p').as_download()])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["DatasetConsumptionConfig:input_0", "$AZUREML_DATAREFERENCE_input_1"], data: {input_0: {mechanism: "download"}}, dataReferences: {input_1: {dataStoreName: "s", pathOnDataStore: "p", mode: "download"}}}`},
		"datastores of two workspaces": {"if x:\n    d = Datastore.get(ws, 's')\nelse:\n    d = Datastore.get(ws2, 's')\nws = Workspace.from_config()\nif x:\n    e = ws.datastores['s']\nelse:\n    e = Datastore(ws, 's')\nScriptRunConfig('.', 'a.py', [d.path('p').as_download(), e.path('p').as_download()])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["DatasetConsumptionConfig:input_0", "$AZUREML_DATAREFERENCE_input_1"], data: {input_0: {mechanism: "download"}}, dataReferences: {input_1: {dataStoreName: "s", pathOnDataStore: "p", mode: "download"}}}`},
		"a cluster for an estimator's run": {"Estimator('.', entry_script='a.py', vm_size='Standard_D4as_v4', vm_priority='lowpriority')\n",
			`{sourceDirectory: ".", script: "a.py", amlcompute: {vmSize: "Standard_D4as_v4", vmPriority: "lowpriority"}, target: "amlcompute", environment: {python: {condaDependencies: {dependencies: [{pip: ["azureml-defaults"]}]}}}}`},
		"an estimator": {"Estimator('.', entry_script='a.py', compute_target='gpu', script_params={'--a': 1, '--flag': '', '--b': b}, pip_packages=['x==1'], use_gpu=True)\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["--a", 1, "--flag", "--b", <b>], target: "gpu", environment: {docker: {gpuSupport: true, baseImage: "mcr.microsoft.com/azureml/openmpi4.1.0-cuda11.8-cudnn8-ubuntu22.04"}, python: {condaDependencies: {dependencies: [{pip: ["azureml-defaults", "x==1"]}]}}}}`},
		"a run configuration that is loaded": {"rc = RunConfiguration.load('.', 'a')\nrc.node_count = 2\nrc.data_references = {'d': f()}\nScriptRunConfig('.', 'a.py', run_config=rc)\n",
			`{runConfig: "./.azureml/a", dataReferences: {d: {value: <f()>}}, nodeCount: 2, sourceDirectory: ".", script: "a.py"}`},
		"run configurations whose file is computed": {"rc = RunConfiguration.load(f())\nScriptRunConfig('.', 'a.py', run_config=rc)\nrd = RunConfiguration.load('a.yml', name=n)\nScriptRunConfig('.', 'b.py', run_config=rd)\n", `{runConfig: <rc>, sourceDirectory: ".", script: "a.py"}; {runConfig: <rd>, sourceDirectory: ".", script: "b.py"}`},
		"environments that are elsewhere": {"from azureml.core.environment import *\ne = Environment.load_from_directory(path='a')\nf = Environment.from_existing_conda_environment(name='f', conda_environment_name='b')\ng = Environment.from_docker_build_context('g', DockerBuildContext.from_local_directory(ws, 'c', 'd'))\nh = Environment('h')\nh.docker.build_context = x\ni = Environment.list(ws)\n",
			`{directory: "a"}; {name: "f", python: {installed: "b"}}; {name: "g", docker: {buildContext: {location: "c", dockerfilePath: "d"}}}; {name: "h", docker.buildContext: <x>}`},
		"registries of images": {"r = ContainerRegistry()\nr.address = 'a.example.com'\ne = Environment.from_docker_image('e', 'i', container_registry=r)\nf = Environment('f')\nf.docker.base_image = 'i'\nf.docker.base_image_registry = r\nf.docker.base_image_registry.username = u\n",
			`{name: "e", docker: {baseImage: "i", baseImageRegistry: {address: "a.example.com"}}, python: {userManagedDependencies: true}}; {name: "f", docker: {baseImage: "i", baseImageRegistry: {address: "a.example.com"}}, docker.baseImageRegistry.username: <u>}`},
		"settings of what is submitted": {"s = ScriptRunConfig('.', 'a.py')\ns.run_config.node_count = 2\ns.run_config.target = 'cpu'\ne = Estimator('.', entry_script='b.py')\ne.run_config.framework = 'Python'\ne._estimator_config.environment.python.interpreter_path = '/p'\n",
			`{sourceDirectory: ".", script: "a.py", nodeCount: 2, target: "cpu"}; {sourceDirectory: ".", script: "b.py", environment: {python: {condaDependencies: {dependencies: [{pip: ["azureml-defaults"]}]}, interpreterPath: "/p"}}, framework: "Python"}`},
		"an estimator with its own image": {"PyTorch('.', entry_script='a.py', use_gpu=True, custom_docker_image='own:1')\n",
			`{sourceDirectory: ".", script: "a.py", environment: {docker: {baseImage: "own:1", gpuSupport: true}, python: {condaDependencies: {dependencies: [{pip: ["azureml-defaults", "torch"]}]}}}}`},
		"a sweep by place": {"from azureml.train.hyperdrive import *\nsrc = ScriptRunConfig('.', 'a.py')\nHyperDriveConfig(RandomParameterSampling({'--b': choice(1, 2), '--c': mine(3)}), 'acc', PrimaryMetricGoal.MAXIMIZE, 20, 4, policy=BanditPolicy(2, 0.1), run_config=src)\n",
			`{sourceDirectory: ".", script: "a.py", sweep: {class: "HyperDriveConfig", primary_metric_name: "acc", max_total_runs: 20, max_concurrent_runs: 4, goal: "maximize", policy: {type: "bandit", evaluation_interval: 2, slack_factor: 0.1}, sampling: "random", space: {--b: {type: "choice", values: [1, 2]}}}, sweep.parameter: <'--c': mine(3)>}`},
		"a range, and two that are too long": {"from azureml.train.hyperdrive import *\nsrc = ScriptRunConfig('.', 'a.py')\nHyperDriveConfig(RandomParameterSampling({'--b': choice(range(1, 3)), '--c': choice(range(-9223372036854775808, 9223372036854775807)), '--d': choice(range(-1, 99999999999999999999))}), 'acc', PrimaryMetricGoal.MAXIMIZE, 20, run_config=src)\n",
			`{sourceDirectory: ".", script: "a.py", sweep: {class: "HyperDriveConfig", primary_metric_name: "acc", max_total_runs: 20, goal: "maximize", sampling: "random", space: {--b: {type: "choice", values: [1, 2]}}}, sweep.parameter: <'--c': choice(range(-9223372036854775808, 9223372036854775807))>, sweep.parameter: <'--d': choice(range(-1, 99999999999999999999))>}`},
		"what HyperDrive or v2 would reject": {"from azureml.train.hyperdrive import *\nsrc = ScriptRunConfig('.', 'a.py')\nHyperDriveConfig(RandomParameterSampling({'a': uniform('x', 2), 'b': randint(2.5), 'c': choice([1], [2]), 'd': choice(None, 1), 'e': quniform(0, 1, 0.1)}), 'm', PrimaryMetricGoal.MINIMIZE, 2, policy=MedianStoppingPolicy(2.5), run_config=src)\nHyperDriveConfig(run_config=src, policy=TruncationSelectionPolicy(f()))\n",
			`{sourceDirectory: ".", script: "a.py", sweep: {class: "HyperDriveConfig", primary_metric_name: "m", max_total_runs: 2, goal: "minimize", sampling: "random", space: {e: {type: "quniform", min_value: 0, max_value: 1, q: 0.1}}}, sweep.policy: <MedianStoppingPolicy(2.5)>, sweep.parameter: <'a': uniform('x', 2)>, sweep.parameter: <'b': randint(2.5)>, sweep.parameter: <'c': choice([1], [2])>, sweep.parameter: <'d': choice(None, 1)>}; {sourceDirectory: ".", script: "a.py", sweep: {class: "HyperDriveConfig"}, sweep.policy: <TruncationSelectionPolicy(f())>}`},
		"a sweep of old with an estimator": {"e = Estimator('.', entry_script='a.py')\nHyperDriveRunConfig(e, GridParameterSampling({'b': choice([1])}), 'loss', PrimaryMetricGoal.MINIMIZE, 5, policy=NoTerminationPolicy())\n",
			`{sourceDirectory: ".", script: "a.py", environment: {python: {condaDependencies: {dependencies: [{pip: ["azureml-defaults"]}]}}}, sweep: {class: "HyperDriveRunConfig", primary_metric_name: "loss", max_total_runs: 5, goal: "minimize", sampling: "grid", space: {b: {type: "choice", values: [1]}}}}`},
		"a dataset that is registered first": {"ws = Workspace.from_config()\nds = Dataset.Tabular.from_delimited_files('https://a/b.csv')\nds = ds.register(ws, 'iris')\nScriptRunConfig('.', 'a.py', [ds.as_named_input('in')])\n",
			`{kind: "tabular", path: "https://a/b.csv", name: "iris"}; {sourceDirectory: ".", script: "a.py", arguments: ["DatasetConsumptionConfig:in"], data: {in: {dataLocation: {dataset: {name: "iris"}}, mechanism: "direct"}}}`},
		"a dataset that is found or registered": {"ws = Workspace.from_config()\nif 'iris' in ws.datasets:\n    ds = ws.datasets['iris']\nelse:\n    ds = Dataset.Tabular.from_delimited_files('https://a/b.csv')\n    try:\n        ds = ds.register(ws, 'iris')\n    except Exception:\n        pass\nScriptRunConfig('.', 'a.py', [ds.as_named_input('in')])\n",
			`{kind: "tabular", path: "https://a/b.csv", name: "iris"}; {sourceDirectory: ".", script: "a.py", arguments: ["DatasetConsumptionConfig:in"], data: {in: {dataLocation: {dataset: {name: "iris"}}, mechanism: "direct"}}}`},
		"different datasets": {"ws = Workspace.from_config()\ntry:\n    ds = Dataset.get_by_name(ws, 'a', version=1)\n    es = Dataset.get_by_name(ws, 'a')\nexcept Exception:\n    ds = Dataset.get_by_name(ws, 'a')\n    es = Dataset.File.from_files('https://a/b.csv')\nif x:\n    es.register(ws, 'a')\nScriptRunConfig('.', 'a.py', [ds, es])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: [<ds>, <es>]}`},
		"one name for two datasets": {"ws = Workspace.from_config()\nif x:\n    ds = Dataset.File.from_files('https://a/b.csv')\n    ds.register(ws, 'a')\nelse:\n    ds = Dataset.File.from_files('https://a/c.csv')\n    ds.register(ws, 'a')\nScriptRunConfig('.', 'a.py', [ds])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: [<ds>]}`},
		"one name for two chained datasets": {"ws = Workspace.from_config()\nif x:\n    ds = Dataset.get_by_name(ws, 'a')\nelse:\n    ds = Dataset.File.from_files('https://a/b.csv').register(ws, 'a')\nif y:\n    ds = Dataset.File.from_files('https://a/c.csv').register(ws, 'a')\nScriptRunConfig('.', 'a.py', [ds])\n",
			`{kind: "file", path: "https://a/b.csv", name: "a"}; {kind: "file", path: "https://a/c.csv", name: "a"}; {sourceDirectory: ".", script: "a.py", arguments: [<ds>]}`},
		"a dataset or a conditional expression": {"ws = Workspace.from_config()\nds = Dataset.get_by_name(ws, 'a')\nif z:\n    ds = other if y else x.register(ws, 'a')\nScriptRunConfig('.', 'a.py', [ds])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: [<ds>]}`},
		"a dataset or a function": {"ws = Workspace.from_config()\nds = Dataset.get_by_name(ws, 'a')\nif z:\n    ds = lambda: x.register(ws, 'a')\nScriptRunConfig('.', 'a.py', [ds])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: [<ds>]}`},
		"a dataset or an operator": {"ws = Workspace.from_config()\nds = Dataset.get_by_name(ws, 'a')\nif z:\n    ds = -x.register(ws, 'a')\nScriptRunConfig('.', 'a.py', [ds])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: [<ds>]}`},
		"a dataset or a part": {"ws = Workspace.from_config()\nds = Dataset.get_by_name(ws, 'a')\nif z:\n    ds = ds.take(5).register(ws, 'a')\nScriptRunConfig('.', 'a.py', [ds])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: [<ds>]}`},
		"a dataset or another class": {"ws = Workspace.from_config()\nds = Dataset.get_by_name(ws, 'a')\nif z:\n    ds = M.register(ws, 'a', 'b')\nScriptRunConfig('.', 'a.py', [ds])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: [<ds>]}`},
		"a dataset or another workspace": {"ws = Workspace.from_config()\nds = Dataset.get_by_name(ws, 'a')\nif z:\n    ds = Dataset.get_by_name(other, 'a')\nScriptRunConfig('.', 'a.py', [ds])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: [<ds>]}`},
		"datasets of a loop": {"ws = Workspace.from_config()\nfor n in ['a', 'b']:\n    ds = Dataset.File.from_files(n)\n    ds.register(ws, n)\nfor n in ['a', 'b']:\n    es = Dataset.File.from_files(n)\n    es.register(ws, 'c')\nScriptRunConfig('.', 'a.py', [ds])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: [<ds>]}`},
		"a dataset with two names": {"ws = Workspace.from_config()\nif a:\n    ds = Dataset.File.from_files('https://a/b.csv')\n    if b:\n        ds = ds.register(ws, 'a')\n    else:\n        ds = ds.register(ws, 'b')\nelse:\n    ds = Dataset.get_by_name(ws, 'a')\nScriptRunConfig('.', 'a.py', [ds])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: [<ds>]}`},
		"a dataset": {"ws = Workspace.from_config()\nds = Dataset.get_by_name(ws, 'mnist', version=2)\nScriptRunConfig('.', 'a.py', ['--data', ds.as_named_input('in').as_download()])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["--data", "DatasetConsumptionConfig:in"], data: {in: {dataLocation: {dataset: {name: "mnist", version: 2}}, mechanism: "download"}}}`},
		"a datastore that is registered first": {"ds = Datastore.register_azure_blob_container(workspace=ws, datastore_name='store', container_name='c', account_name='a')\nScriptRunConfig('.', 'a.py', [ds.path('b').as_mount()])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["$AZUREML_DATAREFERENCE_input_0"], dataReferences: {input_0: {dataStoreName: "store", pathOnDataStore: "b", mode: "mount"}}}`},
		"a dataset of a frame": {"d = Dataset.Tabular.register_pandas_dataframe(frame, (ds, 'a'), 'train')\nScriptRunConfig('.', 'a.py', [d.as_named_input('in'), Dataset.Tabular.register_pandas_dataframe(frame, ds, x)])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["DatasetConsumptionConfig:in", <Dataset.Tabular.register_pandas_dataframe(frame, ds, x)>], data: {in: {dataLocation: {dataset: {name: "train"}}, mechanism: "direct"}}}`},
		"packages that are added to an environment": {"e = Environment('1')\nfor p in ['a', 'b']:\n    e.python.conda_dependencies.add_pip_package(p)\ne.python.conda_dependencies.add_channel('c')\nf = Environment('2')\nf.python.conda_dependencies = CondaDependencies.create(pip_packages=['d', 'azureml-core'])\nf.python.conda_dependencies.add_pip_package('azureml-core==1.0')\nf.python.conda_dependencies.add_conda_package('g')\n",
			`{name: "1", python: {condaDependencies: {channels: ["c"], dependencies: [{pip: ["azureml-defaults", "a", "b"]}]}}}; {name: "2", python: {condaDependencies: {dependencies: [{pip: ["d", "azureml-core==1.0"]}, "g"]}}}`},
		"packages that are added to a job": {"rc = RunConfiguration()\nrc.environment.python.conda_dependencies = CondaDependencies.create(conda_packages=['a'])\nrc.environment.python.conda_dependencies.add_pip_package('b')\nScriptRunConfig('.', 'a.py', run_config=rc)\n" +
			"rd = RunConfiguration()\nrd.environment.python.conda_dependencies.add_conda_package('c')\nScriptRunConfig('.', 'b.py', run_config=rd)\nre = RunConfiguration()\nre.environment = Environment('e')\nre.environment.python.conda_dependencies.add_pip_package('d')\nScriptRunConfig('.', 'c.py', run_config=re)\nrf = RunConfiguration.load('.', 'f')\nrf.environment.python.conda_dependencies.add_pip_package('e')\nsf = ScriptRunConfig('.', 'd.py', run_config=rf)\ng = Estimator('.', entry_script='e.py')\ng.run_config.environment.python.conda_dependencies.add_pip_package('f')\n",
			`{environment: {python: {condaDependencies: {dependencies: ["a", {pip: ["azureml-defaults", "b"]}]}}}, sourceDirectory: ".", script: "a.py"}; {environment: {python: {condaDependencies: {dependencies: ["c", {pip: ["azureml-defaults"]}]}}}, sourceDirectory: ".", script: "b.py"}; ` +
				`{name: "e"}; {environment: "Environment", python: {addedPackages: {dependencies: [{pip: ["d"]}]}}, sourceDirectory: ".", script: "c.py"} in Environment; {runConfig: "./.azureml/f", python: {addedPackages: {dependencies: [{pip: ["e"]}]}}, sourceDirectory: ".", script: "d.py"}; {sourceDirectory: ".", script: "e.py", environment: {python: {condaDependencies: {dependencies: [{pip: ["azureml-defaults", "f"]}]}}}}`},
		"an environment that is changed by way of a job": {"e = Environment('e')\ne.python.conda_dependencies = CondaDependencies.create(pip_packages=['a'])\nrc = RunConfiguration()\nrc.environment = e\nrc.environment.docker.base_image = 'i'\nrc.environment.environment_variables['A'] = 'b'\nrc.environment.python.conda_dependencies.add_pip_package('c')\nScriptRunConfig('.', 'a.py', run_config=rc)\n" +
			"rd = RunConfiguration()\nrd.environment = Environment.get(ws, 'kept')\nrd.environment.docker.base_image = 'i'\nrd.environment.environment_variables['A'] = 'b'\nScriptRunConfig('.', 'b.py', run_config=rd)\n",
			`{name: "e", python: {condaDependencies: {dependencies: [{pip: ["a", "c"]}]}}, docker: {baseImage: "i"}, environmentVariables: {A: "b"}}; {environment: "e", sourceDirectory: ".", script: "a.py"} in e; {name: "kept", environmentVariables: {A: "b"}}; {environment: "Environment", environment.docker.baseImage: <'i'>, sourceDirectory: ".", script: "b.py"} in Environment`},
		"other calls of CondaDependencies": {"c = CondaDependencies.create(pip_packages=['a'])\nc.set_pip_option('--pre')\nc.remove_pip_package('b')\nc.save_to_file('.', 'c.yml')\ne = Environment('e')\ne.python.conda_dependencies = c\n",
			`{name: "e", remove_pip_package: <('b')>, python: {condaDependencies: {dependencies: [{pip: ["a", "--pre"]}]}}}`},
		"packages that are added to others": {"e = Environment.get(ws, '1')\ne.python.conda_dependencies.add_pip_package('a')\nf = Environment.from_conda_specification('2', 'c.yml')\nf.python.conda_dependencies.add_pip_package('a')\ng = Environment('3')\nfor p in l:\n    g.python.conda_dependencies.add_pip_package(p)\n",
			`{name: "1", python.condaDependencies: <('a')>}; {name: "2", python: {condaDependenciesFile: "c.yml", addedPackages: {dependencies: [{pip: ["a"]}]}}}; {name: "3", python.conda_dependencies.add_pip_package: <p>, python: {condaDependencies: {dependencies: [{pip: ["azureml-defaults"]}]}}}`},
		"packages that SDK v1 adds": {"a = CondaDependencies()\na.add_pip_package('x')\ne = Environment('1')\ne.python.conda_dependencies = a\n",
			`{name: "1", python: {condaDependencies: {dependencies: [{pip: ["azureml-defaults", "x"]}]}}}`},
		"packages that SDK v1 adds to those of conda": {"e = Environment('1')\ne.python.conda_dependencies = CondaDependencies.create(conda_packages=['x'])\n",
			`{name: "1", python: {condaDependencies: {dependencies: ["x", {pip: ["azureml-defaults"]}]}}}`},
		"packages that replace those of SDK v1": {"e = Environment('1')\ne.python.conda_dependencies = CondaDependencies.create(pip_packages=['x'])\n",
			`{name: "1", python: {condaDependencies: {dependencies: [{pip: ["x"]}]}}}`},
		"packages of SDK v1 that are named": {"a = CondaDependencies()\na.add_pip_package('azureml-defaults~=1.2')\ne = Environment('1')\ne.python.conda_dependencies = a\n",
			`{name: "1", python: {condaDependencies: {dependencies: [{pip: ["azureml-defaults~=1.2"]}]}}}`},
		"an environment that it has registered": {"e = Environment.from_conda_specification('mine', 'c.yml')\ne.register(workspace=ws)\nr = Environment.get(ws, 'mine')\nScriptRunConfig('.', 'a.py', environment=r)\n",
			`{name: "mine", python: {condaDependenciesFile: "c.yml"}}; {name: "mine"}; {sourceDirectory: ".", script: "a.py", environment: "e"} in e`},
		"an older version of an environment": {"e = Environment.from_conda_specification('mine', 'c.yml')\ne.register(workspace=ws)\nScriptRunConfig('.', 'a.py', environment=Environment.get(ws, 'mine', '1'))\n",
			`{name: "mine", python: {condaDependenciesFile: "c.yml"}}; {sourceDirectory: ".", script: "a.py", environment: "Environment"} in Environment; {name: "mine", version: "1"}`},
		"an environment that it has not registered": {"e = Environment.from_conda_specification('mine', 'c.yml')\nScriptRunConfig('.', 'a.py', environment=Environment.get(ws, 'mine'))\n",
			`{name: "mine", python: {condaDependenciesFile: "c.yml"}}; {sourceDirectory: ".", script: "a.py", environment: "Environment"} in Environment; {name: "mine"}`},
		"the workspace's datasets": {"ws = Workspace.from_config()\nds = ws.datasets.get('mnist')\nScriptRunConfig('.', 'a.py', ['--data', ds.as_named_input('in'), '--more', ws.datasets['iris'].as_mount(), ws.datasets[x].as_mount(), ws.datasets])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["--data", "DatasetConsumptionConfig:in", "--more", "DatasetConsumptionConfig:input_3", "DatasetConsumptionConfig:input_4", <ws.datasets>], data: {in: {dataLocation: {dataset: {name: "mnist"}}, mechanism: "direct"}, input_3: {dataLocation: {dataset: {name: "iris"}}, mechanism: "mount"}, input_4: {mechanism: "mount"}}}`},
		"an environment of the workspace": {"ws = Workspace.from_config()\nScriptRunConfig('.', 'a.py', environment=ws.environments['AzureML-Minimal'])\nScriptRunConfig('.', 'b.py', environment=other.ws.environments.get('mine'))\nScriptRunConfig('.', 'c.py', environment=other.environments)\n",
			`{sourceDirectory: ".", script: "a.py", environment: "Environment"} in Environment; {name: "AzureML-Minimal"}; {sourceDirectory: ".", script: "b.py", environment: "Environment"} in Environment; {name: "mine"}; {sourceDirectory: ".", script: "c.py", environment: <other.environments>}`},
		"a dataset at a path of a datastore": {"ws = Workspace.from_config()\nstore = Datastore.get(ws, 'store')\nds = Dataset.Tabular.from_delimited_files(path=[store.path('./a/b.csv')])\nds.register(ws, 'table')\nDataset.File.from_files(store).register(ws, 'all')\n",
			`{kind: "tabular", datastore: "store", path: "./a/b.csv", name: "table"}; {kind: "file", path: <store>, name: "all"}`},
		"a job that is changed between submissions": {"e = Experiment(ws, 'e')\nrc = RunConfiguration()\nrc.target = 'cpu'\nsrc = ScriptRunConfig('.', 'a.py', run_config=rc)\ne.submit(src)\nsrc.arguments = ['--n', 1]\ne.submit(src)\nExperiment(ws, 'f').submit(src)\nrc.target = 'gpu'\nExperiment(ws, 'g').submit(config=src)\nsrc.script = 'b.py'\n",
			`{target: "cpu", sourceDirectory: ".", script: "a.py"} as e; {target: "cpu", sourceDirectory: ".", script: "a.py", arguments: ["--n", 1]} as f; {target: "gpu", sourceDirectory: ".", script: "a.py", arguments: ["--n", 1]} as g`},
		"a job that is changed under a condition": {"src = ScriptRunConfig('.', 'a.py', compute_target='cpu')\nif x:\n    src.run_config.target = 'gpu'\ntry:\n    rc = RunConfiguration()\n    rc.target = 'gpu'\n    rc.node_count = 2\n    ScriptRunConfig('.', 'b.py', run_config=rc)\nexcept E:\n    rc.node_count = 3\n",
			`{sourceDirectory: ".", script: "a.py", target: "cpu", target: <'gpu'>}; {target: "gpu", nodeCount: 2, nodeCount: <3>, sourceDirectory: ".", script: "b.py"}`},
		"a target's name": {"ws = Workspace.from_config()\nc = None\ntry:\n    c = ComputeTarget(ws, 'cpu')\nexcept E:\n    exit()\nScriptRunConfig('.', 'a.py', compute_target=c)\nrc = RunConfiguration()\nrc.target = c.name\nd = None\nif x:\n    d = ComputeTarget(ws, 'cpu')\nScriptRunConfig('.', 'b.py', [c.name], rc, compute_target=d)\ns = None\ntry:\n    s = 'a'\nexcept E:\n    exit()\nScriptRunConfig('.', s)\n",
			`{sourceDirectory: ".", script: "a.py", target: "cpu"}; {target: "cpu", sourceDirectory: ".", script: "b.py", arguments: ["cpu"], target: <d>}; {sourceDirectory: ".", script: <s>}`},
		"data whose name is computed": {"ws = Workspace.from_config()\nd = Datastore(ws, f())\nt = ws.datasets[f()]\no = OutputFileDatasetConfig(f())\nScriptRunConfig('.', 'a.py', ['--a', d.as_mount(), '--b', t.as_mount(), '--c', f().as_mount()])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["--a", "$AZUREML_DATAREFERENCE_a", "--b", "DatasetConsumptionConfig:b", "--c", <f().as_mount()>], dataReferences: {a: {mode: "mount"}}, data: {b: {mechanism: "mount"}}}`},
		"a job that is changed in a loop": {"src = ScriptRunConfig('.', 'a.py')\nfor n in [1, 2]:\n    src.arguments = [n]\n    Experiment(ws, 'e').submit(src)\n",
			`{sourceDirectory: ".", script: "a.py", arguments: <[n]>} as e`},
		"a job that is submitted in another function": {"def f(src):\n    Experiment(ws, 'e').submit(src)\nsrc = ScriptRunConfig('.', 'a.py')\nf(src)\nsrc.arguments = [1]\n",
			`{sourceDirectory: ".", script: "a.py", arguments: [1]} as e`},
		"one of two jobs": {"if x:\n    src = ScriptRunConfig('.', 'a.py')\nelse:\n    src = ScriptRunConfig('.', 'b.py')\nExperiment(ws, 'e').submit(src)\n",
			`{sourceDirectory: ".", script: "a.py"} as e; {sourceDirectory: ".", script: "b.py"} as e`},
		"an environment of early versions": {"from azureml.core import runconfig\nd = runconfig.DockerSection()\nd.enabled = True\nd.base_image = 'a'\ne = runconfig.EnvironmentDefinition()\ne.docker = d\ne.docker.shm_size = '1g'\nScriptRunConfig('.', 'a.py', environment=e)\n",
			`{docker: {enabled: true, baseImage: "a", shmSize: "1g"}}; {sourceDirectory: ".", script: "a.py", environment: "e"} in e`},
		"a copy of the program's own environment": {"c = CondaDependencies.create(pip_packages=['p'])\na = Environment('a')\na.docker.base_image = 'i'\na.python.conda_dependencies = c\nb = a.clone('b')\nc.add_pip_package('q')\nScriptRunConfig('.', 'b.py', environment=b)\n",
			`{name: "a", docker: {baseImage: "i"}, python: {condaDependencies: {dependencies: [{pip: ["p", "q"]}]}}}; {sourceDirectory: ".", script: "b.py", environment: <b>}`},
		"a copy of an environment": {"ws = Workspace.from_config()\na = Environment.get(ws, 'AzureML-Minimal', version=3)\nb = a.clone('b')\nb.docker.enabled = True\nb.environment_variables['X'] = 'x'\nScriptRunConfig('.', 'b.py', environment=b)\n" +
			"c = a.clone(new_name='c')\nc.docker.base_image = 'i'\nc.python.conda_dependencies = CondaDependencies.create(pip_packages=['p'])\nScriptRunConfig('.', 'c.py', environment=c)\n" +
			"d = a.clone('d')\nd.python.conda_dependencies.add_pip_package('p')\nScriptRunConfig('.', 'd.py', environment=d)\ne = a.clone('e')\nif x:\n    e.docker.base_image = 'i'\nScriptRunConfig('.', 'e.py', environment=e)\n",
			`{name: "AzureML-Minimal", version: 3}; {docker: {enabled: true}, environmentVariables: {X: "x"}, name: "AzureML-Minimal", version: 3}; {sourceDirectory: ".", script: "b.py", environment: "b"} in b; {docker: {baseImage: "i"}, python: {condaDependencies: {dependencies: [{pip: ["p"]}]}}, name: "c"}; {sourceDirectory: ".", script: "c.py", environment: "c"} in c; {sourceDirectory: ".", script: "d.py", environment: <d>}; {sourceDirectory: ".", script: "e.py", environment: <e>}`},
		"a registered dataset": {"ws = Workspace.from_config()\nds = Dataset.File.from_files(path=(Datastore.get(ws, 'store'), 'a/**'))\nds = ds.register(ws, 'files')\n",
			`{kind: "file", datastore: "store", path: "a/**", name: "files"}`},
		"concatenated texts":        {"a, n = 1, 2\nb = 'x'\nc = 3\nScriptRunConfig('.', script=f'{b}/T{c}.py', arguments=['p' + b, f'{{{b}}}', f'{b:>3}', f'{a}', f'{b.c}', 'p' + c])\n", `{sourceDirectory: ".", script: "x/T3.py", arguments: ["px", "{x}", <f'{b:>3}'>, <f'{a}'>, <f'{b.c}'>, <'p' + c>]}`},
		"formatted texts":           {"a = 'x'\nScriptRunConfig('.', script='{}/{}.py'.format(a, 3), arguments=['{}'.format(b), '{0}'.format(a), '{}'.format(), '{}{{'.format(a)])\n", `{sourceDirectory: ".", script: "x/3.py", arguments: [<'{}'.format(b)>, <'{0}'.format(a)>, <'{}'.format()>, <'{}{{'.format(a)>]}`},
		"joined texts and products": {"c = ['a', 'b']\nScriptRunConfig('.', command=' && '.join(c), max_run_duration_seconds=60 * 60, arguments=[2 * 3, n * 2, ' '.join(d), ' '.join([1])])\n", `{sourceDirectory: ".", arguments: [6, <n * 2>, <' '.join(d)>, <' '.join([1])>], command: "a && b", maxRunDurationSeconds: 3600}`},
		"divided texts":             {"a = 'x  y'\nScriptRunConfig('.', command=f'run {a}'.split(), arguments=[a.split()])\nScriptRunConfig('.', command=b.split(), arguments=a.split(' '))\n", `{sourceDirectory: ".", arguments: [["x", "y"]], command: ["run", "x", "y"]}; {sourceDirectory: ".", arguments: <a.split(' ')>, command: <b.split()>}`},
		"the SDK's images":          {"from azureml.core.runconfig import DEFAULT_GPU_IMAGE as GPU\nimport azureml.core\ne = Environment('e')\ne.docker.base_image = GPU\nf = Environment('f')\nf.docker.base_image = azureml.core.environment.DEFAULT_CPU_IMAGE\n", `{name: "e", docker: {baseImage: "mcr.microsoft.com/azureml/openmpi4.1.0-cuda11.8-cudnn8-ubuntu22.04"}}; {name: "f", docker: {baseImage: "mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04:20251130.v1"}}`},
		"images of the program":     {"from mine import DEFAULT_GPU_IMAGE\ne = Environment('e')\ne.docker.base_image = DEFAULT_GPU_IMAGE\n", `{name: "e", docker.baseImage: <DEFAULT_GPU_IMAGE>}`},
		"paths of pathlib": {"from pathlib import Path\nroot = Path(__file__).resolve().parent.parent\nfolder = root / 'src'\nScriptRunConfig(str(folder), script=Path('a') / 'b.py', arguments=[root.parent, str(Path('x/y').parent), f'{folder}/z', str(3), n / 2, Path(x), root.joinpath('u', 'v').as_posix(), Path.cwd() / 'w'])\n",
			`{sourceDirectory: "src", script: "a/b.py", arguments: [<root.parent>, "x", <f'{folder}/z'>, <str(3)>, <n / 2>, <Path(x)>, <root.joinpath('u', 'v').as_posix()>, <Path.cwd() / 'w'>]}`},
		"data references of a run configuration": {"ws = Workspace.from_config()\nds = ws.get_default_datastore()\ndr = DataReferenceConfiguration(datastore_name=ds.name, path_on_datastore='a', mode='download')\nrc = RunConfiguration()\nrc.data_references = {ds.name: dr, 'n': f()}\nScriptRunConfig('.', 'a.py', [str(ds.as_mount()), ds.path('b').as_mount(), str(x)], rc)\n",
			`{dataReferences: {workspaceblobstore: {dataStoreName: "workspaceblobstore", mode: "download", pathOnDataStore: "a"}, n: {value: <f()>}, input_1: {dataStoreName: "workspaceblobstore", pathOnDataStore: "b", mode: "mount"}}, sourceDirectory: ".", script: "a.py", arguments: ["$AZUREML_DATAREFERENCE_workspaceblobstore", "$AZUREML_DATAREFERENCE_input_1", <str(x)>]}`},
		"data references of a job": {"ds = Datastore(ws, 's')\nr = ds.path('a').as_download()\nq = ds.path('b', data_reference_name='q').as_mount()\ns = ScriptRunConfig('.', 'a.py', [str(r), q])\ns.run_config.data_references = {r.data_reference_name: r.to_config(), q.data_reference_name: q.to_config()}\n",
			`{sourceDirectory: ".", script: "a.py", dataReferences: {r: {dataStoreName: "s", pathOnDataStore: "a", mode: "download"}, q: {dataStoreName: "s", pathOnDataStore: "b", mode: "mount"}}, arguments: ["$AZUREML_DATAREFERENCE_r", "$AZUREML_DATAREFERENCE_q"]}`},
		"data references one by one": {"ds = Datastore(ws, 's')\ne = Estimator('.', entry_script='a.py', script_params={'--a': ds.as_mount()}, conda_dependencies_file='c.yml')\ne.run_config.data_references[ds.name] = DataReferenceConfiguration('s', 'mount', 'x')\n",
			`{sourceDirectory: ".", script: "a.py", dataReferences: {s: {dataStoreName: "s", mode: "mount", pathOnDataStore: "x"}}, arguments: ["--a", "$AZUREML_DATAREFERENCE_s"], environment: {python: {condaDependenciesFile: "c.yml"}}}`},
		"data references that are computed": {"ds = Datastore(ws, 's')\nrc = RunConfiguration()\nk = DataReferenceConfiguration('s', 'mount', 'p')\nif z:\n    k.path_on_data_store = 'q'\nl = DataReferenceConfiguration('s')\nl.path_on_datastore = 'p'\nrc.data_references = {'l': l, 'a': DataReferenceConfiguration('s', 'mount', f()), 'b': DataReferenceConfiguration('s', f(), 'p'), 'k': k, 'd': ds.path('p').as_download(f()).to_config(), 'e': DataReference(ds, 'e', 'p', m).to_config(), 'o': DataReferenceConfiguration('s', 'mount', 'p', overwrite=f())}\nScriptRunConfig('.', 'a.py', run_config=rc)\n",
			`{dataReferences: {l: {value: <l>}, a: {value: <DataReferenceConfiguration('s', 'mount', f())>}, b: {value: <DataReferenceConfiguration('s', f(), 'p')>}, k: {value: <k>}, d: {value: <ds.path('p').as_download(f()).to_config()>}, e: {value: <DataReference(ds, 'e', 'p', m).to_config()>}, o: {dataStoreName: "s", mode: "mount", pathOnDataStore: "p", overwrite: <f()>}}, sourceDirectory: ".", script: "a.py"}`},
		"data references with a place on the machine": {"ds = Datastore(ws, 's')\nrc = RunConfiguration()\nrc.data_references = {'d': ds.path('in').as_download('/tmp/in').to_config(), 'e': DataReference(ds, 'e', 'p', path_on_compute='/e').as_mount().to_config(), 'f': DataReference(ds, 'f', 'p', path_on_compute='/f').as_download().to_config()}\nScriptRunConfig('.', 'a.py', run_config=rc)\n",
			`{dataReferences: {d: {dataStoreName: "s", pathOnDataStore: "in", mode: "download", pathOnCompute: "/tmp/in"}, e: {dataStoreName: "s", pathOnDataStore: "p", mode: "mount", pathOnCompute: "/e"}, f: {dataStoreName: "s", pathOnDataStore: "p", mode: "download"}}, sourceDirectory: ".", script: "a.py"}`},
		"data references of one name": {"ds = Datastore(ws, 's')\nrc = RunConfiguration()\nrc.data_references['k'] = ds.path('w').as_mount().to_config()\nScriptRunConfig('.', 'a.py', [DataReference(ds, 'k', 'x'), DataReference(ds, 'k', 'y').as_mount(), str(DataReference(ds, 'k')), DataReference(ds, 'k', 'w')], rc)\nScriptRunConfig('.', 'b.py', [str(DataReference(ds, 'k', 'x')), str(DataReference(ds, 'k', 'y')), str(DataReference(ds, 'k', 'x'))])\n",
			`{dataReferences: {k: {dataStoreName: "s", pathOnDataStore: "w", mode: "mount"}, k_2: {dataStoreName: "s", pathOnDataStore: "x", mode: "mount"}, k_3: {dataStoreName: "s", pathOnDataStore: "y", mode: "mount"}}, sourceDirectory: ".", script: "a.py", arguments: ["$AZUREML_DATAREFERENCE_k_2", "$AZUREML_DATAREFERENCE_k_3", "$AZUREML_DATAREFERENCE_k", "$AZUREML_DATAREFERENCE_k"]}; {sourceDirectory: ".", script: "b.py", arguments: ["$AZUREML_DATAREFERENCE_k", "$AZUREML_DATAREFERENCE_k_2", "$AZUREML_DATAREFERENCE_k"], dataReferences: {k: {dataStoreName: "s", pathOnDataStore: "x", mode: "mount"}, k_2: {dataStoreName: "s", pathOnDataStore: "y", mode: "mount"}}}`},
		"data references that are not certain": {"ds = Datastore(ws, 's')\nr = {'a': ds.as_mount().to_config()}\nr['b'] = f()\ns = ScriptRunConfig('.', 'a.py')\ns.run_config.data_references = {x.data_reference_name: x.to_config() for x in y}\nif z:\n    s.run_config.data_references = {'a': ds.path('b').to_config()}\nt = ScriptRunConfig('.', 'b.py')\nt.run_config.data_references = r\n",
			`{sourceDirectory: ".", script: "a.py", dataReferences: <{x.data_reference_name: x.to_config() for x in y}>, dataReferences: <{'a': ds.path('b').to_config()}>}; {sourceDirectory: ".", script: "b.py", dataReferences: <r>}`},
		"a data reference whose path is computed": {"r = DataReference(Datastore(ws, 's'), 'r', path_on_datastore=f())\nEstimator('.', entry_script='a.py', inputs=[r.as_download()], user_managed=True)\n", `{sourceDirectory: ".", script: "a.py", environment: {python: {userManagedDependencies: true}}, dataReferences: {input_1: {mode: "download"}}}`},
		"all of a datastore": {"ws = Workspace.from_config()\nds = ws.get_default_datastore()\nScriptRunConfig('.', 'a.py', ['--a', ds.as_mount(), '--b', Datastore.get(ws, 's').as_download(), '--c', ds.as_other(), '--d', f().as_mount()])\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["--a", "$AZUREML_DATAREFERENCE_a", "--b", "$AZUREML_DATAREFERENCE_b", "--c", <ds.as_other()>, "--d", <f().as_mount()>], dataReferences: {a: {dataStoreName: "workspaceblobstore", mode: "mount"}, b: {dataStoreName: "s", mode: "download"}}}`},
		"a target that is filled in":        {"ScriptRunConfig('.', 'a.py', compute_target=ws.compute_targets[''])\nScriptRunConfig('.', 'b.py', compute_target='')\n", `{sourceDirectory: ".", script: "a.py", target: <ws.compute_targets['']>}; {sourceDirectory: ".", script: "b.py", target: <''>}`},
		"two sweeps of a job":               {"s = ScriptRunConfig('.', 'a.py')\nh = HyperDriveConfig(run_config=s, max_total_runs=2)\nExperiment(ws, 'e').submit(h)\nh2 = HyperDriveConfig(run_config=s, max_total_runs=3)\nExperiment(ws, 'e').submit(h2)\n", `{sourceDirectory: ".", script: "a.py", sweep: {class: "HyperDriveConfig", max_total_runs: 2}} as e; {sourceDirectory: ".", script: "a.py", sweep: {class: "HyperDriveConfig", max_total_runs: 3}} as e`},
		"the goal of a sweep in a variable": {"goal = PrimaryMetricGoal.MINIMIZE\ns = ScriptRunConfig('.', 'a.py')\nHyperDriveConfig(run_config=s, primary_metric_goal=goal)\n", `{sourceDirectory: ".", script: "a.py", sweep: {class: "HyperDriveConfig", goal: "minimize"}}`},
		"absolute paths of the machine":     {"import os\nScriptRunConfig('.', 'a.py', [os.path.abspath('a'), os.path.normpath('a')])\n", `{sourceDirectory: ".", script: "a.py", arguments: [<os.path.abspath('a')>, "a"]}`},
		"paths of the machine in an estimator": {"import os\nEstimator('.', entry_script='a.py', compute_target='local', script_params={'--a': os.path.join(os.getcwd(), 'b'), '--c': 'd/e'})\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["--a", <os.path.join(os.getcwd(), 'b')>, "--c", "d/e"], target: "local", environment: {python: {condaDependencies: {dependencies: [{pip: ["azureml-defaults"]}]}}}}`},
		"paths of os": {"here = os.path.dirname(os.path.abspath(__file__))\nScriptRunConfig(os.path.join(here, '../src'), script='a.py', arguments=[here, os.path.dirname('..'), os.getcwd()])\n",
			`{sourceDirectory: "steps/../src", script: "a.py", arguments: [<here>, <os.path.dirname('..')>, <os.getcwd()>]}`},
		"a dictionary":                              {"s = {'a': {'b': 'x.py'}, 'n': f()}\nScriptRunConfig('.', script=s['a']['b'], arguments=[s['n'], s['none'], s[x]])\n", `{sourceDirectory: ".", script: "x.py", arguments: [<s['n']>, <s['none']>, <s[x]>]}`},
		"a modified dictionary":                     {"s = {'a': 'x.py'}\ns['a'] = 'y.py'\nScriptRunConfig('.', script=s['a'])\n", `{sourceDirectory: ".", script: <s['a']>}`},
		"constants of a class":                      {"class C:\n    s = 'x.py'\nScriptRunConfig('.', script=C.s, arguments=[C.t])\n", `{sourceDirectory: ".", script: "x.py", arguments: [<C.t>]}`},
		"constants of a class that are changed":     {"class C:\n    s = 'x.py'\nC.s = 'y.py'\nScriptRunConfig('.', script=C.s)\n", `{sourceDirectory: ".", script: <C.s>}`},
		"parameters with arguments in every call":   {"def f(s, n=3, *, k='a'):\n    ScriptRunConfig('.', script=s, arguments=[n, k])\nf('x.py')\nf('x.py', k='a')\n", `{sourceDirectory: ".", script: "x.py", arguments: [3, "a"]}`},
		"parameters with different arguments":       {"def f(s, n=3):\n    ScriptRunConfig('.', script=s, arguments=[n])\nf('x.py')\nf('y.py', 4)\n", `{sourceDirectory: ".", script: <s>, arguments: [<n>]}`},
		"parameters of a function that others call": {"def f(s='x.py'):\n    ScriptRunConfig('.', script=s)\ng(f)\nf()\n", `{sourceDirectory: ".", script: <s>}`},
		"parameters of a method":                    {"class C:\n    def f(self, s='x.py'):\n        ScriptRunConfig('.', script=s)\n", `{sourceDirectory: ".", script: <s>}`},
		"modified parameters":                       {"def f(s):\n    s = s + 'y'\n    ScriptRunConfig('.', script=s)\nf('x.py')\n", `{sourceDirectory: ".", script: <s>}`},
		"parameters that refer to each other":       {"def f(a):\n    g(a)\ndef g(a):\n    f(a)\n    ScriptRunConfig('.', script=a)\n", `{sourceDirectory: ".", script: <a>}`},
		"an object that is passed":                  {"def f(e: Environment, ws: Workspace) -> ScriptRunConfig:\n    return ScriptRunConfig('.', 'a.py', compute_target=ws.compute_targets['cpu'], environment=e)\nenv = Environment('e')\nf(env, w)\n", `{sourceDirectory: ".", script: "a.py", target: "cpu", environment: "env"} in env; {name: "e"}`},
		"what a function returns": {"def env(n):\n    e = Environment(n)\n    e.docker.base_image = 'own:1'\n    return e\ndef where():\n    try:\n        c = ComputeTarget(ws, 'cpu')\n    except Exception:\n        c = ComputeTarget.create(ws, 'cpu', AmlCompute.provisioning_configuration('s'))\n    return c\nmine = env('n')\nmine.register(ws)\nc = where()\nc.wait_for_completion()\nScriptRunConfig('.', 'a.py', compute_target=c, environment=mine)\n",
			`{name: "n", docker: {baseImage: "own:1"}}; {name: "cpu", vm_size: "s"}; {sourceDirectory: ".", script: "a.py", target: "cpu", amlcompute: {vmSize: "s"}, environment: "e"} in e`},
		"what a function below returns":          {"def main():\n    ScriptRunConfig('.', name(), environment=env())\ndef env():\n    return Environment('n')\ndef name():\n    return 'a.py'\n", `{sourceDirectory: ".", script: "a.py", environment: "Environment"} in Environment; {name: "n"}`},
		"returned and then changed":              {"def env():\n    return Environment('n')\ne = env()\ne.version = '2'\nScriptRunConfig('.', 'a.py', environment=e)\n", `{name: "n"}; {sourceDirectory: ".", script: "a.py", environment: <e>}`},
		"what is returned only sometimes":        {"def s():\n    if x:\n        return 'a.py'\n    return 'b.py'\ndef r():\n    if x:\n        return 'a.py'\nScriptRunConfig('.', s(), [r()])\n", `{sourceDirectory: ".", script: <s()>, arguments: [<r()>]}`},
		"two functions with one name":            {"def s():\n    return 'a.py'\ndef s():\n    return 'b.py'\nScriptRunConfig('.', s())\n", `{sourceDirectory: ".", script: <s()>}`},
		"decorated, imported or other functions": {"from mine import r\n@twice\ndef s():\n    return 'a.py'\ndef r():\n    return 'b.py'\nclass C:\n    def t(self):\n        return 'c.py'\nasync def u():\n    return 'd'\ndef v():\n    yield 'e'\nScriptRunConfig('.', s(), [r(), t(), C().t(), u(), v(), w()])\n", `{sourceDirectory: ".", script: <s()>, arguments: [<r()>, <t()>, <C().t()>, <u()>, <v()>, <w()>]}`},
		"functions that return each other":       {"def s():\n    return t()\ndef t():\n    return s()\nScriptRunConfig('.', s())\n", `{sourceDirectory: ".", script: <s()>}`},
		"a redefined name": {"e = Environment('a')\ne.environment_variables = {'A': 'a'}\nScriptRunConfig('.', 'a.py', environment=e)\ne = Environment('b')\ne.environment_variables = {'B': 'b'}\nScriptRunConfig('.', 'b.py', environment=e)\n",
			`{name: "a", environmentVariables: {A: "a"}}; {sourceDirectory: ".", script: "a.py", environment: "e"} in e; {name: "b", environmentVariables: {B: "b"}}; {sourceDirectory: ".", script: "b.py", environment: "e"} in e`},
		"names of two functions":                  {"def f():\n    s = 'x.py'\n    ScriptRunConfig('.', s)\ndef g():\n    s = 'y.py'\n    ScriptRunConfig('.', s)\n", `{sourceDirectory: ".", script: "x.py"}; {sourceDirectory: ".", script: "y.py"}`},
		"a name of the program that is redefined": {"s = 'x.py'\ndef f():\n    ScriptRunConfig('.', s)\nf()\ns = 'y.py'\nf()\n", `{sourceDirectory: ".", script: <s>}`},
		"an object that a function changes":       {"def f(e):\n    e.version = '2'\ne = Environment('e')\nf(e)\nScriptRunConfig('.', 'a.py', environment=e)\n", `{name: "e"}; {sourceDirectory: ".", script: "a.py", environment: <e>}`},
		"the environment of a run configuration": {"rc = RunConfiguration()\nrc.environment.python.user_managed_dependencies = True\nrc.environment.docker.base_image = f()\nrc.target = 'cpu'\nEstimator('.', entry_script='a.py', environment_definition=rc.environment)\nScriptRunConfig('.', 'b.py', environment=rc.environment)\nrd = RunConfiguration()\nEstimator('.', entry_script='c.py', environment_definition=rd.environment)\n",
			`{python: {userManagedDependencies: true}, docker.baseImage: <f()>}; {sourceDirectory: ".", script: "a.py", environment: "rc"} in rc; {sourceDirectory: ".", script: "b.py", environment: "rc"} in rc; {sourceDirectory: ".", script: "c.py", environment: <rd.environment>}`},
		"an environment that has another name": {"rc = RunConfiguration()\nrc.environment.docker.base_image = 'i'\ne = rc.environment\ne.environment_variables = {'A': '1'}\nScriptRunConfig('.', 'a.py', environment=e)\nScriptRunConfig('.', 'b.py', environment=rc.environment)\n",
			`{sourceDirectory: ".", script: "a.py", environment: <e>}; {sourceDirectory: ".", script: "b.py", environment: <rc.environment>}`},
		"an attribute of another object": {"e = Environment('e')\nrc = RunConfiguration()\nrc.environment = e\nScriptRunConfig('.', 'a.py', environment=rc.environment)\n", `{name: "e"}; {sourceDirectory: ".", script: "a.py", environment: "e"} in e`},
		"variables one by one": {"e = Environment('e')\ne.environment_variables['MY_A'] = 'b'\ne.environment_variables[x] = 'c'\nrc = RunConfiguration()\nrc.environment = e\nrc.environment_variables['B'] = d\nScriptRunConfig('.', 'a.py', run_config=rc)\n",
			`{name: "e", environmentVariables: {MY_A: "b"}, environmentVariables: <'c'>}; {environment: "e", environmentVariables: {B: <d>}, sourceDirectory: ".", script: "a.py"} in e`},
		"variables together": {"e = Environment('e')\ne.environment_variables.update({'A': '1', 'B': f(), **c})\nrc = RunConfiguration()\nrc.environment_variables.update(f())\nrc.environment = e\nScriptRunConfig('.', 'a.py', run_config=rc)\n",
			`{name: "e", environmentVariables: <({'A': '1', 'B': f(), **c})>, environmentVariables: {A: "1", B: <f()>}}; {environment: "e", environmentVariables: <(f())>, sourceDirectory: ".", script: "a.py"} in e`},
		"lists that are changed": {"s = ScriptRunConfig('.', 'a.py', ['--a'])\ns.arguments.append('--b')\ns.run_config.data_references.update(f())\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["--a"], arguments: <s.arguments.append('--b')>, dataReferences: <s.run_config.data_references.update(f())>}`},
		"attributes that are set otherwise": {"s = ScriptRunConfig('.', 'a.py', ['--a'])\ns.arguments += ['--b']\nsetattr(s.run_config, 'node_count', 3)\nsetattr(s, x, 4)\ns.run_config.mpi.node_count, y[s.z] = 1, 2\ndel s.run_config.priority\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["--a"], arguments: <s.arguments += ['--b']>, nodeCount: 3, setattr: <setattr(s, x, 4)>, mpi.nodeCount: <s.run_config.mpi.node_count, y[s.z] = 1, 2>, priority: <del s.run_config.priority>}`},
		"dictionaries of arguments": {"ScriptRunConfig('.', **dict(script='a.py', arguments=['--a']), **{'compute_target': 'cpu'})\nb = {'script': 'b.py'}\nb['arguments'] = ['--b']\nScriptRunConfig(source_directory='.', **b)\nc = CondaDependencies.create(python_version=3.8)\n",
			`{sourceDirectory: ".", script: "a.py", arguments: ["--a"], target: "cpu"}; {sourceDirectory: "."}`},
		"changes through other names": {"a = ['--a']\nm = a\nm.append('--b')\nkw = {'script': 'b.py'}\nx = kw\nx['script'] = 'c.py'\nd = RunConfiguration()\ne = d.docker\nd.docker = DockerConfiguration(use_docker=True)\ne.shm_size = '2g'\nScriptRunConfig('.', 'a.py', m, run_config=d)\nScriptRunConfig('.', **kw)\ns = 'd.py'\nt, [s, u] = f()\nScriptRunConfig('.', s)\n",
			`{docker: {useDocker: true}, sourceDirectory: ".", script: "a.py", arguments: ["--a", "--b"]}; {sourceDirectory: "."}; {sourceDirectory: ".", script: <s>}`},
		"processes without their communicator": {"from azureml.core.runconfig import *\nrc = RunConfiguration()\nrc.mpi = MpiConfiguration(4, node_count=2)\nrc.pytorch = PyTorchConfiguration(process_count=3)\nrc.tensorflow = TensorflowConfiguration(parameter_server_count=2)\nrc.tensorflow = f()\nScriptRunConfig('.', 'a.py', run_config=rc)\n",
			`{mpi: {processCountPerNode: 4, nodeCount: 2}, pytorch: {processCount: 3}, tensorflow: {parameterServerCount: 2}, tensorflow: <f()>, sourceDirectory: ".", script: "a.py"}`},
		"processes that are set later, or unpacked": {"from azureml.core.runconfig import *\nrc = RunConfiguration()\nm = MpiConfiguration()\nm.process_count_per_node = 4\nrc.mpi = m\nrc.pytorch = PyTorchConfiguration(**k)\nScriptRunConfig('.', 'a.py', run_config=rc)\n",
			`{mpi: <m>, pytorch: <PyTorchConfiguration(**k)>, sourceDirectory: ".", script: "a.py"}`},
		"AutoML": {"from azureml.train.automl import AutoMLConfig\nfrom azureml.automl.core.forecasting_parameters import ForecastingParameters\nd = Dataset.get_by_name(ws, 'd', 3)\np = ForecastingParameters('date', forecast_horizon=h)\np.freq = 'D'\ns = {'iterations': 5, 'verbosity': logging.INFO, 'max_horizon': 2}\nc = AutoMLConfig('forecasting', training_data=d, validation_data=d.take(3), forecasting_parameters=p, compute_target='cpu', **s, **t)\nExperiment(ws, 'e').submit(c, tags={'a': 'b'})\n",
			`{task: "forecasting", compute_target: "cpu", forecasting: {time_column_name: "date", freq: "D", max_horizon: 2}, forecasting.forecast_horizon: <h>, iterations: 5, training_data: {name: "d", version: 3}, validation_data: <d.take(3)>, verbosity: <logging.INFO>, settings: <t>, tags: {a: "b"}} as e`},
		"arguments that nothing reads": {"from azureml.train.hyperdrive import *\nfrom azureml.core.webservice import AksWebservice\nscr = ScriptRunConfig('.', 'a.py', resume_from=x, _telemetry_values=y)\nHyperDriveConfig(run_config=scr, resume_child_runs=['r'])\nEstimator('.', entry_script='b.py', user_managed=True, image_registry_details=z)\n" +
			"i = InferenceConfig(entry_script='s.py')\nModel.deploy(ws, 'a', [], i, AksWebservice.deploy_configuration(namespace='n', autoscale_target_utilization=70), deployment_target=t, show_output=True)\n",
			`{sourceDirectory: ".", script: "a.py", resume_from: <x>, sweep: {class: "HyperDriveConfig", resume_child_runs: ["r"]}}; {sourceDirectory: ".", script: "b.py", environment: {python: {userManagedDependencies: true}}, image_registry_details: <z>}; ` +
				`{entryScript: "s.py", model: <[]>, name: "a", deployment.deployment_target: <t>, deployment: {computeType: "AksWebservice", autoScaler: {targetUtilization: 70}, namespace: "n"}}`},
		"a service whose classes come with *":                   {"from azureml.core.webservice import AciWebservice as Aci\ni = InferenceConfig(entry_script='s.py')\nModel.deploy(ws, 'a', [Model(ws, 'm')], i, Aci.deploy_configuration(cpu_cores=1))\n", `{entryScript: "s.py", model: "m", name: "a", deployment: {computeType: "AciWebservice", containerResourceRequirements: {cpu: 1}}}`},
		"a service whose classes are written with their module": {"import azureml.core as core\ni = core.model.InferenceConfig(entry_script='s.py')\ncore.model.Model.deploy(ws, name='a', models=[], inference_config=i)\n", `{entryScript: "s.py", model: <[]>, name: "a"}`},
		"a deployment by another library":                       {"from mine import Model\ni = InferenceConfig(entry_script='s.py')\nModel.deploy(ws, 'a', [], i)\n", `{entryScript: "s.py"}`},
		"nothing of SDK v1":                                     {"x = 1\n", ""},
		"wrong Python":                                          {"ScriptRunConfig('.', 'a.py'\n", ""},
		"a byte order mark":                                     {"\ufeff", ""},
		"CRLF":                                                  {"ScriptRunConfig(\r\n    '.',\r\n    'a.py')\r\n", `{sourceDirectory: ".", script: "a.py"}`},
		"a text that says so":                                   {"print('ScriptRunConfig(\".\")')  # ScriptRunConfig('.')\n", ""},
	} {
		testkit.Same(t, test.want, strings.Join(read(head+test.program), "; "), name)
	}
}

// TestUnread checks what is listed because it is not read.
func TestUnread(t *testing.T) {
	program := head + `ScriptRunConfig('.', 'a.py', run_config=rc, **unknown)
PipelineData(is_directory=True, output_name=None)
class C:
    def f(self):
        self.rc.node_count = 2
        self.size = 3
src = ScriptRunConfig('.', 'b.py')
src.run_config.node_count = 4
Environment.get(ws, 'e', label='l')
c = ComputeTarget(ws, 'cpu')
run = Experiment(ws, 'x').submit(src)
run.add_properties({'a': 'b'})
data = Dataset.File.from_files('a')
data.tags['b'] = 'c'
Environment.get(my_ws, 'e')
ScriptRunConfig('.', 'c.py', compute_target=AmlCompute(self.ws2, 'cpu'))
PipelineData('p', 12345678, x[12345678])
setattr(src.run_config, 'AccountKey=abc', 1)
setattr(get(), 'node_count', 3)
Model.get_model_path('m', 1)
PipelineRun(exp, 'id')
Model(ws, 'm')
Model(ws, 'm', version=3)
Dataset.get_by_name(ws, 'd', 2)
Dataset.get_by_name(ws, 'd', version='latest')
DataReference(d, 'r', overwrite=True)
Dataset.get_by_name(ws, 'd')
Webservice(ws, 'w')
Model.deploy(ws, models=[], overwrite=True)
Dataset.File.from_files('b').register(ws, 'd', 'x', create_new_version=True, other=1)
step = PythonScriptStep(script_name='a.py')
x = setattr(step, 'b', 1)
[setattr(step, k, 2) for k in 'ab']
p = Pipeline(ws, [step])
p.publish('p', version='2')
unknown.register(ws, other=1)
Dataset.File.from_files('c').register(ws, 'e', create_new_version=False)
`
	var list []string
	for _, u := range built.Read(source.New("a.py", []byte(program)), "")[0].Unread {
		list = append(list, u.What)
	}
	testkit.Same(t, "ScriptRunConfig(**unknown); PipelineData(is_directory); Environment.get(label); Dataset.File.from_files(…); PipelineData(…, …, …); Model(version, …); Dataset.get_by_name(…, …); DataReference(overwrite, d, …); Model.deploy(models); register(other); publish(version); register(create_new_version); data.tags; self.rc.node_count; step.setattr; step.setattr", strings.Join(list, "; "))
}

// TestUnreadBesidePipelines checks that the list does not depend on what a program builds first.
func TestUnreadBesidePipelines(t *testing.T) {
	const program = "from azureml.pipeline.core import *\nfrom azureml.pipeline.steps import *\n" + head + "Pipeline(ws, [PythonScriptStep(script_name='a.py')])\nPipelineData(is_directory=True)\nScriptRunConfig('.', 'a.py')\n"
	if list := built.Read(source.New("a.py", []byte(program)), "")[0].Unread; len(list) != 1 || list[0].What != "PipelineData(is_directory)" {
		t.Errorf("%v", list)
	}
}

// TestPythonAgrees checks that whatever is read as a literal has the value that Python computes for it.
func TestPythonAgrees(t *testing.T) {
	t.Parallel()
	testkit.Program(t, "python3")
	expressions := []string{`'a'`, `"a\tb\x41é"`, `r'a\b'`, `'a' "b"`, `'''a
b'''`, `1`, `-3`, `1_000`, `0x10`, `0o7`, `1e3`, `.5`, `1.`, `2j`, `True`, `None`, `[]`, `[1, 'a', [2]]`, `('a',)`, `('a')`, `(1, 2)`, `{'a': 1, 'b': [True]}`, `{}`, `{'a', 'b'}`, `{1: 2}`, `b'a'`, `f'a'`, `u'a'`,
		`'a' + 'b'`, `1 + 2`, `- 1`, `not True`, `'a'.upper()`, `[x for x in y]`, `'a' if b else 'c'`, `'a' * 2`, `('a' 'b', )`, `f'a{{b}}'`, `'a' f'b'`, `'a' + ('b' + "c")`, `'a' + 1`, `"\N{BULLET}"`, `...`, `lambda: 1`, `'a', 'b'`, `{**a}`, `[*a]`, `('a' 'b')`, `['a'] + [1]`}
	known := 0
	script := "import json, sys\nfor e in json.load(sys.stdin):\n    try: t = json.dumps(eval(e, {'__builtins__': {}}))\n    except Exception: t = '{\"no\": 1}'\n    print(t)\n"
	asked, err := json.Marshal(expressions)
	testkit.OK(t, err)
	cmd := exec.Command("python3", "-I", "-c", script)
	cmd.Stdin = strings.NewReader(string(asked))
	out, err := cmd.Output()
	testkit.OK(t, err)
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, e := range expressions {
		list := read(head + "ScriptRunConfig(script=" + e + ")\n")
		if e == "'a', 'b'" {
			continue // two arguments
		}
		if len(list) != 1 {
			t.Errorf("%s: %v", e, list)
			continue
		}
		got := strings.TrimSuffix(strings.TrimPrefix(list[0], "{"), "}")
		if got == "" {
			got = "script: null"
		}
		if strings.Contains(got, "<") {
			continue // reading nothing is never wrong
		}
		known++
		var want, have any
		testkit.OK(t, json.Unmarshal([]byte(answers[i]), &want))
		got = strings.NewReplacer("{a: ", `{"a": `, ", b: ", `, "b": `).Replace(strings.TrimPrefix(got, "script: "))
		if strings.HasPrefix(got, ".") { // JSON has the leading zero
			got = "0" + got
		}
		if strings.HasSuffix(got, ".") {
			got += "0"
		}
		testkit.OK(t, json.Unmarshal([]byte(got), &have))
		testkit.Same(t, want, have, e)
	}
	if known < 20 {
		t.Errorf("only %d of %d expressions were read", known, len(expressions))
	}
}

// FuzzRead checks that the reader does not fail on any program, and that everything it reads is within the program's
// text.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"c = CondaDependencies.create(pip_packages=['b', x])", "e = Environment('e')\ne.a.b = {'x': [1]}", "s = PythonScriptStep(inputs=[DataReference(), DataReference(x)], outputs=[PipelineData('a')], params={'p': PipelineParameter()}, arguments=[(PipelineParameter('q', DataPath()), DataPathComputeBinding())])\ns.run_after(s)\np = Pipeline(w, [s, [StepSequence([s, s])]])\np.publish(p)",
		"c = ParallelRunConfig(PipelineParameter(c), x)\nw.get_default_datastore().path().as_mount()\nPipeline(0, steps=[ParallelRunStep('p', c, [w.datasets['a']], OutputFileDatasetConfig(destination=(1,)))])",
		"def f(a, b=f, *c, d: e = 1, **g):\n    a = a\n    ScriptRunConfig(a, b, [d, f'{a}', c['x'], C.d])\nf(1, *x)\nf(f)", "a.b['c'] = d\na['x'].y = 1\nPipeline(steps=)", "ScriptRunConfig('.', arguments=[ds.as_named_input('a').as_mount()], environment=Environment('x'))", "a = a\nScriptRunConfig(a)",
		"a = 'x'\nb = os.path.join(os.path.dirname(__file__), a) + f'{a}{{'\nc = Path(b).parent / a\nScriptRunConfig(c, arguments=[','.join([a, b]), '{}'.format(b), 60 * 24, choice(range(1, 9, 2)), loguniform(np.log(1e-3), 0)])"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, program string) {
		program = head + program
		var walk func(n *document.Node)
		walk = func(n *document.Node) {
			if n.Span.Start < 0 || n.Span.End > len(program) || n.Span.Start > n.Span.End {
				t.Fatal(fmt.Sprint(n.Span), program)
			}
			for _, e := range n.Entries() {
				walk(e.Value)
			}
			for _, item := range n.Items() {
				walk(item)
			}
		}
		for _, th := range built.Read(source.New("a.py", []byte(program)), "steps") {
			walk(th.Root)
		}
	})
}

// TestLongTexts repeats a long text in each way that a text can be made, and checks that little of it is kept.
func TestLongTexts(t *testing.T) {
	const n = 20_000
	for _, made := range []string{strings.Repeat("a+", n) + "a", "f'" + strings.Repeat("{a}", n) + "'", "'" + strings.Repeat("{}", n) + "'.format(" + strings.Repeat("a,", n) + ")",
		"''.join([" + strings.Repeat("a,", n) + "])", "'" + strings.Repeat("b", n) + "'.join([" + strings.Repeat("'',", n) + "])",
		"os.path.join(" + strings.Repeat("a,", n) + "a)", "Path(" + strings.Repeat("a,", n) + "a)", "[" + strings.Repeat("a,", n) + "]", strings.Repeat("[a]+", n) + "[a]"} {
		program := "a = '" + strings.Repeat("b", n) + "'\nx = " + made + "\nScriptRunConfig('.', 'a.py', arguments=[x, x])\n"
		sum := 0
		var walk func(n *document.Node)
		walk = func(n *document.Node) {
			sum += len(n.Value)
			for _, e := range n.Entries() {
				walk(e.Value)
			}
			for _, item := range n.Items() {
				walk(item)
			}
		}
		for _, th := range built.Read(source.New("a.py", []byte(head+program)), "") {
			walk(th.Root)
		}
		if sum > 20<<20 {
			t.Errorf("%.30s… keeps %d MB", made, sum>>20)
		}
	}
}

// TestLinear checks that the cost of reading a program is linear in its size.
func TestLinear(t *testing.T) {
	t.Parallel()
	for name, program := range map[string]func(n int) string{
		"names that refer to names": func(n int) string {
			var b strings.Builder
			n >>= 10
			for i := range n {
				fmt.Fprintf(&b, "a%d = [a%d, a%d]\n", i, i+1, i+1)
			}
			return b.String() + fmt.Sprintf("a%d = [1]\nScriptRunConfig('.', arguments=a0)\n", n)
		},
		"lists that double": func(n int) string {
			var b strings.Builder
			n >>= 10
			for i := range n {
				fmt.Fprintf(&b, "a%d = a%d + a%d\n", i, i+1, i+1)
			}
			return b.String() + fmt.Sprintf("a%d = [1]\nScriptRunConfig('.', arguments=a0)\n", n)
		},
		"functions that call functions": func(n int) string {
			var b strings.Builder
			n >>= 10
			for i := range n {
				fmt.Fprintf(&b, "def f%d():\n    return [f%d(), f%d()]\n", i, i+1, i+1)
			}
			return b.String() + "ScriptRunConfig('.', arguments=f0())\n"
		},
		"nested calls": func(n int) string { return strings.Repeat("ScriptRunConfig(", n) },
		"closed calls": func(n int) string {
			return strings.Repeat("ScriptRunConfig(", n/2) + strings.Repeat(")", n/2)
		},
		"many jobs":     func(n int) string { return strings.Repeat("ScriptRunConfig('.', 'a.py')\n", n/2) },
		"many datasets": func(n int) string { return strings.Repeat("Dataset.File.from_files('a').register(ws, 'b')\n", n/4) },
		"many names": func(n int) string {
			return strings.Repeat("a = 'b'\n", n) + strings.Repeat("ScriptRunConfig(a)\n", n/4)
		},
		"a name in its value": func(n int) string { return strings.Repeat("a = [a, a]\n", n) + "ScriptRunConfig(arguments=a)\n" },
		"many submissions": func(n int) string {
			return "s = ScriptRunConfig('.')\n" + strings.Repeat("Experiment(w, 'a').submit(s)\n", n/2)
		},
		"brackets": func(n int) string { return "x = " + strings.Repeat("[", 4*n) },
		"a path of many parts": func(n int) string {
			return "ScriptRunConfig(script=os.path.join(" + strings.Repeat("'a',", n) + "'b'))\n"
		},
		"attributes": func(n int) string {
			var b strings.Builder
			for i := range n / 2 {
				fmt.Fprintf(&b, "c.a%d = 1\n", i)
			}
			return "c = RunConfiguration()\n" + b.String() + "ScriptRunConfig(run_config=c)\n"
		},
		"data in arguments": func(n int) string {
			return "d = Dataset.get_by_name(w, 'a')\nScriptRunConfig(arguments=[" + strings.Repeat("d.as_mount(),", n/4) + "])\n"
		},
		"many pipelines": func(n int) string {
			return strings.Repeat("p = Pipeline(w, steps=[s])\nExperiment(w, 'a').submit(p)\n", n/8)
		},
	} {
		testkit.Linear(t, name, 1<<14, func(size int) func() {
			text := []byte(head + program(size))
			return func() { built.Read(source.New("a.py", text), "") }
		})
	}
}

// TestManyData checks that all datasets of a long program that sets one name again and again are read.
func TestManyData(t *testing.T) {
	var program strings.Builder
	program.WriteString("ws = Workspace.from_config()\n")
	const many = 60
	for i := range many {
		fmt.Fprintf(&program, "if x:\n    ds = Dataset.File.from_files('https://a/b%d.csv')\n    ds = ds.register(ws, 'n%d')\n", i, i)
	}
	testkit.Same(t, many, len(built.Read(source.New("a.py", []byte("from azureml.core import *\n"+program.String())), "")))
}
