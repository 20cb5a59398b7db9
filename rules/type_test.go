package rules_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/amlfix/amlfix/rules"
)

// named is a pipeline and a component, with @ for the beginning of names.
const named = `
-- train.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json
name: train
command: echo
environment: azureml:e:1
inputs:
  @i: {type: integer, optional: true, min: -12345678901234567890123456789012345}
  @b: {type: boolean, optional: true}
  @m: {type: mlflow_model, optional: true}
  @e: {type: string, enum: [@1, @2], default: @3}
  @d: {type: triton_model, default: @}
  @x: {type: boolean, min: 1, default: @}
outputs:
  @o: {type: triton_model}
  @f: {type: uri_file}
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings: {default_compute: azureml:cpu, on_init: @, on_finalize: @jj}
inputs:
  @v: @
  @n: -99999999999999999999999999999999999999999999
outputs:
  @q: {type: mltable}
jobs:
  @j:
    component: ./train.yml
    outputs: {@o: "${{parent.outputs.@q}}"}
  @k:
    component: ./train.yml
    inputs:
      @i: ${{parent.jobs.@j.outputs.@o}}
      @b: ${{parent.jobs.@j.outputs.@o}}
      @m: ${{parent.jobs.@j.outputs.@f}}
      @e: ${{parent.inputs.@v}}
  @l:
    component: ./train.yml
    inputs: {@i: "${{parent.inputs.@n}}", @b: "${{parent.inputs.@v}}", @m: "${{parent.inputs.@v}}", @e: @}
  data:
    command: echo
    environment: azureml:e:1
    inputs: {a: {path: @/x}, b: {path: /@/x}, c: {path: s3://@}}
`

// TestLongNames checks that messages about types and data stay short however long the names in them are.
func TestLongNames(t *testing.T) {
	count := map[string]int{}
	for _, f := range rules.Check(load(t, strings.ReplaceAll(named, "@", strings.Repeat("long_name_", 9)))) {
		count[f.Rule]++
		if n := utf8.RuneCountInString(f.Message); n > 200 {
			t.Errorf("%d characters: %s", n, f.Message)
		}
	}
	if count["ref/type"] < 12 || count["ref/path"] != 3 || count["ref/job"] != 2 {
		t.Errorf("findings by rule: %v", count)
	}
}
