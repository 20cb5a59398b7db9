package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
)

func (c *Command) checkCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "find faults in job files, and repair them with --apply",
		ArgsUsage: "[FLAGS] [PATH...]",
		Description: `PATH is a folder, which is searched, or a file: then its whole project is
checked, and what is about the file is told. Without one this folder is taken.
The word "check" can be left out.

Each finding shows the file, line and column, what is wrong and why, and what
would repair it. On correct files nothing is printed. --apply makes the safe
repairs: it changes only the bytes it must and proves each repair before a file
is written. --diff shows the same as a diff and changes nothing.`,
		UsageText: `amlfix
amlfix projects/digits projects/faces
amlfix --diff projects/digits
amlfix --apply projects/digits
amlfix --apply --gpu gpuvm
amlfix --apply -i
amlfix --add-ignores --reason "the old cluster needs it"
amlfix --format json --fail-on warning
amlfix --format text --format sarif=amlfix.sarif
amlfix --since origin/main`,
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "apply", Usage: "repair the files in place, as far as that is safe"},
			&cli.BoolFlag{Name: "diff", Usage: "print what --apply would change as a unified diff, and nothing else"},
			&cli.BoolFlag{Name: "raw", Usage: "with --diff: show passwords and keys too, so that git apply takes the diff"},
			&cli.BoolFlag{Name: "add-ignores", Usage: "add comments that ask amlfix to ignore what is found, or with --apply what is left"},
			&cli.StringFlag{Name: "reason", Usage: "with --add-ignores: the `REASON` to write into the comments"},
			&cli.BoolFlag{Name: "unsafe", Usage: "repair also where a repair may change what the job does"},
			&cli.BoolFlag{Name: "interactive", Aliases: []string{"i"}, Usage: "with --apply: ask about repairs that need a decision, and show the diff before it is written"},
			gpuFlag(),
			choiceFlags()[0], choiceFlags()[1],
			outputFlag(),
			&cli.StringFlag{Name: "fail-on", Usage: "exit with 1 when findings of `SEVERITY` or worse are left: error (unless the settings say otherwise), warning, info or never"},
			&cli.IntFlag{Name: "max-warnings", Value: -1, Usage: "exit with 1 when more than `NUMBER` warnings are left, too"},
			&cli.BoolFlag{Name: "exit-zero", Usage: "exit with 0 whatever is found"},
			&cli.StringFlag{Name: "since", Usage: "check only projects that differ from the git `REVISION`, in commits or in the working tree"},
			&cli.StringFlag{Name: "stdin-filename", Usage: "check standard input as the text of `FILE`, in the project of that file"},
			&cli.BoolFlag{Name: "no-baseline", Usage: "count the findings too that the baseline puts up with; with --apply, repair them"},
		}, trustFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "verbose", Usage: "show findings of severity info too"},
		}, colourFlags()),
		Action: c.check,
	}
}

// checking is one run of check: what was asked for, and what has been found.
type checking struct {
	*Command
	mode
	gate    gate
	style   ui.Style
	wanted  []report.Output
	opts    report.Options
	writer  *outputs // of what is wanted, opened when there is something to report
	sorter  report.Sorter
	hidden  tally
	summary report.Summary
	failed  bool   // a file could not be written
	differs bool   // there is a diff
	asker   *asker // of -i; nil when nobody is asked
	ended   bool   // the person asked wants no more
	forGPU  bool   // something was changed for a GPU target
	gone    int    // places that name an image which can no longer be pulled
	diffs   diffs
	counted map[string]bool // files that several projects may look into

	writing   sync.Mutex      // held while files are written
	rewritten map[string]bool // the files that were, by identity; guarded by writing
	alone     sync.RWMutex    // held for writing by a project that has to try again
}

// mode is what is done with each project.
type mode struct {
	apply, diff, raw, unsafe bool
	answers
	ignores *ignores // nil without --add-ignores
}

// outcome is one project done: all that is kept of it.
type outcome struct {
	findings []report.Finding
	hidden   []hidden
	repairs  []report.Repair
	diff     []byte
	text     []byte
	forGPU   bool
	changed  map[string][]byte // with --diff: the new texts
	files    int               // in the project's folder
	outside  []string          // files elsewhere
	problem  error
}

func (c *Command) check(ctx *cli.Context) error {
	k, err := c.checking(ctx)
	if err != nil {
		return err
	}
	f, err := c.projects(ctx)
	if err != nil {
		return err
	}
	if ctx.Bool("no-baseline") {
		f.forgetBaselines()
	}
	for flag, targets := range map[string][]string{"gpu": k.gpu, "cpu": k.cpu} {
		if err := c.named(ctx.Context, "check", flag, f.roots, targets); err != nil {
			return err
		}
	}
	if k.writer, err = c.outputs(ctx, k.wanted, k.opts); err != nil {
		return err
	}
	k.failed, k.summary.Problems = f.unreadable(), f.problems
	if err := k.all(ctx.Context, f.roots); err != nil {
		return err
	}
	if len(k.rewritten) > 0 {
		expireUndo()
	}
	code := k.status()
	if !k.diff {
		k.summary.Exit = int(code)
		if err := k.close(); err != nil {
			return err
		}
	}
	k.sayHidden(k.hidden, c.inScope(f.excluded, named(ctx)))
	if code == statusOK {
		return nil
	}
	return code
}

