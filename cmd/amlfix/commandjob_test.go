//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// shellPipeline is a pipeline of shell commands whose first step is written last.
const shellPipeline = `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
inputs:
  data: {type: uri_folder, path: data}
  word: raw
  code: 0
outputs:
  model: {type: uri_folder}
jobs:
  train:
    type: command
    environment: {image: python:3.12}
    inputs:
      clean: ${{parent.jobs.prep.outputs.clean}}
      count: ${{parent.jobs.prep.outputs.count}}
    outputs:
      model: ${{parent.outputs.model}}
    command: ls "${{inputs.clean}}"; cat ${{inputs.clean}}/* ${{inputs.count}}; echo trained > ${{outputs.model}}/m
  prep:
    component: prep/component.yml
    inputs:
      raw: {type: uri_folder, path: "${{parent.inputs.data}}", mode: ro_mount}
      word: ${{parent.inputs.word}}
      code: ${{parent.inputs.code}}
-- prep/component.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
type: command
name: prep
inputs:
  raw: {type: uri_folder}
  word: {type: string}
  code: {type: integer, default: 3}
  extra: {type: uri_folder, optional: true}
outputs:
  clean: {type: uri_folder}
  count: {type: uri_file}
code: .
environment: {image: python:3.12}
command: >-
  sh prep.sh ${{inputs.raw}} ${{outputs.clean}} ${{inputs.word}} $[[--extra ${{inputs.extra}}]]
  && echo 1 > ${{outputs.count}} && exit ${{inputs.code}}
-- prep/prep.sh --
cp "$1"/* "$2"; shift 2; echo "prepared: $*"
-- data/one --
first
-- data/two --
second
`

// TestPipeline runs the steps of a pipeline in the order of their bindings, each with what the previous step has made
// in this run.
func TestPipeline(t *testing.T) {
	dir := testkit.Folder(t, shellPipeline)
	r := amlfix(t, dir, "run", "pipeline.yml", "-t", "local", "--input", "word=two words")
	if diff := cmp.Diff("prepared: two words\none\ntwo\nfirst\nsecond\n1\n", r.out); diff != "" || r.code != 0 {
		t.Fatalf("%d %s\n%s", r.code, diff, r.err)
	}
	for name, want := range map[string]string{"model/m": "trained\n", "prep/clean/one": "first\n", "prep/count": "1\n"} {
		testkit.Same(t, want, testkit.Read(t, dir, "outputs/"+name))
	}
	testkit.OK(t, os.Remove(filepath.Join(dir, "data", "one")))
	r = amlfix(t, dir, "run", "pipeline.yml", "-t", "local") // outputs/prep/clean/one is from the previous run
	if diff := cmp.Diff("prepared: raw\ntwo\nsecond\n1\n", r.out); diff != "" || r.code != 0 {
		t.Errorf("%d %s\n%s", r.code, diff, r.err)
	}
	if list := amlfix(t, dir, "runs"); strings.Count(list.out, "succeeded") != 4 {
		t.Errorf("each step has a record: %s", list.out)
	}
	r = amlfix(t, dir, "run", "--step", "train", "pipeline.yml", "-t", "local")
	if diff := cmp.Diff("one\ntwo\nfirst\nsecond\n1\n", r.out); diff != "" || r.code != 0 {
		t.Errorf("one step has what is in outputs/: %d %s\n%s", r.code, diff, r.err)
	}
	r = amlfix(t, dir, "run", "pipeline.yml", "-t", "local", "--input", "code=7")
	if r.code != 7 || strings.Contains(r.out, "second") || !strings.HasSuffix(r.err, "amlfix: the pipeline ends here: 1 step not run\n") {
		t.Errorf("a step that fails ends it: %d %s%s", r.code, r.out, r.err)
	}
}

