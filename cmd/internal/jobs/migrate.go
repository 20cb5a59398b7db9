package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers/diff"
	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/compose"
	"github.com/amlfix/amlfix/fixers/migrate/kubernetes"
	"github.com/amlfix/amlfix/fixers/migrate/skypilot"
	v1 "github.com/amlfix/amlfix/fixers/migrate/v1"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// emitters returns the formats that can be written, in the order of the help.
func emitters() []migrate.Emitter {
	return []migrate.Emitter{v2.Emitter{}, v1.Emitter{}, compose.Emitter{}, kubernetes.Emitter{}, skypilot.Emitter{}}
}

// MigrationFormats returns the names of the formats that can be written.
func MigrationFormats() (formats []string) {
	for _, e := range emitters() {
		formats = append(formats, e.Format())
	}
	return formats
}

// MigrateOptions say what to migrate, and how.
type MigrateOptions struct {
	Paths   []string // of the project; none for the working directory
	To      string   // one of MigrationFormats
	Configs []string // run configurations; none for all
	Script  string   // for run configurations that name none
	Out     string   // the new folder; "" for one in the project's
	Answers []string // as ID=VALUE
	DryRun  bool     // only show what would be written
	Check   bool     // let a resolver check the new environments, over the network
	// RewriteScripts changes the scripts instead of writing a diff of them.
	RewriteScripts bool
}

// Migrate writes a project in another format.
func (c *Jobs) Migrate(ctx context.Context, o MigrateOptions) error {
	emitter, err := emitterNamed(o.To)
	if err != nil {
		return err
	}
	if len(o.Paths) > 1 {
		return cli.Usage("migrate", "unexpected argument %q: give one project at a time", o.Paths[1])
	}
	c.Bare = true // what programs build needs no job file
	f := c.Discover(o.Paths)
	switch {
	case f.Unreadable():
		return cli.Status(cli.Failure)
	case len(f.Roots) == 0:
		return cli.Status(cli.Findings)
	}
	r, ok := c.theProject(f.Roots, o.Paths)
	if !ok {
		return cli.Usage("migrate", "there are several projects: choose one of %s", ui.ShortList(folders(c, f.Roots)))
	}
	opts := migrate.Options{Configs: o.Configs, Script: o.Script, RewriteScripts: o.RewriteScripts, Trees: c.Trees(o.Paths), Answers: map[string]migrate.Answer{}}
	for id, value := range r.Settings.Migrate {
		opts.Answers[id] = migrate.Answer{Value: value, From: filepath.Base(r.Settings.Path)}
	}
	for _, a := range o.Answers {
		id, value, ok := strings.Cut(a, "=")
		if !ok || id == "" || value == "" {
			return cli.Usage("migrate", "--answer %s: write it as ID=VALUE", a)
		}
		opts.Answers[id] = migrate.Answer{Value: value, From: migrate.FromFlag}
	}
	if out := o.Out; out != "" {
		opts.Out, opts.Given = c.Identity(out), c.Path(out)
	}
	if o.Check {
		if opts.Resolve, err = resolver(ctx); err != nil {
			return err
		}
		c.Say("checking with uv against PyPI and the public indexes that the environments use")
	}
	project := schema.Load(r.Root, r.Options())
	m, err := migrate.New(project, emitter, opts)
	var answer *migrate.AnswerError
	var config *migrate.ConfigError
	if errors.As(err, &answer) || errors.As(err, &config) {
		return cli.Usage("migrate", "%v", err)
	}
	if err != nil {
		return err
	}
	all := r.All(m.Read)
	c.sayErrors(r.Counting(all), m)
	c.sayHidden(r, all, f.Excluded)
	return c.migrated(m, o.DryRun)
}

// sayErrors reports how many errors there are in the migrated files: their problems may also be in the new ones.
func (c *Jobs) sayErrors(list []finding.Finding, m *migrate.Migration) {
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
	for _, f := range check.Unsuppressed(list) {
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
		c.Say("%s: repair them first", what)
	case repaired == found:
		c.Say("%s: amlfix --apply repairs them first", what)
	default:
		c.Say("%s: amlfix --apply repairs %d of them first", what, repaired)
	}
}

