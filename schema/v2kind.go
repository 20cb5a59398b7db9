package schema

import (
	"bytes"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
)

// V2Kind is what a file of Azure ML v2 is: "job", "component", "environment" and
// so on; "" for other files. With "v2-" in front it names a format.
type V2Kind string

// file returns what File.Kind is for a kind of v2.
func (k V2Kind) file() Kind {
	switch k {
	case "job":
		return V2JobFile
	case "environment":
		return V2EnvironmentFile
	case "compute":
		return V2ComputeFile
	}
	return V2File
}

// v2Schemas tell the kind by the address of the schema that a file names: the
// first word that the last part of the address has decides. The words are those of
// Azure's own schemas since the preview, without what is no letter, and of the
// pages of its reference, which people write there as well.
var v2Schemas = []struct {
	word string
	kind V2Kind
}{
	{"flow", "flow"}, {"pipelinecomponentbatchdeployment", "pipeline-component-batch-deployment"},
	{"modelbatchdeployment", "model-batch-deployment"}, {"batchdeployment", "batch-deployment"}, {"deploymentbatch", "batch-deployment"},
	{"onlinedeployment", "online-deployment"}, {"deploymentonline", "online-deployment"}, {"deploymenttemplate", "deployment-template"},
	{"batchendpoint", "batch-endpoint"}, {"endpointbatch", "batch-endpoint"}, {"onlineendpoint", "online-endpoint"}, {"endpointonline", "online-endpoint"},
	{"component", "component"}, {"schedule", "schedule"}, {"monitor", "schedule"}, {"connection", "connection"}, {"job", "job"},
	{"featurestoreentity", "feature-store-entity"}, {"featurestore", "feature-store"}, {"featureset", "feature-set"}, {"featurespec", ""},
	{"capabilityhost", "capability-host"}, {"compute", "compute"}, {"environment", "environment"}, {"azureblob", "datastore"}, {"azurefile", "datastore"},
	{"azuredatalake", "datastore"}, {"onelake", "datastore"}, {"datastore", "datastore"}, {"mltable", ""}, {"modelpackage", ""}, {"data", "data"}, {"model", "model"},
	{"index", "index"}, {"workspace", "workspace"}, {"hub", "workspace"}, {"project", "workspace"}, {"registry", "registry"},
}

// v2Published are the names of Azure's published schemas by kind, and by type
// where a kind has several.
var v2Published = map[string]string{
	"job": "commandJob", "job/command": "commandJob", "job/pipeline": "pipelineJob", "job/sweep": "sweepJob", "job/spark": "sparkJob", "job/automl": "autoMLJob",
	"component": "commandComponent", "component/command": "commandComponent", "component/pipeline": "pipelineComponent",
	"component/parallel": "parallelComponent", "component/spark": "sparkComponent",
	"compute/amlcompute": "amlCompute", "compute/computeinstance": "computeInstance", "compute/virtualmachine": "vmCompute",
	"compute/kubernetes": "kubernetesCompute", "compute/synapsespark": "synapsesparkCompute",
	"environment": "environment", "data": "data", "model": "model", "schedule": "schedule", "datastore/azure_blob": "azureBlob", "datastore/azure_file": "azureFile",
	"datastore/azure_data_lake_gen1": "azureDataLakeGen1", "datastore/azure_data_lake_gen2": "azureDataLakeGen2",
	"online-endpoint": "managedOnlineEndpoint", "online-deployment": "managedOnlineDeployment", "online-deployment/kubernetes": "kubernetesOnlineDeployment",
	"batch-endpoint": "batchEndpoint", "batch-deployment": "batchDeployment", "batch-deployment/model": "modelBatchDeployment",
	"batch-deployment/pipeline": "pipelineComponentBatchDeployment",
}

// Schema returns the address of the schema that Azure publishes for a file of this
// kind with that root, "" when none is known.
func (k V2Kind) Schema(root *document.Node) string {
	kind := strings.ToLower(root.Get("type").Text())
	name := v2Published[string(k)+"/"+kind]
	if name == "" && (kind == "" || k == "data" || k == "model" || k == "online-deployment") {
		name = v2Published[string(k)]
	}
	if name == "" {
		return ""
	}
	return "https://azuremlschemas.azureedge.net/latest/" + name + ".schema.json"
}

