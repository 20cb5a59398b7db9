package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// checking is one run of check: what was requested, and what has been found.
type checking struct {
	*call
	checker                    *check.Checker
	apply, diff, raw, exitZero bool

	gate    check.Gate
	style   ui.Style
	wanted  []report.Output
	opts    report.Options
	writer  *outputs // of the requested reports, opened when there is something to report
	sorter  report.Sorter
	hidden  check.Tally
	summary report.Summary
	failed  bool            // a file could not be written
	differs bool            // there is a diff
	asker   *asker          // of -i; nil if nobody is asked
	ended   bool            // the person wants to stop
	forGPU  bool            // something was changed for a GPU target
	gone    int             // places that name an image that can no longer be pulled
	counted map[string]bool // files that several projects may read

	repositories schema.Repositories // of the projects
}

// outcome is what is kept of a project that was checked.
type outcome struct {
	findings []report.Finding
	hidden   []check.Hidden
	repairs  []report.Repair
	diff     []byte
	text     []byte
	forGPU   bool
	turn     check.Turn
	files    int      // in the project's folder
	outside  []string // files elsewhere
	problem  error
	read     []string // with --watch: the files that matter to it
}

// status returns the exit status for what was found and done.
func (k *checking) status() cli.Status {
	if k.failed {
		return cli.Failure
	}
	if k.exitZero {
		return cli.OK
	}
	failed := k.differs
	if !k.diff {
		var why []string
		failed, why = k.gate.Closed(k.Rel)
		for _, text := range why {
			k.Say("%s", text)
		}
	}
	if failed {
		return cli.Findings
	}
	return cli.OK
}

// all checks every project and reports in order. It drops each project when it is done.
func (k *checking) all(ctx context.Context, roots []check.Root) error {
	done := 0
	each := pool.Each[check.Root, outcome]
	if k.asker != nil {
		each = pool.OneByOne // two projects cannot ask at the same time
	}
	return each(ctx, roots, k.project, func(o outcome) bool {
		if done++; k.diff {
			k.checker.InTurn(roots[done-1], o.turn, func(r check.Root) check.Turn {
				o = k.project(r)
				return o.turn
			})
		}
		o.files += k.countOutside(roots, o.outside)
		k.take(o)
		ready := k.sorter.Rest
		if done < len(roots) {
			ready = func() []report.Finding { return k.sorter.Before(roots[done].First) }
		}
		k.report(ready())
		return !k.ended && (k.checker.Write || !k.Out.Closed())
	})
}

// project checks one project; several run concurrently.
func (k *checking) project(r check.Root) outcome {
	done := k.checker.Check(r)
	o, err := pool.Guarded(k.Rel(r.Dir), func() outcome { return k.resolve(r, done) })
	if o.problem = done.Err; err != nil {
		o.problem = err
	}
	return o
}

// resolve returns what is kept of a project.
func (k *checking) resolve(r check.Root, done check.Result) (o outcome) {
	if done.Project == nil {
		return o // amlfix failed on this project
	}
	o.hidden = r.Hides(done.All, k.least(r))
	resolver := report.Resolver{Dir: k.Dir, Snippets: k.writer.has(report.Text), Project: r.Dir, Unshown: k.unshown()}
	if k.writer.has(report.SARIF) || k.writer.has(report.GitLab) {
		resolver.Fingerprints = cmp.Or(k.repositories.Of(r.Dir), k.Dir)
	}
	if k.writer.has(report.JSON) || k.writer.has(report.Concise) {
		resolver.Top = cmp.Or(k.repositories.Of(r.Dir), k.Dir)
	}
	if (k.writer.has(report.SARIF) || k.writer.has(report.JSON)) && !k.apply && k.checker.Ignores == nil {
		resolver.Edits = report.Previews(done.Project, done.Raw, rules.Check)
	}
	o.findings = resolver.Findings(done.Findings)
	for i := range o.findings {
		o.findings[i].Settings = r.Settings
	}
	withRefusals(o.findings, done.Findings, done.Refused)
	o.repairs = append(k.refusals(done.Refused), k.repairs(done.Made)...)
	o.forGPU = slices.ContainsFunc(done.Made, func(a fixers.Applied) bool { return strings.HasPrefix(a.Finding.Rule, "gpu/") })
	if k.diff && done.Patch != nil {
		o.diff = done.Patch.Diff(fixers.DiffOptions{Raw: k.raw, Name: k.Rel})
	}
	o.text, o.turn = done.Text, done.Turn
	o.files, o.outside = countFiles(done.Project)
	if k.met != nil {
		o.read = r.Mentioned(done.Project)
	}
	return o
}

