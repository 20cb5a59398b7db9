package migrate_test

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// worked is a project whose migrated form every validator accepted but that could not run, with the right result.
type worked struct {
	name string
	// project is a txtar archive; folder is the folder in it that is migrated.
	project, folder string
	to              string // "v2" if not given
	config          string // the run configuration to migrate, "" for all
	answers         string // ID=VALUE, separated by spaces; · stands for a space
	// open are the ids of the open decisions, "" for none.
	open string
	// has and lacks are texts in written files, as FILE: TEXT. A name that begins with "/" is a file that must not
	// exist.
	has, lacks []string
	fails      string // the error of the migration, if it fails
}

const condaFile = `
-- aml_config/conda_dependencies.yml --
dependencies:
  - python=3.11
  - pip:
    - scikit-learn
`

func (w worked) migrate(t *testing.T) (*migrate.Migration, error) {
	t.Helper()
	dir := filepath.Join(schema.Identity(t.TempDir()), "digits")
	for _, f := range txtar.Parse([]byte(w.project)).Files {
		testkit.Write(t, dir, f.Name, f.Data)
	}
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	roots = migrate.Projects(dir, roots)
	i := slices.IndexFunc(roots, func(r schema.Root) bool { return r.Dir == filepath.Join(dir, w.folder) })
	if i < 0 {
		t.Fatalf("no project in %q: %v", w.folder, roots)
	}
	opts := migrate.Options{Answers: map[string]migrate.Answer{}}
	if w.config != "" {
		opts.Configs = []string{w.config}
	}
	for answer := range strings.FieldsSeq(w.answers) {
		id, value, _ := strings.Cut(answer, "=")
		opts.Answers[id] = migrate.Answer{Value: strings.ReplaceAll(value, "·", " "), From: migrate.FromFlag}
	}
	e := emitters[slices.IndexFunc(emitters, func(e migrate.Emitter) bool { return e.Format() == cmp.Or(w.to, "v2") })]
	return migrate.New(schema.Load(roots[i], schema.Options{}), e, opts)
}

func checkWorked(t *testing.T, cases []worked) {
	t.Helper()
	for _, w := range cases {
		t.Run(w.name, func(t *testing.T) {
			m, err := w.migrate(t)
			if w.fails != "" {
				if err == nil || !strings.Contains(err.Error(), w.fails) {
					t.Fatalf("error %v, want %s", err, w.fails)
				}
				return
			}
			testkit.OK(t, err)
			var open []string
			for _, d := range m.Decisions {
				if strings.Contains(d.Why, "`none`") != d.OrNone && !slices.Contains(d.Choices, "none") {
					t.Errorf("%s: none is an answer: %v; but: %s", d.ID, d.OrNone, d.Why)
				}
			}
			for _, d := range m.Open() {
				open = append(open, d.ID)
				if d.How() == "" || d.Why == "" {
					t.Errorf("%s: nothing says how to answer", d.ID)
				}
				if all := d.Ask + d.How() + d.Why; strings.Contains(all, "abcdefghij") { // the secret of these tests
					t.Errorf("%s: a secret is shown: %s", d.ID, all)
				}
			}
			testkit.Same(t, w.open, strings.Join(open, " "), "open decisions")
			for _, want := range w.has {
				holds(t, m, want, true)
			}
			for _, no := range w.lacks {
				holds(t, m, no, false)
			}
		})
	}
}

func holds(t *testing.T, m *migrate.Migration, want string, yes bool) {
	t.Helper()
	name, text, _ := strings.Cut(want, ": ")
	i := slices.IndexFunc(m.Files, func(f migrate.File) bool { return f.Path == name })
	if i < 0 {
		t.Errorf("%s is not written", name)
		return
	}
	if strings.Contains(string(m.Files[i].Text), text) != yes {
		t.Errorf("%s: holds %q: %v\n%s", name, text, !yes, m.Files[i].Text)
	}
}

const diabetes = `
-- .git/HEAD --
ref: refs/heads/main
-- models/diabetes/train.py --
print("training")
-- models/diabetes/config/train-conda.yml --
dependencies:
  - python=3.11
  - pip:
    - scikit-learn
    - azureml-defaults
-- models/diabetes/config/train.runconfig --
script: train.py
framework: Python
environment:
  python:
    condaDependenciesFile: config/train-conda.yml
  docker:
    enabled: true
    baseImage: mcr.microsoft.com/azureml/base:0.2.4
`

