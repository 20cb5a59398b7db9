package schema

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

const v2Schema = "https://azuremlschemas.azureedge.net/latest/"

// TestDiscoverV2 finds the files of v2 in a tree of ordinary YAML, by the schema they name and by nothing else.
func TestDiscoverV2(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"azureml/job.yml":               "# a job\n\"$schema\": " + v2Schema + "commandJob.schema.json\ncommand: echo\n",
		"cluster.YAML":                  "$schema: " + v2Schema + "amlCompute.schema.json\nname: a\n",
		"azureml/docker-compose.yml":    "services: {a: {command: echo, environment: {A: b}}}\n",
		"azureml/chart.yaml":            "name: a\ndependencies: [{name: b}]\n",
		".github/workflows/ci.yml":      "# see https://azuremlschemas.azureedge.net\nname: ci\njobs: {a: {}}\n",
		"other.yml":                     "$schema: https://json.schemastore.org/github-workflow.json\nname: a\n",
		"late.yml":                      strings.Repeat("# a long preface\n", 500) + "$schema: " + v2Schema + "commandJob.schema.json\n",
		"node_modules/x/job.yml":        "$schema: " + v2Schema + "commandJob.schema.json\n",
		"azureml/commandJob.schema.txt": "$schema: " + v2Schema + "commandJob.schema.json\n",
	} {
		testkit.Write(t, dir, name, text)
	}
	roots, err := Discover([]string{dir})
	testkit.OK(t, err)
	var got []string
	for _, root := range roots {
		for _, f := range root.Files.All() {
			rel, err := filepath.Rel(dir, f)
			testkit.OK(t, err)
			got = append(got, filepath.ToSlash(rel))
		}
	}
	testkit.Same(t, []string{"azureml/job.yml", "cluster.YAML"}, got)
}

// TestV2Kind tells files of v2 from others by their content.
func TestV2Kind(t *testing.T) {
	for _, c := range []struct {
		text string
		want Kind
	}{
		{"$schema: " + v2Schema + "commandJob.schema.json\n", V2JobFile},
		{"$schema: " + v2Schema + "commandJob.schema.json\ntype: pipeline\n", V2JobFile},
		{"$schema: " + v2Schema + "pipelineJob.schema.json\ntype: sweep\n", V2JobFile},
		{"$schema: " + v2Schema + "commandJob.schema.json\ncommand: \"a\n", V2JobFile}, // broken
		{"{\"$schema\": \"" + v2Schema + "environment.schema.json\"}\n", V2EnvironmentFile},
		{"$schema: " + v2Schema + "environment.schema.json\nname: a\ndependencies: [a]\n", V2EnvironmentFile},
		{"$schema: " + v2Schema + "vmCompute.schema.json\n", V2ComputeFile},
		{"$schema: " + v2Schema + "commandComponent.schema.json\ncommand: a\nenvironment: b\n", V2File},
		{"$schema: " + v2Schema + "managedOnlineDeployment.schema.json\n", V2File},
		{"$schema: http://azureml/sdk-2-0/CommandComponent.json\ntype: command\ncommand: a\n", V2File},
		{"$schema: http://azureml/sdk-2-0/CommandComponent.json\ntype: CommandComponent\ncommand: a {inputs.b}\n", Unknown},
		{"$schema: " + v2Schema + "commandComponent.schema.json\ntype: CommandComponent\ncommand: a\n", V2File},
		{"command: echo\nenvironment: azureml:a:1\n", V2JobFile},
		{"command: echo\nenvironment: azurmel:a:1\ncompute: azureml:cpu\n", V2JobFile},
		{"command: echo\nenvironment: prod\ncompute: cpu\n", Unknown},
		{"type: spark\nentry: {file: a.py}\n", V2JobFile},
		{"type: amlcompute\nname: a\n", V2ComputeFile},
		{"name: a\nimage: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04\n", V2EnvironmentFile},
		{"name: a\nimage: b\nconda_file: c\n", V2EnvironmentFile},
		{"name: a\nimage: b\n", Unknown},
		{"name: a\nimage: b\ncommand: c\n", Unknown},
		{"name: a\ndependencies: [python]\n", CondaFile},
		{"command: [echo]\nenvironment: {A: b}\n", Unknown},
		{"command: echo\ncompute: azureml:cpu\n", V2JobFile},
		{"type: command\ncode: .\ncommand: echo\ncompute: azureml:cpu\nexperiment_name: a\n", V2JobFile},
		{"command: echo\ncompute: cpu\n", Unknown},
		{"type: local\n", Unknown},
		{"- command: a\n", Unknown},
		{"$schema = " + v2Schema + "commandJob.schema.json\ncommand: a\n", V2JobFile},
		{"$schema：" + v2Schema + "commandJob.schema.json\ncommand: a\n", V2JobFile},
		{"$schema:\n  " + v2Schema + "commandJob.schema.json\ncomand: a\n", V2JobFile},
		{"$schema: >\r\n  " + v2Schema + "commandJob.schema.json\r\ncomand: a\r\n", V2JobFile},
		{"$schema:\nother: " + v2Schema + "commandJob.schema.json\n", Unknown},
		{"name: a\nlocation: eastus\nreplication_locations:\n- location: eastus\n", V2File},
		{"name: a\nmanaged_network:\n  isolation_mode: disabled\n", V2File},
		{"name: a\nmanaged_network: shared\n", Unknown},
		{"name: a\ntype: git\ntarget: https://github.com\ncredentials:\n  type: pat\n  pat: b\n", V2File},
		{"name: a\ntype: git\ntarget: https://github.com\ncredentials: b\n", Unknown},
	} {
		f := parseFile("x.yml", []string{"x.yml"}, []byte(c.text), nil)
		testkit.Same(t, c.want, f.Kind, "%q", c.text)
		testkit.Same(t, v2Address(f.Source.Text), f.addressInText(), "%q", c.text)
	}
}