// TestInputsInText checks that values of a pipeline's inputs can be parts of a step's input, and that data cannot.
func TestInputsInText(t *testing.T) {
	edit := func(value string) string {
		return testkit.Folder(t, strings.Replace(shellPipeline, "word: ${{parent.inputs.word}}", "word: "+value, 1))
	}
	dir := edit("'${{parent.inputs.word}},${{parent.inputs.code}}/x'")
	for text, args := range map[string][]string{"word=raw,0/x": nil, "word=new,7/x": {"--input", "word=new", "--input", "code=7"}} {
		r := amlfix(t, dir, append([]string{"run", "pipeline.yml", "-t", "local", "--plan"}, args...)...)
		if r.code != 0 || !strings.Contains(r.out, text+"  (pipeline.yml:") {
			t.Errorf("want %s: %d %s%s", text, r.code, r.out, r.err)
		}
	}
	r := amlfix(t, edit("--data=${{parent.inputs.data}}/one"), "run", "pipeline.yml", "-t", "local", "--plan")
	if r.code != 125 || !strings.Contains(r.err, ": input word combines ${{parent.inputs.data}} with other text, but only values of the pipeline's inputs can be part of a text: ") {
		t.Errorf("%d %s", r.code, r.err)
	}
}

// TestInputAfterASecretOption hides a value that the command shows to be a password, and not the others.
func TestInputAfterASecretOption(t *testing.T) {
	dir := testkit.Folder(t, "-- job.yml --\ntype: command\ncommand: run ${{inputs.n}} --password ${{inputs.p}}\nenvironment: {image: x}\ninputs: {n: hunter, p: hunter2}\n")
	r := amlfix(t, dir, "run", "job.yml", "-t", "local", "--plan")
	if !strings.Contains(r.out, " n=hunter ") || !strings.Contains(r.out, " p=*** ") || strings.Contains(r.out, "hunter2") {
		t.Errorf("%+v", r)
	}
	for command, want := range map[string]string{
		"run --password hunter2024":                          "year=2024 ",
		"run --env ${{inputs.env}} --password ${{inputs.p}}": "env=prod ",
		"run --password '${{inputs.p}}' --env prod":          "p=*** ",
	} {
		dir := testkit.Folder(t, "-- job.yml --\ntype: command\ncommand: "+command+"\nenvironment: {image: x}\ninputs: {year: '2024', env: prod, p: prodpass}\n")
		if r := amlfix(t, dir, "run", "job.yml", "-t", "local", "--plan"); !strings.Contains(r.out+" ", " "+want) {
			t.Errorf("%s: %+v", command, r)
		}
	}
}

// TestBoundSettings checks that the machines, processes, time limit and shared memory of a step can be inputs of its
// pipeline.
func TestBoundSettings(t *testing.T) {
	dir := testkit.Folder(t, `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
inputs: {nodes: 1, processes: 2, limit: 30, shm: 128m}
settings: {default_compute: azureml:cpu}
jobs:
  a:
    type: command
    component: part.yml
    resources: {instance_count: "${{parent.inputs.nodes}}", shm_size: "${{parent.inputs.shm}}"}
    distribution: {type: pytorch, process_count_per_instance: "${{parent.inputs.processes}}"}
    limits: {timeout: "${{parent.inputs.limit}}"}
-- part.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
type: command
name: part
environment: {image: python:3.12}
command: echo
`)
	r := amlfix(t, dir, "run", "pipeline.yml", "--plan", "--input", "processes=3")
	testkit.Has(t, r.out, "processes    3  ", "time limit   30s  ", "/dev/shm     134.2 MB  ")
	r = amlfix(t, dir, "run", "pipeline.yml", "--plan", "--input", "nodes=2")
	testkit.Has(t, r.err, "pipeline.yml:9: instance_count is 2, but")
}

