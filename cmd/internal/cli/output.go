package cli

import "github.com/amlfix/amlfix/cmd/internal/report"

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