// actionProject is the layout that the GitHub actions for SDK v1 expect.
const actionProject = `
-- .git/HEAD --
-- code/train/run_config.yml --
script: train.py
target: cpu
framework: Python
communicator: None
-- code/train/train.py --
`

// TestRootAndScript checks that the root is the folder that paths of scripts and conda files are relative to, and that
// submissions are read wherever they are written.
func TestRootAndScript(t *testing.T) {
	checkWorked(t, []worked{
		{
			name: "a run configuration in config", folder: "models/diabetes/config", project: diabetes + `
-- .azure-pipelines/train.yml --
variables:
  ml.path: models/diabetes
  ml.ct: cpu-cluster
steps:
- task: AzureCLI@2
  inputs:
    workingDirectory: $(ml.path)
    inlineScript: 'az ml run submit-script -c config/train --ct $(ml.ct) -e diabetes -t run.json train.py --alpha 0.5'
`,
			has: []string{
				"job-train.yml: code: ..\n", "job-train.yml: command: python train.py --alpha 0.5\n", "job-train.yml: compute: azureml:cpu-cluster\n",
				"job-train.yml: experiment_name: diabetes\n", "train-conda.yml: scikit-learn", "MIGRATION.md: .azure-pipelines/train.yml:8",
			},
			lacks: []string{"train-conda.yml: azureml-defaults"},
		},
		{
			name: "the conda file alone tells", folder: "config", project: `
-- config/train.runconfig --
script: $file
target: cpu
environment: {python: {condaDependenciesFile: envs/train.yml}}
-- envs/train.yml --
dependencies: [python=3.11]
-- train.py --
-- .git/HEAD --
`,
			has: []string{"job-train.yml: code: ..\n", "job-train.yml: command: python train.py\n", "train.yml: python=3.11"},
		},
		{
			name: "a run configuration that only its keys show to be one", folder: "code/train", project: `
-- .git/HEAD --
-- code/train/run_config.yml --
script: train.py
arguments: [--kernel, linear]
target: githubcluster
framework: Python
communicator: None
environment:
  python: {condaDependenciesFile: environment.yml}
  docker: {enabled: true}
-- code/train/environment.yml --
dependencies: [python=3.11]
-- code/train/train.py --
-- code/deploy/deploy.py --
from azureml.core import Workspace
`,
			has: []string{"job-run_config.yml: code: ..\n", "job-run_config.yml: command: python train.py --kernel linear\n", "job-run_config.yml: compute: azureml:githubcluster\n", "environment.yml: python=3.11"},
		},
		{
			name: "what a GitHub action submits", folder: "code/train", project: actionProject + `
-- .cloud/.azure/run.json --
{"experiment_name": "nightly", "wait_for_completion": true}
-- .cloud/.azure/registermodel.json --
{"model_file_name": "a.pkl"}
`,
			has: []string{"job-run_config.yml: experiment_name: nightly\n"},
		},
		{
			name: "several runs of the action, in projects of their own", folder: "code/train", project: actionProject + `
-- code/score/run_config.yml --
script: score.py
target: cpu
framework: Python
communicator: None
-- code/score/score.py --
from azureml.core import Run
-- .cloud/.azure/score-run.json --
[{"runconfig_yaml_file": "code/score/run_config.yml", "experiment_name": "scores"}, {"experiment_name": "models"}]
`,
			has: []string{"job-run_config.yml: experiment_name: models\n"}, lacks: []string{"MIGRATION.md: ../score/"},
		},
		{
			name: "a program that the action submits", project: `
-- .cloud/.azure/run.json --
{"experiment_name": "built"}
-- code/train/run_config.py --
from azureml.core import ScriptRunConfig

def main(workspace):
    return ScriptRunConfig('code/train', 'train.py', compute_target='cpu')
-- code/train/train.py --
`,
			has: []string{"job-run_config.yml: experiment_name: built\n"},
		},
		{
			name: "neither script nor conda file is there", folder: "models/config", project: `
-- .git/HEAD --
-- models/config/train.runconfig --
script: train.py
target: cpu
environment: {python: {condaDependenciesFile: config/train.yml}}
`,
			open: "script conda-file", has: []string{"job-train.yml: code: ..\n", "job-train.yml: # DECIDE: the script is not in the project; see MIGRATION.md\ncommand: python train.py"},
		},
		{
			name: "a shell script over several lines", folder: "config", project: `
-- .git/HEAD --
-- config/train.runconfig --
target: local
-- src/fit.py --
-- submit.sh --
az ml run submit-script \
  --run-configuration-name config/train \
  --experiment-name "nightly" \
  src/fit.py
`,
			has: []string{"job-train.yml: command: python src/fit.py\n", "job-train.yml: experiment_name: nightly\n", "job-train.yml: code: ..\n"},
		},
		{
			name: "another model of the same name", folder: "models/one/config", project: `
-- .git/HEAD --
-- models/one/config/train.runconfig --
script: fit.py
target: cpu
-- models/one/fit.py --
-- models/two/config/train.runconfig --
script: fit.py
-- models/two/README.md --
az ml run submit-script -c config/train fit.py --of two
-- ci.yml --
run: az ml run submit-script -c config/train fit.py --of which
`,
			has: []string{"job-train.yml: code: ..\n", "job-train.yml: command: python fit.py\n"},
		},
		{
			name: "arguments that only the pipeline knows", folder: "config", project: `
-- .git/HEAD --
-- config/train.runconfig --
script: fit.py
target: cpu
-- fit.py --
-- ci.yml --
run: az ml run submit-script -c config/train fit.py --data $(secret.path)
`,
			open: "arguments",
		},
		{
			name: "quoted arguments and a variable of the shell", folder: "config", project: `
-- .git/HEAD --
-- config/train.runconfig --
script: fit.py
target: cpu
-- config/fit.py --
-- ci.yml --
env: {EXP: digits}
run: az ml run submit-script -c train -e $EXP fit.py --name "a b" 'it'\''s' c\d
`,
			has: []string{`job-train.yml: command: python fit.py --name 'a b' 'it'\''s' 'c\d'`, "job-train.yml: experiment_name: digits\n"},
		},
	})
}