// TestArtifacts checks that an output without a value is everything that the step leaves, and that a step's output has
// the type that the pipeline gives it.
func TestArtifacts(t *testing.T) {
	dir := testkit.Folder(t, `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings: {default_compute: azureml:cpu}
outputs:
  word: {type: uri_file}
jobs:
  a:
    command: echo world > outputs/world.txt; echo word > ${{outputs.word}}
    environment: {image: python:3.12}
    outputs:
      artifacts:
      default:
      word: ${{parent.outputs.word}}
  b:
    command: cat ${{inputs.all}}/outputs/world.txt ${{inputs.same}}/outputs/world.txt ${{inputs.word}}
    environment: {image: python:3.12}
    inputs:
      all: ${{parent.jobs.a.outputs.artifacts}}
      same: ${{parent.jobs.a.outputs.default}}
      word: ${{parent.jobs.a.outputs.word}}
`)
	r := amlfix(t, dir, "run", "pipeline.yml", "-t", "local")
	if r.code != 0 || r.out != "world\nworld\nword\n" {
		t.Errorf("%d %s\n%s", r.code, r.out, r.err)
	}
	testkit.Same(t, "word\n", testkit.Read(t, dir, "outputs/word"))
}

// TestPipelineLinks checks that a step finds the links that the previous one has made in its outputs.
func TestPipelineLinks(t *testing.T) {
	dir := testkit.Folder(t, `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings: {default_compute: azureml:cpu}
jobs:
  a:
    command: >-
      cd ${{outputs.model}} && mkdir steps && echo 100 > steps/100 && ln -s steps/100 latest &&
      rmdir ../word 2>/dev/null; ln -s model/steps/100 ../word
    environment: {image: python:3.12}
    outputs:
      model: {type: uri_folder}
      word: {type: uri_file}
  b:
    command: cat ${{inputs.model}}/latest ${{inputs.word}}
    environment: {image: python:3.12}
    inputs:
      model: ${{parent.jobs.a.outputs.model}}
      word: ${{parent.jobs.a.outputs.word}}
`)
	for range 2 { // the second one replaces them
		r := amlfix(t, dir, "run", "pipeline.yml", "-t", "local")
		if r.code != 0 || r.out != "100\n100\n" {
			t.Errorf("%d %s\n%s", r.code, r.out, r.err)
		}
	}
}

const typedComponent = `type: command
inputs:
  # file and folder
  file: {type: uri_file, optional: true}
  folder: {type: uri_folder, optional: true}
  n: {type: integer, default: 1}
  lr: {type: number, default: 1, min: 0, max: 1}
  how: {type: string, default: fast, enum: [fast, slow]}
  "on": {type: boolean, default: true}
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
name: typed
version: 1
command: echo
environment: {image: x}
`

// nestedPipeline passes its input through another pipeline, which allows more than the step.
const nestedPipeline = `
-- nested.yml --
type: pipeline
inputs: {speed: 0.1}
jobs:
  b:
    component: inner.yml
    inputs: {rate: "${{parent.inputs.speed}}"}
-- inner.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineComponent.schema.json
type: pipeline
name: inner
inputs:
  rate: {type: number, max: 5}
jobs:
  a:
    type: command
    component: typed.yml
    inputs: {lr: "${{parent.inputs.rate}}"}
`

