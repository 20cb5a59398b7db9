package console

import (
	"context"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// Prompt returns what asks the person at the terminal; nil if there is none.
func (t *Terminal) Prompt(ctx context.Context) *ui.Prompt {
	if !ui.IsInteractive(t.Stdin) || !ui.IsTerminal(t.Stdout) {
		return nil
	}
	return ui.NewPrompt(ctx, t.Stdin, t.Out)
}

// SayIf is like Say but does nothing if the text is "".
func (t *Terminal) SayIf(text string) {
	if text != "" {
		t.Say("%s", text)
	}
}

// WriteJSON writes a value to standard output, on one line.
func (t *Terminal) WriteJSON(value any) {
	_, _ = t.Out.Write(append(report.OneLine(value), '\n'))
}
