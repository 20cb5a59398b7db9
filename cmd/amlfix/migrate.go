package main

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/compose"
	"github.com/amlfix/amlfix/fixers/migrate/kubernetes"
	v1 "github.com/amlfix/amlfix/fixers/migrate/v1"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// emitters are the formats that can be written, in the order of the help.
func emitters() []migrate.Emitter {
	return []migrate.Emitter{v2.Emitter{}, v1.Emitter{}, compose.Emitter{}, kubernetes.Emitter{}}
}

// migrationFormats names them.
func migrationFormats() (formats []string) {
	for _, e := range emitters() {
		formats = append(formats, e.Format())
	}
	return formats
}

func (c *Command) migrateCommand() *cli.Command {
	formats := migrationFormats()
	return &cli.Command{
		Name:      "migrate",
		Usage:     "rewrite a project for a newer service",
		ArgsUsage: "--to " + strings.Join(formats, "|") + " [FLAGS] [PATH]",
		Description: `Writes the jobs of the project at PATH (this folder when there is none) into a new
folder, with their environments and compute targets. The old files stay as they
are. MIGRATION.md tells of every key of theirs what became of it, what the scripts
need, and how each decision can be taken otherwise.

What cannot be decided without you, such as a script that was only named at
submission, is marked with the word DECIDE, and the exit status is 1.

Answers are also read from .amlfix.yaml:
  migrate: {vm-size: Standard_NC8as_T4_v3, docker/script: train.py}`,
		UsageText: `amlfix migrate --to v2 --script train.py
amlfix migrate --to v2 -c gpuvm --script train.py --dry-run
amlfix migrate --to v2 --answer compute=serverless --answer python=3.12
amlfix migrate --to v2 --out migrated projects/digits`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "to", Usage: "write `FORMAT`: " + strings.Join(formats, ", ")},
			&cli.StringSliceFlag{Name: "run-configuration", Aliases: []string{"c"}, Usage: "migrate `RUNCONFIG` alone; may be given several times"},
			&cli.StringFlag{Name: "script", Usage: "the `FILE` that run configurations run that do not name one, from the project's folder"},
			&cli.StringFlag{Name: "out", Usage: "the new `FOLDER`; azureml in the project's folder if not given"},
			&cli.StringSliceFlag{Name: "answer", Usage: "take a decision: `ID=VALUE`, or RUNCONFIG/ID=VALUE for one of several; may be given several times"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show the files and MIGRATION.md, and write nothing"},
		}, trustFlags()...),
		Action: c.migrate,
	}
}

func (c *Command) migrate(ctx *cli.Context) error {
	emitter, err := emitterNamed(ctx.String("to"))
	if err != nil {
		return err
	}
	if ctx.NArg() > 1 {
		return usage("migrate", "one project at a time: what is %q?", ctx.Args().Get(1))
	}
	f := c.discover(ctx.Args().Slice())
	switch {
	case f.unreadable():
		return status(statusFailure)
	case len(f.roots) == 0:
		return status(statusFindings)
	}
	r, ok := c.theProject(f.roots, ctx.Args().First())
	if !ok {
		return usage("migrate", "there are several projects: name one of %s", shortList(folders(c, f.roots)))
	}
	opts := migrate.Options{Configs: ctx.StringSlice("run-configuration"), Script: ctx.String("script"), Trees: c.trees(ctx.Args().Slice()), Answers: map[string]migrate.Answer{}}
	for id, value := range r.settings.Migrate {
		opts.Answers[id] = migrate.Answer{Value: value, From: filepath.Base(r.settings.Path)}
	}
	for _, a := range ctx.StringSlice("answer") {
		id, value, ok := strings.Cut(a, "=")
		if !ok || id == "" || value == "" {
			return usage("migrate", "--answer %s: write it as ID=VALUE", a)
		}
		opts.Answers[id] = migrate.Answer{Value: value, From: migrate.FromFlag}
	}
	if out := ctx.String("out"); out != "" {
		opts.Out, opts.Given = c.identity(out), c.path(out)
	} else {
		opts.Out = filepath.Join(r.Dir, migrate.DefaultOut)
	}
	project := schema.Load(r.Root, schema.Options{NoComments: r.isolated})
	m, err := migrate.New(project, emitter, opts)
	var answer *migrate.AnswerError
	var config *migrate.ConfigError
	if errors.As(err, &answer) || errors.As(err, &config) {
		return usage("migrate", "%v", err)
	}
	if err != nil {
		return err
	}
	all := r.all(project)
	c.sayErrors(r.counting(all), m)
	c.sayHiddenOf(r, all, f.excluded)
	return c.migrated(m, ctx.Bool("dry-run"))
}