// TestCommandUsage checks that mistakes on the command line of a v2 job list the valid choices.
func TestCommandUsage(t *testing.T) {
	dir := testkit.Folder(t, shellPipeline+"-- typed.yml --\n"+typedComponent+"-- around.yml --\ntype: pipeline\ninputs: {rate: 0.1}\njobs:\n  a:\n    component: typed.yml\n    inputs: {lr: \"${{parent.inputs.rate}}\"}\n"+nestedPipeline+"-- folder.yml --\ntype: pipeline\ninputs: {p: {type: uri_folder, path: .}}\njobs:\n  a:\n    component: typed.yml\n    inputs: {lr: \"${{parent.inputs.p}}\"}\n-- other.yml --\na: b\n-- broken.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: [\n")
	for args, want := range map[string]string{
		"run pipeline.yml --step trian":                  "did you mean train?\nThere are: prep, train",
		"run pipeline.yml --input word":                  "--input word: write NAME=VALUE",
		"run pipeline.yml --input zz=x --input yy=x":     "--input yy: the pipeline has no such input",
		"run pipeline.yml --input wrod=x":                "the pipeline has no such input; did you mean word?",
		"run pipeline.yml --input clean=x":               "the pipeline has no such input; it has data, word, code (--step gives a step its own)",
		"run pipeline.yml -t vm":                         "There are: local, docker, k8s, azureml",
		"run pipeline.yml train.py":                      "a job's arguments are in its command",
		"run pipeline.yml -c x":                          "-c selects a run configuration",
		"run prep/component.yml --step x":                "is not a pipeline",
		"run prep/component.yml --input raw=nothere":     "--input raw: there is no file or folder",
		"run prep/component.yml --image x -t local":      "--image is for containers, and jobs of target local are processes: leave it out",
		"run prep/component.yml --input gone=1 -t local": "the job has no such input; it has raw",
		"run typed.yml --input file=.":                   "is a folder, but the input is a uri_file (typed.yml:4): give the path of a file",
		"run typed.yml --input folder=":                  "--input folder: the path is empty, but the input is data (typed.yml:5): write one after folder=",
		"run typed.yml --input folder=typed.yml":         "is a file, but the input is a uri_folder (typed.yml:5): give the path of a folder",
		"run typed.yml --input n=1.5":                    "--input n: 1.5 does not fit: the input is an integer (typed.yml:6)",
		"run typed.yml --input n=x":                      "the input is an integer",
		"run typed.yml --input lr=2":                     "the input is at most 1 (typed.yml:7)",
		"run typed.yml --input lr=-1":                    "the input is at least 0",
		"run typed.yml --input lr=fast":                  "the input is a number",
		"run typed.yml --input how=slw":                  "the input is one of fast, slow (typed.yml:8)",
		"run typed.yml --input on=maybe":                 "the input is true or false (typed.yml:9)",
		"run around.yml --plan --input rate=2":           "--input rate: 2 does not fit: the step's input is at most 1 (around.yml:6)",
		"run around.yml --plan --input rate=x":           "--input rate: x does not fit: the step's input is a number",
		"run nested.yml --plan --input speed=3":          "--input speed: 3 does not fit: the step's input is at most 1 (inner.yml:10)",
		"run nested.yml --plan --input speed=6":          "--input speed: 6 does not fit: the step's input is at most 1 (inner.yml:10)",
		"run folder.yml --plan --input p=other.yml":      "--input p: other.yml does not fit: the step's input is a number",
		"run other.yml":                                  "is not an Azure ML v2 job file",
		"run nothere.yml":                                "nothere.yml",
		"run --input a=b train.py":                       "--input is for Azure ML v2 jobs",
		"run pipeline.yml -t azureml --step train":       "--step: Azure ML runs the whole pipeline",
	} {
		if r := amlfix(t, dir, strings.Fields(args)...); r.code != console.BadUsage && !strings.Contains(args, "nothere.yml") || !strings.Contains(r.err, want) {
			t.Errorf("%s: %d\n%s", args, r.code, r.err)
		}
	}
	if r := amlfix(t, dir, "run", "nested.yml", "--plan", "--input", "speed=0.5"); !strings.Contains(r.out, "lr=0.5  (--input speed)") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "run", "inner.yml", "-t", "local"); !strings.Contains(r.err, "inner.yml:5: input rate of the pipeline has no value: give it with --input rate=VALUE") {
		t.Errorf("%+v", r)
	}
	testkit.Write(t, dir, "files.yml", "type: pipeline\ninputs: {f: {type: uri_folder}}\njobs:\n  a:\n    component: prep/component.yml\n    inputs: {raw: \"${{parent.inputs.f}}\", word: x}\n")
	if r := amlfix(t, dir, "run", "files.yml", "-t", "local"); !strings.Contains(r.err, "give it with --input f=PATH") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "run", "other.yml"); !strings.HasPrefix(r.err, "amlfix: other.yml is not") {
		t.Errorf("it says more: %s", r.err)
	}
	if r := amlfix(t, dir, "run", "broken.yml", "-t", "local"); r.code != console.NotStarted || !strings.Contains(r.err, "yaml/syntax") {
		t.Errorf("%d\n%s", r.code, r.err)
	}
}