// unshown returns a function that reports which findings are not shown, or nil if all are: infos are not shown to
// people without --verbose.
func (k *checking) unshown() func(finding.Finding) bool {
	if k.opts.Verbose || slices.ContainsFunc(k.writer.formats, func(f report.Format) bool { return !f.ForPeople() }) {
		return nil
	}
	return func(f finding.Finding) bool { return f.Severity == finding.Info || f.Suppression != nil }
}

// countFiles counts the files that were read; those outside the project's folder, which other projects may read as
// well, are listed.
func countFiles(p *schema.Project) (n int, outside []string) {
	for _, f := range p.Files {
		switch {
		case f.Kind == schema.Unknown || f.Kind == schema.Settings:
		case schema.Below(p.Root, f.Path):
			n++
		default:
			outside = append(outside, f.Path)
		}
	}
	return n, outside
}

// countOutside returns how many of the files no project has counted yet.
func (k *checking) countOutside(roots []check.Root, names []string) (n int) {
	for _, name := range names {
		if k.counted == nil {
			k.counted = map[string]bool{}
			for _, r := range roots {
				for _, f := range r.Files.All() {
					k.counted[f] = k.counted[f] || schema.Below(r.Dir, f)
				}
			}
		}
		if !k.counted[name] {
			k.counted[name] = true
			n++
		}
	}
	return n
}

// least returns the lowest severity of findings in a project that are reported, or count.
func (k *checking) least(r check.Root) finding.Severity {
	structured := slices.ContainsFunc(k.writer.formats, func(f report.Format) bool { return !f.ForPeople() })
	if k.opts.Verbose || structured || k.gate.FailOn == finding.Info || r.Settings.FailOn == finding.Info {
		return finding.Info
	}
	return finding.Warning
}

// take adds a project's outcome.
func (k *checking) take(o outcome) {
	if errors.Is(o.problem, context.Canceled) {
		return // the whole check ends, and this is reported
	}
	if o.problem != nil {
		k.ended = errors.Is(o.problem, check.ErrStopped)
		if !k.ended {
			k.failed = true
			k.summary.Problems = append(k.summary.Problems, o.problem.Error())
		}
		k.Say("%v", o.problem)
	}
	k.hidden.Add(o.hidden)
	for _, path := range o.read {
		k.met[path] = true
	}
	k.summary.Projects++
	k.summary.Files += o.files
	if k.diff {
		k.differs = k.differs || len(o.diff) > 0
		_, _ = k.Out.Write(painted(k.style, o.diff))
		for _, r := range o.repairs {
			k.Say("%s:%d: %s: %s: %s [%s]", r.Path, r.Line, r.Word(), r.Title, r.Reason, r.Rule)
		}
		return
	}
	_, _ = k.Out.Write(o.text)
	for _, r := range o.repairs {
		switch {
		case r.Reason == "" && r.Ignored:
			k.summary.Ignored++
		case r.Reason == "" && r.Uncovered:
			k.summary.Uncovered++
		case r.Reason == "":
			k.summary.Repaired++
		case !r.Ignored:
			k.summary.Refused++
		}
		k.writer.Repair(r)
	}
	k.forGPU = k.forGPU || o.forGPU
	k.sorter.Add(o.findings)
}

func (k *checking) report(list []report.Finding) {
	for _, f := range list {
		k.summary.Count(f)
		k.gate.Count(f)
		if f.Suppression == nil && f.Severity == finding.Info && strings.Contains(f.Message, rules.TakenOff) {
			k.gone++
		}
		k.writer.Finding(f)
	}
}

// close ends the reports.
func (k *checking) close() error {
	err := k.writer.close(k.summary)
	if k.forGPU && len(k.checker.Answers.GPU)+len(k.checker.Answers.CPU) > 0 {
		k.note(disclaimer)
	}
	if k.gone > 0 && k.apply && k.summary.Repaired > 0 && !k.opts.Verbose {
		k.note(goneImages(k.gone))
	}
	return err
}

// note writes a sentence below the report, or to standard error if the report is for programs.
func (k *checking) note(text string) {
	if k.writer.forPeople() && !k.writer.aside {
		_, _ = fmt.Fprintln(k.Out, text)
		return
	}
	k.Say("%s", text)
}
