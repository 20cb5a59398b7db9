package schema

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
)

// V2Kind is the kind of an Azure ML v2 file: "job", "component", "environment" and so on; "" for other files. With
// "v2-" in front, it names a format.
type V2Kind string

// file returns File.Kind for a v2 kind.
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

// v2Schemas map the address of the schema that a file names to the kind: the first word that occurs in the last part of
// the address decides. The words are from the names of Azure's own schemas since the preview, reduced to letters, and
// from the pages of its reference, which people also write there.
var v2Schemas = []struct {
	word string
	kind V2Kind
}{
	{"flow", "flow"}, {"pipelinecomponentbatchdeployment", "pipeline-component-batch-deployment"},
	{"modelbatchdeployment", "model-batch-deployment"}, {"batchdeployment", "batch-deployment"}, {"deploymentbatch", "batch-deployment"},
	{"onlinedeployment", "online-deployment"}, {"deploymentonline", "online-deployment"}, {"deploymentmanagedonline", "online-deployment"},
	{"deploymentkubernetesonline", "online-deployment"}, {"deploymenttemplate", "deployment-template"},
	{"batchendpoint", "batch-endpoint"}, {"endpointbatch", "batch-endpoint"}, {"onlineendpoint", "online-endpoint"}, {"endpointonline", "online-endpoint"},
	{"component", "component"}, {"schedule", "schedule"}, {"monitor", "schedule"}, {"connection", "connection"}, {"job", "job"},
	{"featurestoreentity", "feature-store-entity"}, {"featurestore", "feature-store"}, {"featuresetspec", ""}, {"featureset", "feature-set"}, {"featurespec", ""},
	{"capabilityhost", "capability-host"}, {"compute", "compute"}, {"environment", "environment"}, {"azureblob", "datastore"}, {"azurefile", "datastore"},
	{"azuredatalake", "datastore"}, {"onelake", "datastore"}, {"datastore", "datastore"}, {"mltable", ""}, {"modelpackage", ""}, {"data", "data"}, {"model", "model"},
	{"index", "index"}, {"workspace", "workspace"}, {"hub", "workspace"}, {"project", "workspace"}, {"registry", "registry"},
}

