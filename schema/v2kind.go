package schema

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
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
	{"codeasset", ""}, {"asset", "data"}, // the data assets of the previews
	{"index", "index"}, {"workspace", "workspace"}, {"hub", "workspace"}, {"project", "workspace"}, {"registry", "registry"},
}

// v2Published are the names of Azure's published schemas by kind, and by type where a kind has several.
var v2Published = plain.Once[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"job": "commandJob", "job/command": "commandJob", "job/pipeline": "pipelineJob", "job/sweep": "sweepJob", "job/spark": "sparkJob", "job/automl": "autoMLJob",
		"component": "commandComponent", "component/command": "commandComponent", "component/pipeline": "pipelineComponent",
		"component/parallel": "parallelComponent", "component/spark": "sparkComponent",
		"compute/amlcompute": "amlCompute", "compute/computeinstance": "computeInstance", "compute/virtualmachine": "vmCompute",
		"compute/kubernetes": "kubernetesCompute", "compute/synapsespark": "synapsesparkCompute",
		"environment": "environment", "data": "data", "model": "model", "schedule": "schedule", "datastore/azure_blob": "azureBlob", "datastore/azure_file": "azureFile",
		"datastore/azure_data_lake_gen1": "azureDataLakeGen1", "datastore/azure_data_lake_gen2": "azureDataLakeGen2",
		"online-endpoint": "managedOnlineEndpoint", "online-endpoint/kubernetes": "kubernetesOnlineEndpoint",
		"online-deployment": "managedOnlineDeployment", "online-deployment/kubernetes": "kubernetesOnlineDeployment",
		"batch-endpoint": "batchEndpoint", "batch-deployment": "batchDeployment", "batch-deployment/model": "modelBatchDeployment",
		"batch-deployment/pipeline": "pipelineComponentBatchDeployment",
	}
}}

// Schema returns the address of the schema that Azure publishes for a file of this kind with that root, or "" if none
// is known.
func (k V2Kind) Schema(root *document.Node) string {
	kind := strings.ToLower(root.Get("type").Text())
	if k == "online-endpoint" && kind == "" && root.Get("compute") != nil {
		kind = "kubernetes" // a managed endpoint has no compute target
	}
	name := v2Published.Get()[string(k)+"/"+kind]
	if name == "" && (kind == "" || k == "data" || k == "model" || k == "online-deployment") {
		name = v2Published.Get()[string(k)]
	}
	if name == "" {
		return ""
	}
	return "https://azuremlschemas.azureedge.net/latest/" + name + ".schema.json"
}

// v2Hosts are the hosts in the addresses of v2 schemas: today's (the second for slips in the first), those of the
// preview, and the reference.
var v2Hosts = []string{"azuremlschemas", ".azureedge.net/latest/", "azuremlsdk2.blob.core.windows.net/", "//azureml/sdk-2-0/", "/azure/machine-learning/reference-yaml-"}

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
	if root != nil && (root.Kind == document.Sequence || ofComponentSDK(root)) && !f.Broken() {
		return v2Listed(root) // each of a list, or of another format
	}
	if address := f.addressInText(); address != "" { // nothing could be read
		return v2ByAddress(address)
	}
	return v2ByRest(f.Stream)
}

// v2Listed returns the kind of a document whose root is a list by mistake: of the document alone, or of its lines.
func v2Listed(root *document.Node) V2Kind {
	items := root.Items()
	if len(items) == 0 || len(items) > 1 && slices.ContainsFunc(items, func(n *document.Node) bool {
		return len(n.Entries()) != 1 || n != items[0] && n.Get("$schema") != nil
	}) {
		return ""
	}
	if address := items[0].Get("$schema").Text(); isV2Address(address) {
		return v2ByAddress(address)
	}
	return ""
}

// v2ByRest returns the kind that the keys of a text prove without the line at which it cannot be read.
func v2ByRest(s *document.Stream) V2Kind {
	text := s.Source.Text
	if s.Repaired || s.Whole() || s.Problems[0].Kind != document.Syntax || !v2Likely(text[:min(len(text), v2Head)], len(text) > v2Head) {
		return ""
	}
	line := s.Source.Line(s.Source.LineAt(s.Problems[0].Span.Start))
	return v2ByKeys(document.Parse(source.New(s.Source.Path, slices.Concat(text[:line.Start], text[line.End:]))).Root())
}

// tableName is the name of the file that says how the files of a table are read. Azure ML finds it under no other.
const tableName = "MLTable"

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
	address := addressOf(root)
	if ofComponentSDK(root) {
		return ""
	}
	if !isV2Address(address) {
		return v2ByKeys(root)
	}
	if kind, _ := v2Named(root, address); kind != "" {
		return kind
	}
	return v2ByType(root, v2ByAddress(address))
}

// ofComponentSDK reports whether a document is of azure-ml-component, the SDK before v2, whose commands have
// {inputs.name} and whose components Azure ML knows as CommandComponent and the like. Source: azure-ai-ml 1.35.2,
// azure.ai.ml._internal.
func ofComponentSDK(root *document.Node) bool {
	kind, ok := strings.CutSuffix(root.Resolve().Get("type").Text(), "Component")
	return ok && kind != "" && kind[0] >= 'A' && kind[0] <= 'Z' && !strings.Contains(addressOf(root), v2Hosts[0])
}

// AddressEntry returns a document's "$schema", also if that key is misspelt before the address of a v2 schema.
func AddressEntry(root *document.Node) (document.Entry, bool) {
	root = root.Resolve()
	if e, ok := root.Entry("$schema"); ok || !root.IsMapping() {
		return e, ok
	}
	i := slices.IndexFunc(root.Entries(), func(e document.Entry) bool {
		return misspelt(e.Key.Value) && isV2Address(e.Value.Text())
	})
	if i < 0 {
		return document.Entry{}, false
	}
	return root.Entries()[i], true
}

func addressOf(root *document.Node) string {
	e, _ := AddressEntry(root)
	return e.Value.Text()
}

// misspelt reports whether a key is a slip for "$schema".
func misspelt(key string) bool {
	if key == "" {
		return false
	}
	switch key[0] {
	case '$', '\\', '`', 's', 'S':
	default:
		return false // as nearly all are
	}
	key = strings.TrimLeft(key, "\\`") // escapes of shells
	return strings.HasPrefix(key, "$") && plain.DistanceWithin(strings.ToLower(key), "$schema", 2) <= 2 || strings.EqualFold(key, "schema")
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
	if f.V2 == "" {
		return ""
	}
	address := addressOf(f.Root())
	if !isV2Address(address) {
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
