package review

import (
	"bytes"
)

// painted returns a diff in colour, or unchanged if the style has no colours or if it is for programs. The colour ends
// before the end of a line, so that line endings do not change.
func (k *Review) painted(diff []byte) []byte {
	style := k.Report.Style
	if k.Raw || style.Green("x") == "x" {
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