// v2Published are the names of Azure's published schemas by kind, and by type where a kind has several.
func v2Published() map[string]string {
	return map[string]string{
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
}

// Schema returns the address of the schema that Azure publishes for a file of this kind with that root, or "" if none
// is known.
func (k V2Kind) Schema(root *document.Node) string {
	kind := strings.ToLower(root.Get("type").Text())
	name := v2Published()[string(k)+"/"+kind]
	if name == "" && (kind == "" || k == "data" || k == "model" || k == "online-deployment") {
		name = v2Published()[string(k)]
	}
	if name == "" {
		return ""
	}
	return "https://azuremlschemas.azureedge.net/latest/" + name + ".schema.json"
}

// v2Hosts are the hosts in the addresses of v2 schemas: today's, those of the preview, and the reference.
var v2Hosts = []string{"azuremlschemas", "azuremlsdk2.blob.core.windows.net/", "//azureml/sdk-2-0/", "/azure/machine-learning/reference-yaml-"}

// v2ByAddress returns the kind for a schema's address.
func v2ByAddress(address string) V2Kind {
	if strings.Contains(address, "/promptflow/") {
		return "flow" // and the connections of its own client, which az ml never reads
	}
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

// v2Kind determines the kind of a v2 file: by the address of its schema, or by keys that nothing else has. The first v2
// document decides.
func v2Kind(f *File) V2Kind {
	for _, root := range f.Stream.Documents {
		if kind := V2KindOf(root); kind != "" {
			return kind
		}
	}
	root := f.Root().Resolve()
	if isFlow(f.Rel) && (root.Get("nodes").Resolve().IsSequence() || root.Get("entry").IsString()) {
		return "flow"
	}
	if root != nil && root.Kind == document.Sequence && !f.Broken() {
		return "" // each of a list
	}
	if address := v2Address(f.Source.Text); address != "" { // nothing could be read
		return v2ByAddress(address)
	}
	return ""
}

// isFlow reports whether a file has one of the names of prompt flow's own files, which need no schema.
func isFlow(name string) bool {
	switch strings.ToLower(path.Base(filepath.ToSlash(name))) {
	case "flow.dag.yaml", "flow.dag.yml", "flow.flex.yaml", "flow.flex.yml":
		return true
	}
	return false
}

// V2KindOf returns the kind of a document by the schema that it names, or by its keys; "" if it is not a v2 document.
func V2KindOf(root *document.Node) V2Kind {
	address := root.Get("$schema").Text()
	if !isV2Address(address) {
		return v2ByKeys(root)
	}
	if kind, _ := v2Named(root, address); kind != "" {
		return kind
	}
	return v2ByType(root, v2ByAddress(address))
}

// v2ByType returns the kind of a batch deployment: the Azure ML client ignores the address of its schema.
func v2ByType(root *document.Node, named V2Kind) V2Kind {
	at := root.Get("type")
	switch {
	case named != "batch-deployment" && named != "model-batch-deployment" && named != "pipeline-component-batch-deployment", root.Merges(), root.Get("endpoint_name") == nil:
		return named
	case at.IsNull():
		return "batch-deployment"
	case at.Text() == "model":
		return "model-batch-deployment"
	case at.Text() == "pipeline":
		return "pipeline-component-batch-deployment"
	}
	return named
}

// v2Named returns the kind that a mapping's keys prove and the kind of the schema that it names, if they differ; "" if
// they agree. The Azure ML client ignores the address. Jobs and components share too many keys.
func v2Named(root *document.Node, address string) (is, named V2Kind) {
	is, named = v2ByKeys(root), v2ByAddress(address)
	family := func(k V2Kind) string {
		switch {
		case k == "job" || k == "component":
			return "job"
		case strings.HasSuffix(string(k), "deployment"):
			return "deployment"
		case strings.HasSuffix(string(k), "endpoint"):
			return "endpoint"
		}
		return string(k)
	}
	if is == "" || named == "" || named == "flow" || family(is) == family(named) {
		return "", named
	}
	return is, named
}

// Misnamed returns the kind of the schema that a v2 file names, if its keys are clearly those of another kind, which
// the file then is; otherwise "".
func (f *File) Misnamed() V2Kind {
	address := f.Root().Get("$schema").Text()
	if f.V2 == "" || !isV2Address(address) {
		return ""
	}
	if is, named := v2Named(f.Root(), address); is != "" {
		return named
	}
	return ""
}

func isV2Address(address string) bool {
	return slices.ContainsFunc(v2Hosts, func(host string) bool { return strings.Contains(address, host) })
}

// v2ByKeys returns the kind that the keys of a mapping prove.
func v2ByKeys(root *document.Node) V2Kind {
	has := func(keys ...string) bool {
		return !slices.ContainsFunc(keys, func(key string) bool { return root.Get(key) == nil })
	}
	either := func(keys ...string) bool { return slices.ContainsFunc(keys, func(key string) bool { return has(key) }) }
	if root = root.Resolve(); !root.IsMapping() || either("apiVersion", "on", "stages", "steps", "bundle") || has("services") && !v2Command(root) {
		return ""
	}
	kind := strings.ToLower(root.Get("type").Text())
	is := func(kinds ...string) bool { return slices.Contains(kinds, kind) }
	switch {
	case has("endpoint_name") && is("model"):
		return "model-batch-deployment"
	case has("endpoint_name") && is("pipeline"):
		return "pipeline-component-batch-deployment"
	case has("endpoint_name") && either("compute", "settings", "mini_batch_size", "job_definition"):
		return "batch-deployment"
	case has("endpoint_name") && either("model", "environment", "code_configuration", "instance_type", "scale_settings"):
		return "online-deployment"
	case has("name", "auth_mode") && v2Auth(root.Get("auth_mode").Text()):
		if has("defaults") || is("batch") { // the previews had a type
			return "batch-endpoint"
		}
		return "online-endpoint"
	case has("trigger") && either("create_job", "create_monitor", "import_data"):
		return "schedule"
	case is("pipeline") && root.Get("jobs").Resolve().IsMapping(), is("sweep") && has("trial") && either("objective", "search_space"),
		is("automl") && has("task", "training_data"), is("finetuning") && has("model_provider"), is("spark") && has("entry"), is("", "command") && v2Command(root):
		return v2Runnable(root)
	case is("component", "command_component", "commandcomponent") && v2Command(root): // names of the previews
		return "component"
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

// attached reports whether a resource ID is of a kind that Azure ML attaches as a compute.
func attached(id string) bool {
	id = strings.ToLower(id)
	return slices.ContainsFunc([]string{"/bigdatapools/", "/virtualmachines/", "/managedclusters/", "/connectedclusters/"},
		func(part string) bool { return strings.Contains(id, part) })
}

// v2Auth reports whether a text is an authentication mode of an endpoint.
func v2Auth(mode string) bool {
	return slices.Contains([]string{"key", "aml_token", "aad_token", "amltoken", "aadtoken", "aad-token", "aml-token"}, strings.ToLower(mode))
}

// v2Command reports whether a mapping with a command is a job or component of v2: files of other programs have a
// command and an environment too, but not such an environment.
func v2Command(root *document.Node) bool {
	if !root.Get("command").IsString() {
		return false
	}
	environment := root.Get("environment").Resolve()
	if environment == nil { // forgotten, if the rest is clear
		return strings.HasPrefix(root.Get("compute").Text(), "azureml:")
	}
	if environment.IsMapping() {
		return slices.ContainsFunc([]string{"image", "conda_file", "build", "docker", "conda"}, func(key string) bool { return environment.Get(key) != nil })
	}
	text := environment.Text()
	return environment.IsString() && (strings.HasPrefix(text, "azureml:") || strings.HasPrefix(text, "file:") || strings.HasPrefix(root.Get("compute").Text(), "azureml:") ||
		root.Get("experiment_name") != nil && (root.Get("compute") != nil || root.Get("code") != nil))
}

// v2Runnable tells a component from a job: only a component has a version, and ports without data.
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

// v2Environment reports whether a mapping is an environment. A name and an image alone prove nothing, unless the image
// is Azure ML's.
func v2Environment(root *document.Node) bool {
	for _, e := range root.Entries {
		if e.Key.Value != "$schema" && !slices.Contains(v2EnvironmentKeys, e.Key.Value) {
			return false
		}
	}
	image := root.Get("image").Text()
	return root.Get("name") != nil && (root.Get("conda_file") != nil || root.Get("inference_config") != nil && image != "" ||
		strings.HasPrefix(image, "mcr.microsoft.com/azureml/"))
}

// Pairs of top-level keys: every file that v2ByKeys recognizes has one, so the beginning of a file rules out nearly all
// others. "type" counts only with a v2 value, "image" only with an Azure ML image.
var v2Pairs = [][2]string{
	{"endpoint_name", ""}, {"auth_mode", "name"}, {"trigger", "create_job"}, {"trigger", "create_monitor"}, {"trigger", "import_data"},
	{"type", ""}, {"command", "environment"}, {"command", "compute"}, {"name", "conda_file"}, {"name", "image"}, {"name", "resource_id"},
}

// v2Types are the values of "type" that v2ByKeys recognizes.
var v2Types = []string{"amlcompute", "automl", "azure_blob", "azure_data_lake_gen1", "azure_data_lake_gen2", "azure_file", "command", "computeinstance", "custom_model",
	"finetuning", "kubernetes", "mlflow_model", "mltable", "one_lake", "parallel", "pipeline", "spark", "sweep", "synapsespark", "triton_model",
	"uri_file", "uri_folder", "virtualmachine"}

// v2Likely reports whether the beginning of a file may be that of a v2 file that names no schema; more says that the
// file is longer. Its keys are indented like the first; in JSON they may be anywhere.
func v2Likely(head []byte, more bool) bool {
	var seen [16]bool
	first, flow := firstIndent(head)
	for line := range bytes.Lines(head) {
		if flow {
			line = bytes.TrimLeft(line, " \t{")
		}
		line, ok := bytes.CutPrefix(line, first)
		if !ok {
			continue
		}
		line = bytes.TrimLeft(line, "\"'")
		n := bytes.IndexByte(line, ':')
		if n <= 0 || n > 24 {
			continue
		}
		i := slices.Index(v2Telling, string(bytes.TrimRight(line[:n], "\"' ")))
		if i < 0 {
			continue
		}
		value, _, _ := bytes.Cut(line[n+1:], []byte("#"))
		telling := true
		switch string(bytes.TrimRight(line[:n], "\"' ")) {
		case "type":
			_, telling = slices.BinarySearch(v2Types, strings.ToLower(string(bytes.Trim(value, " \t\r\n\"',}"))))
		case "image":
			telling = bytes.Contains(value, []byte("azureml"))
		}
		seen[i] = seen[i] || telling
	}
	has := func(key string) bool {
		i := slices.Index(v2Telling, key)
		return i < 0 || seen[i]
	}
	return more && !flow && has("command") || slices.ContainsFunc(v2Pairs, func(pair [2]string) bool { return has(pair[0]) && has(pair[1]) })
}

// firstIndent returns the spaces before the first key of a text; none in flow style, where they have no meaning. Lines
// of Jinja before it do not count.
func firstIndent(text []byte) (spaces []byte, flow bool) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for line := range bytes.Lines(text) {
		rest := bytes.TrimLeft(line, " \t")
		switch {
		case len(bytes.TrimSpace(rest)) == 0, rest[0] == '#', rest[0] == '%', bytes.HasPrefix(rest, []byte("---")), jinja(rest):
		case rest[0] == '{':
			return nil, true
		default:
			return line[:len(line)-len(rest)], false
		}
	}
	return nil, false
}

// jinja reports whether a line begins with a block, a comment or a value of Jinja.
func jinja(line []byte) bool {
	return len(line) > 1 && line[0] == '{' && strings.IndexByte("%#{", line[1]) >= 0
}

// v2Telling are the keys of v2Pairs.
var v2Telling = []string{"auth_mode", "command", "compute", "conda_file", "create_job", "create_monitor", "endpoint_name", "environment", "image", "import_data", "name", "resource_id", "trigger", "type"}
