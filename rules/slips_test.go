package rules_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
)

// TestSlips checks what is said about mistakes whose first explanation would mislead.
func TestSlips(t *testing.T) {
	for name, c := range map[string]struct{ project, want string }{
		"option and value in one": {"-- aml_config/a.runconfig --\nscript: train.py\narguments:\n- --data /mnt/data\nenvironment: {}\n" +
			"-- train.py --\nimport argparse\np = argparse.ArgumentParser()\np.add_argument('--data')\np.parse_args()\n",
			`gets "--data /mnt/data" as one argument: write the option and its value as two`},
		"target with a second extension": {"-- aml_config/a.runconfig --\nTarget: a\n-- aml_config/a.compute.txt --\ntype: local\n",
			`there is "aml_config/a.compute.txt": remove .txt from its name`},
		"conda file with a second extension": {"-- aml_config/a.runconfig --\nTarget: a\nCondaDependenciesFile: b.yml\n-- aml_config/a.compute --\ntype: localdocker\n-- b.yml.txt --\n",
			`there is "b.yml.txt": remove .txt from its name`},
		"version after an @": {"-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: ls ${{inputs.a}}\nenvironment: azureml:env:1\ncompute: azureml:cpu\n" +
			"inputs:\n  a: {path: azureml:digits@2.1}\n", "a version follows a colon, so write azureml:digits:2.1"},
		"curated environment that never was": {"-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: ls\nenvironment: azureml:AzureML-sklearn-1.3-ubuntu20.04-py310-cpu@latest\ncompute: azureml:cpu\n",
			"no environment AzureML-sklearn-1.3-ubuntu20.04-py310-cpu (the last of this form is sklearn-1.1): use azureml://registries/azureml/environments/sklearn-1.5/labels/latest"},
		"version after a colon": {"-- aml_config/conda_dependencies.yml --\ndependencies:\n- pip:\n  - keras: 2.0.9\n", "write keras==2.0.9"},
		"pip beside dependencies": {"-- aml_config/conda_dependencies.yml --\ndependencies:\n- python=3.5.2\npip:\n- keras\n",
			`write it as an item of "dependencies", after a dash`},
		"major version": {"-- .azureml/a.runconfig --\nscript: a.py\ntarget: gpu\nenvironment:\n  docker:\n    baseImage: mcr.microsoft.com/azureml/base-gpu:openmpi3.1.2-cuda10.0-cudnn7-ubuntu16.04\n" +
			"  python:\n    condaDependencies:\n      dependencies:\n      - python=3.6\n      - pip\n      - pip:\n        - tensorflow-gpu==1.12.0\n",
			"tensorflow-gpu==1.15.* works with it"},
	} {
		t.Run(name, func(t *testing.T) {
			var said []string
			for _, f := range rules.Check(load(t, c.project)) {
				said = append(said, f.Message)
			}
			if all := strings.Join(said, "\n"); !strings.Contains(all, c.want) {
				t.Errorf("got:\n%s\nwant %s", all, c.want)
			}
		})
	}
}