// TestFolders checks that programs are read in folders with the names of the SDK's and of the one that is written, and
// that the folder of the code is found where they were started.
func TestFolders(t *testing.T) {
	checkWorked(t, []worked{{
		name: ".azureml", project: "-- .azureml/control/submit.py --\nfrom azureml.core import Environment, ScriptRunConfig\nScriptRunConfig('./src', 'train.py', compute_target='cpu', environment=Environment('e'))\n-- .azureml/src/train.py --\n",
		has: []string{"job-submit.yml: code: ../.azureml/src\n", "job-submit.yml: command: python train.py\n"},
	}, {
		name: "azureml", project: "-- azureml/submit.py --\nfrom azureml.core import Environment, ScriptRunConfig\nScriptRunConfig('..', 'train.py', compute_target='cpu', environment=Environment('e'))\n-- train.py --\n",
		has: []string{"job-submit.yml: command: python train.py\n", "MIGRATION.md: azureml/submit.py:1"},
	}})
}

// TestMissingScript checks that the migration asks about a missing script.
func TestMissingScript(t *testing.T) {
	missing := `
-- aml_config/job.runconfig --
script: train.py
target: cpu
-- src/train.py --
` + condaFile
	checkWorked(t, []worked{
		{name: "asked", project: missing, open: "script", has: []string{"job-job.yml: DECIDE: the script is not in the project", "MIGRATION.md: there is src/train.py", "MIGRATION.md: --answer script=src/train.py"}},
		{name: "in the project's folder instead of one that is gone", project: builder + "Pipeline(ws, [PythonScriptStep(name='A', script_name='train.py', source_directory='gone', compute_target='cpu')])\n", has: []string{"job-pipe.yml: command: python train.py\n", "MIGRATION.md: | Which script does the job run? | pipe-a | `train.py` | pipe.py:", "MIGRATION.md: gone does not exist, but the"}},
		{name: "such a script, of a job", project: builder + "ScriptRunConfig('gone', 'train.py', compute_target='cpu', environment=Environment('e'))\n", has: []string{"job-pipe.yml: command: python train.py\n", "MIGRATION.md: gone does not exist, but the"}},
		{name: "another one", project: missing, answers: "script=src/train.py", has: []string{"job-job.yml: command: python src/train.py\n"}, lacks: []string{"job-job.yml: DECIDE"}},
		{name: "it will be there", project: missing, answers: "script=train.py", has: []string{"job-job.yml: command: python train.py\n"}, lacks: []string{"job-job.yml: DECIDE"}},
		{name: "neither", project: missing, answers: "script=other.py", fails: "--answer script=other.py: there is no such file"},
		{name: "a folder", project: strings.Replace(missing, "script: train.py", "script: src", 1), open: "script"},
		{name: "outside", project: strings.Replace(missing, "script: train.py", "script: ../train.py", 1), open: "script"},
		{name: "a template", project: strings.Replace(missing, "script: train.py", "script: '{{ script }}'", 1), open: "script"},
		{name: "of Workbench", project: strings.Replace(strings.Replace(missing, "script: train.py", "ArgumentVector: [train.py]", 1), "target: cpu", "Target: vm", 1), open: "script"},
		{name: "there", project: strings.Replace(missing, "script: train.py", `script: .\src\train.py`, 1), has: []string{"job-job.yml: command: python src/train.py\n"}},
		{name: "in a command", project: strings.Replace(missing, "script: train.py", "command: python gone.py && python src/train.py", 1), open: "command", has: []string{"job-job.yml: DECIDE: the script is not in the project"}},
		{name: "in a list", project: strings.Replace(missing, "script: train.py", "command: [python, gone.py]", 1), open: "command"},
		{name: "a command that finds it", project: strings.Replace(missing, "script: train.py", "command: python src/train.py", 1)},
		{name: "a command that makes it", project: strings.Replace(missing, "script: train.py", "command: wget https://example.com/gone.py && python gone.py", 1)},
		{name: "for Compose", to: "compose", project: missing, open: "script", has: []string{"compose.yaml: DECIDE: the script is not in the project"}},
		{name: "for Kubernetes", to: "k8s", project: missing, open: "script", has: []string{"job-job.yaml: DECIDE: the script is not in the project"}},
	})
}

