package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDeclarationTypos checks which of a declaration and its uses a safe fix renames if they nearly agree.
func TestDeclarationTypos(t *testing.T) {
	const pipeline = `type: pipeline
jobs:
  prep:
    type: command
    command: python prep.py --out ${{outputs.rows}}
    environment: azureml:env:1
    compute: azureml:cpu
    outputs:
      rows:
  train:
    type: command
    command: python train.py --in ${{inputs.a}} ${{inputs.b}}
    environment: azureml:env:1
    compute: azureml:cpu
    inputs:
      a: ${{parent.jobs.prep.outputs.rows}}
      b: ${{parent.jobs.prep.outputs.rows}}
`
	const job = "command: python train.py --rate ${{inputs.rate}}\nenvironment: azureml:env:1\ncompute: azureml:cpu\ninputs:\n  rate: 0.1\n"
	for name, test := range map[string]struct {
		right string
		slip  [2]string // what is replaced, once
		want  [2]string // what the repair changes instead of that, if anything
	}{
		"input and option":        {job, [2]string{"  rate:", "  raet:"}, [2]string{}},
		"use":                     {job, [2]string{"inputs.rate", "inputs.raet"}, [2]string{}},
		"use without an option":   {strings.Replace(job, "--rate ", "", 1), [2]string{"  rate:", "  raet:"}, [2]string{"inputs.rate", "inputs.raet"}},
		"another option":          {strings.Replace(job, "--rate ", "--lr=", 1), [2]string{"  rate:", "  raet:"}, [2]string{"inputs.rate", "inputs.raet"}},
		"name that is impossible": {strings.Replace(strings.Replace(job, "rate:", "the_rate:", 1), "inputs.rate", "inputs.the_rate", 1), [2]string{"the_rate:", "the-rate:"}, [2]string{}},
		"job":                     {pipeline, [2]string{"  prep:", "  perp:"}, [2]string{}},
		"output":                  {pipeline, [2]string{"      rows:", "      rosw:"}, [2]string{}},
		"output, used once":       {pipeline, [2]string{"--out ${{outputs.rows}}", "--out ${{outputs.rosw}}"}, [2]string{}},
	} {
		wrong := strings.Replace(test.right, test.slip[0], test.slip[1], 1)
		p := schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(map[string][]byte{"job.yml": []byte(wrong)})
		patch, err := fixers.Repair(p, fixers.Options{Recheck: rules.Check, Allow: func(f finding.Finding) bool {
			return strings.HasPrefix(f.Rule, "ref/") && f.Fix.Applicability == finding.Safe
		}})
		testkit.OK(t, err)
		got := wrong
		for _, f := range patch.Files {
			got = string(f.New)
		}
		want := test.right
		if test.want[0] != "" {
			want = strings.Replace(wrong, test.want[0], test.want[1], 1)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestComponentTypos checks the same for a component whose output another file uses.
func TestComponentTypos(t *testing.T) {
	const component = "type: command\nname: train\ncommand: python train.py --metrics-path ${{outputs.metrics}}\nenvironment: azureml:env:1\noutputs:\n  metrics:\n    type: uri_file\n"
	const option = "--metrics-path "
	for name, right := range map[string]string{"option": component, "use": strings.Replace(component, option, "", 1)} {
		wrong := strings.Replace(right, "  metrics:", "  mettrics:", 1)
		files := map[string][]byte{"train.yml": []byte(wrong)}
		if name == "use" {
			files["job.yml"] = []byte("type: pipeline\njobs:\n  train:\n    type: command\n    component: ./train.yml\n    outputs:\n      metrics:\n")
		}
		p := schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(files)
		patch, err := fixers.Repair(p, fixers.Options{Recheck: rules.Check, Allow: func(f finding.Finding) bool {
			return strings.HasPrefix(f.Rule, "ref/") && f.Fix.Applicability == finding.Safe
		}})
		testkit.OK(t, err)
		if len(patch.Files) != 1 || string(patch.Files[0].New) != right {
			t.Errorf("%s: %d files changed", name, len(patch.Files))
		}
	}
}