// v2Hosts stand in the addresses of the schemas of v2: today's, those of the
// preview, and the reference.
var v2Hosts = []string{"azuremlschemas", "azuremlsdk2.blob.core.windows.net/", "//azureml/sdk-2-0/", "/azure/machine-learning/reference-yaml-"}

// v2ByAddress returns the kind that a schema's address is of.
func v2ByAddress(address string) V2Kind {
	last := strings.ToLower(address[strings.LastIndexByte(address, '/')+1:])
	last, _, _ = strings.Cut(last, "?")
	last = strings.TrimPrefix(last, "reference-yaml-")
	last = strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, strings.TrimSuffix(strings.TrimSuffix(last, ".json"), ".schema"))
	for _, s := range v2Schemas {
		if strings.Contains(last, s.word) {
			return s.kind
		}
	}
	return ""
}

// v2Kind tells which file of v2 this is: by the address of its schema, or by keys
// that nothing else has.
func v2Kind(f *File) V2Kind {
	if address := v2Address(f.Source.Text); address != "" {
		return v2ByAddress(address)
	}
	return v2ByKeys(f.Root())
}

// v2ByKeys returns the kind that the keys of a mapping leave no doubt of.
func v2ByKeys(root *document.Node) V2Kind {
	has := func(keys ...string) bool {
		return !slices.ContainsFunc(keys, func(key string) bool { return root.Get(key) == nil })
	}
	either := func(keys ...string) bool { return slices.ContainsFunc(keys, func(key string) bool { return has(key) }) }
	if root = root.Resolve(); !root.IsMapping() || either("apiVersion", "services", "on", "stages", "steps", "bundle") {
		return ""
	}
	kind := strings.ToLower(root.Get("type").Text())
	is := func(kinds ...string) bool { return slices.Contains(kinds, kind) }
	switch {
	case has("endpoint_name") && (is("model", "pipeline") || either("compute", "settings", "mini_batch_size", "job_definition")):
		return "batch-deployment"
	case has("endpoint_name") && either("model", "environment", "code_configuration", "instance_type", "scale_settings"):
		return "online-deployment"
	case has("name", "auth_mode") && v2Auth(root.Get("auth_mode").Text()):
		if has("defaults") {
			return "batch-endpoint"
		}
		return "online-endpoint"
	case has("trigger") && either("create_job", "create_monitor", "import_data"):
		return "schedule"
	case is("pipeline") && root.Get("jobs").Resolve().IsMapping(), is("sweep") && has("trial") && either("objective", "search_space"),
		is("automl") && has("task", "training_data"), is("finetuning") && has("model_provider"), is("spark") && has("entry"), is("", "command") && v2Command(root):
		return v2Runnable(root)
	case is("parallel") && has("task") && either("input_data", "mini_batch_size"):
		return "component"
	case is("amlcompute", "virtualmachine", "synapsespark", "computeinstance") && has("name"), is("kubernetes") && has("name", "resource_id"),
		has("name", "resource_id") && attached(root.Get("resource_id").Text()):
		return "compute"
	case is("azure_blob", "azure_file", "azure_data_lake_gen1", "azure_data_lake_gen2", "one_lake") && has("name") && either("account_name", "store_name", "artifact"):
		return "datastore"
	case is("custom_model", "mlflow_model", "triton_model") && has("name", "path"):
		return "model"
	case is("uri_file", "uri_folder", "mltable") && has("name", "path"):
		return "data"
	case kind == "" && v2Environment(root):
		return "environment"
	}
	return ""
}

// attached reports whether the id of a resource is of one that Azure ML attaches as
// a compute.
func attached(id string) bool {
	id = strings.ToLower(id)
	return slices.ContainsFunc([]string{"/bigdatapools/", "/virtualmachines/", "/managedclusters/", "/connectedclusters/"},
		func(part string) bool { return strings.Contains(id, part) })
}

// v2Auth reports whether a text is how callers of an endpoint prove who they are.
func v2Auth(mode string) bool {
	return slices.Contains([]string{"key", "aml_token", "aad_token", "amltoken", "aadtoken", "aad-token", "aml-token"}, strings.ToLower(mode))
}