// TestConnectedCommands checks that a command of several processes gets what a script of several processes gets.
func TestConnectedCommands(t *testing.T) {
	project := func(more string) string {
		return "-- train.py --\n-- .azureml/job.runconfig --\ncommand: [python, train.py, a b]\ntarget: gpus\nenvironment: {python: {userManagedDependencies: true}, docker: {baseImage: 'example.com/own:1'}}\n" + more + "\n"
	}
	const two, one = "framework: PyTorch\ncommunicator: Nccl\nnodeCount: 2\npytorch: {processCount: 4}", "framework: PyTorch\ncommunicator: Nccl\nnodeCount: 2"
	const mpi = "framework: Python\ncommunicator: OpenMpi\nmpi: {processCountPerNode: 2}"
	checkWorked(t, []worked{
		{name: "several on each machine", to: "k8s", project: project(two), has: []string{`job-job.yaml: --no-python, sh, -c, "export NODE_RANK=$$GROUP_RANK\npython train.py 'a b'"]`}},
		{name: "one on each machine", to: "k8s", project: project(one), has: []string{`job-job.yaml: LOCAL_RANK=0\npython train.py 'a b'"]`, "job-job.yaml: - name: MASTER_ADDR\n"}},
		{name: "MPI", to: "compose", project: project(mpi), has: []string{"compose.yaml: [mpirun, --allow-run-as-root, -n, '2', sh, -c, python train.py 'a b']"}},
		{name: "MPI on several machines", to: "k8s", project: project(mpi + "\nnodeCount: 2"), open: "distribution"},
		{name: "SkyPilot", to: "skypilot", project: project(two), has: []string{"task-job.yaml: --no-python sh -c 'export NODE_RANK=$GROUP_RANK\n  python train.py '\\''a b'\\'''\n"}},
	})
}

// TestNames checks that keys are unique, whatever the old names were.
func TestNames(t *testing.T) {
	const data = "arguments: [$AZUREML_DATAREFERENCE_a-b, 'DatasetConsumptionConfig:a_b', 'DatasetOutputConfig:a_b']\n" +
		"dataReferences:\n  a-b: {dataStoreName: s, pathOnDataStore: x}\n  a-b: {dataStoreName: s, pathOnDataStore: again}\n" +
		"data:\n  a_b: {dataLocation: {dataset: {name: d}}}\n" +
		"outputData:\n  a_b: {outputLocation: {dataPath: {datastoreName: s, relativePath: y}}}\n  share: {outputLocation: {dataPath: {datastoreName: s, relativePath: z}}}\n" +
		"environmentVariables: {A: 1, A: 2, a_b_2: 3}\napplicationEndpoints:\n  x-y: {type: JupyterLab}\n  x_y: {type: SSH}\n"
	checkWorked(t, []worked{
		{name: "v2", project: sdk(data), has: []string{"job-job.yml: train.py ${{inputs.a_b}} ${{inputs.a_b_2}} ${{outputs.a_b_3}}", "job-job.yml:   share_2:", "job-job.yml:   x_y_2:"}, lacks: []string{"job-job.yml: again"}},
		{
			name: "one name for a reference and a dataset", project: sdk("arguments: [$AZUREML_DATAREFERENCE_a, 'DatasetConsumptionConfig:a']\ndataReferences:\n  a: {dataStoreName: s, pathOnDataStore: x}\ndata:\n  a: {dataLocation: {dataset: {name: d}}}"),
			has: []string{"job-job.yml: train.py ${{inputs.a}} ${{inputs.a_2}}\n"},
		},
		{name: "Compose", to: "compose", project: sdk(data), open: "folder-a_b folder-a_b_2"},
		{name: "Kubernetes", to: "k8s", project: sdk(data), open: "folder-a_b folder-a_b_2"},
	})
}