// standInCLI stands in for the Azure CLI, which needs a workspace. It proves how the CLI is called and how its output
// and exit code are handled, and nothing about the service.
const standInCLI = `#!/bin/sh
echo "STAND-IN az: $*" >&2
[ "$1" = extension ] && exit 0
[ -n "$REFUSES" ] && { echo "ERROR: $REFUSES" >&2; exit 1; }
[ -n "$DIES" ] && kill -9 $$
echo "Uploading src" >&2
echo "RunId: calm_node_1"
echo "Web View: https://ml.azure.com/runs/calm_node_1?wsid=w"
[ -n "$LATER" ] && kill -9 $$
[ -n "$WAITS" ] && exec sleep 600
echo "RunId: another"
echo "I tensorflow/core/common_runtime/gpu/gpu_device.cc:1030] Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 0000:86:00.0)"
exit ${FAILS:-0}
`

// TestSubmit passes a file to the Azure CLI, and reads its output.
func TestSubmit(t *testing.T) {
	dir := testkit.Folder(t, "\n-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ntype: command\ncommand: echo ${{inputs.n}} ${{inputs.d}}\n"+
		"inputs:\n  n: 1\n  d: {type: uri_folder, path: 'azureml:d:1'}\nenvironment: {image: python:3.12}\ncompute: azureml:cpu\n"+
		"-- bad.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ntype: command\ncommand: echo ${{inputs.n}}\nenvironment: {image: python:3.12}\n")
	bin := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(bin, "az"), []byte(standInCLI), 0o755))
	path := os.Getenv("PATH")
	run := func(args string) result {
		t.Helper()
		return amlfix(t, dir, strings.Fields("run "+args+" -t azureml")...)
	}

	t.Setenv("PATH", t.TempDir())
	if r := run("job.yml"); r.code != console.NotStarted || !strings.Contains(r.err, "aka.ms/installazurecli") || !strings.Contains(r.err, "az ml job create --file job.yml --stream") {
		t.Errorf("without a CLI: %d\n%s", r.code, r.err)
	}
	t.Setenv("PATH", bin+":"+path)
	r := run("job.yml --input n=2 --input d=azureml:d:2")
	if r.code != 0 || !strings.Contains(r.out, "RunId: calm_node_1\n") ||
		!strings.Contains(r.err, "STAND-IN az: ml job create --file job.yml --stream --set inputs.d.path=azureml:d:2 --set inputs.n=2\n") {
		t.Errorf("%d\n%s\n%s", r.code, r.out, r.err)
	}
	if !strings.Contains(r.err, ": the job succeeded in Azure ML\n") || !strings.Contains(r.err, "STAND-IN") || !strings.Contains(lastLine(r.err), "Tesla K80") {
		t.Errorf("the verdict on the GPU: %s", r.err)
	}
	if r := run("job.yml --require-gpu"); r.code != console.NoGPU {
		t.Errorf("a stand-in proves nothing: %d", r.code)
	}
	if r := run("job.yml --plan"); r.code != 0 || r.err != "" || !strings.Contains(r.out, "az ml job create --file job.yml --stream\n") {
		t.Errorf("%d %s%s", r.code, r.out, r.err)
	}
	if r := run("job.yml --check"); r.code != 0 || !strings.Contains(r.out, "has its extension ml") {
		t.Errorf("%d %s%s", r.code, r.out, r.err)
	}
	if r := run("bad.yml"); r.code != console.NotStarted || strings.Contains(r.err, "STAND-IN") || !strings.Contains(r.err, "ref/input") {
		t.Errorf("errors stop it: %d %s", r.code, r.err)
	}
	t.Setenv("FAILS", "3")
	if r := run("job.yml"); r.code != 3 || !strings.Contains(r.err, ": the job failed in Azure ML") {
		t.Errorf("a job that fails: %d %s", r.code, r.err)
	}
	for said, want := range map[string]string{
		"no such compute":                                                                       "see its output above",
		"Please run 'az login' to setup account":                                                "you are not logged in, or your login has expired: run `az login`",
		"'ml' is misspelled or not recognized by the system.":                                   "it has no extension ml: run `az extension add --name ml`",
		"the following arguments are required: --workspace-name/-w, --resource-group/-g":        "it does not know your workspace: run `az configure --defaults group=GROUP workspace=WORKSPACE`",
		"<…>: Failed to establish a new connection: [Errno 111] Connection refused":             "it cannot reach Azure: check the network, or set HTTPS_PROXY if there is a proxy",
		"SSLError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed (_ssl.c:992)'": "it does not trust a certificate: set REQUESTS_CA_BUNDLE to a file with the certificate of your network",
	} {
		t.Setenv("REFUSES", said)
		if r := run("job.yml"); r.code != console.NotStarted || !strings.Contains(r.err, "amlfix: not started: the Azure CLI has not created the job; "+want+"\n") {
			t.Errorf("a job that is refused: %d %s", r.code, r.err)
		}
	}
	t.Setenv("REFUSES", "")
	for when, want := range map[string]string{
		"DIES":  "amlfix: not started: the Azure CLI was ended by a signal (killed); `az ml job list` shows whether it has created the job\n",
		"LATER": ": the job continues in Azure ML; `az ml job stream --name calm_node_1` follows it\n",
	} {
		t.Setenv(when, "1")
		if r := run("job.yml"); r.code != console.NotStarted || !strings.Contains(r.err, want) {
			t.Errorf("a CLI that is killed: %d %s", r.code, r.err)
		}
		t.Setenv(when, "")
	}
	if r := amlfix(t, dir, "runs"); strings.Count(r.out, "detached") != 1 {
		t.Errorf("a job that continues: %s", r.out)
	}
}

