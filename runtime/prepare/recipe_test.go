package prepare

import (
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

func TestNewRecipe(t *testing.T) {
	const file = "name: project_environment # kept\r\nchannels: [conda-forge]\r\ndependencies:\r\n  - python=3.5.2\r\n  - pip\r\n  - numpy=1.13 \r\n  - broken=[\r\n  - pip:\r\n    - --index-url https://x\r\n    - notebook==5.0\r\n"
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  Recipe
	}{
		{"a file", map[string]string{
			"aml_config/docker.compute":           "type: localdocker\nbaseDockerImage: a\n",
			"aml_config/docker.runconfig":         "Target: docker\nFramework: Python\n",
			"aml_config/conda_dependencies.yml":   file,
			"aml_config/spark_dependencies.yml":   "",
			"aml_config/conda_dependencies_2.yml": "",
		}, Recipe{Text: []byte(file), Python: "python=3.5.2", Conda: []string{"numpy=1.13", "broken=["}, Pip: []string{"--index-url https://x", "notebook==5.0"}}},
		{"inline", map[string]string{
			".azureml/docker.runconfig": "script: a.py\ntarget: local\nframework: Python\nenvironment:\n  docker: {enabled: true, baseImage: a}\n  python:\n    userManagedDependencies: false\n" +
				"    condaDependencies:\n      name: x\n      channels: [conda-forge]\n      dependencies:\n      - python=3.6.2\n      - pip:\n        - 'azureml-defaults<2'\n",
		}, Recipe{Text: []byte(`{"channels":["conda-forge"],"dependencies":["python=3.6.2",{"pip":["azureml-defaults<2"]}],"name":"x"}` + "\n"), Python: "python=3.6.2", Pip: []string{"azureml-defaults<2"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			job := load(t, tt.files)
			got := NewRecipe(job.Environment)
			testkit.Same(t, tt.want, got)
		})
	}
	if !NewRecipe(nil).Empty() || (Recipe{Pip: []string{"a"}}).Empty() {
		t.Error("Empty is wrong")
	}
}

func TestKey(t *testing.T) {
	a := Recipe{Text: []byte("ab")}
	if a.Key("c") == (Recipe{Text: []byte("b")}).Key("ca") || a.Key("c") != (Recipe{Text: []byte("ab"), Pip: []string{"x"}}).Key("c") || len(a.Key("c")) != 16 {
		t.Error("keys do not tell recipes apart")
	}
}

func load(t *testing.T, files map[string]string) *schema.Job {
	t.Helper()
	return loaded.Job(t, testkit.Lay(t, files))
}
