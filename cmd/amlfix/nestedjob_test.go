//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// nested is a pipeline whose steps are pipelines: a component that is used twice and contains another one.
const nested = `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
inputs:
  data: {type: uri_folder, path: data}
  word: top
outputs:
  final: {type: uri_folder}
jobs:
  report:
    type: command
    environment: {image: python:3.12}
    inputs:
      first: {type: uri_folder, path: "${{parent.jobs.first.outputs.result}}"}
      second: {type: uri_folder, path: "${{parent.jobs.second.outputs.result}}"}
    command: cat ${{inputs.first}}/text ${{inputs.second}}/text
  second:
    type: pipeline
    component: sub/pipeline.yml
    inputs:
      from: {type: uri_folder, path: "${{parent.jobs.first.outputs.result}}"}
      word: two words
    outputs:
      result: ${{parent.outputs.final}}
  first:
    type: pipeline
    component: sub/pipeline.yml
    inputs:
      from: {type: uri_folder, path: "${{parent.inputs.data}}"}
      word: ${{parent.inputs.word}}
-- sub/pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineComponent.schema.json
type: pipeline
name: sub
inputs:
  from: {type: uri_folder}
  word: {type: string}
  sign: {type: string, default: "!"}
outputs:
  result: {type: uri_folder}
jobs:
  copy:
    type: command
    environment: {image: python:3.12}
    inputs:
      from: {type: uri_folder, path: "${{parent.inputs.from}}"}
    outputs:
      made: {type: uri_folder}
    command: cp ${{inputs.from}}/text ${{outputs.made}}/text
  deep:
    type: pipeline
    component: deep.yml
    inputs:
      made: {type: uri_folder, path: "${{parent.jobs.copy.outputs.made}}"}
      word: ${{parent.inputs.word}}
      sign: ${{parent.inputs.sign}}
    outputs:
      out: ${{parent.outputs.result}}
-- sub/deep.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineComponent.schema.json
type: pipeline
name: deep
inputs:
  made: {type: uri_folder}
  word: {type: string}
  sign: {type: string}
outputs:
  out: {type: uri_folder}
jobs:
  add:
    type: command
    environment: {image: python:3.12}
    inputs:
      made: {type: uri_folder, path: "${{parent.inputs.made}}"}
      word: ${{parent.inputs.word}}
      sign: ${{parent.inputs.sign}}
    outputs:
      out: ${{parent.outputs.out}}
    command: cat ${{inputs.made}}/text > ${{outputs.out}}/text; echo ${{inputs.word}}${{inputs.sign}} >> ${{outputs.out}}/text; echo "added in $(basename ${{outputs.out}})"
-- data/text --
text
`

// TestNestedPipelines runs nested pipelines: inputs and outputs pass through each, even if one is used twice.
func TestNestedPipelines(t *testing.T) {
	dir := testkit.Folder(t, nested)
	plan := amlfix(t, dir, "run", "pipeline.yml", "-t", "local", "--plan")
	var order []string
	for line := range strings.Lines(plan.out) {
		if name, ok := strings.CutPrefix(line, "step "); ok {
			order = append(order, strings.TrimSpace(name))
		}
	}
	if d := cmp.Diff([]string{"first.copy", "first.deep.add", "second.copy", "second.deep.add", "report"}, order); d != "" || plan.code != 0 {
		t.Fatalf("%d %s\n%s", plan.code, plan.err, d)
	}
	r := amlfix(t, dir, "run", "pipeline.yml", "-t", "local", "--input", "word=one")
	if d := cmp.Diff("added in result\nadded in final\ntext\none!\ntext\none!\ntwo words!\n", r.out); d != "" || r.code != 0 {
		t.Fatalf("%d %s\n%s", r.code, r.err, d)
	}
	for name, want := range map[string]string{"final/text": "text\none!\ntwo words!\n", "first/result/text": "text\none!\n", "first/copy/made/text": "text\n", "second/copy/made/text": "text\none!\n"} {
		testkit.Same(t, want, testkit.Read(t, dir, "outputs/"+name))
	}
	r = amlfix(t, dir, "run", "pipeline.yml", "-t", "local", "--step", "second.deep.add")
	if d := cmp.Diff("added in final\n", r.out); d != "" || r.code != 0 {
		t.Errorf("%d %s\n%s", r.code, r.err, d)
	}
	testkit.Same(t, "text\none!\ntwo words!\n", testkit.Read(t, dir, "outputs/final/text"))
	r = amlfix(t, dir, "run", "pipeline.yml", "-t", "local", "--step", "report") // the second is where the pipeline's own output is
	if d := cmp.Diff("text\none!\ntext\none!\ntwo words!\n", r.out); d != "" || r.code != 0 {
		t.Errorf("%d %s\n%s", r.code, r.err, d)
	}
	r = amlfix(t, dir, "run", "pipeline.yml", "-t", "local", "--step", "deep.add")
	if r.code != 2 || !strings.Contains(r.err, "There are: first.copy, first.deep.add, second.copy, second.deep.add, report") {
		t.Errorf("%d %s", r.code, r.err)
	}
}

