// Package format knows the formats of job configuration files: their JSON
// Schemas, and how a document measures up to them. It says what is wrong in the
// words of this project and at the bytes at fault; the schema library only
// decides whether something is.
package format

import (
	"embed"
	"slices"
	"strings"
)

// Kind is the format of a file.
type Kind string

// The formats. The values are what `amlfix schema` takes and part of each
// schema's address.
const (
	Compute            Kind = "compute"             // Workbench compute target, *.compute
	WorkbenchRunConfig Kind = "workbench-runconfig" // Workbench run configuration, *.runconfig
	SDKRunConfig       Kind = "sdk-runconfig"       // SDK v1 run configuration, *.runconfig
	Conda              Kind = "conda"               // conda environment, conda_dependencies.yml
	Spark              Kind = "spark"               // Spark settings, spark_dependencies.yml
	Settings           Kind = "settings"            // what the user wants of amlfix, .amlfix.yaml
	Baseline           Kind = "baseline"            // the findings that are known, .amlfix-baseline.yaml

	// Of Azure ML v2 these are the kinds that code names; Kinds lists them all.
	V2Command     Kind = "v2-command"     // command job of Azure ML v2
	V2Spark       Kind = "v2-spark"       // Spark job of Azure ML v2
	V2Pipeline    Kind = "v2-pipeline"    // pipeline job of Azure ML v2
	V2Environment Kind = "v2-environment" // environment of Azure ML v2
	V2Compute     Kind = "v2-compute"     // compute of Azure ML v2
	v2Any         Kind = "v2-"            // any file of Azure ML v2
	Compose       Kind = "compose"        // Compose file, as far as amlfix writes it
	Kubernetes    Kind = "kubernetes"     // Job, Service or claim of Kubernetes, as far as amlfix writes it

	// SDKEnvironment is the file that "environment" of an SDK v1 run
	// configuration may name. It is held against that part of SDKRunConfig's
	// schema and has no text of its own.
	SDKEnvironment Kind = "sdk-environment"
)

// The rules that Validate reports under.
const (
	RuleUnknownKey = "schema/unknown-key"
	RuleMissingKey = "schema/missing-key"
	RuleType       = "schema/type"
	RuleValue      = "schema/value"
	RuleDeprecated = "schema/deprecated"
	RuleSyntax     = "yaml/syntax"
)

//go:embed *.schema.json
var texts embed.FS

// Kinds returns the names of all formats.
func Kinds() []string {
	return slices.Concat(ownKinds(), v2Kinds())
}

// ownKinds are the formats whose schemas are written by hand.
func ownKinds() []string {
	return []string{string(Compute), string(WorkbenchRunConfig), string(SDKRunConfig), string(Conda), string(Spark),
		string(Compose), string(Kubernetes), string(Settings), string(Baseline)}
}

// v2 reports whether a format is one of Azure ML v2. Its client compares the
// names of values without regard to case and refuses a file for one unknown key.
func (k Kind) v2() bool { return strings.HasPrefix(string(k), string(v2Any)) }

// Text returns the JSON Schema (draft-07) of a format, as editors take it; ok is
// false when there is no format of that name. For compute targets it covers all
// types in one schema.
//
// Editors get a little less than Validate knows: the keys that SDK v1 reads
// in another spelling, and values that differ from a name by case only, are
// faults to them.
func Text(kind string) (text []byte, ok bool) {
	if text, ok := v2Text(kind); ok {
		return text, true
	}
	text, err := texts.ReadFile(kind + ".schema.json")
	return text, err == nil
}