// TestV2Addresses tells the kind by the addresses that people write.
func TestV2Addresses(t *testing.T) {
	for address, want := range map[string]V2Kind{
		v2Schema + "commandJob.schema.json":                                               "job",
		v2Schema + "autoMLImageClassificationJob.schema.json":                             "job",
		v2Schema + "PipelineJob.json":                                                     "job",
		v2Schema + "SparkComponent.json":                                                  "component",
		v2Schema + "computeInstance.schema.json":                                          "compute",
		v2Schema + "kubernetesOnlineDeployment.schema.json":                               "online-deployment",
		v2Schema + "pipelineComponentBatchDeployment.schema.json":                         "pipeline-component-batch-deployment",
		v2Schema + "DataImport.json":                                                      "data",
		v2Schema + "azureDataLakeGen2.schema.json":                                        "datastore",
		v2Schema + "featureStoreEntity.schema.json":                                       "feature-store-entity",
		v2Schema + "AzureOpenAIConnection.schema.json":                                    "connection",
		v2Schema + "asset.schema.json":                                                    "data", // in the previews
		v2Schema + "codeAsset.schema.json":                                                "",
		v2Schema + "MLTable.schema.json":                                                  "",
		"http://azureml/sdk-2-0/Featureset.json":                                          "feature-set",
		"http://azureml/sdk-2-0/FeatureSetSpec.json":                                      "", // in the folder that a feature set names
		"https://azuremlsdk2.blob.core.windows.net/preview/0.0.1/environment.schema.json": "environment",
		"http://azureml/sdk-2-0/CommandJob.json":                                          "job",
		"https://learn.microsoft.com/en-us/azure/machine-learning/reference-yaml-deployment-managed-online?view=azureml-api-2": "online-deployment",
		"https://learn.microsoft.com/en-us/azure/machine-learning/reference-yaml-endpoint-online?view=azureml-api-2":           "online-endpoint",
	} {
		src := source.New("x.yml", []byte("# head\n\"$schema\": "+address+" # tail\nname: a\n"))
		if got := v2Address(src.Text); got != address {
			t.Errorf("%s: read as %q", address, got)
		}
		testkit.Same(t, want, V2KindOf(document.Parse(src).Root()), address)
	}
}

// TestV2IsFoundAnywhere discovers files of v2 under any name, in JSON, indented, and behind another document.
func TestV2IsFoundAnywhere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"deep/er/any.name.YAML": "  $schema: " + v2Schema + "data.schema.json\n  name: a\n",
		"job.json":              "{\n  \"command\": \"echo\",\n  \"$schema\": \"" + v2Schema + "commandJob.schema.json\"\n}\n",
		"keys.json":             "{\"type\": \"pipeline\",\n\"jobs\": {\"a\": {}}}\n",
		"two.yml":               "a: 1\n---\n$schema: " + v2Schema + "model.schema.json\n",
		"preview.yml":           "type: pipeline_job\njobs: {}\n",
		"endpoint.yml":          "name: {{name}}\nauth_mode: key\n",
		"cluster.yml":           "name: a\ntype: amlcompute\nauth_mode: key\n",
		"nested.json":           "{\"a\": {\"$schema\": \"" + v2Schema + "commandJob.schema.json\"}}\n",
		"text.json":             "{\"name\": \"azureml\"}\n",
		"jinja.yml":             "{% set env = 'dev' %}\n{# for all #}\n$schema: " + v2Schema + "commandJob.schema.json\ncommand: a\n",
		"block.yml":             "{%- if a -%}\nname: b\n{%- endif %}\n",
		"FLOW.dag.YAML":         "inputs: {}\nnodes: []\n",
	} {
		testkit.Write(t, dir, name, text)
	}
	roots, err := Discover([]string{dir})
	testkit.OK(t, err)
	got := map[string]V2Kind{}
	for _, root := range roots {
		for _, f := range Load(root, Options{}).Files {
			got[filepath.Base(f.Path)] = f.V2
		}
	}
	want := map[string]V2Kind{"any.name.YAML": "data", "job.json": "job", "keys.json": "job", "two.yml": "model", "endpoint.yml": "online-endpoint", "cluster.yml": "compute", "jinja.yml": "job", "FLOW.dag.YAML": "flow", "preview.yml": "job"}
	testkit.Same(t, want, got)
}

// TestV2Schema names the published schema of a file that names none.
func TestV2Schema(t *testing.T) {
	for text, want := range map[string]string{
		"{command: a, environment: azureml:b:1}":                                                        "commandJob",
		"{type: pipeline, jobs: {a: {component: azureml:a:1}}}":                                         "pipelineJob",
		"{name: a, auth_mode: key}":                                                                     "managedOnlineEndpoint",
		"{name: a, auth_mode: key, compute: azureml:k}":                                                 "kubernetesOnlineEndpoint",
		"{name: a, endpoint_name: e, model: azureml:m:1, instance_type: Standard_D2_v5}":                "managedOnlineDeployment",
		"{name: a, endpoint_name: e, type: kubernetes, model: azureml:m:1, app_insights_enabled: true}": "kubernetesOnlineDeployment",
		"{type: amlcompute, name: a, size: Standard_D2_v5}":                                             "amlCompute",
	} {
		root := document.Parse(source.New("x.yml", []byte(text))).Root()
		kind := v2ByKeys(root)
		testkit.Same(t, v2Schema+want+".schema.json", kind.Schema(root), "%s, %q", text, kind)
	}
}
