// Package format has the JSON Schemas of job configuration files, and validates documents against them. It words the
// findings itself and locates them at the bytes at fault; the schema library only decides whether something is wrong. A
// program that validates must import package library, which holds it.
package format

import (
	"embed"
	"slices"
	"strings"
)

// Kind is the format of a file.
type Kind string

// The formats. The values are the arguments of `amlfix schema` and part of each schema's URL.
const (
	Compute            Kind = "compute"             // Workbench compute target, *.compute
	WorkbenchRunConfig Kind = "workbench-runconfig" // Workbench run configuration, *.runconfig
	SDKRunConfig       Kind = "sdk-runconfig"       // SDK v1 run configuration, *.runconfig
	Conda              Kind = "conda"               // conda environment, conda_dependencies.yml
	Spark              Kind = "spark"               // Spark settings, spark_dependencies.yml
	Settings           Kind = "settings"            // settings of amlfix, .amlfix.yaml
	Baseline           Kind = "baseline"            // known findings, .amlfix-baseline.yaml

	// For Azure ML v2, these are only the kinds that code refers to; Kinds lists all.
	V2Command          Kind = "v2-command"           // command job of Azure ML v2
	V2Spark            Kind = "v2-spark"             // Spark job of Azure ML v2
	V2Sweep            Kind = "v2-sweep"             // sweep job of Azure ML v2
	V2Pipeline         Kind = "v2-pipeline"          // pipeline job of Azure ML v2
	V2AutoML           Kind = "v2-automl"            // AutoML job of Azure ML v2
	V2Environment      Kind = "v2-environment"       // environment of Azure ML v2
	V2Compute          Kind = "v2-compute"           // compute of Azure ML v2
	V2Data             Kind = "v2-data"              // data asset of Azure ML v2
	V2Model            Kind = "v2-model"             // model of Azure ML v2
	V2OnlineEndpoint   Kind = "v2-online-endpoint"   // online endpoint of Azure ML v2
	V2OnlineDeployment Kind = "v2-online-deployment" // online deployment of Azure ML v2
	V2Schedule         Kind = "v2-schedule"          // schedule of Azure ML v2
	v2Any              Kind = "v2-"                  // any file of Azure ML v2
	Compose            Kind = "compose"              // Compose file, as far as amlfix writes it
	Kubernetes         Kind = "kubernetes"           // Job, Service or claim of Kubernetes, as far as amlfix writes it

	// SDKEnvironment is a file that "environment" in an SDK v1 run configuration may name. It is validated against that
	// part of SDKRunConfig's schema and has no schema text of its own.
	SDKEnvironment Kind = "sdk-environment"
)

// The rules that Validate reports.
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

// v2 reports whether a format is an Azure ML v2 one. The v2 client ignores the case of value names and rejects a file
// with an unknown key.
func (k Kind) v2() bool { return strings.HasPrefix(string(k), string(v2Any)) }

// Text returns the JSON Schema (draft-07) of a format for editors; ok is false if there is no format with that name.
// For compute targets, one schema covers all types.
//
// The text is slightly stricter than Validate: editors report keys that SDK v1 accepts in another spelling, and values
// that differ from a name only in case.
func Text(kind string) (text []byte, ok bool) {
	if text, ok := v2Text(kind); ok {
		return text, true
	}
	text, err := texts.ReadFile(kind + ".schema.json")
	return text, err == nil
}