// sayErrors says how many errors there are in the files that are migrated: what
// is wrong in them may be wrong in the new ones too.
func (c *Command) sayErrors(list []finding.Finding, m *migrate.Migration) {
	old := map[*source.Source]bool{}
	for _, row := range m.Ledger.Rows {
		old[row.File.Source] = true
	}
	for _, l := range m.Skipped {
		for _, f := range m.Project.Files {
			if l.Unread && f.Rel == l.File {
				old[f.Source] = true
			}
		}
	}
	found, repaired := 0, 0
	for _, f := range unsuppressed(list) {
		if f.Severity != finding.Error || !old[f.Source] {
			continue
		}
		found++
		if f.Fix != nil && f.Fix.Applicability == finding.Safe {
			repaired++
		}
	}
	what := ui.Count(found, "error") + " in the old files (amlfix lists them)"
	switch {
	case found == 0:
	case repaired == 0:
		c.say("%s: repair them first", what)
	case repaired == found:
		c.say("%s: amlfix --apply repairs them first", what)
	default:
		c.say("%s: amlfix --apply repairs %d of them first", what, repaired)
	}
}

// theProject returns the only project, or the one whose folder is named: there may
// be others below it.
func (c *Command) theProject(roots []root, named string) (root, bool) {
	i := slices.IndexFunc(roots, func(r root) bool { return r.Dir == c.identity(cmp.Or(named, ".")) })
	if i < 0 && len(roots) > 1 {
		return root{}, false
	}
	return roots[max(i, 0)], true
}

func emitterNamed(name string) (migrate.Emitter, error) {
	var formats []string
	for _, e := range emitters() {
		if e.Format() == name {
			return e, nil
		}
		formats = append(formats, e.Format())
	}
	if name == "" {
		return nil, usage("migrate", "say with --to what is to be written: %s", strings.Join(formats, ", "))
	}
	return nil, usage("migrate", "--to %s: there is no such format%s; there are: %s", name, didYouMean(name, formats, asIs), strings.Join(formats, ", "))
}

func folders(c *Command, roots []root) (list []string) {
	for _, r := range roots {
		list = append(list, c.rel(r.Dir))
	}
	return list
}

// migrated writes the files, or shows them, and says what is left to do.
func (c *Command) migrated(m *migrate.Migration, dryRun bool) error {
	out := c.rel(m.Options.Out)
	verb := "to be written"
	if !dryRun {
		err := m.Commit()
		if exists := new(migrate.ExistsError); errors.As(err, &exists) {
			return &migrate.ExistsError{Path: c.rel(exists.Path)}
		}
		if err != nil {
			return err
		}
		verb = "written"
	}
	for _, f := range m.Files {
		_, _ = fmt.Fprintf(c.out, "%s: %s\n", ui.Printable(path.Join(out, f.Path)), verb)
	}
	if dryRun {
		for _, f := range m.Files {
			if f.Path == account.Report {
				_, _ = fmt.Fprintf(c.out, "\n%s", f.Text)
			}
		}
	}
	dispositions := map[account.Disposition]int{}
	for _, row := range m.Ledger.Rows {
		dispositions[row.Disposition()]++
	}
	_, _ = fmt.Fprintf(c.out, "\n%s of the old files: %d mapped, %d dropped, %d by decision\n",
		ui.Count(len(m.Ledger.Rows), "key"), dispositions[account.Mapped], dispositions[account.Dropped], dispositions[account.Decided])
	unread := false
	for _, l := range m.Skipped {
		if l.Unread {
			unread = true
			c.say("%s: %s", path.Join(c.rel(m.Project.Root), l.File), l.Why)
		}
	}
	open := m.Open()
	if len(open) == 0 && unread {
		return status(statusFindings)
	}
	if len(open) == 0 {
		_, _ = fmt.Fprintf(c.out, "%s taken by default or by you: see %s\n", ui.Count(len(m.Decisions), "decision"), ui.Printable(path.Join(out, account.Report)))
		return nil
	}
	_, _ = fmt.Fprintf(c.out, "\nTo be decided, and marked with %s until then:\n", account.Marker)
	for _, d := range open {
		_, _ = fmt.Fprintf(c.out, "  %s (%s)\n    %s\n", ui.Printable(d.Ask), ui.Printable(strings.Join(d.Scopes, ", ")), ui.Printable(d.How()))
	}
	return status(statusFindings)
}