// TestPipelinesThatCannot checks that something that is not a pipeline of the project, or that contains itself, is
// refused with its line.
func TestPipelinesThatCannot(t *testing.T) {
	for want, edit := range map[string][2]string{
		"sub/deep.yml:12: step second.deep.add is the pipeline that it is in":                                                  {"  add:\n    type: command\n    environment: {image: python:3.12}\n    inputs:\n      made: {type: uri_folder, path: \"${{parent.inputs.made}}\"}", "  add:\n    type: pipeline\n    component: pipeline.yml\n    inputs:\n      from: {type: uri_folder, path: \"${{parent.inputs.made}}\"}"},
		"pipeline.yml:18: the pipeline that this step runs is not in this project: save its file here, and refer to that file": {"  second:\n    type: pipeline\n    component: sub/pipeline.yml", "  second:\n    type: pipeline\n    component: azureml:other:1"},
	} {
		text := strings.Replace(nested, edit[0], edit[1], 1)
		if text == nested {
			t.Fatal("the edit changes nothing")
		}
		dir := testkit.Folder(t, text)
		r := amlfix(t, dir, "run", "pipeline.yml", "-t", "local", "--plan")
		if _, err := os.Stat(filepath.Join(dir, "outputs")); r.code != 125 || !strings.Contains(r.err, want) || err == nil {
			t.Errorf("%d %s\nwant %s", r.code, r.err, want)
		}
	}
}

// TestStepAlone checks that errors in other steps of a pipeline stop only the whole pipeline, but that those in the
// step itself, and in what surrounds the steps, stop it as well.
func TestStepAlone(t *testing.T) {
	dir := testkit.Folder(t, `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
jobs:
  p:
    command: echo ${{inputs.none}}
    environment: {image: python:3.12}
  q:
    command: echo q
    environment: {image: python:3.12}
  r:
    type: if_else
    condition: ${{parent.jobs.p.outputs.x}}
    true_block: ${{parent.jobs.q}}
-- fixable.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
jobs:
  q:
    command: echo ${{inputs.a}
    inputs: {a: q}
    environment: {image: python:3.12}
  p:
    command: echo ${{inputs.none}} ${{inputs.none}
    environment: {image: python:3.12}
  r: {type: if_else}
-- shared.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
jobs:
  p:
    command: echo ${{inputs.none}}
    environment: &same {image: python:3.12}
  q:
    command: echo q
    environment: *same
-- outer.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings: {default_compute: [1]}
jobs:
  q:
    command: echo q
    environment: {image: python:3.12}
`)
	for args, want := range map[string]result{
		"pipeline.yml --step q":        {code: 0, out: "q\n"},
		"pipeline.yml --step p":        {code: 125, err: "pipeline.yml:5:"},
		"pipeline.yml --step r":        {code: 125, err: "pipeline.yml:11: step r decides at run time what runs, which only Azure ML can do"},
		"pipeline.yml":                 {code: 125, err: "pipeline.yml:11: step r decides at run time what runs, which only Azure ML can do"},
		"fixable.yml --step q --apply": {code: 0, out: "q\n"},
		"shared.yml --step q":          {code: 125, err: "shared.yml:5:"},
		"outer.yml --step q":           {code: 125, err: "outer.yml:3:"},
	} {
		r := amlfix(t, dir, append(strings.Fields("run -t local"), strings.Fields(args)...)...)
		if r.code != want.code || r.out != want.out || !strings.Contains(r.err, want.err) {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

// TestMissingInputs checks that all missing inputs of a job, and of all steps, are reported at once, each one once.
func TestMissingInputs(t *testing.T) {
	dir := testkit.Folder(t, `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
type: command
inputs:
  a: {type: uri_folder, path: "azureml:a:1"}
  b: {type: uri_folder, path: there}
  n: 1
command: echo ${{inputs.a}} ${{inputs.b}} ${{inputs.n}}
environment: {image: python:3.12}
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
inputs:
  data: {type: uri_folder, path: "azureml:d:1"}
jobs:
  one:
    inputs: {d: "${{parent.inputs.data}}"}
    outputs: {o: {type: uri_folder}}
    command: echo ${{inputs.d}} ${{outputs.o}}
    environment: {image: python:3.12}
  two:
    inputs: {d: "${{parent.inputs.data}}", o: "${{parent.jobs.one.outputs.o}}", x: {type: uri_file, path: "azureml:x:1"}}
    command: echo ${{inputs.d}} ${{inputs.o}} ${{inputs.x}}
    environment: {image: python:3.12}
`)
	a := "amlfix: job.yml:4: input a is azureml:a:1, which exists only in Azure ML: give a copy with --input a=PATH\n"
	b := "amlfix: job.yml:5: input b is there, which does not exist: give a copy with --input b=PATH\n"
	d := "amlfix: pipeline.yml:4: input data is azureml:d:1, which exists only in Azure ML: give a copy with --input data=PATH\n"
	x := "amlfix: pipeline.yml:12: input x is azureml:x:1, which exists only in Azure ML: write a path there, or run the step alone, with --step two --input x=PATH\n"
	for args, want := range map[string]result{
		"job.yml": {err: a + b, code: 125}, "job.yml --plan": {err: a + b, code: 125}, "pipeline.yml": {err: d + x, code: 125},
		"pipeline.yml --plan": {out: "step         one\n\nstep         two\n", err: d + d + x, code: 125}, // each with its step,
	} {
		if r := amlfix(t, dir, append(strings.Fields("run -t local"), strings.Fields(args)...)...); r != want {
			t.Errorf("%s: %+v", args, r)
		}
	}
}
