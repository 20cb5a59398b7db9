package cli

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/escape"
)

// SayIf is like Say but does nothing if the text is "".
func (t *Terminal) SayIf(text string) {
	if text != "" {
		t.Say("%s", text)
	}
}

// WriteJSON writes a value to standard output, on one line.
func (t *Terminal) WriteJSON(value any) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	_, _ = io.WriteString(t.Out, escape.JSON(b.String()))
}

// Heading returns a table with a heading row.
func Heading(style ui.Style, columns ...string) *ui.Table {
	table := new(ui.Table)
	table.Row(columns...)
	for i := range columns {
		table.Paint(i, style.Bold)
	}
	return table
}
