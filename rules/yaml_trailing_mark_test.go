package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// TestTrailingMarks checks which marks at the end of a value are reported, how, and what happens to them: "!" is a safe
// fix, "?" an unsafe one.
func TestTrailingMarks(t *testing.T) {
	const text = `$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
type: command
command: python train.py;
description: Trains.,
display_name: a, b,
environment: azureml:train:1,  # the last one
compute: azureml:gpu;
experiment_name: digits,;
environment_variables:
  RATES: 1,2,
  MODE: fast,
  HOME: "/x,"
inputs:
  rate: 0.1;
  data:
    type: uri_folder;
    path: azureml:digits:1
outputs:
  model: {type: uri_folder}
resources:
  instance_count: 2,
  shm_size: 8g;
`
	p := schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(map[string][]byte{"job.yml": []byte(text)})
	var got []string
	for _, f := range rules.Check(p) {
		if f.Fix == nil || f.Rule != "yaml/trailing-mark" && f.Rule != "schema/value" && f.Rule != "schema/type" {
			continue
		}
		mark := "!"
		if f.Fix.Applicability != finding.Safe {
			mark = "?"
		}
		got = append(got, strings.Join([]string{string(p.Files[0].Source.Slice(f.Span)), f.Rule, f.Severity.String(), f.Fix.Changes[0].Value.Text + mark}, " "))
	}
	want := []string{
		"Trains., yaml/trailing-mark warning Trains.?",
		"azureml:train:1, yaml/trailing-mark error azureml:train:1!",
		"azureml:gpu; yaml/trailing-mark error azureml:gpu!",
		"digits,; yaml/trailing-mark error digits!",
		"fast, yaml/trailing-mark warning fast?",
		"0.1; yaml/trailing-mark warning 0.1?",
		"uri_folder; schema/value error uri_folder!",
		"2, schema/type error 2!",
		"8g; yaml/trailing-mark error 8g!",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
