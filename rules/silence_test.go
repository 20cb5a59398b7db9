package rules_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestOneItemOfTwoDockerfiles checks that the finding about an item says what is wrong with it in each of them.
func TestOneItemOfTwoDockerfiles(t *testing.T) {
	const job = `$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: {build: {path: ., dockerfile_path: NAME}}
resources: {instance_type: Standard_NC4as_T4_v3}
`
	const recipe = "FROM mcr.microsoft.com/azureml/IMAGE\nCOPY requirements.txt .\nRUN pip install -r requirements.txt\n"
	project := "-- requirements.txt --\ntensorflow==2.4.0\n"
	for name, image := range map[string]string{"a": "openmpi4.1.0-cuda11.8-cudnn8-ubuntu22.04:20240101.v1", "b": "openmpi5.0-cuda12.4-ubuntu22.04:20250401.v1"} {
		project += "-- " + name + ".yml --\n" + strings.ReplaceAll(job, "NAME", name) + "-- " + name + " --\n" + strings.ReplaceAll(recipe, "IMAGE", image)
	}
	said := map[string]string{}
	for _, f := range rules.Check(load(t, project)) {
		if f.Rule == "gpu/cuda-mismatch" {
			said[""] += f.Message
			for _, l := range f.Related {
				said[l.Source.Path[strings.LastIndexByte(l.Source.Path, '/')+1:]] += l.Message
			}
		}
	}
	for place, want := range map[string]string{"": "the image mcr.microsoft.com/azureml/openmpi4.1.0-cuda11.8", "b.yml": "contains CUDA 12.4"} {
		if !strings.Contains(said[place], want) {
			t.Errorf("%q: want %q, got %q", place, want, said[place])
		}
	}
	testkit.Same(t, 1, strings.Count(said[""], "needs CUDA"), "findings")
}
