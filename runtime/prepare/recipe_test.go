package prepare

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
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
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
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
	dir := t.TempDir()
	write(t, dir, files)
	roots, err := schema.Discover([]string{dir})
	if err != nil || len(roots) != 1 {
		t.Fatalf("%v, %v", roots, err)
	}
	jobs := schema.Load(roots[0], schema.Options{}).Jobs
	if len(jobs) != 1 {
		t.Fatalf("%d jobs", len(jobs))
	}
	return jobs[0]
}

// write writes files, by slash-separated path, below dir.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		testkit.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
}
