package review

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// outcome is what is kept of a project that was checked.
type outcome struct {
	findings []report.Finding
	hidden   []check.Hidden
	repairs  []report.Repair
	diff     []byte
	text     []byte
	forGPU   bool
	turn     check.Turn
	files    int      // the project's own
	outside  []string // files that may be another's
	problem  error
	read     []string // with --watch: the files that matter to it
}

// project checks one project; several run concurrently.
func (k *Review) project(r check.Root) outcome {
	done := k.Checker.Check(r)
	o, err := pool.Guarded(r.Name(), func() outcome { return k.resolve(r, done) })
	o.problem = cmp.Or(err, done.Err)
	return o
}

// resolve returns what is kept of a project.
func (k *Review) resolve(r check.Root, done check.Result) (o outcome) {
	if done.Project == nil {
		return o // amlfix failed on this project
	}
	o.hidden = r.Hides(done.All, k.least(r))
	o.findings = k.resolver(r, done).Findings(done.Findings)
	for i := range o.findings {
		o.findings[i].Settings = r.Settings
	}
	k.withRefusals(o.findings, done.Findings, done.Refused)
	o.repairs = append(k.refusals(done.Refused), k.repairs(done.Made)...)
	o.forGPU = slices.ContainsFunc(done.Made, func(a fixers.Applied) bool {
		return strings.HasPrefix(a.Finding.Rule, "gpu/") && !a.Finding.Fix.Ignores()
	})
	if k.Diff && done.Patch != nil {
		o.diff = done.Patch.Diff(fixers.DiffOptions{Raw: k.Raw, Name: k.Whole})
	}
	o.text, o.turn = done.Text, done.Turn
	o.files, o.outside = countFiles(done.Project, r.Files)
	if k.Met != nil {
		o.read = r.Mentioned(done.Project)
	}
	return o
}

// resolver returns what resolves the findings of a project, as far as the reports need it.
func (k *Review) resolver(r check.Root, done check.Result) *report.Resolver {
	resolver := &report.Resolver{Dir: k.Dir, Snippets: k.writer.has(report.Text), Columns: k.columns, Project: r.Dir}
	resolver.Tokenless = func(src *source.Source) bool {
		f := done.Project.File(src.Path)
		return f != nil && f.Source == src && !rules.HasTokens(f)
	}
	if !k.Report.Verbose && !k.writer.structured() { // infos are not shown to people without --verbose
		resolver.Unshown = func(f finding.Finding) bool { return f.Severity == finding.Info || f.Suppression != nil }
	}
	top := func() string { return cmp.Or(k.repositories.Of(r.Dir), k.Dir) }
	if k.writer.has(report.SARIF, report.GitLab) {
		resolver.Fingerprints = top()
	}
	resolver.Apart = !k.writer.has(report.JSON, report.Concise)
	if !resolver.Apart {
		resolver.Top = top()
	}
	if k.writer.has(report.SARIF, report.JSON) && !k.applies() && k.Ignores == nil {
		resolver.Edits = report.Previews(done.Project, done.Raw)
		resolver.OnlySafe = !k.writer.has(report.JSON)
	}
	return resolver
}

// applies reports whether findings are repaired on disk.
func (k *Review) applies() bool { return k.Repair && k.Write }

// least returns the lowest severity of findings in a project that are reported, or count.
func (k *Review) least(r check.Root) finding.Severity {
	if k.Report.Verbose || k.writer.structured() || k.Gate.FailOn == finding.Info || r.Settings.FailOn == finding.Info {
		return finding.Info
	}
	return finding.Warning
}

// take adds a project's outcome.
func (k *Review) take(o outcome) {
	if errors.Is(o.problem, context.Canceled) {
		return // the whole check ends, and this is reported
	}
	if o.problem != nil {
		k.ended = errors.Is(o.problem, ui.ErrStopped)
		if !k.ended {
			k.failed = true
			k.summary.Problems = append(k.summary.Problems, secret.Hide(o.problem.Error()))
		}
		k.Say("%v", o.problem)
	}
	k.hidden.Add(o.hidden)
	for _, path := range o.read {
		k.Met[path] = true
	}
	k.summary.Projects++
	k.summary.Files += o.files
	if k.Diff {
		k.show(o.diff, o.repairs)
		return
	}
	if len(o.text) > 0 { // a write of nothing is a system call, too
		_, _ = k.Out.Write(o.text)
	}
	for _, r := range o.repairs {
		k.summary.CountRepair(r)
		k.writer.Repair(r)
	}
	k.forGPU = k.forGPU || o.forGPU
	k.sorter.Add(o.findings)
}

// show writes the diff of a project, and lists the fixes that would not be made.
func (k *Review) show(diff []byte, refused []report.Repair) {
	if len(diff) > 0 {
		k.differs = true
		_, _ = k.Out.Write(k.painted(diff))
	}
	for _, r := range refused {
		k.Say("%s:%d: %s: %s: %s [%s]", r.Path, r.Line, r.Word(), r.Title, r.Reason, r.Rule)
	}
}

func (k *Review) report(list []report.Finding) {
	for _, f := range list {
		k.summary.Count(f)
		k.Gate.Count(f)
		if f.Suppression == nil && f.Severity == finding.Info && strings.Contains(f.Message, rules.TakenOff) {
			k.gone++
		}
		k.writer.Finding(f)
	}
}
