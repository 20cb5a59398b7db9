package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/settings"
)

// The schema rules share one check: format.Validate has found their faults.

var schemaUnknownKey = Rule{
	ID:       "schema/unknown-key",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "A key that the format does not have.",
	Why: `Azure ML drops unknown keys without a word. A misspelt "nvidiaDoker: true" looks right and does nothing; the
job runs without GPUs.`,
	Remedy: "A key one letter away from exactly one known key is renamed.",
	Bad: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
sharedVolume: true
`,
	Good: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
sharedVolumes: true
`,
	Check: fromSchema,
}

var schemaMissingKey = Rule{
	ID:       "schema/missing-key",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A key that the format requires is missing.",
	Why:      `Without "Target" a run configuration does not say where to run; without "address" or "username" a remote target cannot be reached.`,
	Bad: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Framework: Python
`,
	Good: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: Python
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Check: fromSchema,
}

var schemaType = Rule{
	ID:       "schema/type",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A value of the wrong type, such as a text where true or false is expected.",
	Why: `YAML decides the type by how a value is written: "true." is a text, [VM FQDN] is a list, 3.5 is a number. The
job then reads something else than was meant.`,
	Remedy: "Where the meaning is beyond doubt the value is rewritten.",
	Bad: `
-- aml_config/vm.compute --
type: remotedocker
address: [VM FQDN]
username: me
`,
	Good: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
`,
	Check: fromSchema,
}

var schemaValue = Rule{
	ID:       "schema/value",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A value that is not one of those the format allows.",
	Why:      `"Framework: Pyton" is neither Python nor PySpark; the job is refused or takes the default.`,
	Remedy:   "A value that differs only in capital letters is rewritten.",
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
		condaAsEnvironment(p)
		settingsValues(p)
	},
}

// settingsValues reports the names of rules in a settings file that there are
// not, and patterns that match nothing.
func settingsValues(p *Pass) {
	for _, f := range p.Project.Files {
		if f.Kind != schema.Settings || f.Broken() {
			continue
		}
		for _, wrong := range settings.Check(f.Stream, p.shared.ids, Questions()) {
			p.report(wrong.Location, wrong.Fix)
		}
	}
}

// communicators tells, as an info, where a distributed SDK v1 job joins a
// communicator with a framework it is not documented for. The vendor's own
// samples do that, so it is no more than worth knowing.
func communicators(p *Pass) {
	for _, job := range p.Project.Jobs {
		if !job.Communicator.Explicit || !job.Communicator.Node.IsString() || !isPath(job.Framework) {
			continue
		}
		known, ok := catalog.LookupCommunicator(job.Communicator.Text)
		if !ok || known.Serves(job.Framework.Text) {
			continue
		}
		p.reportAs(finding.Info, job.Communicator.Location(fmt.Sprintf("communicator %q is documented for the frameworks %s, and this job's is %q",
			job.Communicator.Text, strings.Join(known.Frameworks, ", "), job.Framework.Text)), nil, job.Framework.Location("the framework"))
	}
}

// condaAsEnvironment reports a conda file in the place of an SDK v1 environment:
// the SDK reads it as one, knows none of its keys, and the packages are lost.
func condaAsEnvironment(p *Pass) {
	for _, job := range p.Project.Jobs {
		if f := job.EnvironmentFile; f != nil && f.Kind == schema.CondaFile {
			p.report(job.EnvironmentPath.Location(fmt.Sprintf(
				"%q is a conda file, which the SDK would read as an environment and find none of its keys: name it under environment, python, condaDependenciesFile", job.EnvironmentPath.Text)), nil)
		}
	}
}

var schemaDeprecated = Rule{
	ID:       "schema/deprecated",
	Severity: finding.Info,
	Since:    "2026-11-20",
	Doc:      "A spelling of an earlier generation that later tools replaced.",
	Why: `Files from before the general release of 2017-09 use other names for the same things. They are understood,
but whoever maintains them should know.`,
	Bad: `
-- aml_config/docker.compute --
type: docker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Good: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Check: func(p *Pass) {
		fromSchema(p)
		hiddenFolder(p)
	},
}

// hiddenFolder tells where the SDK, asked for a run configuration by its name,
// does not see one: it looks in aml_config alone when there is such a folder.
func hiddenFolder(p *Pass) {
	if !p.Project.Exists("aml_config") {
		return
	}
	for _, job := range p.Project.Jobs {
		if job.Dialect == schema.SDKv1 && job.File.Dir() == ".azureml" {
			p.report(job.TargetName.Location(fmt.Sprintf(
				"the SDK finds no run configuration %q by its name: it looks in aml_config, which this project has too, and not in .azureml; load this file by its path, or keep one folder", job.Name)), nil)
		}
	}
}
