package ui

import "strings"

// NoBreak joins words that Fold must not separate, such as those of a command to copy: nothing Printable contains it.
const NoBreak = "\u00a0"

// Fold breaks a line at spaces so that it fits into a terminal with a number of columns; 0 is no limit. The further
// lines are indented. A word that does not fit stays whole, as a terminal copies it; escape sequences have no width.
func Fold(line string, columns int, indent string) string {
	if columns > 0 && len(line) > columns {
		line = fold(line, columns, indent)
	}
	return strings.ReplaceAll(line, NoBreak, " ")
}

func fold(line string, columns int, indent string) string {
	var b strings.Builder
	body := strings.TrimLeft(line, " ")
	b.WriteString(line[:len(line)-len(body)])
	used, empty := len(line)-len(body), true
	for word := range strings.SplitSeq(body, " ") {
		wide := width(unstyled(word))
		switch {
		case empty:
		case used+1+wide > columns:
			b.WriteString("\n" + indent)
			used = len(indent)
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used, empty = used+wide, false
	}
	return b.String()
}

// unstyled returns a text without the escape sequences of colours and links.
func unstyled(text string) string {
	for {
		before, after, found := strings.Cut(text, "\x1b")
		if !found {
			return text
		}
		end := strings.IndexByte(after, 'm') + 1 // "[1;31m"
		if strings.HasPrefix(after, "]") {
			end = strings.Index(after, "\x1b\\") + len("\x1b\\")
		}
		text = before + after[max(end, 1):]
	}
}
