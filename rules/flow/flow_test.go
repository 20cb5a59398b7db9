package flow_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

const project = `
-- job/pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
description: "${{inputs.prose}}"
inputs:
  description: {type: uri_folder, path: azureml:a:1}
jobs:
  first:
    component: ../parts/train.yml
    inputs:
      description: ${{parent.inputs.description}}
  second:
    type: command
    component:
      command: echo ${{inputs.text}}
      environment: azureml:env:1
      inputs:
        text: {type: string}
    inputs: {text: a}
  third:
    component: azureml:there:1
  fourth:
    type: automl
    training_data: ${{parent.jobs.third.outputs.any}}
  fifth:
    component: azureml:train:1
-- parts/train.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
name: train
version: 1
command: |  # ${{inputs.no}}
  echo "${{inputs.a}}" $[[${{inputs.b}}]] ${outputs.c}
environment: azureml:env:1
inputs:
  a: {type: string}
`

// TestRead checks what is read from a pipeline, including one whose component is outside the folder that was asked for
// or is given by its registered name.
func TestRead(t *testing.T) {
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(project)).Files {
		testkit.Write(t, root, f.Name, f.Data)
	}
	testkit.OK(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	roots, err := schema.Discover([]string{filepath.Join(root, "job")})
	if err != nil || len(roots) != 1 {
		t.Fatalf("%d roots: %v", len(roots), err)
	}
	var got []string
	for _, b := range flow.Read(schema.Load(roots[0], schema.Options{})) {
		line := b.File.Rel
		if b.Key != nil {
			line += " " + b.Key.Value
		}
		if b.Runs != nil {
			line += " runs " + fmt.Sprint(b.Runs.Inputs.List(9))
		}
		if b.Elsewhere {
			line += " elsewhere"
		}
		got = append(got, line)
		for _, u := range b.Uses {
			if written := string(b.File.Source.Slice(u.At)); written != "${{"+u.Name+"}}" && !u.Broken {
				t.Errorf("%q is at the span of %s", written, u.Name)
			}
			got = append(got, fmt.Sprintf("  %s place %d optional %v broken %v", u.Name, u.Place, u.Optional, u.Broken))
		}
	}
	want := []string{
		"job/pipeline.yml",
		"job/pipeline.yml first runs [a]",
		"  parent.inputs.description place 2 optional false broken false",
		"job/pipeline.yml second runs [text]",
		"job/pipeline.yml",
		"  inputs.text place 1 optional false broken false",
		"job/pipeline.yml third elsewhere",
		"job/pipeline.yml fourth elsewhere",
		"  parent.jobs.third.outputs.any place 0 optional false broken false",
		"job/pipeline.yml fifth runs [a]",
		"parts/train.yml",
		"  inputs.a place 1 optional false broken false",
		"  inputs.b place 1 optional true broken false",
		"  outputs.c place 1 optional false broken true",
	}
	testkit.Same(t, want, got)
}
