package listing

import (
	"fmt"
	"io"
	"os"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema/plain"
)

// WriteRecords lists what can be undone.
func WriteRecords(w io.Writer, e *check.Engine, records []transaction.Record) {
	for _, r := range records {
		_, _ = fmt.Fprintf(w, "%s  %s  %s, kept until %s\n", r.Time.Local().Format("2006-01-02 15:04:05"),
			ui.Printable(e.Whole(r.Root)), plain.Count(len(r.Files), "file"), r.Expires.Local().Format(check.Day))
		for _, name := range r.Files {
			_, _ = fmt.Fprintf(w, "  %s\n", ui.Printable(e.Whole(name)))
		}
	}
}

// WriteRestored lists the files that were restored. Those that do not exist now had been created by a repair.
func WriteRestored(w io.Writer, e *check.Engine, files []string) {
	for _, name := range files {
		done := "restored"
		if _, err := os.Stat(name); err != nil {
			done = "removed, because --apply had created it"
		}
		_, _ = fmt.Fprintf(w, "%s: %s\n", ui.Printable(e.Rel(name)), done)
	}
}
