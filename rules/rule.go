// Package rules finds what is wrong in a project. Each rule has its own file, named after its id, with its severity,
// reason, examples and check; code that several rules need is in files whose names begin with shared_. Rules read
// schema.Project and declare changes; they contain no tables of facts and never edit bytes. A program that checks must
// import schema/format/library.
package rules

import (
	"slices"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
)

// Rule is one kind of fault.
type Rule struct {
	// ID is "group/name", stable forever.
	ID string
	// Severity is the severity of its findings, unless a finding has its own.
	Severity finding.Severity
	// Since is the day (2026-11-20) on which the rule was added; CHANGELOG.md shows which releases came later.
	Since string
	// Doc says in one line what is wrong.
	Doc string
	// Why says what happens to the job, and how the mistake comes about.
	Why string
	// Remedy says what the fix does and how safe it is; "" if there is no fix.
	Remedy string
	// Facts names the catalog's tables that its findings rest on.
	Facts []string
	// Bad and Good are small projects in txtar format, used as tests: the rule reports findings in Bad and none in
	// Good.
	Bad, Good string
	// Check reports the rule's findings in the pass's project.
	Check func(*Pass)
}

// Pass is one run of one rule over one project.
type Pass struct {
	Project  *schema.Project
	rule     *Rule
	shared   *shared
	findings []finding.Finding
	last     *source.Source // the file of the latest findings, and their number
	count    int
	compared int // names compared so far, see nearest
}

// full reports whether a rule has reached its limit of findings in a file. Rules call it before expensive work for a
// finding.
func (p *Pass) full(src *source.Source) bool { return p.last == src && p.count >= finding.MaxPerFile }

// shared caches what several rules need.
type shared struct {
	v2          []*schema.File                  // see v2Files
	paths       []v2Path                        // that v2 files name
	assets      []v2Asset                       // that v2 files name with "azureml:"
	namers      map[*schema.File][]*schema.File // by component, see namedBy
	bodies      []*flow.Body                    // of v2 jobs and components
	expressions []expression                    // in them
	flows       *[]*promptFlow                  // of prompt flow, see promptFlows
	scripts     []script                        // that they run
	commands    []command                       // in them
	parsers     memo[string, *parsed]           // scripts read so far, by path
	images      []*schema.Target                // see v2Images
	missing     int                             // paths, see ignored
	imageUses   []imageUse                      // see there
	schema      []finding.Finding
	keys        map[[2]string][]finding.Location // by rule and text, see schemaAt
	components  map[string][]string              // see componentsIn
	ids         []string                         // of all rules, which a rule cannot ask the registry for
	// comments are the suppression comments. Which of them match is known once all rules except those about comments
	// have run.
	comments     []ignoring
	python       memo[*schema.Target, *schema.Job]                     // see sibling
	divisions    memo[divided, *division]                              // see environmentFix
	run          map[*schema.Job]bool                                  // see runComponents
	pins         memo[packageIn, string]                               // see pinAdvice
	onGPU        memo[*schema.Environment, []*requirement.Requirement] // see usesGPU
	variables    memo[*schema.Job, []schema.Variable]                  // see variablesIn
	swaps        memo[divided, bool]                                   // see carried
	needs        memo[*schema.Environment, []catalog.CUDANeed]         // see futureNeeds
	named        map[*document.Node][]*schema.Job                      // see namedAt
	pythons      memo[*schema.Environment, string]                     // see pythonPin
	firsts       memo[*schema.Environment, map[string]int]             // see itemNamed
	users        memo[*schema.Environment, users]                      // see worstFault
	installed    *installed                                            // see readInstalled
	requirements memo[string, []listed]                                // of requirements files, by path
	loading      memo[string, loading]                                 // by the path of a script
	logging      memo[string, logging]                                 // by the path of a script
	importing    memo[string, scriptImports]                           // by the path of a script
	entries      memo[string, entryScript]                             // by the path of a script
}

// report adds a finding with the rule's id and severity.
//
//go:noinline
func (p *Pass) report(at finding.Location, fix *finding.Fix, related ...finding.Location) {
	p.reportAs(p.rule.Severity, at, fix, related...)
}

// reportAs adds a finding with the given severity.
func (p *Pass) reportAs(severity finding.Severity, at finding.Location, fix *finding.Fix, related ...finding.Location) {
	if p.full(at.Source) {
		return
	}
	if p.last != at.Source {
		p.last, p.count = at.Source, 0
	}
	if fix != nil && (p.Project.Unwritable(at.Source) || slices.ContainsFunc(fix.Changes, unplaced)) {
		fix = nil
	}
	p.count++
	p.findings = append(p.findings, finding.Finding{
		Rule: p.rule.ID, Severity: severity, Location: at, Related: related, Fix: fix,
	})
}

// unplaced reports whether a change is in the text of a Dockerfile, which has no document nodes.
func unplaced(c finding.Change) bool {
	return c.Pointer == "" && (c.Op == finding.SetScalar || c.Op == finding.RemoveEntry)
}

// Check returns all findings in a project, sorted and without duplicates. A finding of a specific rule hides schema
// findings about the same bytes. Findings that a comment suppresses are included, with their Suppression.
func Check(project *schema.Project) []finding.Finding {
	return checkWith(project, registry, aboutComments)
}