// TestSubmittedRuns checks that a job created by the stand-in CLI has a record like any other run.
func TestSubmittedRuns(t *testing.T) {
	dir := testkit.Folder(t, "\n-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ntype: command\ncommand: echo ${{inputs.api_key}}\n"+
		"inputs: {api_key: a}\nenvironment: {image: python:3.12}\ncompute: azureml:cpu\n")
	bin := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(bin, "az"), []byte(standInCLI), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	submit := func() result {
		return amlfix(t, dir, "run", "job.yml", "-t", "azureml", "--input", "api_key=hunter2hunter2")
	}
	list := func() (runs []record.Entry) {
		t.Helper()
		runs, err := record.List(dir)
		testkit.OK(t, err)
		return runs
	}
	t.Setenv("REFUSES", "1")
	submit()
	if runs := list(); len(runs) != 0 {
		t.Errorf("a job that was not created has a record: %v", runs)
	}
	t.Setenv("REFUSES", "")
	t.Setenv("FAILS", "3")
	submit()
	runs := list()
	if len(runs) != 1 {
		t.Fatal(runs)
	}
	failed := runs[0]
	testkit.Same(t, &record.AzureML{Name: "calm_node_1", Studio: "https://ml.azure.com/runs/calm_node_1?wsid=w"}, failed.AzureML)
	testkit.Same(t, []any{"failed", 3, 3, true, true}, []any{failed.Outcome, failed.Code, failed.Exit.Code, failed.GPU.StandIn, failed.Over()})
	id := failed.ID.String()
	for _, tt := range []struct {
		args, want string
		code       int
	}{
		{"list", "job.yml --set inputs.api_key=***", 0},
		{"list", "failed (3)", 0},
		{"show " + id, "calm_node_1", 0},
		{"show " + id, "https://ml.azure.com/runs/calm_node_1?wsid=w", 0},
		{"show --format json " + id, `"azureml":{"name":"calm_node_1"`, 0},
		{"report " + id, "calm_node_1", 0},
		{"logs " + id, "RunId: calm_node_1\n", 0},
		{"logs " + id, "Uploading src\n", 0}, // printed before the record existed
		{"fetch " + id, "`az ml job download --name calm_node_1` fetches its outputs", 2},
		{"stop " + id, "has ended: failed", 0},
	} {
		r := amlfix(t, dir, append([]string{"runs"}, strings.Fields(tt.args)...)...)
		if all := r.out + r.err; r.code != tt.code || !strings.Contains(all, tt.want) || strings.Contains(all, "hunter2") && !strings.HasPrefix(tt.args, "logs") {
			t.Errorf("%s: %d\n%s", tt.args, r.code, all)
		}
	}
	t.Setenv("FAILS", "")
	t.Setenv("WAITS", "1")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		testkit.Until(t, "the job has a record with its page", func() bool {
			runs, _ := record.List(dir)
			return len(runs) == 2 && runs[1].AzureML != nil && runs[1].AzureML.Studio != ""
		})
		cancel(&process.Signalled{Signal: os.Interrupt})
	}()
	r := amlfixWith(ctx, dir, nil, "run", "job.yml", "-t", "azureml")
	left := list()[1]
	id = left.ID.String()
	if r.code != 130 || left.Over() || !strings.Contains(r.err, "run "+id+": the job continues in Azure ML; `az ml job cancel --name calm_node_1` ends it") {
		t.Errorf("%d\n%s", r.code, r.err)
	}
	for args, want := range map[string]string{
		"attach " + id: "`az ml job stream --name calm_node_1` follows it", "stop " + id: "`az ml job cancel --name calm_node_1` ends it",
		"list": "detached", "show " + id: "`az ml job show --name calm_node_1` says how it is", "clean": "nothing to remove",
	} {
		if r := amlfix(t, dir, append([]string{"runs"}, strings.Fields(args)...)...); !strings.Contains(r.out+r.err, want) {
			t.Errorf("%s: %d\n%s%s", args, r.code, r.out, r.err)
		}
	}
	if r := amlfix(t, dir, "runs", "clean", "--older", "0s"); !strings.Contains(r.err, "removed the record of run "+id) || len(list()) != 0 {
		t.Errorf("%d\n%s", r.code, r.err)
	}
}

