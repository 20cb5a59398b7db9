package format

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

var quotedPattern = regexp.MustCompile(`"pattern": "(?:[^"\\]|\\.)*"`)

// TestBundle reads all v2 schemas, which are otherwise read on demand, and checks that each line is a schema and each
// reference resolves.
func TestBundle(t *testing.T) {
	var whole struct {
		Kinds, Parts, Definitions map[string]json.RawMessage
	}
	testkit.OK(t, json.Unmarshal([]byte(bundle), &whole))
	lines := index.Get()
	if len(lines.kinds) != len(whole.Kinds) || len(lines.definitions) != len(whole.Definitions) || len(lines.parts) != len(whole.Parts) || len(whole.Kinds) < 40 || len(whole.Definitions) < 300 {
		t.Fatalf("%d kinds, %d definitions read by lines; %d and %d in the file", len(lines.kinds), len(lines.definitions), len(whole.Kinds), len(whole.Definitions))
	}
	reached := map[string]bool{}
	for _, texts := range []map[string]string{lines.kinds, lines.definitions} {
		for name, line := range texts {
			text := []byte(line)
			if _, ok := lines.kinds[name]; !ok {
				text = definitionText(name)
			}
			if err := json.Unmarshal(text, new(node)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, m := range references.Get().FindAllSubmatch(text, -1) {
				if reached[string(m[1])] = true; definition(string(m[1])) == nil {
					t.Errorf("%s refers to %s, which does not exist", name, m[1])
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lines.definitions)) {
		if !reached[name] {
			t.Errorf("nothing refers to %s", name)
		}
	}
	for _, m := range quotedPattern.FindAllString(bundle, -1) { // compiled on demand
		var one node
		if err := json.Unmarshal([]byte("{"+m+"}"), &one); err != nil {
			t.Errorf("%s: %v", m, err)
		} else if _, err := regexp.Compile(one.Pattern); err != nil {
			t.Error(err)
		}
	}
	for number := range lines.parts {
		if use := `{"$": ` + number + "}"; strings.Count(bundle, use) < 2 {
			t.Errorf("part %s is not shared", number)
		}
	}
	for _, kind := range v2Kinds() {
		if s := v2Schema(Kind(kind)); s == nil || annotationOf(s).Is == "" {
			t.Errorf("%s: no schema, or no description", kind)
		}
	}
}

// TestQuickWalkAgreesOnV2 validates the real v2 files, and mutants of some, in both ways, and checks that every message
// about them fits on a line.
//
//testkit:norace
func TestQuickWalkAgreesOnV2(t *testing.T) {
	dir := testkit.CorpusV2(t)
	files := testkit.Files(t, dir)
	quick, said := 0, 0
	for _, path := range slices.Sorted(maps.Keys(files)) {
		src := source.New(path, files[path])
		root := document.Parse(src).Root()
		for _, kind := range []Kind{"v2-job", "v2-component", "v2-environment", "v2-online-deployment"} {
			if agree(t, kind, src, root) {
				quick++
			}
			for _, f := range Validate(kind, src, root) {
				said++
				if n := utf8.RuneCountInString(f.Message); n > 200 {
					t.Errorf("%s:%d: %d characters: %s", path, src.LineAt(f.Span.Start), n, f.Message)
				}
			}
		}
	}
	if quick < 500 || said < 5000 {
		t.Errorf("only %d files fit quickly, and %d messages were made", quick, said)
	}
}

// TestV2Words checks the messages about faults in v2 files.
func TestV2Words(t *testing.T) {
	job := "command: echo\nenvironment: azureml:env:1\n"
	store := "name: s\ntype: azure_blob\naccount_name: a\ncontainer_name: c\ncredentials:\n"
	table := "paths: [{file: a.csv}]\ntransformations:\n"
	images := "type: automl\ntask: image_classification\ncompute: azureml:gpu\ntarget_column_name: a\nprimary_metric: accuracy\ntraining_data: {type: mltable, path: azureml:d:1}\n"
	monitor := "name: m\ntrigger: {type: cron, expression: 1 * * * *}\ncreate_monitor:\n  compute: {instance_type: a, runtime_version: '3.5'}\n"
	deployment := "name: blue\nendpoint_name: digits\ninstance_type: Standard_DS3_v2\n"
	for _, c := range []struct {
		kind Kind
		text string
		want string // "" if nothing is wrong
	}{
		{"v2-job", job + "comptue: azureml:a\n", `3 error schema/unknown-key: "comptue" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: did you mean "compute"?`},
		{"v2-job", "type: Pipeline\njobs: {}\n", `1 error schema/value: "type" cannot be "Pipeline": write pipeline`},
		{"v2-job", "type: pipeline\njobs: {}\nsettings: {continue_on_step_failure: 2, force_rerun: 0x1}\n", `3 error schema/type: "continue_on_step_failure" must be true or false, but 2 is read as a number`},
		{"v2-job", "type: sweep\nobjective: {goal: minimize, primary_metric: a}\nlimits: {max_total_trials: 1}\nsampling_algorithm: 5\nsearch_space: {}\ntrial: {command: a, environment: 'azureml:e:1'}\n", `4 error schema/type: "sampling_algorithm" must be bayesian, grid or random, but 5 is read as a number`},
		{"v2-online-deployment", deployment + "type: Kubernetes\n", `4 error schema/value: "type" cannot be "Kubernetes": write managed or kubernetes; did you mean kubernetes?`},
		{"v2-online-deployment", deployment + "type: Managed\n", ""},
		{"v2-environment", "name: e\ndockerfile: Dockerfile\n", `2 error schema/unknown-key: "dockerfile" is not a key of an Azure ML v2 environment, so Azure ML rejects the file: write build, with path, the folder that is sent to Docker, and dockerfile_path under it`},
		{"v2-environment", "name: e\nimage: a\npip: [b]\n", `3 error schema/unknown-key: "pip" is not a key of an Azure ML v2 environment, so Azure ML rejects the file: write the packages to a conda file, and its path to conda_file`},
		{"v2-environment", "name: e\nbuild:\n  context: .\n", `3 error schema/unknown-key: "context" is not a key of "build", so Azure ML rejects the file: did you mean "path"?`},
		{"v2-job", images + "epochs: 5\n", `7 error schema/unknown-key: "epochs" is not a key of an Azure ML v2 AutoML job, so Azure ML rejects the file: write number_of_epochs, under training_parameters`},
		{"v2-job", images + "training_parameters:\n  lr: 0.1\n", `8 error schema/unknown-key: "lr" is not a key of "training_parameters", so Azure ML rejects the file: did you mean "learning_rate"?`},
		{"v2-job", job + "resources:\n  nodes: 2\n  gpus: 1\n", `4 error schema/unknown-key: "nodes" is not a key of "resources", so Azure ML rejects the file: did you mean "instance_count"?
5 error schema/unknown-key: "gpus" is not a key of "resources", so Azure ML rejects the file: remove it, because the VM size decides the CPUs, the GPUs and the memory`},
		{"v2-online-deployment", "name: blue\nendpoint_name: digits\nsku: Standard_DS3_v2\n", `3 error schema/unknown-key: "sku" is not a key of an Azure ML v2 managed online deployment, which needs the key "instance_type": did you mean that?`},
		{"v2-data", "name: a\ntype: uri_file\nuri: b\n", `3 error schema/unknown-key: "uri" is not a key of an Azure ML v2 data asset, which needs the key "path": did you mean that?`},
		{"v2-job", job + "env_vars: {a: b}\ndistribution: {type: mpi, processes_per_node: 4}\n", `3 error schema/unknown-key: "env_vars" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: did you mean "environment_variables"?
4 error schema/unknown-key: "processes_per_node" is not a key of "distribution", so Azure ML rejects the file: did you mean "process_count_per_instance"?`},
		{"v2-job", job + "distribution: {type: torch}\n", `3 error schema/value: "type" cannot be "torch": write pytorch`},
		{"v2-model", "name: a\npath: b\ntype: triton_model_v2\n", `3 error schema/value: "type" cannot be "triton_model_v2": write custom_model, mlflow_model or triton_model; did you mean triton_model?`},
		{"v2-job", "type: pipeline\njobs:\n  a: {type: ./train.yml}\n", `3 error schema/value: "type" is the kind of job and cannot be a file: write component: ./train.yml`},
		{"v2-job", job + "environment_variables:\n- A=b\n- {name: c, value: d}\n", `4 error schema/type: "environment_variables" must be a mapping, but the dashes make it a list: write each name as a key without a dash, such as A:`},
		{"v2-job", job + "inputs:\n- a: 1\n- b: 2\n", `4 error schema/type: "inputs" must be a mapping, but the dashes make it a list: write each name as a key without a dash, such as a:`},
		{"v2-job", "type: pipeline\njobs:\n- {name: a, component: azureml:c:1}\n", `3 error schema/type: "jobs" must be a mapping, but the dashes make it a list: write each name as a key without a dash, such as a:`},
		{"v2-job", "environment: azureml:env:1\ncommand: [bash, -c, echo a b]\n", `2 error schema/type: "command" must be text, but the brackets [ ] make it a list: write only the value, or put it in quotes`},
		{"v2-online-deployment", "name: blue\nendpoint_name: e\ntype: kubernetes\nresources:\n  requests: {cpu: '0,5', memory: 4 GB}\n  limits: {cpu: 1, memory: 512m, gpu: '0.5'}\n", `5 error schema/type: "cpu" must be a number of processors such as 2, 0.5 or 500m, not "0,5"
5 error schema/type: "memory" must be a number of bytes such as 512Mi or 2Gi, not "4 GB"
6 error schema/type: "cpu" must be a number of processors such as 2, 0.5 or 500m, but 1 is read as a number: put it in quotes
6 error schema/type: "memory" must be a number of bytes such as 512Mi or 2Gi, not "512m"
6 error schema/type: "gpu" must be a whole number of GPUs, not "0.5"`},
		{"v2-online-deployment", "name: blue\nendpoint_name: e\ntype: kubernetes\nresources:\n  requests: {cpu: 100m, memory: 1.5Gi}\n  limits: {cpu: '.5', memory: 1e9, nvidia.com/gpu: '1'}\n", ""},
		{"v2-job", "type: pipeline\njobs:\n  a-b: {component: azureml:c:1}\n", `3 error schema/value: a job of a pipeline cannot be named "a-b": write lowercase letters, digits and _ only, with no digit first`},
		{"v2-job", "type: pipeline\njobs:\n  a: {type: comand, component: azureml:c:1}\n", `3 error schema/value: "type" cannot be "comand": write command`},
		{"v2-job", "type: pipeline\njobs:\n  a:\n    cmponent: azureml:c:1\n", `4 error schema/unknown-key: "cmponent" is not a key of "jobs.a", which needs the key "component": did you mean that?`},
		{"v2-job", job + "compute:\n  target: gpu\n", `4 error schema/type: "compute" must be text, but the colon makes it a mapping: write gpu alone`},
		{"v2-job", job + "inputs:\n  a: {type: uri_flie, path: b}\n", `4 error schema/value: "type" cannot be "uri_flie": write uri_file or uri_folder; did you mean uri_file?`},
		{"v2-job", "command: echo\nenvironment: sklearn\n", `2 error schema/type: "environment" must be file:PATH or azureml://registries/… or azureml:NAME:VERSION, not "sklearn"`},
		{"v2-job", job + "compute: {{compute}}\ndistribution: {type: \"#{TYPE}#\"}\n", ""},
		{"v2-job", "command: echo\nenvironment: $environment\ncompute: $compute\n", ""},
		{"v2-job", job + "display_name: 0o17\ndescription: 2024-1-1\nexperiment_name: -0o17\n", ""},
		{"v2-job", job + "display_name: 0777\ndescription: 2024-01-01\n", `3 error schema/type: "display_name" must be text, but 0777 is read as a number: put it in quotes
4 error schema/type: "description" must be text, but 2024-01-01 is read as a date: put it in quotes`},
		{"v2-job", job + "tags: {? }\n", `3 error schema/type: the name is missing here: write one before the colon`},
		{"v2-job", job + "services:\n  a: &a {type: jupyter_lab}\n  b: {<<: *a}\n  c: {<<: *a, type: ssh, nodes: all}\n", ""},
		{"v2-job", "type: sweep\nobjective: {goal: minimize, primary_metric: a}\nlimits: {max_total_trials: 1}\nsampling_algorithm: random\nsearch_space:\n  a: &a {type: uniform, min_value: 1, max_value: 2}\n  b: {<<: *a, max_value: 4}\n  c: {<<: *a, q: 1}\ntrial: {command: a, environment: 'azureml:e:1'}\n", `8 error schema/unknown-key: "q" is not a key of "search_space.c", so Azure ML rejects the file: its keys are max_value, min_value and type`},
		{"v2-job", job + "resources:\n  instance_count: ${COUNT}\n  shm_size: __SIZE__\n", ""},
		{"v2-job", "command: echo ${{inputs.rate}}\nenvironment: azureml:env:1\ninputs:\n  a: 1\nrate: 2\n", `5 error schema/unknown-key: "rate" is not a key of an Azure ML v2 command job, and an expression uses it as one of the inputs: write it under "inputs", indented`},
		{"v2-job", "command: echo ${{inputs.rate}}\nenvironment: azureml:env:1\ninputs:\n  a:\n    path: b\n    rate: 2\n", `6 error schema/unknown-key: "rate" is not a key of "inputs.a", and an expression uses it as one of the inputs: write it one level further out, next to "a"`},
		{"v2-job", "type: pipeline\njobs:\n  a:\n    component: azureml:c:1\n    inputs: {b: 1}\n    c: ${{parent.jobs.d.outputs.e}}\n", `6 warning schema/unknown-key: "c" is not a key of "jobs.a", and its value is that of one of the inputs: write it under "inputs", indented`},
		{"v2-job", "type: pipeline\njobs:\n  a:\n    component: azureml:c:1\n    inputs: {b: 1}\n    c: ${{parent.outputs.e}}\n    d: 1\n", ""},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ninputs:\n  a:\n    type: number\n  description: b\n", `7 error schema/type: "description" is not one of "inputs", although it is indented like one: it belongs to "a", so indent it further`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\noutputs:\n  a:\n    type: uri_folder\n  code: b\n", `7 error schema/type: "code" is not one of "outputs", although it is indented like one: write it one level further out, next to "outputs"`},
		{"v2-job", "type: pipeline\njobs:\n  a: {component: azureml:c:1}\n  b:\n    component: azureml:c:1\n  outputs:\n    d: ${{parent.outputs.d}}\n", `6 error schema/unknown-key: "outputs" is not one of "jobs", although it is indented like one: indent it further if it belongs to "b", or write it next to "jobs"`},
		{"v2-job", "type: pipeline\njobs:\n  a: {component: azureml:c:1}\nb: {component: azureml:c:1}\n", `4 error schema/unknown-key: "b" is not a key of an Azure ML v2 pipeline job, so Azure ML rejects the file: if it is one of "jobs", indent it`},
		{"v2-job", "type: pipeline\njobs:\n  a:\n    component: azureml:c:1\n    b: {component: azureml:c:1}\n", `5 warning schema/unknown-key: "b" is not a key of "jobs.a", and Azure ML does not support it: if it is one of "jobs", write it one level further out, next to "a"`},
		{"v2-component", "type: pipeline\nname: p\njobs:\n  a: {component: azureml:c:1}\nsettings: {default_compute: azureml:c}\n", `5 warning schema/unknown-key: "settings" is not a key of an Azure ML v2 pipeline component, and Azure ML ignores it silently: write it in the job that runs the component`},
		{"v2-job", job + "tags:\n  a: b\nowner: c\n", `5 error schema/unknown-key: "owner" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: if it is one of "tags", indent it`},
		{"v2-job", job + "tags:\n  a: b\nowner: {c: d}\n", `5 error schema/unknown-key: "owner" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: remove it, or correct its name`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\nconda_file: b\n", `4 warning schema/unknown-key: "conda_file" is not a key of an Azure ML v2 command component, and Azure ML ignores it silently: remove it, or correct its name`},
		{"v2-job", job + "instance_count: 2\nresources:\n  shm_size: 2g\n", `3 error schema/unknown-key: "instance_count" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: write it under "resources", indented`},
		{"v2-job", "type: sweep\nobjective: {goal: minimize, primary_metric: a}\nsampling_algorithm: random\nsearch_space: {}\ntrial: {command: a, environment: 'azureml:e:1'}\n", `1 error schema/missing-key: "limits" is missing, so Azure ML rejects the file: an Azure ML v2 sweep job needs it, with max_total_trials under it`},
		{"v2-job", "command: echo\nenvironment:\nimage: a\n", `2 error schema/type: "environment" has no value: indent the lines that belong to it, from "image" on
3 error schema/unknown-key: "image" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: write it under "environment", indented`},
		{"v2-job", "command: echo\nenvironment: azureml:a:1\ninputs:\n  a:\n  type: uri_folder\n", `4 error schema/type: "a" has no value: indent the lines that belong to it, from "type" on`},
		{"v2-job", "command: echo\nenvironment: azureml:a:1\ncompute_target: a\nnode_count: 2\n", `3 error schema/unknown-key: "compute_target" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: did you mean "compute"?
4 error schema/unknown-key: "node_count" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: write instance_count, under resources`},
		{"v2-job", "command: echo\nenvironment:\n  image: a\n  compute: azureml:a\n", `4 error schema/unknown-key: "compute" is not a key of "environment", so Azure ML rejects the file: write it one level further out, next to "environment"`},
		{"v2-compute", "type: amlcompute\nname: gpu\nsize: Standard_NC4as_T4_v3\npriority: LowPriority\n", `4 error schema/unknown-key: "priority" is not a key of an Azure ML v2 amlcompute compute, so Azure ML rejects the file: only the previews of 2021 had it; write tier: dedicated or tier: low_priority`},
		{"v2-job", "command: echo\nenvironment:\n  docker: {image: a}\n  image: a\n", `3 error schema/unknown-key: "docker" is not a key of "environment", so Azure ML rejects the file: only the previews of 2021 had it; write image: followed by its name`},
		{"v2-job", job + "inputs:\n  a: {type: string, default: b}\n", `4 error schema/unknown-key: "type" is not a key of "inputs.a", so Azure ML rejects the file: only a component declares inputs; a job gives a value: write a: b`},
		{"v2-job", job + "inputs:\n  a: {type: string, default: \"b: c\", optional: true}\n", `4 error schema/unknown-key: "type" is not a key of "inputs.a", so Azure ML rejects the file: only a component declares inputs; a job gives a value: write a: VALUE`},
		{"v2-job", "command: echo\nenvironment: azureml:e:1\nresources: {instance_count: 99999999999999999999}\n", ""},
		{"v2-job", "type: pipeline\njobs:\n  a:\n    command: echo\n    environment: azureml:e:1\n    resources: {instance_count: '${{parent.inputs.n}}'}\n    distribution: {type: pytorch, process_count_per_instance: '${{parent.inputs.n}}'}\n", `6 error schema/type: "instance_count" must be a whole number, and Azure ML accepts no expression here: write digits only
7 error schema/type: "process_count_per_instance" must be a whole number, and Azure ML accepts no expression here: write digits only`},
		{"v2-job", "type: pipeline\njobs:\n  a: {type: command, component: azureml:c:1, depends_on: [b]}\n", `3 warning schema/unknown-key: "depends_on" is not a key of "jobs.a", and Azure ML does not support it: jobs wait for data only; pass an output of the other job to an input of this one`},
		{"v2-workspace", "name: ws\nmanaged_network:\n  isolation_mode: allow_internet_outbound\n  outbound_rules:\n  - name: a\n    type: service_tag\n    destination: {service_tag: DataFactory, protocol: TCP, port_ranges: 80}\n", `7 error schema/type: "port_ranges" must be text, but 80 is read as a number: put it in quotes`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ninputs:\n  a: {type: directory}\n", `5 error schema/value: "type" cannot be "directory": write boolean, custom_model, integer, mlflow_model, mltable, number, path, string, triton_model, uri_file or uri_folder; did you mean uri_folder?`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ninputs:\n  a: {type: float}\n", `5 error schema/value: "type" cannot be "float": write boolean, custom_model, integer, mlflow_model, mltable, number, path, string, triton_model, uri_file or uri_folder; did you mean number?`},
		{"v2-online-deployment", deployment + "model: azureml:m:1\ncompute: azureml:k8s\n", `5 error schema/unknown-key: "compute" is not a key of an Azure ML v2 managed online deployment, so Azure ML rejects the file: remove it, because the endpoint's file names it; a deployment on Kubernetes has type: kubernetes`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ninputs:\n  a: {type: uri_folder, path: b}\n", `5 error schema/unknown-key: "path" is not a key of "inputs.a", so Azure ML rejects the file: a component only declares its inputs; the job that runs it gives the path`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ninputs:\n  a: {type: number, value: 2}\n", `5 error schema/unknown-key: "value" is not a key of "inputs.a", so Azure ML rejects the file: a component only declares its inputs; write default, or give the value in the job that runs it`},
		{"v2-online-deployment", deployment + "model: azureml:m:1\ntraffic: {blue: 100}\n", `5 error schema/unknown-key: "traffic" is not a key of an Azure ML v2 managed online deployment, so Azure ML rejects the file: remove it; when the deployment exists, az ml online-endpoint update --traffic sends calls to it`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: {description: the pipeline sets it}\n", ""},
		{"v2-component", "name: a\ncommand: echo\nenvironment: {description: b, conda_file: c.yml}\n", `3 error schema/missing-key: "image" is missing, so the environment has nothing to run in: write image and a Docker image, or build and a folder`},
		{"v2-job", "command: echo\nenvironment: {description: a}\n", `2 error schema/missing-key: "image" is missing, so the environment has nothing to run in: write image and a Docker image, or build and a folder`},
		{"v2-job", "command: echo\nenvironment: {name: a, version: 2}\n", `2 error schema/missing-key: "image" is missing, so this is a new environment with nothing to run in: for the registered one, write environment: azureml:a:2`},
		{"v2-job", job + "compute_target: azureml:a\n", `3 error schema/unknown-key: "compute_target" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: did you mean "compute"?`},
		{"v2-job", job + "sourceDirectory: src\n", `3 error schema/unknown-key: "sourceDirectory" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: did you mean "code"?`},
		{"v2-job", job + "compute: azureml:a\ncompute_target: azureml:a\n", `4 error schema/unknown-key: "compute_target" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: remove it, or correct its name`},
		{"v2-compute", "name: a\ntype: amlcompute\nvm_size: b\nmax_nodes: 2\nidleTimeBeforeScaleDown: 1\n", `3 error schema/unknown-key: "vm_size" is not a key of an Azure ML v2 amlcompute compute, so Azure ML rejects the file: did you mean "size"?
4 error schema/unknown-key: "max_nodes" is not a key of an Azure ML v2 amlcompute compute, so Azure ML rejects the file: did you mean "max_instances"?
5 error schema/unknown-key: "idleTimeBeforeScaleDown" is not a key of an Azure ML v2 amlcompute compute, so Azure ML rejects the file: did you mean "idle_time_before_scale_down"?`},
		{"v2-online-deployment", "name: blue\nendpoint_name: a\nmodel: azureml:m:1\nvm_size: b\ncode_configuration:\n  code: a\n  entry_script: score.py\n", `4 error schema/unknown-key: "vm_size" is not a key of an Azure ML v2 managed online deployment, which needs the key "instance_type": did you mean that?
7 error schema/unknown-key: "entry_script" is not a key of "code_configuration", so Azure ML rejects the file: did you mean "scoring_script"?`},
		{"v2-schedule", "name: a\ntrigger: {type: cron, cron_expression: 0 0 * * *}\ncreate_job: azureml:a:1\n", `2 error schema/unknown-key: "cron_expression" is not a key of "trigger", which needs the key "expression": did you mean that?`},
		{"v2-online-endpoint", "name: abc\nauth_mode: key\nsku: Standard_D2as_v4\n", `3 error schema/unknown-key: "sku" is not a key of an Azure ML v2 managed online endpoint, so Azure ML rejects the file: it belongs in the file of the deployment, where the machine is instance_type`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ninputs:\n  a: {type: number, required: false}\n", `5 error schema/unknown-key: "required" is not a key of "inputs.a", so Azure ML rejects the file: write optional: true if the input may be left out`},
		{"v2-online-deployment", deployment + "model: azureml:m:1\nautoscale_settings: {max_instances: 2}\n", `5 error schema/unknown-key: "autoscale_settings" is not a key of an Azure ML v2 managed online deployment, so Azure ML rejects the file: remove it, and scale the deployment with az monitor autoscale create`},
		{"v2-connection", "name: a\ntype: azure_open_ai\napi_base: https://a.openai.azure.com\n", `3 error schema/unknown-key: "api_base" is not a key of an Azure ML v2 connection, which needs the key "azure_endpoint": did you mean that?`},
		{"v2-connection", "name: a\ntype: azure_ai_search\ntarget: https://a.search.windows.net\n", `1 error schema/missing-key: "endpoint" is missing, so the connection leads nowhere: write the address here, not in target`},
		{"v2-connection", "name: a\ntype: git\ntarget: https://github.com/a/b\ncredentials: {type: pat, token: '${PAT}'}\n", `4 error schema/unknown-key: "token" is not a key of "credentials", which needs the key "pat": did you mean that?`},
		{"v2-schedule", "name: a\ntype: cron\nexpression: 0 0 * * *\ncreate_job: azureml:a:1\n", `2 error schema/unknown-key: "type" is not a key of an Azure ML v2 schedule, so Azure ML rejects the file: it is the type of the trigger: write it under trigger, indented
3 error schema/unknown-key: "expression" is not a key of an Azure ML v2 schedule, so Azure ML rejects the file: write it under "trigger", indented`},
		{"v2-model", "name: a\npath: b\nmodel_format: mlflow\n", `3 error schema/unknown-key: "model_format" is not a key of an Azure ML v2 model, so Azure ML rejects the file: only the previews of 2021 had it; write type: mlflow_model, custom_model or triton_model`},
		{"v2-online-deployment", deployment + "model: azureml:m:1\nresource_requirements: {cpu: '1'}\n", `5 error schema/unknown-key: "resource_requirements" is not a key of an Azure ML v2 managed online deployment, so Azure ML rejects the file: remove it, because the VM size decides the CPUs, the GPUs and the memory`},
		{"v2-online-deployment", deployment + "type: kubernetes\nmodel: azureml:m:1\nresource_requirements: {limits: {cpu: '1'}}\n", `6 error schema/unknown-key: "resource_requirements" is not a key of an Azure ML v2 Kubernetes online deployment, so Azure ML rejects the file: did you mean "resources"?`},
		{"v2-job", "type: pipeline\ndefaults: {compute: azureml:a}\njobs: {}\n", `2 error schema/unknown-key: "defaults" is not a key of an Azure ML v2 pipeline job, so Azure ML rejects the file: write settings, with default_compute`},
		{"v2-job", job + "script: train.py\narguments: [a]\n", `3 error schema/unknown-key: "script" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: write command, with the program, the script and its arguments
4 error schema/unknown-key: "arguments" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: write them in command, after the script`},
		{"v2-environment", "name: a\nimge: b\n", `2 error schema/unknown-key: "imge" is not a key of an Azure ML v2 environment, so Azure ML rejects the file: did you mean "image"?`},
		{"v2-job", "type: spark\ncode: .\nentry: {file: a.py}\nresorces: {}\nconf: {spark.driver.cores: 1, spark.driver.memory: 1g, spark.executor.cores: 1, spark.executor.memory: 1g, spark.executor.instances: 1}\n", `4 error schema/unknown-key: "resorces" is not a key of an Azure ML v2 Spark job, so Azure ML rejects the file: did you mean "resources"?`},
		{"v2-job", "type: pipeline\njobs: {}\nsettings:\n  default_compute: gpu-cluster\n  default_datastore: a/b\n", `4 error schema/type: "default_compute" must be serverless or azureml:NAME, not "gpu-cluster": write azureml:gpu-cluster
5 error schema/type: "default_datastore" must be azureml:NAME, not "a/b"`},
		{"v2-job", "type: pipeline\njobs: {}\nsettings: {default_compute: serverles}\n", `3 error schema/type: "default_compute" must be serverless or azureml:NAME, not "serverles"`},
		{"v2-job", "type: sweep\ntrial: {command: echo, environment: azureml:env:1}\nsampling_algorithm: random\nlimits: {max_total_trials: 2}\nobjective: {goal: minimize, primary_metric: a}\nsearch_space:\n  lr: {spec: uniform, min_value: 1, max_value: 2}\n", `7 error schema/unknown-key: "spec" is not a key of "search_space.lr", so Azure ML rejects the file: only the previews of 2021 had it; write type`},
		{"v2-job", "type: sweep\ntrial: {command: echo, environment: azureml:env:1}\nsampling_algorithm: random\nlimits: {max_total_trials: 2, timeout_minutes: 90, trial_timeout_minutes: 9}\nobjective: {goal: minimize, primary_metric: a}\nsearch_space: {}\n", `4 error schema/unknown-key: "timeout_minutes" is not a key of "limits", so Azure ML rejects the file: write timeout, in seconds
4 error schema/unknown-key: "trial_timeout_minutes" is not a key of "limits", so Azure ML rejects the file: write trial_timeout, in seconds`},
		{"v2-environment", "name: e\nbuild: .\n", `2 error schema/type: "build" must be a mapping, but "." is a single value: write path: . on an indented line under it`},
		{"v2-job", job + "identity: user\n", `3 error schema/type: "identity" must be a mapping, but "user" is a single value: write type: user_identity on an indented line under it`},
		{"v2-job", job + "outputs: {a: azureml://datastores/b/paths/c}\n", `3 error schema/type: "a" must be a mapping, but "azureml://datastores/b/paths/c" is a single value: write path: azureml://datastores/b/paths/c on an indented line under it`},
		{"v2-job", job + "resources: 2\n", `3 error schema/type: "resources" must be a mapping, but 2 is a single value: write keys and values on indented lines under it`},
		{"v2-job", "type: spark\ncode: .\ncompute: azureml:c\nentry: a.py\nconf: {spark.driver.cores: 1, spark.driver.memory: 1g, spark.executor.cores: 1, spark.executor.memory: 1g, spark.executor.instances: 1}\n", `4 error schema/type: "entry" must be a mapping, but "a.py" is a single value: write file: a.py on an indented line under it`},
		{"v2-job", "type: sweep\ntrial: {command: echo, environment: azureml:env:1}\nsampling_algorithm: random\nlimits: {max_total_trials: 2}\nobjective: {goal: minimize, primary_metric: a}\nsearch_space:\n  a: uniform(0, 1)\n  b: [1, 2]\n", `7 error schema/type: "a" must be a mapping, but "uniform(0, 1)" is a single value: write type: uniform on an indented line under it
8 error schema/type: "b" must be a mapping, but the brackets [ ] make it a list: write type: choice, and values: with the list, on indented lines under it`},
		{"v2-job", job + "distribution: mpi\n", `3 error schema/type: "distribution" must be a mapping, but "mpi" is a single value: write type: mpi on an indented line under it`},
		{"v2-job", job + "inputs:\n  a-b: 1\n", `4 error schema/value: an input or output cannot be named "a-b": write letters, digits and _ only, with no digit first`},
		{"v2-batch-deployment", "name: b\nendpoint_name: e\nsettings: {mini_batch_size: 1}\n", `3 error schema/unknown-key: "settings" is not a key of an Azure ML v2 batch deployment, so Azure ML rejects the file: only a deployment with type: model has them there; write type: model, or the settings outside`},
		{"v2-job", "command: echo\nenv: azureml:e:1\ncompute: azureml:c\n", `2 error schema/unknown-key: "env" is not a key of an Azure ML v2 command job, which needs the key "environment": did you mean that?`},
		{"v2-job", "type: automl\ntask: text_ner\nlimits: {concurrent_trials: 2}\ntraining_data: {type: mltable, path: a}\nvalidation_data: {type: mltable, path: a}\n", `3 error schema/unknown-key: "concurrent_trials" is not a key of "limits", so Azure ML rejects the file: did you mean "max_concurrent_trials"?`},
		{"v2-job", "type: pipeline\nsettings: {default_compute_target: azureml:c, continue_on_failure: true, other_thing: 1}\njobs: {}\n", `2 warning schema/unknown-key: "default_compute_target" is not a key of "settings", and Azure ML does not support it: did you mean "default_compute"?
2 warning schema/unknown-key: "continue_on_failure" is not a key of "settings", and Azure ML does not support it: did you mean "continue_on_step_failure"?`},
		{"v2-batch-deployment", "name: b\nendpoint_name: e\nretry: {max_retries: 1}\n", `3 error schema/unknown-key: "retry" is not a key of an Azure ML v2 batch deployment, so Azure ML rejects the file: did you mean "retry_settings"?`},
		{"v2-model", "name: m\npath: a\ntype: mlflow\n", `3 error schema/value: "type" cannot be "mlflow": write custom_model, mlflow_model or triton_model; did you mean mlflow_model?`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ninputs:\n  a: {type: enum, enum: [x]}\n", `5 error schema/value: "type" cannot be "enum": write boolean, custom_model, integer, mlflow_model, mltable, number, path, string, triton_model, uri_file or uri_folder; did you mean string?`},
		{"v2-data", "name: d\npath: a\ntype: folder\n", `3 error schema/value: "type" cannot be "folder": write uri_file, uri_folder or mltable; did you mean uri_folder?`},
		{"v2-data", "name: d\npath: a\ntype: uri\n", `3 error schema/value: "type" cannot be "uri": write uri_file, uri_folder or mltable`},
		{"v2-job", "type: automl\ntask: regresion\n", `1 error schema/missing-key: "target_column_name" is missing, so Azure ML does not know what to predict: write the column's name
1 error schema/missing-key: "training_data" is missing, so there is nothing to learn from: write it, and below it type and path
2 error schema/value: "task" cannot be "regresion": write regression`},
		{"v2-job", "type: pipeline\nsteps: {}\n", `2 error schema/unknown-key: "steps" is not a key of an Azure ML v2 pipeline job, so Azure ML rejects the file: write jobs, with a name for each job under it`},
		{"v2-job", job + "identity:\n  type: user\n", `4 error schema/value: "type" cannot be "user": write user_identity`},
		{"v2-datastore", store + "  accountkey: x\n", `6 error schema/unknown-key: "accountkey" is not a key of "credentials", which needs the key "account_key": did you mean that?`},
		{"v2-datastore", store + "  account_key: 1\n", `6 error schema/type: "account_key" must be text, but its value is read as a number: put it in quotes`},
		{"v2-datastore", store + "  'account_key: x'\n", `6 error schema/type: "credentials" must be a mapping, but it is a single value: write each key on an indented line of its own, with a space after its colon`},
		{"v2-job", "command: echo\nenvironment: azureml:env:1\njob_type: Command\n", `3 error schema/unknown-key: "job_type" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: only the previews of 2021 had it; write type`},
		{"v2-data", "name: a\ndirectory: b\n", `2 error schema/unknown-key: "directory" is not a key of an Azure ML v2 data asset, so Azure ML rejects the file: only the previews of 2021 had it; write path, and type: uri_folder`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ndisplay: b\n", `4 warning schema/unknown-key: "display" is not a key of an Azure ML v2 command component, and Azure ML ignores it silently: did you mean "display_name"?`},
		{"v2-job", "type: pipeline\njobs: {}\ninputs:\n  a: {path: b, mode: upload}\n", `4 error schema/type: "mode" cannot be "upload": write download, ro_mount or direct, or an expression`},
		{"v2-data", "name: a\npath: b\n\u00a0\u00a0type: uri_file\n", `3 error schema/unknown-key: the spaces before this key are no-break spaces (U+00A0), as copied from a web page, so YAML takes them for a part of the key: write ordinary ones`},
		{"v2-job", "type: spark\nentry: {file: a.py}\ncode: b\ncompute: azureml:c\nconf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 1, spark.executor.memory: 2g, spark.executor.instances: 1}\ninputs:\n  a: {path: azureml:d:1, mode: mount}\n  b: {path: azureml:d:1, mode: dirct}\n  c: {path: azureml:d:1, mode: foo}\n",
			`7 error schema/value: a Spark job accepts only data in direct mode, not "mount": write direct
8 error schema/value: "mode" cannot be "dirct": write download, ro_mount or direct; did you mean direct?
9 error schema/value: a Spark job accepts only data in direct mode, not "foo": write direct`},
		{"v2-job", "type: spark\nentry: {file: a.py}\ncode: b\ncompute: azureml:c\nconf:\n  spark.driver.cores: 0\n  spark.driver.memory: ''\n  spark.executor.cores: '0'\n  spark.executor.memory: 0\n  spark.executor.instances: 1\n", `6 error schema/missing-key: "spark.driver.cores" is 0 or empty, which Azure ML takes for missing: write a value, such as 1
7 error schema/missing-key: "spark.driver.memory" is 0 or empty, which Azure ML takes for missing: write a value, such as 2g`},
		{"v2-workspace", "name: abc\npublic_network_access: False\n", `2 error schema/type: "public_network_access" must be Disabled or Enabled, but False is read as a boolean: write Disabled`},
		{"v2-schedule", "name: a\ntrigger: {type: cron, expression: 0 1 * * *}\ncreate_monitor:\n  compute: {instance_type: a, runtime_version: '3.5'}\n  alert_notification: a@b.c\n", `5 error schema/value: "alert_notification" cannot be "a@b.c": write azmonitoring, or emails and a list on indented lines under it`},
		{"v2-online-deployment", deployment + "type: manged\nmodel: {path: a}\nenvironment: {image: b}\ninstance_count: abc\n", `4 error schema/value: "type" cannot be "manged": write managed or kubernetes; did you mean managed?
7 error schema/type: "instance_count" must be a whole number, but "abc" is read as text: write digits only, without quotes`},
		{"v2-job", "type: automl\ntask: text_ner\ntraining_data: {type: mltable, path: a}\nvalidation_data: {type: mltable, path: a}\nlimits:\n  timeout_minutes: 0.5\n  max_trials: '1.5'\n", `6 warning schema/type: "timeout_minutes" must be a whole number, and Azure ML drops what 0.5 has after the point: write the number that it is to use
7 error schema/type: "max_trials" must be a whole number, but "1.5" is read as text: write digits only, without quotes`},
		{"v2-job", "type: sweep\ntrial: {command: a, environment: azureml:e:1}\nlimits: {max_total_trials: 1}\nobjective: {goal: minimize, primary_metric: a}\nsampling_algorithm: random\nsearch_space: {a: {type: log_uniform, values: [1]}}\n", `6 error schema/value: "type" cannot be "log_uniform": write choice, lognormal, loguniform, normal, qlognormal, qloguniform, qnormal, quniform, randint or uniform; did you mean loguniform?`},
		{"v2-component", "name: a\ntype:\nentry: {file: a.py}\n", `1 error schema/missing-key: "type" is missing, so Azure ML reads this as a command and rejects it: write type: spark`},
		{"v2-component", "name: a\ntype: data_transfer\ntask: COPY_DATA\ninputs: {a: {type: uri_folder}}\noutputs: {b: {type: uri_folder}}\n", `3 error schema/value: "task" cannot be "COPY_DATA": write copy_data`},
		{"v2-component", "name: a\ntype: data_transfer\ntask: copy_data\ninputs: {a: {type: uri_folder}}\n", `1 error schema/missing-key: "outputs" is missing, so Azure ML rejects the file: this file needs it`},
		{"v2-job", "type: AutoML\ntask: classification\nprimary_metric: accuracy\ntarget_column_name: y\ntraining_data: {type: mltable, path: azureml:d:1}\ncompute: azureml:c\n", `1 error schema/value: "type" cannot be "AutoML": write command, spark, pipeline, sweep, import, distillation, automl or finetuning; did you mean automl?`},
		{"v2-job", "type: automl\ntask: textNer\ntraining_data: {type: mltable, path: a}\nvalidation_data: {type: mltable, path: a}\n", `2 error schema/value: "task" cannot be "textNer": write one of 10 names, such as classification; did you mean text_ner?`},
		{"v2-online-deployment", deployment + "model: {path: a}\nenvironment: {image: b}\ninstance_count: 1\nenv: {}\n", `7 error schema/unknown-key: "env" is not a key of an Azure ML v2 managed online deployment, so Azure ML rejects the file: did you mean "environment_variables"?`},
		{"v2-job", "type: sweep\ntrial: {command: a, environment: azureml:e:1}\nlimits: {max_total_trials: 1}\nobjective: {goal: minimize, primary_metric: a}\nsampling_algorithm: random\nsearch_space: []\n", `6 error schema/type: "search_space" must be a mapping, but the brackets [ ] make it a list`},
		{"v2-online-deployment", deployment + "type: kuberntes\nmodel: {path: a}\nenvironment: {image: b}\nresources: {requests: {cpu: '1'}}\n", `4 error schema/value: "type" cannot be "kuberntes": write managed or kubernetes; did you mean kubernetes?`},
		{"v2-connection", "name: a\ntype: azure_open_a\nazure_endpoint: https://b\napi_key: c\n", `2 error schema/value: "type" cannot be "azure_open_a": write azure_open_ai`},
		{"v2-connection", "name: a\ntype: PythonFeed\ntarget: https://b\n", ""},
		{"v2-datastore", "name: a\ntype: azure_blob\naccount_name: abc\ncontainer_name: abc\ncredentials:\n  sas_tokn: abc\n", `6 error schema/unknown-key: "sas_tokn" is not a key of "credentials", which needs the key "sas_token": did you mean that?`},
		{"v2-data", "name: a\npath: azureml://datastores/a/paths/b\nsoure: {type: database, connection: azureml:b, query: c}\n", `3 error schema/unknown-key: "soure" is not a key of an Azure ML v2 data import, which needs the key "source": did you mean that?`},
		{"v2-schedule", "name: a\ntrigger: {type: cron, expression: 0 1 * * *}\nCREATE_MONITOR:\n  compute: {instance_type: a, runtime_version: '3.5'}\n", `3 error schema/unknown-key: "CREATE_MONITOR" is not a key of an Azure ML v2 monitor schedule, so Azure ML rejects the file: did you mean "create_monitor"?`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:e:1\nis_deterministic:\n- true\nresources: {instance_count: [1]}\n", `5 error schema/type: "is_deterministic" must be true or false, but the dashes make it a list: write only the value
6 error schema/type: "instance_count" must be a whole number, but the brackets [ ] make it a list: write only the value`},
		{"v2-job", "- command: echo\n", `1 error schema/type: the file contains a list, but this file has keys and values: remove the dashes, and the spaces in front of its keys`},
		{"v2-job", "type: pipeline_job\n", `1 error schema/value: "type" cannot be "pipeline_job", which only the previews of 2021 had: write pipeline`},
		{"v2-job", "type: sweep_job\n", `1 error schema/value: "type" cannot be "sweep_job", which only the previews of 2021 had: write sweep`},
		{"v2-compute", "tyep: amlcompute\nname: a\n", `1 error schema/unknown-key: "tyep" is not a key of an Azure ML v2 compute, which needs the key "type": did you mean that?`},
		{"v2-environment", "$schema:\nimage: a\n", `1 error schema/type: "$schema" has no value: write the address of a schema, or remove the line`},
		{"v2-online-deployment", "name: b\n" + deployment[len("name: blue\n"):], `1 error schema/type: "name" must be a name of 3 to 32 letters, digits and hyphens that begins with a letter, not "b"`},
		{"v2-online-deployment", deployment + "model: {path: a}\nenvironment: {image: b}\n", ""},
		{"v2-online-deployment", "endpoint_name: a\ncode_configuration:\n  code: a\n  instance_type: b\n", `4 error schema/unknown-key: "instance_type" is not a key of "code_configuration", so Azure ML rejects the file: write it one level further out, next to "code_configuration"`},
		{"v2-environment", "image: a\n", ""},
		{"v2-workspace", "name: a\nmanaged_network: {isolation_mode: disabled, outboundRules: []}\n", `2 warning schema/unknown-key: "outboundRules" is not a key of "managed_network", and Azure ML ignores it silently: did you mean "outbound_rules"?`},
		{"v2-job", "type: spark\nentry: {file: a.py}\ncode: b\ncompute: azureml:c\nconf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 1, spark.executor.memory: 2g, spark.dynamicAllocation.enabled: true, spark.dynamicAllocation.minExecutors: 1, spark.dynamicAllocation.maxExecutors: '4'}\n", `5 error schema/type: "spark.dynamicAllocation.maxExecutors" must be a whole number, not text: write digits only, without quotes`},
		{"v2-job", "type: spark\nentry: {file: a.py}\ncode: b\ncompute: azureml:c\nconf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 1, spark.executor.memory: 2g, spark.dynamicAllocation.enabled: true, spark.dynamicAllocation.minExecutors: 0, spark.dynamicAllocation.maxExecutors: 4}\n", `5 error schema/missing-key: "spark.dynamicAllocation.minExecutors" is 0 or empty, which Azure ML takes for missing: write a value, such as 1`},
		{"v2-schedule", "name: a\ntrigger: {type: cron, expression: 0 1 * * *}\n", `1 error schema/missing-key: "create_job" is missing, so it starts nothing: write azureml:NAME, or the path of a job's file`},
		{"v2-registry", "name: a\nlocation: b\n", `1 error schema/missing-key: "replication_locations" is missing, so Azure ML does not know where it is: write it, and below it - location: and a region`},
		{"v2-schedule", "name: a\ntrigger: {type: cron, expression: 0 1 * * *}\njob: azureml:j\n", `3 error schema/unknown-key: "job" is not a key of an Azure ML v2 schedule, which needs the key "create_job": did you mean that?`},
		{"v2-job", "type: automl\ntask: text_ner\nlimits: {timeout: 60}\ntraining_data: {type: mltable, path: a}\nvalidation_data: {type: mltable, path: a}\n", `3 error schema/unknown-key: "timeout" is not a key of "limits", so Azure ML rejects the file: did you mean "timeout_minutes"?`},
		{"v2-schedule", "create_job: azureml:j\ntrigger: {type: cron, expression: 0 1 * * *, start_time: '2025-1-31 8:00'}\n", ""},
		{"v2-schedule", "create_job: azureml:j\ntrigger: {type: cron, expression: 0 1 * * *, start_time: '2025-01-31T08:00:00 UTC'}\n", `2 error schema/type: "start_time" must be a date and a time, such as 2025-01-31T08:00:00, not "2025-01-31T08:00:00 UTC"`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ninputs:\n  type: {type: string}\n  rows: {description: b}\n", `6 error schema/missing-key: "type" is missing, so Azure ML rejects the file: "inputs.rows" needs it`},
		{"v2-job", "type: sweep\ntrial: {command: a, environment: azureml:e:1}\nlimits: {max_total_trials: 1}\nobjective: {goal: minimize, primary_metric: a}\nsampling_algorithm: random\nsearch_space: {a: {type: uniform, min_value: 1, max_value: '${{inputs.b}}'}}\n", `6 error schema/type: "max_value" must be a number, and Azure ML accepts no expression here: write digits only`},
		{"v2-job", "tpye: spark\ncode: b\nentry: {file: a.py}\ncompute: azureml:c\nconf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 1, spark.executor.memory: 2g, spark.executor.instances: 1}\n", `1 error schema/unknown-key: "tpye" is not a key of an Azure ML v2 Spark job, which needs the key "type": did you mean that?`},
		{"v2-job", "code: b\nentry: {file: a.py}\ncompute: azureml:c\nconf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 1, spark.executor.memory: 2g, spark.executor.instances: 1}\n", `1 error schema/missing-key: "type" is missing, so the file is read as a command job: write type: spark`},
		{"v2-job", "type: pipeline\njobs:\n  a:\n    code: b\n    entry: {file: a.py}\n    compute: azureml:c\n    conf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 1, spark.executor.memory: 2g, spark.executor.instances: 1}\n", `4 error schema/missing-key: "type" is missing, so Azure ML rejects the file: write type: spark`},
		{"v2-job", "Type: pipeline\njobs:\n  a: {command: echo, environment: azureml:e:1}\n", `1 error schema/unknown-key: "Type" is not a key of an Azure ML v2 pipeline job, so Azure ML rejects the file: did you mean "type"?`},
		{"v2-component", "name: a\ntyp: pipeline\njobs:\n  a: {command: echo, environment: azureml:e:1}\n", `1 error schema/missing-key: "type" is missing, so Azure ML reads this as a command and rejects it: write type: pipeline
2 warning schema/unknown-key: "typ" is not a key of an Azure ML v2 pipeline component, and Azure ML ignores it silently: did you mean "type"?`},
		{"v2-component", "name: a\nmini_batch_size: '1'\ninput_data: ${{inputs.b}}\ntask: {type: run_function, code: c, entry_script: d.py, environment: azureml:e:1}\ninputs: {b: {type: uri_folder}}\n", `1 error schema/missing-key: "type" is missing, so Azure ML rejects the file: write type: parallel`},
		{"v2-datastore", "name: a\ntyp: azure_file\naccount_name: abc\nfile_share_name: share\n", `2 error schema/unknown-key: "typ" is not a key of an Azure ML v2 file share datastore, which needs the key "type": did you mean that?`},
		{"v2-job", "type: spark\nentry: {file: a.py}\ncode: b\ncompute: azureml:c\nconf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 1, spark.executor.memory: 2g, spark.executor.instances: 1}\ninputs: {a: {type: uri_folder, path: azureml:d:1, mode: direc}}\n", `6 error schema/value: "mode" cannot be "direc": write download, ro_mount or direct; did you mean direct?`},
		{"v2-compute", "name: aa\ntype: amlcompute\nsize: Standard_D4as_v4\nssh_public_access_enabled: 1e2\n", `4 error schema/type: "ssh_public_access_enabled" must be true or false, but 1e2 is read as a number`},
		{"v2-compute", "name: aa\ntype: amlcompute\nsize: Standard_D4as_v4\nssh_public_access_enabled: 1.0\n", ""},
		{"v2-job", "type: pipeline\njobs:\n  a:\n    trial: ./b.yml\n    limits: {max_total_trials: 1}\n    objective: {goal: minimize, primary_metric: a}\n    sampling_algorithm: random\n    search_space: {a: {type: choice, values: [1]}}\n", ""},
		{"v2-job", "type: sweep\ntrial: ./trial.yml\nlimits: {max_total_trials: 1}\nobjective: {goal: minimize, primary_metric: a}\nsampling_algorithm: random\nsearch_space: {a: {type: choice, values: [1]}}\n", `2 error schema/type: "trial" must be a mapping, but "./trial.yml" is a single value: write keys and values on indented lines under it`},
		{"v2-job", "command: echo\ncompute: azureml:c\nenvironment: {name: 5, version: , image: a}\nlimits: {timeout: '1_000'}\ntags: {2024-1-1: a}\n", ""},
		{"v2-data", "name: a\npath: b\ntags:\n  on: c\n  'off': d\n  2024: e\n  2024-01-01: f\n  ~: g\n  y: h\n", `4 error schema/type: the name on must be text, but without quotes it is read as true: put it in quotes
6 error schema/type: the name 2024 must be text, but without quotes it is read as a number: put it in quotes
7 error schema/type: the name 2024-01-01 must be text, but without quotes it is read as a date: put it in quotes
8 error schema/type: the name ~ must be text, but without quotes it is read as nothing: put it in quotes`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ninputs:\n  no: {type: string}\n", `5 error schema/type: the name no must be text, but without quotes it is read as false: put it in quotes`},
		{"v2-job", job + "environment_variables: {1: a, on: b}\n", ""},
		{"v2-online-endpoint", "name: abc\ntags: {1: a}\nproperties: {on: b}\n", ""},
		{"v2-connection", "name: a\ntype: git\n", `1 error schema/missing-key: "target" is missing, so the connection leads nowhere: write the address that it connects to`},
		{"v2-job", "type: automl\ntask: text_ner\n", `1 error schema/missing-key: "training_data" is missing, so there is nothing to learn from: write it, and below it type and path`},
		{"v2-job", "type: pipeline\njobs:\n  a:\n    type: automl\n    task: text_ner\n", `4 error schema/missing-key: "training_data" is missing, so there is nothing to learn from: write it, and below it type and path`},
		{"v2-feature-store-entity", "name: a\nversion: '1'\nindex_columns:\n- type: string\n", `4 error schema/missing-key: "name" is missing, so Azure ML rejects the file: "index_columns" needs it`},
		{"v2-feature-store-entity", "name: a\nversion: '1'\nindex_columns:\n  name: b\n  type: string\n", `4 error schema/type: "index_columns" must be a list, but the colons make it a mapping: write a dash before its first key, and indent the others like that`},
		{"v2-job", "type: spark\nentry: {file: a.py}\ncode: b\ncompute: azureml:c\nconf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 1, spark.executor.instances: 1, spark.executor.memory: 2g}\npy_files:\n  a: b\n", `7 error schema/type: "py_files" must be a list, but the colon makes it a mapping`},
		{"v2-workspace", "name: a\ntags:\npurpose: b\nowner: c\n", `2 error schema/type: "tags" has no value: indent the lines that belong to it, from "purpose" on
3 error schema/unknown-key: "purpose" is not a key of an Azure ML v2 workspace, so Azure ML rejects the file: if it is one of "tags", indent it
4 error schema/unknown-key: "owner" is not a key of an Azure ML v2 workspace, so Azure ML rejects the file: if it is one of "tags", indent it`},
		{"v2-job", job + "limits:\n- timeout: 60\n", `4 error schema/type: "limits" must be a mapping, but the dashes make it a list: remove the dashes`},
		{"v2-feature-store", "name: a\noffline_store: {type: azure_data_lake_gen2, target: b}\n", `2 error schema/type: "target" must be the whole id of a resource, /subscriptions/…, not "b"`},
		{"v2-mltable", table + "- read_delimited: {delimiter: ',', header: from_first_file, encoding: UTF-8, infer_column_types: false}\n- read_parquet:\n- take: 1_0\n- take: -0\n- skip: !!int\n- skip: !!int [1]\n- drop_columns: a\n- keep_columns: [b]\n" +
			"- convert_column_types:\n  - {columns: a, column_type: int}\n  - {columns: [b], column_type: {datetime: {formats: ['%Y']}}}\n- take_random_sample: {probability: 0.5, seed: 1}\n- filter: col('a') > 1\n", ""},
		{"v2-mltable", "query_source: {handler: a}\n", ""},
		{"v2-mltable", "paths:\n- files: ./*.csv\n", `2 error schema/unknown-key: "files" is not a key of "paths", so Azure ML rejects the file: did you mean "pattern"?`},
		{"v2-mltable", "paths:\n- files: ./a.csv\n", `2 error schema/unknown-key: "files" is not a key of "paths", so Azure ML rejects the file: did you mean "file"?`},
		{"v2-mltable", table + "- read_csv: {delimiter: ','}\n- read_delimted\n", `3 error schema/unknown-key: "read_csv" is not a key of "transformations", so Azure ML rejects the file: remove it, or correct its name
4 error schema/value: item 2 of "transformations" cannot be "read_delimted": write read_delimited, read_parquet, read_json_lines or read_delta_lake; did you mean read_delimited?`},
		{"v2-mltable", table + "- read_delimited:\n  delimiter: ','\n- read_delimited: {seperator: ',', header: true}\n", `4 error schema/unknown-key: "delimiter" is not a key of "transformations", so Azure ML rejects the file: write it under "read_delimited", indented
5 error schema/unknown-key: "seperator" is not a key of "transformations.read_delimited", so Azure ML rejects the file: remove it, or correct its name
5 error schema/type: "header" must be no_header, from_first_file, all_files_different_headers or all_files_same_headers, but true is read as a boolean`},
		{"v2-mltable", table + "- drop_columns: {columns: [a]}\n- keep_columns: {pattern: a, invert: true}\n- extract_columns_from_partition_format: {partition_form: a}\n", `3 error schema/missing-key: "pattern" is missing, so no column is selected: write it, or a list of names instead
5 error schema/unknown-key: "partition_form" is not a key of "transformations.extract_columns_from_partition_format", which needs the key "partition_format": did you mean that?`},
		{"v2-mltable", "path: [{file: a.csv}]\nname: a\n", `1 error schema/unknown-key: "path" is not a key of an Azure ML v2 table, which needs the key "paths": did you mean that?
2 error schema/unknown-key: "name" is not a key of an Azure ML v2 table, so Azure ML rejects the file: its keys are $schema, metadata, paths, traits, transformations and type`},
		{"v2-mltable", "paths: {file: a.csv}\ntransformations: [take: '1', take_random_sample: {probability: '1', seed: 1}]\n", `1 error schema/type: "paths" must be a list, but the braces { } make it a mapping
2 error schema/type: "take" must be a whole number, but "1" is read as text: write digits only, without quotes
2 error schema/type: "probability" must be a number, but "1" is read as text: write digits only, without quotes`},
		{"v2-job", "type: finetuning\nmodel_provider: Custom\nmodel: {path: azureml:a:1}\ntask: chat_completion\ntraining_data: {type: uri_file, path: azureml:d:1}\n", `2 error schema/value: "model_provider" cannot be "Custom": write custom`},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ninstance_count: 2\n", ""},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\ninstance_count: 2\nresources: {shm_size: 2g}\n", `4 error schema/value: "instance_count" and "resources" exclude each other: write it under "resources", indented`},
		{"v2-compute", "name: a\nsize: b\n", `1 error schema/missing-key: "type" is missing, so Azure ML does not know what to create: write amlcompute, virtualmachine, kubernetes, synapsespark or computeinstance`},
		{"v2-job", "type: sweep\ntrial: {command: echo, environment: azureml:env:1}\nsampling_algorithm: random\nlimits: {max_total_trials: 2}\nobjective: {goal: minimize, primary_metric: a}\nsearch_space:\n  lr: {type: log_uniform, min: 1, max: 2}\n", `7 error schema/value: "type" cannot be "log_uniform": write uniform or loguniform; did you mean loguniform?
7 error schema/unknown-key: "min" is not a key of "search_space.lr", which needs the key "min_value": did you mean that?
7 error schema/unknown-key: "max" is not a key of "search_space.lr", which needs the key "max_value": did you mean that?`},
		{"v2-job", "type: automl\ntask: classification\ncompute: azureml:c\ntraining_data: azureml:d:1\nlabel_column_name: y\nlimits: {iterations: 3}\n", `4 error schema/type: "training_data" must be a mapping, but "azureml:d:1" is a single value: write path: azureml:d:1 on an indented line under it
5 error schema/unknown-key: "label_column_name" is not a key of an Azure ML v2 AutoML job, which needs the key "target_column_name": did you mean that?
6 error schema/unknown-key: "iterations" is not a key of "limits", so Azure ML rejects the file: did you mean "max_trials"?`},
		{"v2-job", "type: finetuning\ntask: TextCompletion\nmodel_provider: custom\nmodel: {path: a}\ntraining_data: {path: a}\n", `2 error schema/value: "task" cannot be "TextCompletion": write one of 11 names, such as chat_completion; did you mean text_completion?`},
		{"v2-job", "type: finetuning\ntask: textCompletion\nmodel_provider: custom\nmodel: {path: a}\ntraining_data: {path: a}\n", ""},
		{"v2-workspace", "name: abc\npublic_network_access: true\nserverless_compute: {custom_subnet: vnet/default}\n", `2 error schema/type: "public_network_access" must be Disabled or Enabled, but true is read as a boolean: write Enabled
3 error schema/type: "custom_subnet" must be the whole id of a subnet, /subscriptions/…, not "vnet/default"`},
		{"v2-workspace", "name: abc\nserverless_compute: {custom_subnet: None}\n", ""},
		{"v2-workspace", "name: abc\nidentity:\n  type: user_assigned\n  user_assigned_identities:\n  - resource_id: /subscriptions/a\n", `5 error schema/type: "user_assigned_identities" must be a mapping, but the dashes make it a list: write each item as NAME: VALUE, on indented lines under it`},
		{"v2-compute", "name: abc\ntype: kubernetes\nresource_id: my-cluster\n", `3 error schema/type: "resource_id" must be the whole id of a resource, /subscriptions/…, not "my-cluster"`},
		{"v2-compute", "name: abc\ntype: computeinstance\nidle_time_before_shutdown: 30\n", `3 error schema/type: "idle_time_before_shutdown" must be a duration such as PT30M, which is 30 minutes, but 30 is read as a number`},
		{"v2-schedule", monitor + "  monitoring_target: {ml_task: classification, endpoint_deployment_id: azureml:fraud}\n", `5 error schema/type: "endpoint_deployment_id" must be azureml:ENDPOINT:DEPLOYMENT, not "azureml:fraud"`},
		{"v2-job", "type: spark\ncode: .\nentry: {file: a.py}\ncompute: azureml:c\nconf: {spark.driver.cores: 1, spark.driver.memory: 1g, spark.executor.cores: 1, spark.executor.memory: 1g, spark.executor.instances: 1}\ndriver_cores: 2\n", `6 error schema/unknown-key: "driver_cores" is not a key of an Azure ML v2 Spark job, so Azure ML rejects the file: write it under conf, by Spark's own name, such as spark.driver.cores or spark.dynamicAllocation.enabled`},
		{"v2-schedule", monitor + "  monitoring_target: {ml_task: classification, endpoint_deployment_id: fraud:blue}\n", ""},
		{"v2-schedule", monitor + "  monitoring_target: {ml_task: classification, endpoint_deployment_id: /subscriptions/a/resourceGroups/b/providers/Microsoft.MachineLearningServices/workspaces/c/onlineEndpoints/d/Deployments/e}\n", ""},
		{"v2-component", "name: a\ncommand: echo\nenvironment: azureml:env:1\nenvironment_variables: []\n", `4 error schema/type: "environment_variables" must be a mapping, and a component's has no effect: write it in the job that runs the component`},
		{"v2-environment", "name: e\nimage: a\nconda_file: []\n", `3 warning schema/type: nothing is in "conda_file", so Azure ML installs no packages: write the path of a conda file, or remove the line`},
		{"v2-environment", "name: e\nimage: a\nconda_file: false\n", `3 warning schema/type: nothing is in "conda_file", so Azure ML installs no packages: write the path of a conda file, or remove the line`},
		{"v2-schedule", "name: a\ntrigger: {type: cron, expression: 1 * * * *}\ncreate_job:\n  type: command\n  job: azureml:j\n  settings: {}\n", `6 error schema/unknown-key: "settings" is not a key of "create_job", so Azure ML rejects the file: write it in the file of the job`},
		{"v2-workspace", "name: web\nmanaged_network:\n  isolation_mode: allow_internet_outbound\n  outbound_rules:\n  - {name: a, type: null, destination: pypi.org}\n  - {name: b, type: FQDN, destination: pypi.org}\n", `5 error schema/type: "type" has no value: write fqdn, service_tag or private_endpoint, or remove the line`},
		{"v2-job", "type: comand\ncomand: echo\nenvironment: azureml:env:1\n", `1 error schema/value: "type" cannot be "comand": write command
2 error schema/unknown-key: "comand" is not a key of an Azure ML v2 command job, which needs the key "command": did you mean that?`},
		{"v2-job", job + "inputs: []\n", `3 error schema/type: "inputs" must be a mapping, but the brackets [ ] make it a list: write {}, or remove the line`},
		{"v2-feature-set", "name: a\nversion: '1'\nentities:\n- {name: b, type: c}\nspecification: {path: c}\nfeatures: []\nmaterialization: {type: spark}\n", `4 error schema/type: item 1 of "entities" must be text, but the braces { } make it a mapping: write azureml:NAME:VERSION
6 error schema/unknown-key: "features" is not a key of an Azure ML v2 feature set, so Azure ML rejects the file: it belongs in FeatureSetSpec.yaml, in the folder that specification.path names
7 error schema/unknown-key: "materialization" is not a key of an Azure ML v2 feature set, so Azure ML rejects the file: write materialization_settings, with offline_enabled or online_enabled`},
		{"v2-feature-store", "name: store\nonline_store: {type: redis, resource_id: a}\n", `2 error schema/unknown-key: "resource_id" is not a key of "online_store", which needs the key "target": did you mean that?`},
		{"v2-job", "type: automl\ntask: classification\nprimary_metric: accuracy\ntarget_column_name: y\ntraining_data: {type: mltable, path: azureml:d:1}\ntraining: {max_trials: 1}\nlimits: {enable_vote_ensemble: false}\nfeaturization: {mode: auto, drop_columns: [a]}\n", `6 error schema/unknown-key: "max_trials" is not a key of "training", so Azure ML rejects the file: write it under "limits", next to "training"
7 error schema/unknown-key: "enable_vote_ensemble" is not a key of "limits", so Azure ML rejects the file: write it under "training", next to "limits"
8 error schema/unknown-key: "drop_columns" is not a key of "featurization", so Azure ML rejects the file: write it in the file MLTable of the data, under transformations`},
		{"v2-schedule", monitor + "  monitoring_signals: {a: {type: data_drift, metric_thresholds: [{metric_name: a}], features: {all_features: {}}, production_data: {input_data: {type: uri_folder, path: azureml:d:1, window_size: P1D}}}}\n", `5 error schema/type: "metric_thresholds" must be a mapping, but the brackets [ ] make it a list: its keys are categorical, data_type, numerical and threshold
5 error schema/unknown-key: "all_features" is not a key of "create_monitor.monitoring_signals.a.features", so Azure ML rejects the file: write features: all_features
5 error schema/unknown-key: "window_size" is not a key of "create_monitor.monitoring_signals.a.production_data.input_data", so Azure ML rejects the file: write data_window, next to input_data`},
		{"v2-pipeline-component-batch-deployment", "name: a\nendpoint_name: ep\ntype: pipeline\ncomponent: azureml:c:1\ncompute: azureml:cpu\n", `5 error schema/unknown-key: "compute" is not a key of an Azure ML v2 batch deployment of a pipeline component, so Azure ML rejects the file: write default_compute, under settings`},
		{"v2-job", job + "resources:\n  vm_size: Standard_DS3_v2\n  limits: {nvidia.com/gpu: 1}\n", `4 error schema/unknown-key: "vm_size" is not a key of "resources", so Azure ML rejects the file: did you mean "instance_type"?
5 error schema/unknown-key: "limits" is not a key of "resources", so Azure ML rejects the file: remove it, because the VM size decides the CPUs, the GPUs and the memory`},
		{"v2-online-deployment", deployment + "env: [{name: A, value: b}]\nliveness_probe: {initial_delay: 10s, path: /}\nauth_mode: key\n", `4 error schema/unknown-key: "env" is not a key of an Azure ML v2 managed online deployment, so Azure ML rejects the file: did you mean "environment_variables"?
5 error schema/type: "initial_delay" must be a whole number, but "10s" is read as text: write the number of seconds, without quotes
5 error schema/unknown-key: "path" is not a key of "liveness_probe", so Azure ML rejects the file: remove it; inference_config of the environment names the routes
6 error schema/unknown-key: "auth_mode" is not a key of an Azure ML v2 managed online deployment, so Azure ML rejects the file: it belongs in the file of the endpoint`},
		{"v2-compute", "name: cpu\ntype: amlcompute\nsize: Standard_DS3_v2\nscale_settings: {min_node_count: 0}\n", `4 error schema/unknown-key: "scale_settings" is not a key of an Azure ML v2 amlcompute compute, so Azure ML rejects the file: write min_instances, max_instances and idle_time_before_scale_down outside it`},
		{"v2-environment", "name: e\nimage: a\nenv: {A: b}\n", `3 error schema/unknown-key: "env" is not a key of an Azure ML v2 environment, so Azure ML rejects the file: it belongs in the job or the deployment that uses the environment, as environment_variables`},
		{"v2-schedule", "name: a\ntrigger: {type: recurrence, frequency: daily, interval: 1}\ncreate_job: azureml:j\n", `2 error schema/value: "frequency" cannot be "daily": write minute, hour, day, week or month; did you mean day?`},
		{"v2-datastore", "name: s\ntype: blob\ncontainer_name: c\n", `1 error schema/missing-key: "account_name" is missing, so Azure ML cannot find the storage: write the account's name
2 error schema/value: "type" cannot be "blob": write azure_blob`},
		{"v2-component", "type: automl\nname: a\ntask: classification\ninputs: {a: {type: mltable}}\n", ""},
		{"v2-model", "name: a\npath: b\nvariantInfo: {}\n", `3 error schema/unknown-key: "variantInfo" is not a key of an Azure ML v2 model, so Azure ML rejects the file: only the tools of azureml-assets read it, so remove it for az ml`},
		{"v2-schedule", "name: a\ntrigger: {type: cron, expression: 1}\ncreate_job: azureml:j\n", `2 error schema/type: "expression" must be text, but 1 is read as a number: put it in quotes`},
	} {
		src := source.New("x.yml", []byte(c.text))
		var got []string
		for _, f := range Validate(c.kind, src, document.Parse(src).Root()) {
			got = append(got, strings.Join([]string{string(rune('0' + src.LineAt(f.Span.Start))), f.Severity.String(), f.Rule + ": " + f.Message}, " "))
		}
		testkit.Same(t, c.want, strings.Join(got, "\n"), "%s %q", c.kind, c.text)
	}
}