// v2Command reports whether a mapping with a command is a job or component of v2:
// other programs have a command and an environment too, but no such environment.
func v2Command(root *document.Node) bool {
	if !root.Get("command").IsString() {
		return false
	}
	environment := root.Get("environment").Resolve()
	if environment.IsMapping() {
		return slices.ContainsFunc([]string{"image", "conda_file", "build", "docker", "conda"}, func(key string) bool { return environment.Get(key) != nil })
	}
	text := environment.Text()
	return environment.IsString() && (strings.HasPrefix(text, "azureml:") || strings.HasPrefix(text, "file:") ||
		root.Get("experiment_name") != nil && (root.Get("compute") != nil || root.Get("code") != nil))
}

// v2Runnable tells a component from a job: only it has a version, and ports
// without data.
func v2Runnable(root *document.Node) V2Kind {
	if root.Get("version") != nil || root.Get("is_deterministic") != nil {
		return "component"
	}
	if root.Get("name") == nil || root.Get("type").IsNull() || root.Get("compute") != nil || root.Get("experiment_name") != nil {
		return "job"
	}
	inputs := root.Get("inputs").Resolve()
	if !inputs.IsMapping() {
		return "job"
	}
	for _, e := range inputs.Entries {
		if v := e.Value.Resolve(); v.IsMapping() && v.Get("type") != nil && v.Get("path") == nil && v.Get("value") == nil {
			return "component"
		}
	}
	return "job"
}

// v2EnvironmentKeys are all keys that an environment has, and those of the preview.
var v2EnvironmentKeys = []string{"name", "version", "image", "conda_file", "build", "description", "tags", "properties", "os_type", "inference_config", "docker",
	"path", "datastore", "display_name"}

// v2Environment reports whether a mapping is an environment. A name and an image
// alone are no proof, unless the image is Azure ML's.
func v2Environment(root *document.Node) bool {
	for _, e := range root.Entries {
		if !slices.Contains(v2EnvironmentKeys, e.Key.Value) {
			return false
		}
	}
	image := root.Get("image").Text()
	return root.Get("name") != nil && (root.Get("conda_file") != nil || root.Get("inference_config") != nil && image != "" ||
		strings.HasPrefix(image, "mcr.microsoft.com/azureml/"))
}

// Pairs of top-level keys of which every file has one that v2ByKeys knows: a look
// at the beginning of a file rules nearly all others out.
var v2Pairs = [][2]string{
	{"endpoint_name", ""}, {"auth_mode", "name"}, {"trigger", "create_job"}, {"trigger", "create_monitor"}, {"trigger", "import_data"},
	{"type", "jobs"}, {"type", "trial"}, {"type", "training_data"}, {"type", "model_provider"}, {"type", "entry"}, {"type", "mini_batch_size"},
	{"type", "input_data"}, {"type", "account_name"}, {"type", "store_name"}, {"type", "artifact"}, {"type", "resource_id"}, {"type", "size"},
	{"type", "name"}, {"command", "environment"}, {"name", "conda_file"}, {"name", "image"},
}

// v2Likely reports whether the beginning of a file may be that of a file of v2
// that names no schema. Its keys stand at the beginnings of lines, in JSON perhaps
// indented.
func v2Likely(head []byte) bool {
	flow := bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n\ufeff"), []byte("{"))
	seen := make([]bool, 0, 32)
	for range v2Telling {
		seen = append(seen, false)
	}
	for line := range bytes.Lines(head) {
		if flow {
			line = bytes.TrimLeft(line, " \t{")
		}
		line = bytes.TrimLeft(line, "\"'")
		n := bytes.IndexByte(line, ':')
		if n <= 0 || n > 24 {
			continue
		}
		if i, ok := slices.BinarySearch(v2Telling, string(bytes.TrimRight(line[:n], "\"' "))); ok {
			seen[i] = true
		}
	}
	for _, pair := range v2Pairs {
		if sawKey(seen, pair[0]) && (pair[1] == "" || sawKey(seen, pair[1])) {
			return true
		}
	}
	return false
}

func sawKey(seen []bool, key string) bool {
	i, _ := slices.BinarySearch(v2Telling, key)
	return seen[i]
}

// v2Telling are the keys of v2Pairs, sorted.
var v2Telling = func() (keys []string) {
	for _, pair := range v2Pairs {
		keys = append(keys, pair[0], pair[1])
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}()