// TestVersions checks that the catalog calls all proposed versions current.
func TestVersions(t *testing.T) {
	curated := func(name string) string { return sdk("environment: {name: " + name + "}") }
	spark := "-- train.py --\nimport pyspark\n-- aml_config/hdi.runconfig --\nArgumentVector: [train.py]\nTarget: hdi\n-- aml_config/hdi.compute --\ntype: cluster\naddress: h\nusername: u\n"
	checkWorked(t, []worked{
		{name: "for scikit-learn", project: curated("AzureML-Minimal"), open: "environment-azureml-minimal", has: []string{"MIGRATION.md: --answer environment-azureml-minimal=AzureML-sklearn-1.5`"}},
		{name: "elsewhere", project: curated("AzureML-Minimal"), to: "compose", open: "image", has: []string{"compose.yaml: DECIDE: the files do not name the image of the registered environment AzureML-Minimal", "compose.yaml: image: decide\n"}},
		{name: "elsewhere, in an image", project: curated("AzureML-Minimal"), to: "compose", answers: "image=own:1", has: []string{"compose.yaml: image: own:1\n"}, lacks: []string{"compose.yaml: build"}},
		{name: "for PyTorch", project: curated("AzureML-PyTorch-1.6-GPU"), open: "environment-azureml-pytorch-1-6-gpu", has: []string{"MIGRATION.md: =AzureML-acpt-pytorch-"}},
		{name: "for TensorFlow", project: curated("AzureML-TensorFlow-9.9-GPU"), open: "environment-azureml-tensorflow-9-9-gpu", has: []string{"MIGRATION.md: =AzureML-tensorflow-2"}},
		{name: "Spark", project: spark, lacks: []string{"MIGRATION.md: Azure's examples name"}},
		{name: "SDK v1", to: "v1", project: strings.ReplaceAll(spark, "type: cluster\naddress: h\nusername: u", "type: localdocker\nbaseDockerImage: python:3.11"), has: []string{".azureml/hdi.runconfig: docker:\n  useDocker: true\n"}},
	})
}

