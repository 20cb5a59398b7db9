// Package rules says what is wrong. One file holds one rule: its id, severity,
// reason, examples and check. Rules read schema.Project and declare changes;
// they hold no tables of facts and never touch bytes.
package rules

import (
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// Rule is one kind of fault.
type Rule struct {
	// ID is "group/name", stable for ever.
	ID string
	// Severity is that of its findings, unless a finding says otherwise.
	Severity finding.Severity
	// Doc says in one line what is wrong.
	Doc string
	// Why says what happens to the job, and how people get there.
	Why string
	// Remedy says what the fix does, and how safe it is; "" when there is none.
	Remedy string
	// Bad and Good are small projects in txtar form: the rule reports Bad and
	// keeps quiet on Good. They are run as tests.
	Bad, Good string
	// Check reports the rule's findings in one project.
	Check func(*Pass)
}

// Pass is one run of one rule over one project.
type Pass struct {
	Project  *schema.Project
	rule     *Rule
	shared   *shared
	findings []finding.Finding
}

// shared is what several rules need and none should work out twice.
type shared struct{ schema []finding.Finding }

// report adds a finding with the rule's id and severity.
func (p *Pass) report(at finding.Location, fix *finding.Fix, related ...finding.Location) {
	p.reportAs(p.rule.Severity, at, fix, related...)
}

// reportAs adds a finding with a severity of its own.
func (p *Pass) reportAs(severity finding.Severity, at finding.Location, fix *finding.Fix, related ...finding.Location) {
	p.findings = append(p.findings, finding.Finding{
		Rule: p.rule.ID, Severity: severity, Location: at, Related: related, Fix: fix,
	})
}

// Check returns all findings in a project, sorted and each once. A finding of
// a specific rule silences what the schemas say about the same bytes.
func Check(project *schema.Project) []finding.Finding {
	common := &shared{schema: validate(project)}
	var all []finding.Finding
	for i := range registry {
		pass := &Pass{Project: project, rule: &registry[i], shared: common}
		registry[i].Check(pass)
		all = append(all, pass.findings...)
	}
	return finding.Sort(silence(all))
}

// All returns the rules in the order of the documentation.
func All() []Rule { return slices.Clone(registry) }

// ByID returns the rule of that id.
func ByID(id string) (Rule, bool) {
	i := slices.IndexFunc(registry, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return registry[i], true
}

// registry lists every rule; a new one is added here and nowhere else.
var registry = []Rule{
	yamlSyntax,
	yamlDuplicateKey,
	yamlMultipleDocuments,
	schemaUnknownKey,
	schemaMissingKey,
	schemaType,
	schemaValue,
	schemaDeprecated,
	refTarget,
	refCondaFile,
	refSparkFile,
	gpuBaseImage,
	gpuNvidiaDocker,
	gpuFramework,
	gpuCPUPackage,
	gpuCPUWheel,
	wheelPlatform,
	wheelPythonTag,
	wheelLicense,
	condaPipEquals,
	condaLostColon,
	condaEmptyItem,
	condaHashInSpec,
	condaSplitOption,
	condaDuplicatePackage,
	condaStdlibModule,
	condaMisspeltPackage,
	imageMalformed,
	imageUnknownTag,
	imageNotPlus,
	imageUnpinned,
	imageRemoved,
}
