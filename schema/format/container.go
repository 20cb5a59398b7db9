package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
)

// container returns the name of the mapping at p for a message about one of its keys.
func (v *validation) container(p *place) string {
	if path := p.path(); path != "" {
		return fmt.Sprintf("%q", path)
	}
	if is := annotationOf(p.schema).Is; is != "" {
		return "an Azure ML v2 " + is
	}
	switch v.kind {
	case Compute:
		if name := v.root.Get("type").Text(); name != "" && p.schema != otherSchema.Get() {
			return fmt.Sprintf("a %s target", name)
		}
		return "a compute target"
	case WorkbenchRunConfig:
		return "a Workbench run configuration"
	case SDKRunConfig:
		return "an SDK v1 run configuration"
	case SDKEnvironment:
		return "an SDK v1 environment file"
	case Conda:
		return "a conda environment file"
	case Settings:
		return "amlfix's settings"
	case Baseline:
		return "a baseline"
	case Compose:
		return "a Compose file"
	case Kubernetes:
		return "a Kubernetes manifest"
	default:
		if v.kind.v2() {
			return "this file"
		}
		return "a Spark dependencies file"
	}
}

// What conda and SDK v1 do with an unknown key of a conda file.
const (
	condaIgnores = "and conda does not support it"
	sdkRejects   = "so the SDK rejects the file"
)

// ReadBySDK returns findings about a conda file that SDK v1 reads, too: its class CondaDependencies (azureml-core 1.61)
// rejects the unknown keys about which conda only warns. The findings given are not changed.
func ReadBySDK(found []finding.Finding) []finding.Finding {
	found = slices.Clone(found)
	for i, f := range found {
		if f.Rule == RuleUnknownKey {
			found[i].Severity, found[i].Message = finding.Error, strings.Replace(f.Message, condaIgnores, sdkRejects, 1)
		}
	}
	return found
}

// effect says what the file's parser does with an unknown key.
func (v *validation) effect(p *place) string {
	switch annotationOf(p.schema).Unknown {
	case "dropped":
		return "and Azure ML ignores it silently"
	case "passed":
		return "and Azure ML does not support it"
	case "rejected":
		return sdkRejects
	}
	switch v.kind {
	case SDKRunConfig, SDKEnvironment:
		return "and the SDK ignores it silently"
	case Conda:
		return condaIgnores
	case Compose, Kubernetes:
		return "and amlfix never writes it"
	default: // it depends on the service
	}
	if v.kind.v2() {
		return "so Azure ML rejects the file"
	}
	return "so it has no effect"
}

// article returns a word with "a" or "an" before it.
func article(word string) string {
	if strings.ContainsRune("aeiouAEIO", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}
