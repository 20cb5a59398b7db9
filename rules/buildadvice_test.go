package rules_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestBuildAdvice checks that a suggested replacement for a CPU build can be used as it is written, and is not listed
// already.
func TestBuildAdvice(t *testing.T) {
	const project = `
-- aml_config/vm.runconfig --
ArgumentVector: ["$file"]
Target: vm
Framework: Python
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: registry.example.com/ml-gpu:1
nvidiaDocker: true
-- aml_config/conda_dependencies.yml --
dependencies:
- python=3.6
`
	for items, want := range map[string]string{
		"tensorflow=1.12.0=mkl_py36_0":                            `use "tensorflow-gpu=1.12.0", without a build string`,
		"tensorflow 1.12 eigen_py36_0":                            `use "tensorflow-gpu 1.12", without a build string`,
		"tensorflow[version=1.12.*,build=mkl_*]":                  `use "tensorflow-gpu 1.12.*", without a build string`,
		"tensorflow[version='>=1.8,<1.12',build=mkl_*]":           `use "tensorflow-gpu>=1.8,<1.12", without a build string`,
		"tensorflow=1.12=mkl_0 tensorflow-gpu=1.12":               `remove it, because "tensorflow-gpu" is listed too`,
		"tensorflow-base=1.12=eigen_0 tensorflow-gpu=1.12=h0d3_0": `remove it, because "tensorflow-gpu" is listed too`,
		"tensorflow-base=1.12=eigen_0":                            `remove it, because "tensorflow-gpu" installs what it needs`,
	} {
		list := []string{items}
		if before, after, ok := strings.Cut(items, " tensorflow-"); ok {
			list = []string{before, "tensorflow-" + after}
		}
		var advice string
		for _, f := range rules.Check(load(t, project+"- \""+strings.Join(list, "\"\n- \"")+"\"\n")) {
			if _, said, ok := strings.Cut(f.Message, "on a GPU target: "); ok && f.Rule == "gpu/cpu-package" {
				advice, _, _ = strings.Cut(said, "; ")
			}
		}
		testkit.Same(t, want, advice, items)
	}
}