// theProject returns the only project that can be migrated, or the one whose folder is named, which may contain others.
func (c *Jobs) theProject(roots []check.Root, named []string) (check.Root, bool) {
	dir := c.Dir
	if len(named) > 0 {
		dir = c.Identity(named[0])
	}
	older := slices.DeleteFunc(slices.Clone(roots), func(r check.Root) bool {
		return r.OnlyV2(r.Dir) || r.Dir != dir && migrate.Written(r.Dir, dir) // the result of an earlier migration is not a source
	})
	if len(older) > 0 {
		roots = older
	}
	i := slices.IndexFunc(roots, func(r check.Root) bool { return r.Dir == dir })
	if i < 0 && len(roots) > 1 {
		return check.Root{}, false
	}
	return roots[max(i, 0)], true
}

// sayLeft prints the first few jobs and pipelines that are not migrated, and the number of the rest.
func (c *Jobs) sayLeft(m *migrate.Migration) {
	const most = 5
	n := 0
	for _, l := range slices.Concat(m.Skipped, m.Refused) {
		if !l.Job {
			continue
		}
		if n++; n <= most {
			c.Say("%s is not migrated: %s", path.Join(c.Rel(m.Project.Root), l.File), account.Plain(l.Why))
		}
	}
	if n > most {
		c.Say("and %s: see %s", ui.Count(n-most, "other job"), account.Report)
	}
}

// otherNames are what people also call the formats.
func otherNames() map[string]string {
	return map[string]string{"kubernetes": "k8s", "docker-compose": "compose", "sky": "skypilot"}
}

func emitterNamed(name string) (migrate.Emitter, error) {
	formats := MigrationFormats()
	if i := slices.Index(formats, cmp.Or(otherNames()[name], name)); i >= 0 {
		return emitters()[i], nil
	}
	if name == "" {
		return nil, cli.Usage("migrate", "use --to to choose the target format: %s", strings.Join(formats, ", "))
	}
	return nil, cli.Usage("migrate", "--to %s: unknown format; the formats are: %s%s", name, strings.Join(formats, ", "), ui.DidYouMean(name, formats))
}

func folders(c *Jobs, roots []check.Root) (list []string) {
	for _, r := range roots {
		list = append(list, c.Rel(r.Dir))
	}
	return list
}

// written writes a new folder.
func (c *Jobs) written(m *migrate.Migration, dryRun bool) error {
	verb := "to be written"
	if !dryRun {
		if err := m.Commit(); err != nil {
			if exists := new(migrate.ExistsError); errors.As(err, &exists) {
				return &migrate.ExistsError{Path: c.Rel(exists.Path)}
			}
			return err
		}
		verb = "written"
	}
	if m.Ignore != nil {
		_, _ = fmt.Fprintf(c.Out, "%s: %s\n", ui.Printable(c.Rel(filepath.Join(m.Project.Root, ".amlignore"))), verb)
	}
	c.sayTaken(m, verb)
	for _, f := range m.Files {
		_, _ = fmt.Fprintf(c.Out, "%s: %s\n", ui.Printable(path.Join(c.Rel(m.Options.Out), f.Path)), verb)
	}
	return nil
}

// sayTaken prints the files that only cells of notebooks contained.
func (c *Jobs) sayTaken(m *migrate.Migration, verb string) {
	for _, t := range m.Taken {
		if t.New {
			_, _ = fmt.Fprintf(c.Out, "%s: %s, from %s\n", ui.Printable(c.Rel(filepath.Join(m.Project.Root, filepath.FromSlash(t.File)))), verb, ui.Printable(t.At))
		}
	}
}

// updated shows what an existing folder lacks, and writes it together with the scripts.
func (c *Jobs) updated(m *migrate.Migration, update *migrate.Update, dryRun bool) error {
	out := c.Rel(m.Options.Out)
	verbs := [3]string{"written", "updated", "removed"}
	if dryRun {
		verbs = [3]string{"to be written", "to be updated", "to be removed"}
	}
	for _, change := range update.Changes {
		if change.Path != account.Report { // --dry-run shows the report completely
			_, _ = fmt.Fprint(c.Out, escape.Lines(string(diff.Masked(path.Join(out, change.Path), change.Old, change.New))))
		}
	}
	if !dryRun {
		folder, err := transaction.Folder()
		if err != nil {
			return err
		}
		recovery, err := update.Commit(folder)
		c.Recovered(recovery)
		if err != nil {
			return transaction.Renamed(err, c.Rel)
		}
	}
	c.sayTaken(m, verbs[0])
	for _, change := range update.Changes {
		verb := verbs[1]
		switch {
		case change.Old == nil:
			verb = verbs[0]
		case change.New == nil:
			verb = verbs[2]
		}
		_, _ = fmt.Fprintf(c.Out, "%s: %s\n", ui.Printable(path.Join(out, change.Path)), verb)
	}
	for _, name := range update.Kept {
		_, _ = fmt.Fprintf(c.Out, "%s: edited since it was written, and kept\n", ui.Printable(path.Join(out, name)))
	}
	if len(update.Changes) == 0 {
		_, _ = fmt.Fprintf(c.Out, "%s: nothing to update\n", ui.Printable(out))
	}
	return nil
}

