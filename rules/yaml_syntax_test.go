package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// TestStrayKeys checks that a lost colon or comma is added only if what then becomes a key belongs at its place.
func TestStrayKeys(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		fixed bool
	}{
		"key":                     {"ArgumentVector: [train.py]\nTarget docker\nFramework: Python\n", true},
		"word":                    {"ArgumentVector: [train.py]\nasd\nFramework: Python\n", false},
		"word before a mapping":   {"ArgumentVector: [train.py]\nEnvironmentVariables:\nasd\n  A: b\n", false},
		"variable":                {"ArgumentVector: [train.py]\nEnvironmentVariables:\n  A: b\n  C d\n", true},
		"another mark":            {"ArgumentVector =\n  - train.py\nTarget: docker\n", true},
		"another mark, unknown":   {"ArgumentVector: [train.py]\nasd = 1\nTarget: docker\n", false},
		"another mark, no value":  {"ArgumentVector: [train.py]\nEnvironmentVariables:;\nTarget: docker\n", true},
		"comma":                   {"{\"ArgumentVector\": [\"train.py\"]\n\"Target\": \"docker\"}\n", true},
		"comma after a lone word": {"{\"ArgumentVector\": [],\n\"train.py\"\n\"Target\": \"docker\"}\n", false},
		"comma at a wrong level":  {"{\"framework\": \"Python\",\n\"environment\": {\"python\": {}\n\"nodeCount\": 2},\n\"history\": {}}\n", false},
		"tab":                     {"ArgumentVector: [train.py]\nEnvironmentVariables:\n\tA: b\n", true},
		"tab in a v2 job":         {"command: ls\nenvironment: azureml:env:1\ncompute: azureml:cpu\ntags:\n  a: b\n\tc: d\n  e: f\n", true},
		"word in a conda file":    {"dependencies:\n- a\nasd\n- b\n", false},
		"tab below a value":       {"ArgumentVector: [train.py]\nTarget:\n\tFramework: Python\n", false},
	} {
		path := "aml_config/docker.runconfig"
		switch {
		case strings.Contains(name, "v2"):
			path = "job.yml"
		case strings.Contains(name, "level"):
			path = ".azureml/train.runconfig"
		case strings.Contains(name, "conda"):
			path = "aml_config/conda_dependencies.yml"
		}
		p := schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(map[string][]byte{path: []byte(test.text)})
		all := rules.Check(p)
		i := slices.IndexFunc(all, func(f finding.Finding) bool { return f.Rule == "yaml/syntax" })
		if i < 0 {
			t.Errorf("%s: no yaml/syntax", name)
			continue
		}
		lost := strings.Contains(all[i].Message, "missing") || strings.Contains(all[i].Message, "ends with")
		if got := all[i].Fix != nil; got != test.fixed || lost && got == strings.Contains(all[i].Message, "belongs here") {
			t.Errorf("%s: fix %v: %s", name, got, all[i].Message)
		}
	}
}
