package format

import (
	"encoding/json"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/plain"
)

//go:generate go test -run TestCompiledIsFresh -update .

// The schemas written by hand.
var (
	workbenchSchema  = plain.Once[*literal.Schema]{Make: compiledWorkbenchRunconfig}
	sdkSchema        = plain.Once[*literal.Schema]{Make: compiledSdkRunconfig}
	condaSchema      = plain.Once[*literal.Schema]{Make: compiledConda}
	sparkSchema      = plain.Once[*literal.Schema]{Make: compiledSpark}
	composeSchema    = plain.Once[*literal.Schema]{Make: func() *literal.Schema { return fromText(Compose) }}
	kubernetesSchema = plain.Once[*literal.Schema]{Make: func() *literal.Schema { return fromText(Kubernetes) }}
	settingsSchema   = plain.Once[*literal.Schema]{Make: compiledSettings}
	baselineSchema   = plain.Once[*literal.Schema]{Make: func() *literal.Schema { return fromText(Baseline) }}
	otherSchema      = plain.Once[*literal.Schema]{Make: compiledOther}
	untypedSchema    = plain.Once[*literal.Schema]{Make: compiledUntyped}
)

// oneType matches the keyword for a single type; in the schemas of v2, it is always a list.
var oneType = plain.Regexp{Text: `"type": ("\w+")`}

// fromText returns the schema that a kind's own text has. Those of kinds that few files have are read so: decoding
// takes longer than building a literal, but a literal takes four times the space in the program.
func fromText(kind Kind) *literal.Schema {
	text, _ := Text(string(kind))
	text = oneType.Get().ReplaceAll(text, []byte(`"type": [$1]`))
	var file struct {
		node
		Definitions map[string]*node
	}
	_ = json.Unmarshal(text, &file) // TestFromText compares the result
	return file.schema(file.Definitions)
}

// schemaFor returns the schema to validate a document of kind against, or nil for an unknown kind.
func schemaFor(kind Kind, root *document.Node) *literal.Schema {
	switch kind {
	case Compute:
		return computeSchema(root)
	case WorkbenchRunConfig:
		return workbenchSchema.Get()
	case SDKRunConfig:
		return sdkSchema.Get()
	case SDKEnvironment:
		return sdkSchema.Get().Properties["environment"]
	case Conda:
		return condaSchema.Get()
	case Spark:
		return sparkSchema.Get()
	case Compose:
		return composeSchema.Get()
	case Kubernetes:
		return kubernetesSchema.Get()
	case Settings:
		return settingsSchema.Get()
	case Baseline:
		return baselineSchema.Get()
	default:
		return v2Schema(kind)
	}
}

// computeSchema returns the schema for the target's type: a small one per type is faster than one with conditions for
// all.
func computeSchema(root *document.Node) *literal.Schema {
	entry, ok := root.Entry("type")
	if !ok {
		return untypedSchema.Get()
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
			return t.schema.Get()
		}
	}
	return otherSchema.Get()
}

// computeTypes are the documented types with their schemas, also for messages that say which types have a key.
var computeTypes = []computeType{
	{"local", &plain.Once[*literal.Schema]{Make: compiledLocal}},
	{"localdocker", &plain.Once[*literal.Schema]{Make: compiledLocaldocker}},
	{"remotedocker", &plain.Once[*literal.Schema]{Make: compiledRemotedocker}},
	{"remote", &plain.Once[*literal.Schema]{Make: compiledRemote}},
	{"cluster", &plain.Once[*literal.Schema]{Make: compiledCluster}},
}

type computeType struct {
	name   string
	schema *plain.Once[*literal.Schema]
}
