//go:build linux

package built

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestParameters compares the names and positions of the parameters that the reader knows with azureml-core itself.
func TestParameters(t *testing.T) {
	t.Parallel()
	python := judge.Python(t)
	first := func(pairs [][2]string) (names []string) {
		for _, p := range pairs {
			names = append(names, p[0])
		}
		return names
	}
	want := map[string][]string{
		"ScriptRunConfig":                             {"source_directory", "script", "arguments", "run_config", "", "compute_target", "environment", "distributed_job_config", "", "max_run_duration_seconds", "command", "docker_runtime_config"},
		"RunConfiguration":                            {"script", "arguments", "framework", "communicator", "conda_dependencies"},
		"MpiConfiguration":                            {"process_count_per_node", "node_count"},
		"PyTorchConfiguration":                        {"communication_backend", "process_count", "node_count"},
		"TensorflowConfiguration":                     {"worker_count", "parameter_server_count"},
		"DockerConfiguration":                         {"use_docker", "shared_volumes", "arguments", "shm_size"},
		"CondaDependencies":                           {"conda_dependencies_file_path"},
		"CondaDependencies.create":                    {"pip_indexurl", "pip_packages", "conda_packages", "python_version"},
		"AmlCompute.provisioning_configuration":       clusterParameters,
		"ComputeTarget.create":                        {"workspace", "name", "provisioning_configuration"},
		"Environment.from_conda_specification":        {"name", "file_path"},
		"Environment.from_docker_image":               {"name", "image", "container_registry", "conda_specification", "pip_requirements"},
		"Environment.from_dockerfile":                 {"name", "dockerfile", "conda_specification", "pip_requirements"},
		"Environment.load_from_directory":             {"path"},
		"Environment.from_existing_conda_environment": {"name", "conda_environment_name"},
		"Environment.from_docker_build_context":       {"name", "docker_build_context"},
		"DockerBuildContext":                          {"", "location", "dockerfile_path"},
		"DockerBuildContext.from_local_directory":     {"", "path", "dockerfile_path"},
		"RunConfiguration.load":                       {"path", "name"},
		"Environment.get":                             {"workspace", "name", "version"},
		"Dataset.get_by_name":                         {"workspace", "name", "version"},
		"Dataset.File.from_files":                     {"path"},
		"Experiment":                                  {"workspace", "name"},
		"Datastore.get":                               {"workspace", "datastore_name"},
		"InferenceConfig":                             append(first(inferenceParameters), "environment"),
		"Model":                                       {"workspace", "name", "", "", "", "version"},
		"Model.deploy":                                {"workspace", "name", "models", "inference_config", "deployment_config"},
		"Model.register":                              append([]string{"workspace"}, modelParameters...),
	}
	script := `
import inspect, json, sys
from azureml.core.compute import *
from azureml.core.runconfig import *
from azureml.core import *
from azureml.core.conda_dependencies import CondaDependencies
from azureml.core.environment import DockerBuildContext
from azureml.core.model import Model, InferenceConfig
from azureml.core.webservice import AciWebservice, AksWebservice
answer = {}
for name in json.load(sys.stdin):
    f = globals()[name.split(".")[0]]
    for part in name.split(".")[1:]:
        f = getattr(f, part)
    if inspect.isclass(f):
        f = f.__init__
    answer[name] = [p for p in inspect.signature(f).parameters if p not in ("self", "cls")]
json.dump(answer, sys.stdout)
`
	keys := []string{"AciWebservice.deploy_configuration", "AksWebservice.deploy_configuration"}
	for name := range want {
		keys = append(keys, name)
	}
	asked, err := json.Marshal(keys)
	testkit.OK(t, err)
	cmd := exec.Command(python, "-I", "-W", "ignore", "-c", script)
	cmd.Stdin = strings.NewReader(string(asked))
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, complaint.String())
	}
	var got map[string][]string
	testkit.OK(t, json.Unmarshal(out[bytes.IndexByte(out, '{'):], &got))
	for name, list := range want {
		given := got[name][:min(len(list), len(got[name]))]
		for i := range given {
			if list[i] == "" {
				given[i] = ""
			}
		}
		testkit.Same(t, list, given, name)
	}
	services := slices.Concat(got[keys[0]], got[keys[1]])
	for _, p := range deploymentParameters {
		if !slices.Contains(services, p[0]) {
			t.Errorf("deploy_configuration has no parameter %s", p[0])
		}
	}
}
