package evidence

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Limits that bound memory, whatever a job prints.
const (
	lineLimit  = 8 << 10 // bytes of a line that are searched; the rest is skipped
	quoteLimit = 100     // runes in a quotation
	gpuLimit   = 64      // distinct GPUs that are tracked
)

// PlainText removes terminal escape sequences: colours, cursor movements, window titles.
func PlainText(line string) string {
	at := strings.IndexByte(line, '\x1b')
	if at < 0 {
		return line
	}
	var b strings.Builder
	for ; at >= 0; at = strings.IndexByte(line, '\x1b') {
		b.WriteString(line[:at])
		line = line[at+escapeLength(line[at:]):]
	}
	b.WriteString(line)
	return b.String()
}

// escapeLength returns the length of the escape sequence at the start of s, which begins with ESC.
func escapeLength(s string) int {
	if len(s) == 1 {
		return 1
	}
	switch s[1] {
	case '[': // ends with a letter or one of @[\]^_`{|}~
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
		}
		return len(s)
	case ']': // ends with BEL or ESC \
		for i := 2; i < len(s); i++ {
			if s[i] == '\a' {
				return i + 1
			}
			if s[i] == '\x1b' {
				return min(i+2, len(s))
			}
		}
		return len(s)
	}
	return 2
}

// quotation shortens matched text to one line of printable characters.
func quotation(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	return plain.Cut(strings.Join(strings.Fields(text), " "), quoteLimit)
}