// rewritten rewrites the scripts unless that is done, or explains the purpose of their diff.
func (c *Jobs) rewritten(m *migrate.Migration, done, dryRun bool) error {
	if len(m.Rewritten) == 0 {
		return nil
	}
	calls := 0
	for _, r := range m.Rewritten {
		calls += r.Calls
	}
	if !m.Options.RewriteScripts {
		_, _ = fmt.Fprintf(c.Out, "\nscripts.patch rewrites %s in %s for MLflow: read it, apply it with git apply, and migrate again\n", ui.Count(calls, "call"), ui.Count(len(m.Rewritten), "script"))
		return nil
	}
	for _, r := range m.Rewritten {
		_, _ = fmt.Fprint(c.Out, escape.Lines(string(diff.Masked(c.Rel(filepath.Join(m.Project.Root, filepath.FromSlash(r.File))), r.Old, r.New))))
	}
	if !done && !dryRun {
		folder, err := transaction.Folder()
		if err != nil {
			return err
		}
		recovery, err := m.RewriteScripts(folder)
		c.Recovered(recovery)
		if err != nil {
			return transaction.Renamed(err, c.Rel)
		}
	}
	verb := "rewritten"
	if dryRun {
		verb = "to be rewritten"
	}
	for _, r := range m.Rewritten {
		_, _ = fmt.Fprintf(c.Out, "%s: %s %s\n", ui.Printable(c.Rel(filepath.Join(m.Project.Root, filepath.FromSlash(r.File)))), ui.Count(r.Calls, "call"), verb)
	}
	return nil
}

// migrated writes or shows the files, and reports what is left to do.
func (c *Jobs) migrated(m *migrate.Migration, dryRun bool) error {
	out := c.Rel(m.Options.Out)
	update, err := m.Existing()
	switch exists := new(migrate.ExistsError); {
	case errors.As(err, &exists) && !dryRun:
		return &migrate.ExistsError{Path: c.Rel(exists.Path)}
	case err != nil && !errors.As(err, &exists):
		return err
	case update != nil:
		err = c.updated(m, update, dryRun)
	default:
		err = c.written(m, dryRun)
	}
	if err == nil {
		err = c.rewritten(m, update != nil, dryRun)
	}
	if err != nil {
		return err
	}
	if dryRun {
		for _, f := range m.Files {
			if f.Path == account.Report {
				_, _ = fmt.Fprintf(c.Out, "\n%s", f.Text)
			}
		}
	}
	dispositions := map[account.Disposition]int{}
	for _, row := range m.Ledger.Rows {
		dispositions[row.Disposition()]++
	}
	_, _ = fmt.Fprintf(c.Out, "\n%s of the old files: %d mapped, %d dropped, %d by decision\n",
		ui.Count(len(m.Ledger.Rows), "key"), dispositions[account.Mapped], dispositions[account.Dropped], dispositions[account.Decided])
	c.sayChecked(m)
	unread := false
	for _, l := range m.Skipped {
		if l.Unread {
			unread = true
			c.Say("%s: %s", path.Join(c.Rel(m.Project.Root), l.File), l.Why)
		}
	}
	c.sayLeft(m)
	open := m.Open()
	if m.Listed {
		c.Say("nothing here can be migrated by itself: %s lists what uses the old service, and what replaces it", path.Join(out, account.Report))
	}
	if len(open) == 0 && (unread || m.Listed) {
		return cli.Status(cli.Findings)
	}
	if len(open) == 0 {
		_, _ = fmt.Fprintf(c.Out, "%s made by default or by you: see %s\n", ui.Count(len(m.Decisions), "decision"), ui.Printable(path.Join(out, account.Report)))
		return nil
	}
	_, _ = fmt.Fprintf(c.Out, "\nTo be decided, and marked with %s until then:\n", account.Marker)
	for _, d := range open {
		_, _ = fmt.Fprintf(c.Out, "  %s (%s)\n    %s\n", ui.Printable(account.Plain(d.Ask)), ui.Printable(strings.Join(d.Scopes, ", ")), ui.Printable(d.How()))
	}
	return cli.Status(cli.Findings)
}
