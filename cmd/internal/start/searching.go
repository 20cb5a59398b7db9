package start

import (
	"time"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// NoteSearch says, at a terminal, when a search for projects takes long.
func NoteSearch(t *console.Terminal, e *check.Engine) {
	if !ui.IsTerminal(t.Stderr) {
		return
	}
	note := time.AfterFunc(3*time.Second, func() {
		t.Say("still searching %s for Azure ML files: if it is not your project's folder, press Ctrl-C and change to that", e.Dir)
	})
	then := e.AfterSearch
	e.AfterSearch = func() { note.Stop(); then() }
}