// TestJobsAreNamedByTheirCommand checks that what amlfix says about a v2 job on this machine is about its command and
// inputs, and not about the shell that starts it.
func TestJobsAreNamedByTheirCommand(t *testing.T) {
	dir := testkit.Folder(t, `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
type: command
inputs: {rate: 0.1, data: {type: uri_folder, path: data}}
environment: {image: python:3.12}
command: |
  echo ${{inputs.rate}} ${{inputs.data}}/*
  true
-- data/one --
`)
	for rate, want := range map[string]string{"0.1": "amlfix: running echo 0.1 .amlfix/inputs/data/* …\n", "0.2": "amlfix: running echo 0.2 .amlfix/inputs/data/* …\n"} {
		if r := amlfix(t, dir, "run", "job.yml", "-t", "local", "--input", "rate="+rate); r.code != 0 || !strings.Contains(r.err, want) {
			t.Errorf("%+v", r)
		}
	}
	r := amlfix(t, dir, "runs", "compare")
	for _, want := range []string{"  rate ", "  command ", "  data "} {
		if !strings.Contains(r.out, want) || strings.Contains(r.out, "argument") {
			t.Errorf("%q: %s", want, r.out)
		}
	}
}

// TestCodeFile checks that code can be a single file: the job's folder then has only that.
func TestCodeFile(t *testing.T) {
	dir := testkit.Folder(t, "-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: sh a.sh; ls\ncode: src/a.sh\nenvironment: {image: python:3.12}\n-- src/a.sh --\necho ran\n-- src/b.sh --\n")
	r := amlfix(t, dir, "run", "job.yml", "-t", "local")
	if r.code != 0 || r.out != "ran\na.sh\noutputs\n" || strings.Contains(r.err, "outside outputs/") {
		t.Errorf("%d %s\n%s", r.code, r.out, r.err)
	}
}
