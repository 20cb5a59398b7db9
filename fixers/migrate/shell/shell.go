// Package shell writes argument vectors as POSIX shell text that the shell parses to the same vectors.
package shell

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// Quote returns a word that the shell reads as exactly arg, as escape.Word does. The text "${{", which Azure ML would
// read as an expression before any shell sees it, is split into two quoted parts. arg must not contain a NUL byte,
// which no argument can.
func Quote(arg string) string {
	return Unread(escape.Word(arg))
}

// Unread returns the text of a command with each "${{" split, so that only the shell reads it.
func Unread(text string) string { return strings.ReplaceAll(text, "${{", "$''{{") }

// Join returns the command line that runs argv. The program's name is quoted if it contains a "=", because the shell
// would read it as an assignment.
func Join(argv []string) string {
	words := make([]string, len(argv))
	for i, arg := range argv {
		if words[i] = Quote(arg); i == 0 && words[i] == arg && strings.Contains(arg, "=") {
			words[i] = "'" + arg + "'"
		}
	}
	return strings.Join(words, " ")
}

// Expansion returns a word for an expression that Azure ML replaces with one of texts before the shell reads it: it
// quotes what the shell would divide or expand. Double quotes are used only for texts with single quotes, because the
// shell would expand other texts, and would remove the quotes of JSON.
func Expansion(expression string, texts []string) string {
	if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "'") }) && !slices.ContainsFunc(texts, func(s string) bool { return strings.ContainsAny(s, "\"$`\\") }) {
		return `"` + expression + `"`
	}
	return "'" + expression + "'"
}

// Doubled returns arg with every "$" doubled, for Compose and Kubernetes, which replace $NAME and $(NAME) in arguments
// and read "$$" as "$".
func Doubled(arg string) string { return strings.ReplaceAll(arg, "$", "$$") }
