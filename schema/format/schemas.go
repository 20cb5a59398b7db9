package format

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
)

//go:generate go test -run TestCompiledIsFresh -update .

// schemas are the schemas written by hand, each compiled on first use.
var schemas = map[Kind]func() *jsonschema.Schema{
	WorkbenchRunConfig: plain.Once(compiledWorkbenchRunconfig),
	SDKRunConfig:       sdkSchema,
	SDKEnvironment:     func() *jsonschema.Schema { return sdkSchema().Properties["environment"] },
	Conda:              plain.Once(compiledConda),
	Spark:              plain.Once(compiledSpark),
	Compose:            plain.Once(compiledCompose),
	Kubernetes:         plain.Once(compiledKubernetes),
	Settings:           plain.Once(compiledSettings),
	Baseline:           plain.Once(compiledBaseline),
}

var (
	sdkSchema     = plain.Once(compiledSdkRunconfig)
	otherSchema   = plain.Once(compiledOther)
	untypedSchema = plain.Once(compiledUntyped)
)

// schemaFor returns the schema to validate a document of kind against, or nil for an unknown kind.
func schemaFor(kind Kind, root *document.Node) *jsonschema.Schema {
	if kind == Compute {
		return computeSchema(root)
	}
	if schema, ok := schemas[kind]; ok {
		return schema()
	}
	return v2Schema(kind)
}

// computeSchema returns the schema for the target's type: a small one per type is faster than one with conditions for
// all.
func computeSchema(root *document.Node) *jsonschema.Schema {
	entry, ok := root.Entry("type")
	if !ok {
		return untypedSchema()
	}
	name := strings.ToLower(entry.Value.Text())
	switch name {
	case "docker":
		name = "localdocker"
	case "virtualmachine":
		name = "remotedocker"
	}
	for _, t := range computeTypes {
		if t.name == name {
			return t.schema()
		}
	}
	return otherSchema()
}

// computeTypes are the documented types with their schemas, also for messages that say which types have a key.
var computeTypes = []computeType{
	{"local", plain.Once(compiledLocal)},
	{"localdocker", plain.Once(compiledLocaldocker)},
	{"remotedocker", plain.Once(compiledRemotedocker)},
	{"remote", plain.Once(compiledRemote)},
	{"cluster", plain.Once(compiledCluster)},
}

type computeType struct {
	name   string
	schema func() *jsonschema.Schema
}
