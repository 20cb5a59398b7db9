// Package rules says what is wrong. One file holds one rule: its id, severity,
// reason, examples and check. Rules read schema.Project and declare changes;
// they hold no tables of facts and never touch bytes.
package rules

import (
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
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
	last     *source.Source // the file of the latest findings, and how many these are
	count    int
}

// maxPerFile is how many findings a rule has for one file. Nobody reads more,
// and a hostile file could have a hundred thousand, each with a fix.
const maxPerFile = 1000

// full reports whether a rule has said all it may say about a file. Rules ask
// before work that takes time for each finding.
func (p *Pass) full(src *source.Source) bool { return p.last == src && p.count >= maxPerFile }

// shared is what several rules need and none should work out twice.
type shared struct {
	schema []finding.Finding
	ids    []string // of all rules, which a rule cannot ask the registry for
}

// report adds a finding with the rule's id and severity.
func (p *Pass) report(at finding.Location, fix *finding.Fix, related ...finding.Location) {
	p.reportAs(p.rule.Severity, at, fix, related...)
}

// reportAs adds a finding with a severity of its own.
func (p *Pass) reportAs(severity finding.Severity, at finding.Location, fix *finding.Fix, related ...finding.Location) {
	if p.full(at.Source) {
		return
	}
	if p.last != at.Source {
		p.last, p.count = at.Source, 0
	}
	p.count++
	p.findings = append(p.findings, finding.Finding{
		Rule: p.rule.ID, Severity: severity, Location: at, Related: related, Fix: fix,
	})
}

// Check returns all findings in a project, sorted and each once. A finding of
// a specific rule silences what the schemas say about the same bytes.
func Check(project *schema.Project) []finding.Finding {
	common := &shared{schema: validate(project), ids: ids()}
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

// ids returns the ids of all rules.
func ids() []string {
	list := make([]string, 0, len(registry))
	for _, r := range registry {
		list = append(list, r.ID)
	}
	return list
}

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
	yamlNoSpaceAfterColon,
	yamlTabAfterColon,
	yamlDuplicateKey,
	yamlMultipleDocuments,
	yamlAmbiguousScalar,
	schemaUnknownKey,
	schemaMissingKey,
	schemaType,
	schemaValue,
	schemaDeprecated,
	refTarget,
	refCondaFile,
	refSparkFile,
	refScript,
	gpuBaseImage,
	gpuNvidiaDocker,
	gpuFramework,
	gpuCPUPackage,
	gpuCPUWheel,
	gpuPackageOnCPU,
	gpuCUDAMismatch,
	gpuLinuxHost,
	gpuSupportFlag,
	gpuRetiredHardware,
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
	clusterSSHSuffix,
	secretPassword,
	secretToken,
	secretEnv,
}
