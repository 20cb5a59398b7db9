package escape

import "strings"

// safe are the bytes that mean nothing to a shell wherever they are in a word,
// but for "=" at its beginning (zsh).
const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-"

// Word returns a word that a POSIX shell reads as exactly text; quotes are left
// out where none are needed. It is a word to the shell alone: a program may
// still take one that begins with "-" for an option. A NUL byte cannot be part
// of a word and ends what the shell reads, so whoever takes values from a file
// refuses it first.
func Word(text string) string {
	if text != "" && text[0] != '=' && strings.Trim(text, safe) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