// projects finds the projects that a check is about.
func (c *Command) projects(ctx *cli.Context) (found, error) {
	args, since := ctx.Args().Slice(), ctx.String("since")
	name, err := stdinArgs(ctx.String("stdin-filename"), ctx.IsSet("stdin-filename"), args, since)
	switch {
	case err != nil:
		return found{}, err
	case name != "":
		return c.fromStdin(ctx.Context, name)
	}
	f := c.discover(args)
	c.narrow(f.roots, args)
	if since != "" {
		f.roots, err = c.touched(ctx.Context, f.roots, args, since)
	}
	return f, err
}

// named returns the paths that a command line is about.
func named(ctx *cli.Context) []string {
	if ctx.IsSet("stdin-filename") {
		return []string{ctx.String("stdin-filename")}
	}
	return ctx.Args().Slice()
}

// status returns the exit status of what was found and done.
func (k *checking) status() status {
	switch {
	case k.failed:
		return statusFailure
	case k.gate.exitZero:
		return statusOK
	case k.diff && k.differs, !k.diff && k.gate.closed(k.say, k.rel):
		return statusFindings
	}
	return statusOK
}

// checking reads the flags.
func (c *Command) checking(ctx *cli.Context) (*checking, error) {
	k := &checking{Command: c, rewritten: map[string]bool{}, mode: mode{
		apply: ctx.Bool("apply"), diff: ctx.Bool("diff"), raw: ctx.Bool("raw"), unsafe: ctx.Bool("unsafe"),
		ignores: ignoresAsked(ctx.Bool("add-ignores"), ctx.String("reason"), ctx.Bool("verbose")),
	}}
	var err error
	if k.answers, err = answersOf(ctx, "check"); err != nil {
		return nil, err
	}
	if k.gate, err = gateOf(ctx); err != nil {
		return nil, err
	}
	if k.wanted, err = wantedOutputs(ctx.StringSlice("format")); err != nil {
		return nil, err
	}
	switch {
	case k.apply && k.diff:
		return nil, usage("check", "--apply writes and --diff only shows: give one of them")
	case ctx.Bool("interactive") && !k.apply:
		return nil, usage("check", "-i belongs to --apply")
	case ctx.Bool("interactive") && ctx.IsSet("stdin-filename"):
		return nil, usage("check", "-i asks on the terminal: leave --stdin-filename out")
	case ctx.Bool("interactive") && ctx.IsSet("format"):
		return nil, usage("check", "-i talks to a person: leave --format out")
	case k.raw && !k.diff:
		return nil, usage("check", "--raw belongs to --diff")
	case ctx.IsSet("reason") && k.ignores == nil:
		return nil, usage("check", "--reason belongs to --add-ignores")
	case k.ignores != nil && ctx.Bool("isolated"):
		return nil, usage("check", "--add-ignores writes comments and --isolated heeds none: give one of them")
	case ctx.Bool("interactive") && k.ignores != nil:
		return nil, usage("check", "-i asks about repairs and --add-ignores about nothing: give one of them")
	case k.diff && ctx.IsSet("format"):
		return nil, usage("check", "--diff has a form of its own: leave --format out")
	}
	if ctx.Bool("interactive") {
		if k.asker, err = c.asker(ctx.Context); err != nil {
			return nil, err
		}
	}
	coloured, err := c.coloured(ctx)
	if err != nil {
		return nil, err
	}
	k.style = ui.NewStyle(coloured && !k.raw) // raw is for programs, whatever it is written to
	k.opts = report.Options{
		Version: version(), Coloured: coloured, Verbose: ctx.Bool("verbose"), Unsafe: k.unsafe, Applied: k.apply || k.ignores != nil && !k.diff,
		Command: repairCommand(ctx, k.answers), Base: c.base(), Rules: rules.All(),
	}
	return k, nil
}

// repairCommand returns the command that repairs what this one has shown.
func repairCommand(ctx *cli.Context, a answers) string {
	words := []string{"amlfix", "--apply"}
	words = append(words, a.words()...)
	words = append(words, trustWords(ctx, escape.Word)...)
	if ctx.IsSet("stdin-filename") {
		words = append(words, "--stdin-filename", escape.Word(ctx.String("stdin-filename")))
	}
	for _, p := range ctx.Args().Slice() {
		words = append(words, escape.Word(p))
	}
	if len(words) > 8 {
		words = append(words[:7], "…")
	}
	return strings.Join(words, " ")
}

// all checks every project and reports in order. Each is dropped when done.
func (k *checking) all(ctx context.Context, roots []root) error {
	done := 0
	each := pool.Each[root, outcome]
	if k.asker != nil {
		each = pool.OneByOne // two projects cannot ask at once
	}
	err := each(ctx, roots, k.project, func(o outcome) bool {
		if done++; k.diff {
			o = k.inTurn(roots[done-1], o)
		}
		o.files += k.countOutside(roots, o.outside)
		k.take(o)
		ready := k.sorter.Rest
		if done < len(roots) {
			ready = func() []report.Finding { return k.sorter.Before(roots[done].first) }
		}
		k.report(ready())
		return !k.ended && (k.apply || k.ignores != nil || !k.out.Closed())
	})
	return err
}

