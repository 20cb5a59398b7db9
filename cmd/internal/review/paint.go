package review

import (
	"bytes"

	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// painted returns a diff in colour, or unchanged if the style has no colours. The colour ends before the end of a line,
// so that line endings do not change.
func painted(style ui.Style, diff []byte) []byte {
	if style.Green("x") == "x" {
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
			paint = style.Red
		case bytes.HasPrefix(text, []byte("#")):
			paint = style.Yellow
		}
		out.WriteString(paint(string(text)))
		out.Write(line[len(text):])
	}
	return out.Bytes()
}