// TestScriptsThatFail checks that the migration asks about a script that certainly fails in its new environment, and
// not about one that may work.
func TestScriptsThatFail(t *testing.T) {
	const mark = "job-job.yml: # DECIDE: the script fails until it is rewritten; see MIGRATION.md\ncommand: "
	on := func(script string, packages ...string) string {
		return conda(script, append([]string{newPython}, packages...)...)
	}
	const tf, tf1 = "  - tensorflow==2.14.0", "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n"
	checkWorked(t, []worked{
		{name: "Workbench's logger", project: on("from azureml.logging import get_azureml_logger\nget_azureml_logger().log('a', 1)", "  - numpy"), open: "rewrite", has: []string{mark, "MIGRATION.md: train.py:1 has `azureml.logging`", "MIGRATION.md: `--answer rewrite=later`"}},
		{name: "and later", project: on("from azureml.logging import get_azureml_logger", "  - numpy"), answers: "rewrite=later", lacks: []string{"job-job.yml: DECIDE"}},
		{name: "in a module of the project", project: on("import helper\n", "  - numpy") + "-- helper.py --\nimport azureml.datacollector\n", open: "rewrite"},
		{name: "in another script", project: on("", "  - numpy") + "-- other.py --\nimport azureml.datacollector\n", lacks: []string{"job-job.yml: DECIDE"}},
		{name: "if it is there", project: on("try:\n    from azureml.logging import get_azureml_logger\nexcept ImportError:\n    pass\n", "  - numpy")},
		{name: "in a function", project: on("def log():\n    import azureml.logging\n", "  - numpy")},
		{name: "in a text", project: on("'''\nimport azureml.logging\n'''\n# import azureml.logging", "  - numpy")},
		{name: "TensorFlow 1", project: on(tf1, tf), open: "rewrite"},
		{name: "TensorFlow 1 on 2", project: on("import tensorflow.compat.v1 as tf\nx = tf.placeholder(tf.float32)\n", tf)},
		{name: "TensorFlow 1 on 1", project: conda(tf1, "- python=3.7\n- pip:\n  - tensorflow==1.15.0"), answers: "python=3.7", lacks: []string{"MIGRATION.md: TensorFlow 1; gone in 2"}},
		{name: "TensorFlow 1 or 2", project: on(tf1, "  - tensorflow<3,>=1.15"), answers: "tensorflow=keep", has: []string{"MIGRATION.md: | train.py:2 | `tf.placeholder`: TensorFlow 1; gone in 2"}},
		{name: "a function of numpy that an old Python has", project: conda("import numpy as np\nx = np.asscalar(1)", "- python=3.7\n- pip:\n  - numpy==1.21.0"), answers: "python=3.7", lacks: []string{"MIGRATION.md: np.asscalar"}},
		{name: "scikit-learn of old", project: on("from sklearn.externals import joblib", "  - scikit-learn"), open: "rewrite", has: []string{"MIGRATION.md: import joblib"}},
		{name: "numpy that may be old", project: on("import numpy as np\nx = np.float(1)", "  - numpy", "  - pint<0.20"), has: []string{"MIGRATION.md: | train.py:2 | `np.float`: removed in numpy 1.24 |"}},
		{name: "the newest numpy", project: on("import numpy as np\nx = np.float(1)", "  - numpy>=1.16"), open: "rewrite"},
		{name: "the newest numpy of conda", project: conda("import numpy as np\nx = np.float(1)", "- python=3.6\n- numpy=1.16\n- pip:\n  - requests"), open: "rewrite"},
		{name: "numpy of conda that may be old", project: conda("import numpy as np\nx = np.float(1)", "- python=3.11\n- numpy>=1.16,<1.25\n- pip:\n  - requests")},
		{name: "Keras beside a new TensorFlow", project: conda("from keras.layers.convolutional import Conv2D", "- python=3.5.2\n- pip:\n  - keras==2.2.4\n  - tensorflow==1.13.1"), open: "rewrite"},
		{name: "Keras beside an old TensorFlow", project: conda("from keras.layers.convolutional import Conv2D", "- python=3.11\n- pip:\n  - keras\n  - tensorflow==2.14.0")},
		{name: "numpy that is new", project: on("import numpy as np\nx = np.float(1)", "  - numpy==1.26.4"), open: "rewrite"},
		{name: "frames in a pandas that is new", project: on("import pandas as pd\nd = pd.DataFrame()\nd = d.append(1)", "  - pandas==2.2.3"), open: "rewrite"},
		{name: "lists", project: on("import pandas as pd\nd = []\nd.append(pd)", "  - pandas==2.2.3")},
		{name: "another np", project: on("import nope as np\nx = np.float(1)", "  - numpy==1.26.4"), lacks: []string{"MIGRATION.md: np.float"}},
		{name: "SDK v1 with its package", project: on("from azureml.core import Run", "  - azureml-core")},
		{name: "SDK v1 without it", project: on("from azureml.core import Run", "  - numpy"), open: "rewrite"},
		{name: "Python 2", project: on("print 'done'\n", "  - numpy"), open: "rewrite", has: []string{mark, "MIGRATION.md: train.py:1 is written for Python 2, but the environment has Python 3.11"}},
		{name: "Python 2 in a command", project: strings.Replace(on("print 'done'\n", "  - numpy"), "script: train.py", "command: python train.py", 1), open: "rewrite", has: []string{mark + "python train.py"}},
		{name: "Python 2 in a module", project: on("import helper\n", "  - numpy") + "-- helper.py --\ntry:\n    x = 1\nexcept IOError, e:\n    raise\n", open: "rewrite"},
		{name: "Python 2 in another script", project: on("", "  - numpy") + "-- other.py --\nprint 'done'\n"},
		{name: "Python 2 on Python 2", project: conda("print 'done'\n", "- python=2.7\n- pip:\n  - numpy"), answers: "python=2.7"},
		{name: "a print of both", project: on("print('a', 'b')\nprint\nprint (1), 2\n", "  - numpy")},
	})
}

