package rules_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
)

var schemaOf = regexp.MustCompile(`S:(\w+)`)

const fileComponent = "-- c.yml --\nS:commandComponent\nname: c\ncommand: run ${{inputs.x}}\nenvironment: azureml:e:1\ninputs: {x: {type: uri_file}}\n"

// TestAdvice checks what is said of mistakes whose advice depends on where they are. S:NAME is the address of a schema.
func TestAdvice(t *testing.T) {
	for _, c := range []struct{ name, project, want string }{
		{"single braces in a job", "-- job.yml --\nS:commandJob\ncommand: run {inputs.a}\nenvironment: azureml:e:1\ncompute: azureml:c\ninputs: {a: 1}\n",
			"the Azure ML client still replaces this form of the previews, but calls it deprecated: write ${{inputs.a}}"},
		{"single braces in a trial", "-- job.yml --\nS:sweepJob\ntype: sweep\ntrial:\n  command: run {search_space.a}\n  environment: azureml:e:1\n" +
			"compute: azureml:c\nsearch_space: {a: {type: choice, values: [1, 2]}}\nobjective: {goal: minimize, primary_metric: x}\nlimits: {max_total_trials: 2}\n",
			"but calls it deprecated: write ${{search_space.a}}"},
		{"double braces in a job", "-- job.yml --\nS:commandJob\ncommand: run {{inputs.a}}\nenvironment: azureml:e:1\ncompute: azureml:c\ninputs: {a: 1}\n",
			"Azure ML does not replace this, so the program gets it unchanged: write ${{inputs.a}}"},
		{"single braces in a component", "-- c.yml --\nS:commandComponent\nname: a\ncommand: run {inputs.a}\nenvironment: azureml:e:1\ninputs: {a: {type: integer}}\n",
			"Azure ML does not replace this, so the program gets it unchanged: write ${{inputs.a}}"},
		{"a file for a feature set", "-- f.yml --\nS:featureSet\nname: a\nversion: \"1\"\nentities: [azureml:e:1]\nspecification: {path: s/FeatureSetSpec.yaml}\n-- s/FeatureSetSpec.yaml --\nfeatures: []\n",
			"is a file, but a feature set needs the folder with FeatureSetSpec.yaml: write the path of the folder"},
		{"a file for a folder", "-- d.yml --\nS:data\nname: a\ntype: uri_folder\npath: a.csv\n-- a.csv --\n1\n",
			"is a file, but the type is uri_folder: write type: uri_file, or the path of a folder"},
		{"a path of a shell", "-- d.yml --\nS:data\nname: a\ntype: uri_file\npath: ~/data/a.csv\n",
			"the Azure ML client does not expand ~ and $ in paths, so it does not find \"~/data/a.csv\": use a path relative to the folder of this file, or a data asset"},
		{"a folder for a component's file", "-- p.yml --\nS:pipelineJob\ntype: pipeline\nsettings: {default_compute: azureml:c}\njobs:\n  a: {component: c.yml, inputs: {x: {type: uri_file, path: d}}}\n-- d/a.csv --\n1\n" + fileComponent,
			`"d" is a folder, but the component expects a file (type uri_file): write the path of a file`},
		{"a folder without a type for a component's file", "-- p.yml --\nS:pipelineJob\ntype: pipeline\nsettings: {default_compute: azureml:c}\njobs:\n  a: {component: c.yml, inputs: {x: {path: azureml://datastores/a/paths/b/}}}\n" + fileComponent,
			`but this is a folder: write type: uri_file, and the path of a file`},
		{"a secret of CI", "-- d.yml --\nS:managedOnlineDeployment\nname: blue\nendpoint_name: digits\nmodel: azureml:digits:1\ninstance_type: Standard_D2as_v4\ninstance_count: 1\nenvironment_variables: {A: '${{ secrets.TOKEN }}'}\n",
			`Azure ML takes "secrets.TOKEN", an expression of a CI pipeline, as text: let the pipeline write the value before it submits the file`},
		{"an unknown input of many", "-- job.yml --\nS:commandJob\ncommand: run ${{inputs.beta_two}}\nenvironment: azureml:e:1\ncompute: azureml:c\ninputs: {alpha: 1, beta_one: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, beta_four: 1}\n",
			`declare it there, or correct the name (beta_four, beta_one or 9 more)`},
		{"a star before a number", "-- s.yml --\nS:schedule\nname: a\ntrigger: {type: cron, expression: \"*0 5 * * *\"}\ncreate_job: azureml:j\n",
			`a cron expression cannot have *0 as its minutes: write *, a number, or */N for every Nth`},
		{"a file without a type", "-- d.yml --\nS:data\nname: a\npath: a.csv\n-- a.csv --\n1\n",
			"is a file, but the type is uri_folder, which is the default: write type: uri_file"},
		{"a type without its underscore", "-- c.yml --\nS:azureOpenAIConnection\nname: a\ntype: azure_openai\nazure_endpoint: https://example.com\n",
			`"type" cannot be "azure_openai": write azure_open_ai`},
		{"a superseded environment", "-- job.yml --\nS:commandJob\ncommand: run\nenvironment: azureml:AzureML-sklearn-1.0-ubuntu20.04-py38-cpu:30\ncompute: azureml:c\n",
			"AzureML-sklearn-1.0-ubuntu20.04-py38-cpu is superseded and gets no updates: use azureml://registries/azureml/environments/"},
		{"a label as a version", "-- job.yml --\nS:commandJob\ncommand: run ${{inputs.a}}\nenvironment: azureml:e:1\ncompute: azureml:c\ninputs: {a: {type: uri_folder, path: azureml:d:latest}}\n",
			"after a colon, Azure ML takes latest for the name of one version, not for the newest: write azureml:d@latest"},
		{"an unknown option", "-- job.yml --\nS:commandJob\ncommand: python a.py --two 2\ncode: .\nenvironment: azureml:e:1\ncompute: azureml:c\n-- a.py --\nimport argparse\np = argparse.ArgumentParser()\np.add_argument(\"--one\")\np.parse_args()\n",
			`"a.py" has no option "--two", so it ends with an error: correct the name (--one), or add the option to the script`},
		{"an unknown option of many", "-- job.yml --\nS:commandJob\ncommand: python a.py --data 1 --other 2\ncode: .\nenvironment: azureml:e:1\ncompute: azureml:c\n-- a.py --\nimport argparse\np = argparse.ArgumentParser()\n" +
			"p.add_argument(\"--data\")\np.add_argument(\"--bb\")\np.add_argument(\"--cc\")\np.add_argument(\"--ddd\")\np.add_argument(\"--eee\")\np.add_argument(\"--fff\")\np.add_argument(\"--ggg\")\np.parse_args()\n",
			"correct the name (--bb, --cc, --ddd, --eee or 2 more), or add the option to the script"},
		{"an unknown job of a pipeline", "-- p.yml --\nS:pipelineJob\ntype: pipeline\nsettings: {default_compute: azureml:c}\njobs:\n" +
			"  train: {component: azureml:a:1}\n  check: {component: azureml:b:1, inputs: {x: \"${{parent.jobs.fitting.outputs.y}}\"}}\n",
			`there is no job "fitting" in the pipeline: declare it there, or correct the name (train or check)`},
		{"an input of two similar names", "-- job.yml --\nS:commandJob\ncommand: run ${{inputs.a1}} ${{inputs.a2}} ${{inputs.a3}}\nenvironment: azureml:e:1\ncompute: azureml:c\ninputs: {a1: 1, a2: 2, other: 3}\n",
			`declare it there, or correct the name (a1`},
		{"an input that the component lacks", "-- p.yml --\nS:pipelineJob\ntype: pipeline\nsettings: {default_compute: azureml:c}\njobs:\n  a: {component: c.yml, inputs: {x: 1, learning_rate: 2}}\n" +
			"-- c.yml --\nS:commandComponent\nname: c\ncommand: run ${{inputs.x}} $[[--lr ${{inputs.lr}}]]\nenvironment: azureml:e:1\ninputs: {x: {type: integer}, lr: {type: number, optional: true}}\n",
			`does not have the input "learning_rate": remove it, or correct the name (lr)`},
		{"an input that no other may mean", "-- p.yml --\nS:pipelineJob\ntype: pipeline\nsettings: {default_compute: azureml:c}\njobs:\n  a: {component: c.yml, inputs: {x: 1, learning_rate: 2}}\n" +
			"-- c.yml --\nS:commandComponent\nname: c\ncommand: run ${{inputs.x}}\nenvironment: azureml:e:1\ninputs: {x: {type: integer}}\n",
			`does not have the input "learning_rate": remove it, or declare it there`},
		{"a managed deployment without machines", "-- d.yml --\nS:managedOnlineDeployment\nname: blue\nendpoint_name: digits\nmodel: azureml:digits:1\ninstance_type: Standard_D2as_v4\ninstance_count: 0\n",
			`"instance_count" must be at least 1, not 0: Azure ML rejects other numbers`},
		{"no versions", "-- e.yml --\nS:environment\nname: e\nimage: python:3.12\nconda_file: conda.yml\n-- conda.yml --\nchannels: [conda-forge]\ndependencies: [python=3.12, numpy, pandas]\n",
			"numpy and pandas have no version, so the next build may install different ones: add them"},
		{"a misspelt script of SDK v1", "-- .azureml/a.runconfig --\nscript: steps/trian.py\ntarget: local\nframework: Python\nenvironment: {}\n-- steps/train.py --\n1\n",
			`the project has no script "steps/trian.py": did you mean "steps/train.py"?`},
		{"a model of MLflow that nothing says is one", "-- d.yml --\nS:managedOnlineDeployment\nname: blue\nendpoint_name: digits\nmodel: {path: m}\nenvironment: {image: 'mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1'}\ninstance_type: Standard_D2as_v4\ninstance_count: 1\n-- m/MLmodel --\n",
			"write type: mlflow_model under model, because the folder is a model of MLflow"},
		{"no target", "-- aml_config/a.runconfig --\nArgumentVector: [$file]\nTarget: b\nFramework: Python\n",
			`the compute target "b" does not exist: there is no aml_config/b.compute; create it with amlfix attach, or write the name of another target`},
		{"a part of a key", "-- d.yml --\nS:azureBlob\nname: a\ntype: azure_blob\naccount_name: a\ncontainer: a\n", `which needs the key "container_name": did you mean that?`},
		{"an mlflow that azureml-mlflow refuses", "-- e.yml --\nS:environment\nname: e\nimage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1\nconda_file: conda.yml\n-- conda.yml --\nchannels: [conda-forge]\ndependencies: [python=3.10, pip=25.0, pip: [azureml-mlflow==1.59.0, mlflow==2.20.0]]\n",
			"azureml-mlflow 1.59.0 accepts only mlflow <=2.15.1, so pip cannot install mlflow 2.20.0 with it; change one of the versions"},
		{"a range of azureml-mlflow", "-- e.yml --\nS:environment\nname: e\nimage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1\nconda_file: conda.yml\n-- conda.yml --\nchannels: [conda-forge]\ndependencies: [python=3.10, pip=25.0, pip: [\"azureml-mlflow>=1.59,<1.61\", mlflow==3.2.0]]\n",
			"azureml-mlflow 1.60.0 does not work with mlflow 3.2.0, which pip installs: logging an artifact raises a TypeError"},
		{"SDK v1 for a Python without its wheels", "-- e.yml --\nS:environment\nname: e\nimage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1\nconda_file: conda.yml\n-- conda.yml --\nchannels: [conda-forge]\ndependencies: [python=3.14, pip=25.0, pip: [azureml-defaults]]\n",
			"azureml-defaults with python=3.14 gets a release of early 2020 at best"},
		{"a release of SDK v1 for such a Python", "-- e.yml --\nS:environment\nname: e\nimage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1\nconda_file: conda.yml\n-- conda.yml --\nchannels: [conda-forge]\ndependencies: [python=3.14, pip=25.0, pip: [azureml-defaults==1.60.0]]\n",
			"azureml-defaults==1.60.0 with python=3.14 cannot be installed"},
		{"a stub", "-- e.yml --\nS:environment\nname: e\nimage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1\nconda_file: conda.yml\n-- conda.yml --\nchannels: [conda-forge]\ndependencies: [python=3.11, pip=25.0, pip: [tensorflow-gpu]]\n",
			"whose last release, 2.12, stops with an error"},
		{"a cycle", "-- p.yml --\nS:pipelineJob\ntype: pipeline\nsettings: {default_compute: azureml:c}\njobs:\n" +
			"  a: {component: azureml:a:1, inputs: {x: \"${{parent.jobs.b.outputs.y}}\"}}\n  b: {component: azureml:b:1, inputs: {x: \"${{parent.jobs.a.outputs.y}}\"}}\n",
			`"a" and "b" wait for each other, so none of them starts: bind one of their inputs to something else`},
		{"a job that waits for itself", "-- p.yml --\nS:pipelineJob\ntype: pipeline\nsettings: {default_compute: azureml:c}\njobs:\n" +
			"  a: {component: azureml:a:1, inputs: {x: \"${{parent.jobs.a.outputs.y}}\"}}\n",
			`"a" waits for its own output, so it never starts: bind this input to something else`},
		{"an input without a use", "-- job.yml --\nS:commandJob\ncommand: run\nenvironment: azureml:e:1\ncompute: azureml:c\ninputs: {a: 1}\n",
			`nothing uses the input "a": use it, or remove it if it is a leftover`},
		{"a folder without a Dockerfile", "-- e.yml --\nS:environment\nname: e\nbuild: {path: docker}\n-- docker/a.txt --\n1\n",
			"which does not exist: create it, or write the path of another as dockerfile_path"},
		{"a conda file without channels", "-- e.yml --\nS:environment\nname: e\nimage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1\nconda_file: {dependencies: [python=3.12]}\n",
			"list them, as in channels: [conda-forge]"},
		{"a GPU build for another CUDA", "-- job.yml --\nS:commandJob\ncommand: python -V\nenvironment: {image: \"mcr.microsoft.com/azureml/openmpi5.0-cuda12.6-ubuntu24.04:20260401.v1\", conda_file: conda.yml}\nresources: {instance_type: Standard_NC24ads_A100_v4}\n-- conda.yml --\nchannels: [conda-forge]\ndependencies: [python=3.12, pip=25.0, pip: [onnxruntime==1.31.1]]\n",
			"not repaired here, because the image does not have the CUDA version that it needs"},
		{"a release without a GPU build", "-- job.yml --\nS:commandJob\ncommand: python -V\nenvironment: {image: \"mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20260401.v1\", conda_file: conda.yml}\nresources: {instance_type: Standard_NC24ads_A100_v4}\n-- conda.yml --\nchannels: [conda-forge]\ndependencies: [python=3.12, pip=25.0, pip: [onnxruntime==1.32.0]]\n",
			`use "onnxruntime-gpu", in the version your CUDA needs`},
		{"code of a repository", "-- c.yml --\nS:commandComponent\nname: a\ncommand: run\ncode: git@github.com:a/b.git\nenvironment: azureml:e:1\n",
			"because a repository needs git+ before its address: write git+ssh://git@github.com/a/b.git"},
		{"code of a repository in capitals", "-- c.yml --\nS:commandComponent\nname: a\ncommand: run\ncode: GIT+https://github.com/a/b\nenvironment: azureml:e:1\n",
			"takes no code from a Git repository"},
		{"a node with code but no command", "-- p.yml --\nS:pipelineJob\ntype: pipeline\njobs:\n  a: {code: ., environment: azureml:e:1, compute: azureml:c}\n",
			`"command" is missing, so Azure ML does not know what the node runs`},
		{"a node with only code", "-- p.yml --\nS:pipelineJob\ntype: pipeline\njobs:\n  a: {code: ., compute: azureml:c}\n", `"command" is missing, so Azure ML does not know what the node runs`},
		{"a pipeline with an environment", "-- p.yml --\nS:pipelineJob\ntype: pipeline\njobs:\n  a: {type: pipeline, environment: azureml:e:1, compute: azureml:c}\n",
			`"component" is missing, so Azure ML does not know what the node runs`},
		{"any build of a package below pip", "-- e.yml --\nS:environment\nname: e\nimage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1\n" +
			"conda_file: {channels: [conda-forge], dependencies: [python=3.12, pip=25.0, pip: [torch=*=cuda*]]}\n", `write "torch", because pip has no build strings`},
		{"any build of a package below pip, with spaces", "-- e.yml --\nS:environment\nname: e\nimage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1\n" +
			"conda_file: {channels: [conda-forge], dependencies: [python=3.12, pip=25.0, pip: [torch = * = x]]}\n", `write "torch", because pip has no build strings`},
		{"a model by its name as a path", "-- d.yml --\nS:managedOnlineDeployment\nname: blue\nendpoint_name: digits\nmodel: {path: \"azureml:m:1\"}\nenvironment: azureml:e:1\ninstance_type: Standard_D2as_v4\ninstance_count: 1\n",
			"register the model and write model: azureml:NAME:VERSION"},
		{"code of a datastore", "-- c.yml --\nS:commandComponent\nname: a\ncommand: run\ncode: azureml://datastores/a/paths/b\nenvironment: azureml:e:1\n",
			"write the path of a folder, or azureml:NAME:VERSION"},
		{"a project without its kind", "-- w.yml --\nS:project\nname: abc\nhub_id: /subscriptions/a\n", "so Azure ML rejects the file: write kind: project"},
		{"a metric without its underscore", "-- j.yml --\nS:autoMLJob\ntype: automl\ntask: classification\nprimary_metric: aucweighted\ntarget_column_name: y\n" +
			"compute: azureml:c\ntraining_data: {type: mltable, path: azureml:t:1}\n", "did you mean auc_weighted?"},
		{"a key that no credentials have", "-- d.yml --\nS:azureDataLakeGen2\nname: a\ntype: azure_data_lake_gen2\naccount_name: a\nfilesystem: a\ncredentials: {x: 1}\n",
			`"x" is not a key of "credentials", so Azure ML rejects the file: remove it, or correct its name`},
		{"a package without a version twice", "-- e.yml --\nS:environment\nname: e\nimage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20250401.v1\nconda_file: {channels: [conda-forge], dependencies: [python=3.12, pip, pip, numpy]}\n",
			"pip and numpy have no version"},
		{"a pipeline in a pipeline without a default", "-- p.yml --\nS:pipelineJob\ntype: pipeline\njobs:\n  a: {type: pipeline, component: c.yml, compute: azureml:c}\n-- c.yml --\nS:pipelineComponent\ntype: pipeline\nname: c\n" +
			"jobs:\n  b: {type: command, command: run, environment: azureml:e:1}\n", `write default_compute: azureml:NAME below its "settings"`},
		{"the default build of the same version", "-- job.yml --\nS:commandJob\ncommand: python -V\nenvironment: {image: \"mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20260401.v1\", conda_file: conda.yml}\nresources: {instance_type: Standard_ND96isr_H100_v5}\n-- conda.yml --\nchannels: [pytorch, nvidia]\ndependencies: [python=3.10, pytorch=2.1.0, pytorch-cuda=11.7]\n",
			"use its build for CUDA 11.8, or 2.1.1"},
	} {
		project := schemaOf.ReplaceAllString(c.project, "$$schema: https://azuremlschemas.azureedge.net/latest/$1.schema.json")
		var said []string
		for _, f := range rules.Check(load(t, project)) {
			said = append(said, f.Message)
		}
		if !slices.ContainsFunc(said, func(message string) bool { return strings.Contains(message, c.want) }) {
			t.Errorf("%s: want %q; got\n%s", c.name, c.want, strings.Join(said, "\n"))
		}
	}
}
