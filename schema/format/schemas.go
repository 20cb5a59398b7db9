package format

import (
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/amlfix/amlfix/schema/document"
)

//go:generate go test -run TestCompiledIsFresh -update .

// The compiled schemas, each built on first use.
var (
	localSchema        = sync.OnceValue(compiledLocal)
	localDockerSchema  = sync.OnceValue(compiledLocaldocker)
	remoteDockerSchema = sync.OnceValue(compiledRemotedocker)
	remoteSchema       = sync.OnceValue(compiledRemote)
	clusterSchema      = sync.OnceValue(compiledCluster)
	otherSchema        = sync.OnceValue(compiledOther)
	untypedSchema      = sync.OnceValue(compiledUntyped)
	workbenchSchema    = sync.OnceValue(compiledWorkbenchRunconfig)
	sdkSchema          = sync.OnceValue(compiledSdkRunconfig)
	condaSchema        = sync.OnceValue(compiledConda)
	sparkSchema        = sync.OnceValue(compiledSpark)
	composeSchema      = sync.OnceValue(compiledCompose)
	kubernetesSchema   = sync.OnceValue(compiledKubernetes)
	settingsSchema     = sync.OnceValue(compiledSettings)
	baselineSchema     = sync.OnceValue(compiledBaseline)
)

// schemaFor returns the schema to validate a document of kind against, or nil for an unknown kind.
func schemaFor(kind Kind, root *document.Node) *jsonschema.Schema {
	switch kind {
	case Compute:
		return computeSchema(root)
	case WorkbenchRunConfig:
		return workbenchSchema()
	case SDKRunConfig:
		return sdkSchema()
	case SDKEnvironment:
		return sdkSchema().Properties["environment"]
	case Conda:
		return condaSchema()
	case Spark:
		return sparkSchema()
	case Compose:
		return composeSchema()
	case Kubernetes:
		return kubernetesSchema()
	case Settings:
		return settingsSchema()
	case Baseline:
		return baselineSchema()
	default:
		return v2Schema(kind)
	}
}

// computeSchema returns the schema for the target's type: a small one per type is faster than one with conditions for
// all.
func computeSchema(root *document.Node) *jsonschema.Schema {
	entry, ok := root.Entry("type")
	if !ok {
		return untypedSchema()
	}
	switch strings.ToLower(entry.Value.Text()) {
	case "local":
		return localSchema()
	case "localdocker", "docker":
		return localDockerSchema()
	case "remotedocker", "virtualmachine":
		return remoteDockerSchema()
	case "remote":
		return remoteSchema()
	case "cluster":
		return clusterSchema()
	}
	return otherSchema()
}

// computeTypes returns the documented types with their schemas, for messages that say which types have a key.
func computeTypes() []computeType {
	return []computeType{
		{"local", localSchema()}, {"localdocker", localDockerSchema()}, {"remotedocker", remoteDockerSchema()},
		{"remote", remoteSchema()}, {"cluster", clusterSchema()},
	}
}

type computeType struct {
	name   string
	schema *jsonschema.Schema
}