// TestScriptRows checks that each SDK v1 call has its own row.
func TestScriptRows(t *testing.T) {
	script := "from azureml.core import Run, Workspace, Datastore\nfrom azureml.core.model import Model\nrun = Run.get_context()\nrun.log_list('a', [1])\nd = run.input_datasets['x']\n" +
		"run.register_model('m')\nrun.upload_file('a', 'b')\np = run.parent\nws = Workspace.from_config()\nModel.register(ws, 'm')\nDatastore.get(ws, 'd')\nlogging.log_list('x')\n" +
		"Datastore.register_azure_blob_container(ws)\nEnvironment.from_conda_specification('e', 'c')\n"
	row := func(line, text string) string { return "MIGRATION.md: | train.py:" + line + " | `" + text }
	checkWorked(t, []worked{{
		name: "rows", project: conda(script, newPython, "  - azureml-core"), open: "rewrite",
		has:   []string{row("3", "Run.get_context`"), row("5", "run.input_datasets`"), row("6", "run.register_model`: registers a model with SDK v1; it is not certain that MLflow supports the model | mlflow.FLAVOR.log_model(MODEL, \"model\", registered_model_name=\"m\"); or, to register the file unchanged, `az ml model create --name m "), row("7", "run.upload_file`: a file of the SDK v1 run; MLflow keeps a file under its own name"), row("8", "run.parent`"), row("9", "Workspace.from_config`: the SDK v1 workspace | MLClient"), row("10", "Model.register`"), row("11", "Datastore.get`"), row("13", "Datastore.register_azure_blob_container`: an SDK v1 datastore | az ml datastore create"), row("14", "Environment.from_conda_specification`")},
		lacks: []string{row("4", "")},
	}, {
		name: "not of SDK v1", project: conda("run.log_list('a', [1])\nx = run.parent\n", newPython, "  - numpy"), lacks: []string{row("1", ""), row("2", "")},
	}})
}

// TestAccount covers sentences of the report that once were false, where they are true and where they would be false.
func TestAccount(t *testing.T) {
	const report = "MIGRATION.md: "
	const torch = "framework: PyTorch\ncommunicator: Nccl\npytorch: {communicationBackend: nccl, processCount: 2}\nnodeCount: 2"
	checkWorked(t, []worked{
		{name: "the backend of a job that has one", project: sdk(torch), has: []string{report + "the script names the backend"}, lacks: []string{report + "counts only with communicator Nccl"}},
		{name: "the backend of a job that has none", project: sdk("pytorch: {communicationBackend: nccl}"), has: []string{report + "counts only with communicator Nccl"}},
		{name: "a size of old", project: sdk("environment: {docker: {shmSize: 4gb}}"), has: []string{report + "| `4gb` | mapped | `resources.shm_size`"}},
		{name: "no size", project: sdk("environment: {docker: {shmSize: much}}"), has: []string{report + "| `much` | dropped | not a size that Docker accepts"}},
		{name: "a size on Spark", project: strings.Replace(sdk("environment: {docker: {shmSize: 2gb}}"), "-- train.py --\n", "-- train.py --\nimport pyspark\n", 1), lacks: []string{report + "not a key"}},
		{name: "a folder to watch", project: sdk("history: {directoriesToWatch: [tb]}"), has: []string{report + "what is written elsewhere needs an output"}, lacks: []string{report + "runs are always tracked"}},
		{name: "a key that nothing knows", project: sdk("histroy: {a: b}"), has: []string{report + "| `b` | dropped | the old service did not read this key either"}},
		{name: "an image that is not known", project: image("mcr.microsoft.com/azureml/curated/mine:1", ""), has: []string{report + "`mcr.microsoft.com/azureml/curated/mine:1` |"}, lacks: []string{report + "out of support"}},
		{name: "a v1 image", project: image("mcr.microsoft.com/azureml/base:0.2.4", ""), has: []string{report + "a v1 image"}},
		{name: "an image that is supported", project: image("mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04", ""), has: []string{report + "| mapped | `mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04`"}, lacks: []string{report + "out of support", report + "no new builds"}},
		{name: "a name of one's own", project: strings.Replace(sdk(""), "name: x", "name: My Env!", 1), has: []string{report + "names consist of lowercase letters"}, lacks: []string{report + "the template's default name"}},
		{name: "the template's default name", project: strings.Replace(sdk(""), "name: x", "name: project_environment", 1), has: []string{report + "the template's default name"}},
	})
}

