package review

import (
	"bytes"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/escape"
)

// painted returns a diff for a person, on a terminal or in colour, with characters made visible that hide text or are
// not shown; it returns any other unchanged. The colour ends before the end of a line, so that line endings do not
// change.
func (k *Review) painted(diff []byte) []byte {
	style := k.Report.Style
	if k.Raw || style.Green("x") == "x" && !ui.IsTerminal(k.Out) {
		return diff
	}
	var out bytes.Buffer
	for line := range bytes.Lines(diff) {
		text := bytes.TrimRight(line, "\r\n")
		paint := func(s string) string { return s }
		switch {
		case bytes.HasPrefix(text, []byte("--- ")), bytes.HasPrefix(text, []byte("+++ ")):
			paint = style.Bold
		case bytes.HasPrefix(text, []byte("@@")):
			paint = style.Cyan
		case bytes.HasPrefix(text, []byte("+")):
			paint = style.Green
		case bytes.HasPrefix(text, []byte("-")):
			paint = style.Removed
		case bytes.HasPrefix(text, []byte("#")):
			paint = style.Yellow
		}
		out.WriteString(paint(escape.Page(string(text))))
		out.Write(line[len(text):])
	}
	return out.Bytes()
}
