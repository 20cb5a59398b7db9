// Package review shows a user what a check has found and done: in reports, in diffs, in questions at the terminal, and
// in the exit status. It implements the commands check and fix, given their parsed flags.
package review

import (
	"context"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema"
)

// Review is one check, or one call of fix. The errors of its methods are a *console.UsageError, or a console.Status if
// everything has been reported.
type Review struct {
	*console.Terminal
	*check.Checker
	// Diff shows what would change, and writes nothing; with Raw, including passwords and keys.
	Diff, Raw bool
	// Report is how reports look, and with its style how diffs do.
	Report report.Options
	// Outputs are the requested reports; none for those that suit the environment. Aside means that those on the
	// terminal go to standard error, because repaired text goes to standard output.
	Outputs []report.Output
	Aside   bool
	// Gate decides which findings fail the check; with ExitZero, none does.
	Gate     check.Gate
	ExitZero bool
	// Paths are those on the command line.
	Paths []string
	// Met, unless it is nil, receives the files that matter to the check, for --watch.
	Met map[string]bool

	writer  *outputs // of the reports, opened when there is something to report
	sorter  report.Sorter
	hidden  check.Tally
	summary report.Summary
	failed  bool            // a file could not be read or written
	differs bool            // there is a diff
	ended   bool            // the person wants to stop
	forGPU  bool            // something was changed for a GPU target
	gone    int             // places that name an image that can no longer be pulled
	counted map[string]bool // files that several projects may read
	columns int             // of the terminal that shows the text report, or 0

	repositories schema.Repositories // of the projects
}

// Check checks projects, repairs them as requested, and reports it.
func (k *Review) Check(ctx context.Context, f check.Found) (err error) {
	if k.writer, err = k.open(); err != nil {
		return err
	}
	k.failed, k.summary.Problems = f.Unreadable(), f.Problems
	if err := k.all(ctx, f.Roots); err != nil {
		return err
	}
	k.ExpireUndo()
	code := k.status()
	if !k.Diff {
		k.summary.Exit = int(code)
		if err := k.close(); err != nil {
			return err
		}
	}
	if k.clean() {
		k.Say("%s", report.Clean(k.summary, k.Report.Verbose))
	}
	if !slices.ContainsFunc(f.Roots, func(r check.Root) bool { return r.Settings.Path != "" }) {
		if other := k.UnreadSettings(); other != "" {
			k.Say("%s is not read: settings are in .amlfix.yaml", other)
		}
	}
	k.SayIf(k.HiddenText(k.hidden, k.InScope(f.Excluded, k.Paths)))
	if code == console.OK {
		return nil
	}
	return code
}

// status returns the exit status for what was found and done.
func (k *Review) status() console.Status {
	if k.failed {
		return console.Failure
	}
	if k.ExitZero {
		return console.OK
	}
	failed := k.differs
	if !k.Diff {
		var why []string
		failed, why = k.Gate.Closed(k.Rel)
		for _, text := range why {
			k.Say("%s", text)
		}
	}
	if failed {
		return console.Findings
	}
	return console.OK
}

// all checks every project and reports in order. It drops each project when it is done.
func (k *Review) all(ctx context.Context, roots []check.Root) error {
	done := 0
	each := pool.Each[check.Root, outcome]
	if k.Person != nil {
		each = pool.OneByOne // two projects cannot ask at the same time
	}
	return each(ctx, roots, k.project, func(o outcome) bool {
		if done++; k.Diff {
			k.InTurn(roots[done-1], o.turn, func(r check.Root) check.Turn {
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
		return !k.ended && (k.Write || !k.Out.Closed())
	})
}

// clean reports whether a person waiting at a terminal would see nothing at all, although files were checked.
func (k *Review) clean() bool {
	s := k.summary
	shown := s.Errors + s.Warnings + s.Repaired + s.Uncovered + s.Refused + s.Ignored
	if k.Report.Verbose {
		shown += s.Infos
	}
	return shown == 0 && s.Files > 0 && s.Exit == 0 && !k.failed && !k.Diff && k.writer.forPeople() && ui.IsTerminal(k.Stderr)
}