// TestRelated checks that every file of the repository that concerns Azure ML is listed.
func TestRelated(t *testing.T) {
	row := func(file, what string) string { return "MIGRATION.md: | " + file + " | " + what }
	checkWorked(t, []worked{{
		name: "a repository", folder: "ml", project: "-- .git/HEAD --\n-- ml/.azureml/job.runconfig --\nscript: train.py\ntarget: cpu\n-- ml/train.py --\nprint(1)\n-- ml/other.py --\nimport mlflow\n" +
			"-- ml/inference.yml --\nentryScript: score.py\nruntime: python\n-- ml/deployment.json --\n{\"computeType\": \"AKS\"}\n-- data.json --\n{\"datasetType\": \"File\", \"schemaVersion\": 1}\n-- night.yml --\nSchedule:\n  recurrence:\n    frequency: Week\n-- ml/score.py --\ndef init():\n    pass\n\ndef run(data):\n    return data\n" +
			"-- notebooks/a.ipynb --\n{\"source\": [\"from azureml.core import Workspace\"]}\n-- tools/deploy.py --\nfrom azureml.core import Workspace\n-- pipeline.yml --\npipeline:\n  name: x\n  steps:\n    one: {type: PythonScriptStep}\n" +
			"-- .azureml/config.json --\n{\"subscription_id\": \"x\", \"workspace_name\": \"y\"}\n-- .azureml/old.json --\n{\"Id\": null, \"Scope\": \"/subscriptions/x/resourceGroups/y/providers/Microsoft.MachineLearningServices/workspaces/z\"}\n-- README.md --\naz ml computetarget create amlcompute -n cpu\naz ml model deploy -n x\naz ml model register -n x -p m.pkl\naz ml job create -f job.yml\n" +
			"-- ci.yml --\njobs: {}\n-- .github/workflows/a.yml --\nsteps:\n- uses: Azure/aml-run@v1\n-- .cloud/.azure/compute.json --\n{\"name\": \"c\", \"compute_type\": \"amlcluster\"}\n-- ml/run_config.yml --\nframework: Python\ncommunicator: None\n-- env.yml --\ndependencies:\n- pip:\n  - azureml-core\n-- hyper.yml --\nhyperparameter_sampling: {}\n",
		open: "model",
		has: []string{
			"deployment-score.yml: scoring_script: score.py", "MIGRATION.md: ### inference.yml", "MIGRATION.md: ### deployment.json", row("../notebooks/a.ipynb", "a notebook"),
			row("../tools/deploy.py", "Python that uses SDK v1"), row("../pipeline.yml", "an SDK v1 pipeline"), row("../.azureml/config.json", "the address of a workspace"), row("../.azureml/old.json", "the address of a workspace"),
			row("../README.md:1", "`az ml computetarget create amlcompute` of the CLI v1 | `az ml compute create --file compute-cpu.yml`"), row("../README.md:2", "`az ml model deploy`"), row("../README.md:3", "`az ml model register` of the CLI v1 | `az ml model create --type custom_model`"), row("../env.yml", "a conda file that no run"), row("../hyper.yml", "settings of HyperDrive"),
			row("../data.json", "a dataset of the CLI v1 | a data asset"), row("../night.yml", "a schedule of the CLI v1"),
			row("../.github/workflows/a.yml", "a workflow with GitHub actions"), row("../.cloud/.azure/compute.json", "parameters of a GitHub action"), row("run_config.yml", "a run configuration of SDK v1"),
		},
		lacks: []string{"MIGRATION.md: az ml job create`", "MIGRATION.md: ci.yml", "MIGRATION.md: other.py", "MIGRATION.md: | train.py", "MIGRATION.md: | inference.yml", "MIGRATION.md: | score.py"},
	}, {
		name: "scripts that the diff rewrites, one of them in part", open: "rewrite", project: sdk("") + "-- train.py --\nfrom azureml.core import Run\nRun.get_context().log('a', 1)\n-- part.py --\nfrom azureml.core import Run\nrun = Run.get_context()\nrun.log('a', 1)\nprint(run.experiment.workspace)\n",
		has: []string{row("part.py", "Python that uses SDK v1")}, lacks: []string{row("train.py", "Python that uses SDK v1")},
	}})
}