// CheckPart returns the findings of Check that the rule with that id reports, or a rule that is finding.OfFile, without
// their Suppression, and perhaps others of these rules that Check leaves out because of what another rule reports.
func CheckPart(project *schema.Project, id string) []finding.Finding {
	if slices.ContainsFunc(aboutComments, func(r *Rule) bool { return r.ID == id }) {
		return Check(project) // they depend on all others
	}
	part := ofFiles.Get()
	if rule, ok := ByID(id); ok && !finding.OfFile(id) {
		part = append(slices.Clip(part), rule)
	}
	return checkWith(project, part, nil)
}

// ofFiles returns the rules that are finding.OfFile; callers must not modify them.
var ofFiles = plain.Once[[]*Rule]{Make: func() (list []*Rule) {
	for _, rule := range registry {
		if finding.OfFile(rule.ID) {
			list = append(list, rule)
		}
	}
	return list
}}

// checkWith returns the findings of rules and, unless last is nil, of those that run last.
func checkWith(project *schema.Project, list, last []*Rule) []finding.Finding {
	common := &shared{bodies: flow.Read(project), ids: ids.Get(), v2: v2Files(project)}
	common.paths, common.assets = v2References(project)
	common.schema = innerNames(&Pass{Project: project, shared: common}, validate(project))
	common.expressions = expressions(common.bodies)
	common.scripts, common.commands = scripts(project, common.bodies)
	run := func(list []*Rule) (all []finding.Finding) {
		pass := Pass{Project: project, shared: common}
		for _, rule := range list {
			pass.rule, pass.last, pass.count, pass.compared = rule, nil, 0, 0
			rule.Check(&pass)
		}
		return pass.findings
	}
	found := silence(run(list))
	if last != nil {
		common.comments = suppress(project, found)
		found = append(found, run(last)...)
	}
	return onePerItem(project, finding.Sort(found))
}

// v2Files returns the files of v2, without those that are broken.
func v2Files(project *schema.Project) (list []*schema.File) {
	for _, f := range project.Files {
		if f.V2 != "" && !f.Broken() {
			list = append(list, f)
		}
	}
	return list
}

// All returns the rules in the order of the documentation. Callers must not modify them.
func All() []*Rule { return slices.Concat(registry, aboutComments) }

// ids returns the ids of all rules; callers must not modify them.
var ids = plain.Once[[]string]{Make: func() (list []string) {
	for _, rule := range All() {
		list = append(list, rule.ID)
	}
	return list
}}

// ByID returns the rule with that id; callers must not modify it.
func ByID(id string) (*Rule, bool) {
	for _, list := range [][]*Rule{registry, aboutComments} {
		for _, r := range list {
			if r.ID == id {
				return r, true
			}
		}
	}
	return nil, false
}

// aboutComments are the rules that run after all others, because they check which findings the comments suppressed.
var aboutComments = []*Rule{
	&amlfixUnusedIgnore,
	&amlfixUnknownIgnore,
}

// registry lists all other rules; add a new rule only here. Rules are listed by address so that no code copies them at
// every start.
var registry = []*Rule{
	&yamlSyntax,
	&yamlNoSpaceAfterColon,
	&yamlTabAfterColon,
	&yamlDuplicateKey,
	&yamlMultipleDocuments,
	&yamlAmbiguousScalar,
	&yamlTrailingMark,
	&schemaUnknownKey,
	&schemaMissingKey,
	&schemaType,
	&schemaValue,
	&schemaDeprecated,
	&v2SchemaMissing,
	&v2SchemaMismatch,
	&refTarget,
	&refCondaFile,
	&refSparkFile,
	&refScript,
	&refDockerfile,
	&refEnvironment,
	&refArgument,
	&refComponent,
	&refPath,
	&refInput,
	&refOutput,
	&refJob,
	&refSearchSpace,
	&refBrace,
	&refScope,
	&refOptional,
	&refType,
	&refCycle,
	&refUnused,
	&refName,
	&refLatest,
	&refVersion,
	&gpuBaseImage,
	&gpuNvidiaDocker,
	&gpuFramework,
	&gpuCPUPackage,
	&gpuCPUWheel,
	&gpuPackageOnCPU,
	&gpuCUDAMismatch,
	&gpuNoKernels,
	&gpuProcessCount,
	&gpuVisibleDevices,
	&gpuNCCL,
	&gpuIdle,
	&gpuLinuxHost,
	&gpuSupportFlag,
	&gpuRetiredHardware,
	&sparkRuntime,
	&wheelPlatform,
	&wheelPythonTag,
	&wheelLicense,
	&condaPipEquals,
	&condaLostColon,
	&condaEmptyItem,
	&condaHashInSpec,
	&condaSplitOption,
	&condaDuplicatePackage,
	&condaStdlibModule,
	&condaMisspeltPackage,
	&condaNoPython,
	&condaNoPip,
	&condaOperator,
	&condaInvalidItem,
	&condaTwoSources,
	&condaInstallOrder,
	&condaNoChannels,
	&condaUnpinned,
	&condaEmptyRange,
	&imageTwoSources,
	&imageRegistryLogin,
	&imageMalformed,
	&imageUnknownTag,
	&imageNotPlus,
	&imageUnpinned,
	&imageRemoved,
	&jobVariables,
	&jobMLflow,
	&jobNodes,
	&jobShmSize,
	&jobSweep,
	&jobMetric,
	&jobInferenceServer,
	&jobSchedule,
	&jobLauncher,
	&jobImport,
	&jobLimit,
	&jobEntryScript,
	&jobCommand,
	&pipSDKv1,
	&pipGone,
	&pipConflict,
	&pipLocalVersion,
	&pythonEndOfSupport,
	&pythonNoWheel,
	&clusterSSHSuffix,
	&secretPassword,
	&secretToken,
	&secretEnv,
}
