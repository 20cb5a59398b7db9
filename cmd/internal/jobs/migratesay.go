package jobs

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

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
	how := "repair " + plain.Them(found)
	switch {
	case found == 0:
		return
	case repaired == found:
		how += " with amlfix --apply"
	case repaired > 0:
		how += fmt.Sprintf(" (amlfix --apply repairs %d)", repaired)
	}
	c.Say("%s in the old files, which amlfix lists: %s, and migrate again", plain.Count(found, "error"), how)
}

// sayBroken names the migrated files of which only the beginning is known, and reports whether there are any.
func (c *Jobs) sayBroken(m *migrate.Migration) (any bool) {
	for _, f := range m.Broken() {
		p, _ := f.Stream.Prevented()
		c.Say("%s:%d: the file cannot be parsed from here on, so the new files lack what follows: repair it, and migrate again", path.Join(c.Rel(m.Project.Root), f.Rel), f.Source.LineAt(p.Span.Start))
		any = true
	}
	return any
}

// sayLeft prints the first few jobs and pipelines that are not migrated, and the number of the rest.
func (c *Jobs) sayLeft(m *migrate.Migration) {
	const most = 5
	n := 0
	for _, l := range plain.Both(m.Skipped, m.Refused) {
		if !l.Job {
			continue
		}
		if n++; n <= most {
			c.Say("%s is not migrated: %s", path.Join(c.Rel(m.Project.Root), l.File), account.Plain(l.Why))
		}
	}
	if n > most {
		c.Say("and %s: see %s", plain.Count(n-most, "other job"), account.Report)
	}
}

// sayMore names the folders next to the project's from which more can be migrated.
func (c *Jobs) sayMore(m *migrate.Migration) {
	said := map[string]bool{}
	for _, r := range m.Related {
		if folder := c.Rel(m.Project.PathOf(r.Beside)); r.Beside != "" && !said[folder] {
			said[folder] = true
			c.Say("programs in %s build jobs, too: amlfix migrate --to %s %s", folder, m.Emitter.Format(), escape.Word(folder))
		}
	}
}

// migrated writes or shows the files, and reports what is left to do; name returns how the user knows a path.
func (c *Jobs) migrated(m *migrate.Migration, dryRun bool, name func(string) string) error {
	update, err := m.Existing()
	out, exists := name(m.Options.Out), ""
	if dryRun && errors.Is(err, migrate.ExistsError{}) {
		exists, err = transaction.Renamed(err, name).Error(), nil
	}
	switch {
	case err != nil:
		return err
	case update != nil:
		err = c.updated(m, out, update, dryRun)
	default:
		err = c.written(m, out, dryRun)
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
	return c.sayMigrated(m, out, exists)
}

// sayMigrated says what became of the keys, and what is left to decide. exists, if any, says that the folder is taken.
func (c *Jobs) sayMigrated(m *migrate.Migration, out, exists string) error {
	dispositions := map[account.Disposition]int{}
	for _, row := range m.Ledger.Rows {
		dispositions[row.Disposition()]++
	}
	_, _ = fmt.Fprintln(c.Out)
	c.tell("%s of the old files: %d mapped, %d dropped, %d by decision",
		plain.Count(len(m.Ledger.Rows), "key"), dispositions[account.Mapped], dispositions[account.Dropped], dispositions[account.Decided])
	if exists != "" {
		c.Say("%s", exists)
	}
	c.sayChecked(m)
	unread := false
	for _, l := range m.Skipped {
		if l.Unread {
			unread = true
			c.Say("%s: %s", path.Join(c.Rel(m.Project.Root), l.File), l.Why)
		}
	}
	unread = c.sayBroken(m) || unread
	c.sayLeft(m)
	for _, text := range m.Misspelt {
		c.Say("%s", text)
	}
	c.sayMore(m)
	open := m.Open()
	if m.Listed {
		c.Say("nothing here can be migrated automatically: %s lists what uses the old service, and what replaces it", path.Join(out, account.Report))
	}
	if len(open) == 0 && (unread || m.Listed) {
		return console.Status(console.Findings)
	}
	if len(open) == 0 {
		made, them := "no decision was needed", ""
		if n := len(m.Decisions); n > 0 {
			made, them = plain.Count(n, "decision")+" made by default or by you", plain.Them(n)+" and "
		}
		c.tell("%s; %s lists %sthe next commands", made, ui.Printable(path.Join(out, account.Report)), them)
		return nil
	}
	_, _ = fmt.Fprintln(c.Out)
	c.tell("To be decided, and marked with %s until then:", account.Marker)
	for _, d := range open {
		c.tell("  %s (%s)", ui.Printable(account.Plain(d.Ask)), ui.Printable(strings.Join(d.Scopes, ", ")))
		c.tell("    %s", ui.Printable(account.Plain(d.Why)))
		_, _ = fmt.Fprintf(c.Out, "    %s\n", ui.Printable(d.How())) // a command is copied whole
	}
	c.tell("Answer, and migrate again; %s lists the next commands", ui.Printable(path.Join(out, account.Report)))
	return console.Status(console.Findings)
}

// tell prints a line, folded to the width of the terminal.
func (c *Jobs) tell(format string, args ...any) {
	_, _ = fmt.Fprintln(c.Out, ui.Fold(fmt.Sprintf(format, args...), ui.Columns(c.Out), "    "))
}
