package schema

import (
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDialects decides by all keys of a file, and prints what they say.
func TestDialects(t *testing.T) {
	const environment = "environment:\n  python: {}\n  docker:\n    enabled: true\n"
	for _, test := range []struct{ name, text, want string }{
		{"a.runconfig", "ArgumentVector: [a.py]\nTarget: d\nFramework: Python\n", "run configuration Workbench"},
		{"a.runconfig", "Target: d\nFramework: PySpark\n", "run configuration Workbench"},
		{"a.runconfig", "Target: d\nDescription: x\nEnvironmentVariables: {A: b}\n", "run configuration Workbench"},
		{"a.runconfig", `{"Target": "d", "CondaFile": "c.yml", "ManagedEnvironment": true}`, "run configuration Workbench"},
		{"a.runconfig", "Target: d\nCondaDependenciesFile: c.yml\nscript: a.py\n", "run configuration Workbench"},
		{"a.runconfig", "script: a.py\ntarget: d\nframework: Python\n", "run configuration SDK v1"},
		{"a.runconfig", "target: d\n" + environment, "run configuration SDK v1"},
		{"a.runconfig", "Script: a.py\nTarget: d\nFramework: Python\nEnvironment:\n  Python: {}\n", "run configuration SDK v1"},
		{"a.runconfig", "Script: a.py\nArguments: []\nTarget: d\nFramework: Python\nNodeCount: 1\n", "run configuration SDK v1"},
		{"a.runconfig", "Script: a.py\nTarget: d\nFramework: Python\nEnvironmentVariables: {}\n", "run configuration SDK v1"},
		{"a.runconfig", "Target: d\nFramework: Python\nHistory:\n  OutputCollection: true\n", "run configuration SDK v1"},
		{"a.runconfig", "script: a.py\ntarget: d\nnode_count: 2\nmax_run_duration_seconds: 60\n", "run configuration SDK v1"},
		{"a.runconfig", "<<<<<<< x\nTarget: docker\nArgumentVector:\n- a.py\n", "run configuration Workbench"},
		{"a.runconfig", "<<<<<<< x\nScript: a.py\nTarget: docker\nEnvironment:\n", "run configuration SDK v1"},
		{"a.runconfig", "name: x\n", "run configuration SDK v1"},
		{"a.yml", "command: python\nscript: a.py\ntarget: d\n" + environment, "run configuration SDK v1"},
		{"a.yml", "command: python a.py\ntarget: d\nframework: Python\n" + environment, "run configuration SDK v1"},
		{"a.yaml", "Command: python a.py\nTarget: d\nFramework: Python\nEnvironment:\n  Python: {}\n", "run configuration SDK v1"},
		{"a.yml", "script: a.py\narguments: []\ntarget: d\nframework: Python\ncommunicator: None\nenvironment: e.yml\nhistory: {}\n", "run configuration SDK v1"},
		{"a.yml", "command: python a.py\nenvironment: azureml:e:1\ncompute: azureml:c\n", "v2 job "},
		{"a.yml", "command: python a.py\nenvironment:\n  image: x\n", "v2 job "},
		{"a.yml", "type: command\ncommand: python a.py\nenvironment: azureml:e@latest\nenvironment_variables: {A: b}\n", "v2 job "},
		{"a.yml", "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: x\nenvironment: e\n", "v2 job "},
		{"a.yml", "name: e\npython:\n  userManagedDependencies: false\ndocker:\n  enabled: true\nspark: {}\n", "file "},
		{"a.yml", "name: e\nimage: x\nconda_file: c.yml\n", "v2 environment "},
		{"a.yml", "target: d\nscript: a.py\n", "file "}, // what uses such keys need not be Azure ML
		{"a.yml", "image: ruby\nscript:\n- make\nenvironment: production\ncommand: x\n", "file "},
	} {
		path := filepath.Join("aml_config", test.name)
		f := parseFile(path, []string{filepath.ToSlash(path)}, []byte(test.text), nil)
		t.Logf("%s: %s %s from %q", f.Scores(), f.Kind, f.Dialect, test.text)
		if got := f.Kind.String() + " " + f.Dialect.String(); got != test.want {
			t.Errorf("%q is a %s (%s), want %s", test.text, got, f.Scores(), test.want)
		}
	}
}

// TestDialectAnywhere decides by all keys outside the folders of SDK v1 too, where its run configurations are not read,
// and never as jobs of v2.
func TestDialectAnywhere(t *testing.T) {
	const environment = "environment:\n  python: {}\n  docker:\n    enabled: true\n"
	for _, test := range []struct{ text, want string }{
		{"command: python\nscript: a.py\ntarget: d\n" + environment, "file "},
		{"command: python a.py\ntarget: d\nframework: Python\n" + environment, "file "},
		{"command: python a.py\ncode: .\nenvironment: azureml:e:1\ntarget: azureml:c\n", "v2 job "},
		{"command: python a.py\nenvironment: azureml:e:1\ntarget: c\nframework: Python\n", "v2 job "},
		{"$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: a\ntarget: d\nscript: a.py\n", "v2 job "},
	} {
		f := parseFile(filepath.Join("jobs", "a.yml"), []string{"jobs/a.yml"}, []byte(test.text), nil)
		if got := f.Kind.String() + " " + f.Dialect.String(); got != test.want {
			t.Errorf("%q is a %s (%s), want %s", test.text, got, f.Scores(), test.want)
		}
	}
}

func TestSlashes(t *testing.T) {
	for name, want := range map[string]string{
		`aml_config\conda.yml`: "aml_config/conda.yml", "aml_config/conda.yml": "aml_config/conda.yml", `.\a\..\b.yml`: "./a/../b.yml",
		` a.yml `: "a.yml", `C:\p\a.yml`: "C:/p/a.yml", "": "",
	} {
		testkit.Same(t, want, Slashes(name), "%q", name)
	}
	for name, want := range map[string]bool{`C:\a`: true, "d:/a": true, "a/b": false, "ab:c": false, ":": false, "": false, "1:": false} {
		if HasDrive(name) != want {
			t.Errorf("%q: drive %v", name, !want)
		}
	}
}
