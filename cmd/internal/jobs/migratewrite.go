package jobs

import (
	"fmt"
	"path"
	"path/filepath"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers/diff"
	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema/plain"
)

// written writes a new folder, which is shown as out.
func (c *Jobs) written(m *migrate.Migration, out string, dryRun bool) error {
	verb := "to be written"
	if !dryRun {
		if err := m.Commit(); err != nil {
			return err
		}
		verb = "written"
	}
	c.sayBeside(m, verb)
	for _, f := range m.Files {
		_, _ = fmt.Fprintf(c.Out, "%s: %s\n", ui.Printable(path.Join(out, f.Path)), verb)
	}
	return nil
}

// sayBeside prints the new files in the project's folder: .amlignore, and those that only cells of notebooks contained.
func (c *Jobs) sayBeside(m *migrate.Migration, verb string) {
	if m.Ignore != nil {
		_, _ = fmt.Fprintf(c.Out, "%s: %s\n", ui.Printable(c.Rel(filepath.Join(m.Project.Root, ".amlignore"))), verb)
	}
	for _, t := range m.Taken {
		if t.New {
			_, _ = fmt.Fprintf(c.Out, "%s: %s, from %s\n", ui.Printable(c.Rel(filepath.Join(m.Project.Root, filepath.FromSlash(t.File)))), verb, ui.Printable(t.At))
		}
	}
}

// updated shows what an existing folder lacks, and writes it together with the scripts.
func (c *Jobs) updated(m *migrate.Migration, out string, update *migrate.Update, dryRun bool) error {
	verbs := [3]string{"written", "updated", "removed"}
	if dryRun {
		verbs = [3]string{"to be written", "to be updated", "to be removed"}
	}
	for _, change := range update.Changes {
		if change.Path != account.Report { // --dry-run shows the report completely
			_, _ = c.Out.Write(diff.Masked(path.Join(out, change.Path), change.Old, change.New))
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
			return err
		}
	}
	c.sayBeside(m, verbs[0])
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
		_, _ = fmt.Fprintln(c.Out)
		c.tell("scripts.patch rewrites %s in %s for MLflow: read it, apply it with git apply, and migrate again", plain.Count(calls, "call"), plain.Count(len(m.Rewritten), "script"))
		return nil
	}
	for _, r := range m.Rewritten {
		_, _ = c.Out.Write(diff.Masked(c.Rel(filepath.Join(m.Project.Root, filepath.FromSlash(r.File))), r.Old, r.New))
	}
	if !done && !dryRun {
		folder, err := transaction.Folder()
		if err != nil {
			return err
		}
		recovery, err := m.RewriteScripts(folder)
		c.Recovered(recovery)
		if err != nil {
			return err
		}
	}
	verb := "rewritten"
	if dryRun {
		verb = "to be rewritten"
	}
	for _, r := range m.Rewritten {
		_, _ = fmt.Fprintf(c.Out, "%s: %s %s\n", ui.Printable(c.Rel(filepath.Join(m.Project.Root, filepath.FromSlash(r.File)))), plain.Count(r.Calls, "call"), verb)
	}
	return nil
}
