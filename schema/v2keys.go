package schema

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
)

// v2ByKeys returns the kind that the keys of a mapping prove.
func v2ByKeys(root *document.Node) V2Kind {
	has := func(keys ...string) bool { return hasAll(root, keys) }
	either := func(keys ...string) bool { return hasAny(root, keys) }
	if root = root.Resolve(); !root.IsMapping() || either("apiVersion", "on", "stages", "steps", "bundle") || has("services") && !v2Command(root) {
		return ""
	}
	kind := strings.TrimSuffix(strings.ToLower(root.Get("type").Text()), "_job") // which the previews added
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
	case is("amlcompute", "virtualmachine", "synapsespark", "computeinstance") && has("name"), is("kubernetes") && has("name", "resource_id"),
		has("name", "resource_id") && attached(root.Get("resource_id").Text()):
		return "compute"
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
	case is("azure_blob", "azure_file", "azure_data_lake_gen1", "azure_data_lake_gen2", "one_lake") && has("name") && either("account_name", "store_name", "artifact") && root.Get("url") == nil: // which a connection of the same type has
		return "datastore"
	case is("custom_model", "mlflow_model", "triton_model") && has("name", "path"):
		return "model"
	case is("uri_file", "uri_folder", "mltable") && has("name", "path"):
		return "data"
	case kind == "" && v2Environment(root):
		return "environment"
	case has("name", "replication_locations"):
		return "registry"
	case has("name", "managed_network") && root.Get("managed_network").Get("isolation_mode") != nil && !either("offline_store", "materialization_identity"):
		return "workspace"
	case has("name", "type", "target") && v2Credentials(root.Get("credentials").Get("type").Text()):
		return "connection"
	}
	return ""
}

// hasAll reports whether a node has all of some keys. Like hasAny, it is not copied to the many places that ask.
//
//go:noinline
func hasAll(n *document.Node, keys []string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { return n.Get(key) == nil })
}

// hasAny reports whether a node has any of some keys.
//
//go:noinline
func hasAny(n *document.Node, keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return n.Get(key) != nil })
}

// v2Credentials reports whether a text is a type of a connection's credentials.
func v2Credentials(kind string) bool {
	return slices.Contains([]string{"pat", "username_password", "managed_identity", "sas", "service_principal", "access_key", "account_key", "api_key"}, strings.ToLower(kind))
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
	for _, e := range inputs.Entries() {
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
	for _, e := range root.Entries() {
		if e.Key.Value != "$schema" && !slices.Contains(v2EnvironmentKeys, e.Key.Value) {
			return false
		}
	}
	image := root.Get("image").Text()
	return root.Get("name") != nil && (root.Get("conda_file") != nil || root.Get("inference_config") != nil && image != "" ||
		strings.HasPrefix(image, "mcr.microsoft.com/azureml/"))
}
