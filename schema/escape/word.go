package escape

import "strings"

// safe are the bytes without a special meaning to a shell anywhere in a word, except for "=" at its beginning (zsh).
const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-"

// Word returns a word that a POSIX shell reads as exactly text, with quotes only if needed. It only protects against
// the shell: a program may still read a word that begins with "-" as an option. A NUL byte cannot be part of a word and
// ends what the shell reads, so callers must reject values that contain one.
func Word(text string) string {
	if text != "" && text[0] != '=' && strings.Trim(text, safe) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
