package plain

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Character returns a name for the character at the offset i of a text, which may be invisible or the end.
func Character(s string, i int) string {
	if i >= len(s) {
		return "the end"
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	switch {
	case r == ' ':
		return "a space"
	case r == '\t':
		return "a tab"
	case r == '\n' || r == '\r':
		return "a line break"
	case r == '\u00a0' || r == '\u202f':
		return "a non-breaking space"
	case r == utf8.RuneError && size <= 1:
		return "a byte that is not text"
	case !unicode.IsPrint(r) || IsIgnorable(r):
		return fmt.Sprintf("an invisible character (U+%04X)", r)
	}
	if r >= utf8.RuneSelf {
		return fmt.Sprintf("'%c' (U+%04X)", r, r)
	}
	return fmt.Sprintf("'%c'", r)
}

// IsWideSpace reports whether r looks like one space or more but is none to YAML or a shell: it came with text from a
// web page or from an input method.
func IsWideSpace(r rune) bool {
	return r == '\u00a0' || r >= '\u2000' && r <= '\u200a' || r == '\u202f' || r == '\u205f' || r == '\u3000'
}

// IsInvisible reports whether r has no width: pages and chats break and mark their text with such characters.
func IsInvisible(r rune) bool {
	return r >= '\u200b' && r <= '\u200f' || r >= '\u202a' && r <= '\u202e' || r == '\u2060' || r == '\ufeff'
}

// IsIgnorable reports whether nothing is shown for r, which is no space, whatever is around it: marks of the direction,
// joiners, selectors of variants, and the letters that stand for an empty place of a Hangul syllable. Some file systems
// ignore them in names.
func IsIgnorable(r rune) bool {
	return r > unicode.MaxASCII && unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