// close ends the reports.
func (k *checking) close() error {
	err := k.writer.close(k.summary)
	if k.forGPU && len(k.gpu)+len(k.cpu) > 0 {
		k.note(honesty)
	}
	if k.gone > 0 && k.apply && k.summary.Repaired > 0 && !k.opts.Verbose {
		k.note(goneImages(k.gone))
	}
	return err
}

// note writes a sentence below the report, or beside one for programs.
func (k *checking) note(text string) {
	if k.writer.has(report.Text) && !k.writer.aside {
		_, _ = fmt.Fprintln(k.out, text)
		return
	}
	k.say("%s", text)
}

// project does one project; several run at once.
func (k *checking) project(r root) outcome {
	o, err := guarded(k.rel(r.Dir), func() outcome { return k.examine(r) })
	if err != nil {
		o.problem = err
	}
	return o
}

func (k *checking) examine(r root) (o outcome) {
	var done repaired
	switch {
	case k.asker != nil:
		done, o.problem = k.dialogue(r)
	case k.apply || k.diff || k.ignores != nil:
		done, o.problem = k.attemptWith(k.alone.RLocker(), r)
		if changed := new(transaction.ChangedError); errors.As(o.problem, &changed) && (changed.Repaired || k.repaired(changed.Path)) {
			// another project, which shares the file, or another amlfix was faster
			done, o.problem = k.attemptWith(&k.alone, r)
		}
		o.problem = transaction.Renamed(o.problem, k.rel)
	default:
		done.project = r.load(k.answers)
		done.judge(r, r.all(done.project))
	}
	if k.ignores != nil {
		done.all = r.all(done.project) // the comments that are added now are reported as such
	}
	o.hidden = r.hides(done.all, k.least(r))
	resolver := report.Resolver{Dir: k.dir(), Snippets: k.writer.has(report.Text)}
	if k.writer.has(report.SARIF) || k.writer.has(report.GitLab) {
		resolver.Fingerprints = cmp.Or(schema.Repository(r.Dir), k.dir())
	}
	if k.writer.has(report.SARIF) && !k.apply && k.ignores == nil {
		resolver.Edits = edits(done.project)
	}
	o.findings = resolver.Findings(done.findings)
	for i := range o.findings {
		o.findings[i].Settings = r.settings
	}
	withRefusals(o.findings, done.findings, done.refused)
	o.repairs, o.diff, o.text, o.forGPU = done.repairs, done.diff, done.text, done.forGPU
	o.changed = done.changed
	o.files, o.outside = countFiles(done.project)
	return o
}

// countFiles counts the files that were looked into; those outside the project's
// folder, which others may look into too, are named.
func countFiles(p *schema.Project) (n int, outside []string) {
	for _, f := range p.Files {
		switch {
		case f.Kind == schema.Unknown || f.Kind == schema.Settings:
		case below(p.Root, f.Path):
			n++
		default:
			outside = append(outside, f.Path)
		}
	}
	return n, outside
}

// countOutside returns how many of the files no project has counted.
func (k *checking) countOutside(roots []root, names []string) (n int) {
	for _, name := range names {
		if k.counted == nil {
			k.counted = map[string]bool{}
			for _, r := range roots {
				for _, f := range r.Files {
					k.counted[f] = k.counted[f] || below(r.Dir, f)
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

// least returns the severity from which on findings in a project are told, or count.
func (k *checking) least(r root) finding.Severity {
	structured := slices.ContainsFunc(k.writer.formats, func(f report.Format) bool { return f != report.Text })
	if k.opts.Verbose || structured || k.gate.failOn == finding.Info || r.settings.FailOn == finding.Info {
		return finding.Info
	}
	return finding.Warning
}

// take adds a project's outcome.
func (k *checking) take(o outcome) {
	if errors.Is(o.problem, context.Canceled) {
		return // the whole ends, and that is said
	}
	if o.problem != nil {
		k.ended = errors.Is(o.problem, errStopped)
		if !k.ended {
			k.failed = true
			k.summary.Problems = append(k.summary.Problems, o.problem.Error())
		}
		k.say("%v", o.problem)
	}
	k.hidden.add(o.hidden)
	k.summary.Projects++
	k.summary.Files += o.files
	if k.diff {
		k.differs = k.differs || len(o.diff) > 0
		_, _ = k.out.Write(painted(k.style, o.diff))
		for _, r := range o.repairs {
			k.say("%s:%d: %s: %s: %s [%s]", r.Path, r.Line, r.Word(), r.Title, r.Reason, r.Rule)
		}
		return
	}
	_, _ = k.out.Write(o.text)
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
		k.gate.count(f)
		if f.Suppression == nil && f.Severity == finding.Info && strings.Contains(f.Message, rules.TakenOff) {
			k.gone++
		}
		k.writer.Finding(f)
	}
}
