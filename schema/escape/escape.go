// Package escape makes text of unknown origin harmless for its destination. There is one function for each kind of
// destination, and no other code quotes for a shell or prints text from a file, another machine or a server:
//
//	Word      a word of a POSIX shell script, or of a command line that people are asked to run
//	Terminal  one line on a terminal, which may be the log of a CI
//	Lines     several such lines
//	Said      the words of another program, machine or server, quoted in a line of amlfix's own
//	Page      the text of a page that a browser shows
//
// Only package report writes the workflow commands that amlfix itself prints for GitHub.
package escape

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/plain"
)

// Terminal returns text as one line that cannot control a terminal, hide anything from the reader, or be interpreted as
// a command by a CI service:
//
//   - Control characters, line ends and tabs among them, are shown as "\x1b".
//   - Characters that turn the direction of writing or show nothing are shown as "\u202e", except for the wide space of
//     Chinese and Japanese, and for the one that makes a symbol an emoji.
//   - Bytes that are not UTF-8 are shown as "\xff".
//   - The first character of "::" at the beginning (GitHub) and the second one of "##[" and "##vso[" anywhere (Azure
//     Pipelines, older GitHub runners, TeamCity) are shown as "\x3a" and "\x23".
//
// Terminal is idempotent.
func Terminal(text string) string {
	if harmless(text) {
		return text
	}
	var b strings.Builder
	for at := 0; at < len(text); {
		shown, size := Visible(text, at)
		b.WriteString(shown)
		at += size
	}
	return b.String()
}

// Lines applies Terminal to each line of text and keeps the line ends.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = Terminal(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Said is Terminal for the words of another program: white space between words becomes one space, and what exceeds most
// characters is replaced with "…". Only the beginning of a long text is processed.
func Said(text string, most int) string {
	if limit := 16 * most; len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return plain.Cut(Terminal(strings.Join(strings.Fields(text), " ")), most)
}

// Page is like Terminal for the text of a page: nothing is hidden from the reader or changes the direction of the
// surrounding text. It keeps tabs and line ends, and does not consider CI commands. It does not escape markup.
func Page(text string) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		c, size := text[at], 1
		shown := text[at : at+1]
		if (c < ' ' || c > '~') && c != '\t' && c != '\n' {
			shown, size = Visible(text, at)
		}
		b.WriteString(shown)
		at += size
	}
	return b.String()
}

// harmless reports whether text is printable ASCII and certainly without anything that a CI service could interpret as
// a command, which is true of most text.
func harmless(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return !strings.Contains(text, "##") && !strings.HasPrefix(strings.TrimLeft(text, " "), "::")
}

// Visible returns how Terminal shows the character at a byte offset of text, and the character's size in bytes.
func Visible(text string, at int) (shown string, size int) {
	r, size := utf8.DecodeRuneInString(text[at:])
	switch {
	case r == utf8.RuneError && size <= 1:
		return fmt.Sprintf(`\x%02x`, text[at]), 1
	case r < ' ' || r == 0x7f, r == '#' && commandAt(text, at), r == ':' && strings.HasPrefix(text[at:], "::") && strings.TrimRightFunc(text[:at], unicode.IsSpace) == "":
		return fmt.Sprintf(`\x%02x`, r), size
	case !unicode.IsPrint(r) && r != '\u3000', r == '\u2800', plain.IsIgnorable(r) && !presents(text[:at], r):
		if r > 0xffff {
			return fmt.Sprintf(`\U%08x`, r), size
		}
		return fmt.Sprintf(`\u%04x`, r), size
	}
	return text[at : at+size], size
}

// presents reports whether r only says how the symbol before it is shown: as an emoji or as text.
func presents(before string, r rune) bool {
	if r != '\ufe0e' && r != '\ufe0f' {
		return false
	}
	symbol, _ := utf8.DecodeLastRuneInString(before)
	return symbol > unicode.MaxASCII && symbol != utf8.RuneError && unicode.IsSymbol(symbol)
}

// commandAt reports whether the "#" at a position is the second one of "##[" or "##name[".
func commandAt(text string, at int) bool {
	if at == 0 || text[at-1] != '#' {
		return false
	}
	rest := strings.TrimLeft(text[at+1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return strings.HasPrefix(rest, "[")
}
