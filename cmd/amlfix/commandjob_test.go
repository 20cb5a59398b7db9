//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/console"
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
