package migrate

import (
	"slices"
	"strings"
)

// pythonCode returns a Python file with comments and the content of strings replaced with spaces. Line numbers do not
// change.
func pythonCode(text string) string {
	out := []byte(text)
	erase := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '#':
			end := i + len(text[i:])
			if n := strings.IndexAny(text[i:], "\r\n"); n >= 0 {
				end = i + n
			}
			erase(i, end)
			i = end
		case '"', '\'':
			end := endOfText(text, i)
			erase(i, end)
			i = end
		default:
			i++
		}
	}
	return string(out)
}

// endOfText returns the offset at which the string that begins at a quote ends: after the closing quote, or at the end
// of the line if there is none.
func endOfText(text string, at int) int {
	quote := text[at : at+1]
	if strings.HasPrefix(text[at:], strings.Repeat(quote, 3)) {
		quote = text[at : at+3]
	}
	for i := at + len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], quote):
			return i + len(quote)
		case (text[i] == '\n' || text[i] == '\r') && len(quote) == 1:
			return i
		}
	}
	return len(text)
}

// importLines returns the lines of code that import something.
func importLines(code string) string {
	var b strings.Builder
	for _, line := range codeLines(code) {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "import ") || strings.HasPrefix(trimmed, "from ") {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// guarded reports whether code checks what is installed before it calls it.
func guarded(code string) bool {
	return containsAny(code, "__version__", "hasattr(", "except ImportError", "except AttributeError", "except ModuleNotFoundError", "disable_v2_behavior")
}

// containsAny reports whether a text contains one of the words.
func containsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}
