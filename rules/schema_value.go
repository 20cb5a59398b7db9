package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/settings"
)

var schemaValue = Rule{
	ID:       "schema/value",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A value is not one of those that the format allows.",
	Why:      `"Framework: Pyton" is neither Python nor PySpark; the job is rejected, or the default is used.`,
	Remedy:   "Rewrites a value that differs only in capitalization, and a VM size without an underscore; with --unsafe, writes the only name that the value resembles, and removes type: component.",
	Facts:    []string{"communicators"},
	Bad: `
-- aml_config/docker.compute --
type: localDocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Good: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Check: func(p *Pass) {
		fromSchema(p)
		communicators(p)
		addresses(p)
		interpreters(p)
		emptyVectors(p)
		condaAsEnvironment(p)
		otherKind(p)
		settingsValues(p)
		unaccepted(p)
		unnameable(p)
		flowValues(p)
		misspeltSizes(p)
		for _, b := range p.shared.bodies {
			otherType(p, b)
			otherTrial(p, b)
			jobGiven(p, b)
			localStep(p, b)
			sparkMemory(p, b)
			sameNames(p, b)
			gitCode(p, b)
		}
	},
}

// settingsValues reports unknown rules in a settings file, and patterns that match nothing.
func settingsValues(p *Pass) {
	check := func(f *schema.File) []finding.Finding { return settings.Check(f.Stream, p.shared.ids, Questions()) }
	for _, f := range p.Project.Files {
		if f.Kind != schema.Settings || f.Broken() {
			continue
		}
		for _, wrong := range schema.Note(f, noteSettings, check) {
			p.report(wrong.Location, wrong.Fix)
		}
	}
}

// communicators reports, as an info, a distributed SDK v1 job that combines a communicator with a framework it is not
// documented for. The vendor's own samples do that, so it is not a warning.
func communicators(p *Pass) {
	for _, job := range p.Project.RunConfigurations() {
		if !job.Communicator.Explicit || !job.Communicator.Node.IsString() || !isPath(job.Framework) {
			continue
		}
		known, ok := catalog.LookupCommunicator(job.Communicator.Text)
		if !ok || known.Serves(job.Framework.Text) {
			continue
		}
		p.reportAs(finding.Info, job.Communicator.Location(fmt.Sprintf("the communicator %q is documented for the frameworks %s, but this job's framework is %q",
			job.Communicator.Text, plain.List(known.Frameworks, "and"), job.Framework.Text)), nil, job.Framework.Location("the framework"))
	}
}

// emptyVectors reports Workbench run configurations that run nothing; azureml-core rejects them, too.
func emptyVectors(p *Pass) {
	for _, job := range p.Project.RunConfigurations() {
		if list := job.Node.Get("ArgumentVector").Resolve(); job.Dialect == schema.Workbench && list.IsSequence() && len(list.Items()) == 0 {
			p.report(finding.Location{Source: job.File.Source, Span: list.Span,
				Message: `"ArgumentVector" cannot be empty: its first item is the script, or "$file" for the one that is submitted`}, nil)
		}
	}
}

// condaAsEnvironment reports a conda file where an SDK v1 environment is expected: the SDK recognizes none of its keys,
// and the packages are lost.
func condaAsEnvironment(p *Pass) {
	for _, job := range p.Project.RunConfigurations() {
		if f := job.EnvironmentFile; f != nil && f.Kind == schema.CondaFile {
			p.report(job.EnvironmentPath.Location(fmt.Sprintf(
				"%q is a conda file, but the SDK would read it as an environment: refer to it under environment, python, condaDependenciesFile", job.EnvironmentPath.Text)), nil)
		}
	}
}
