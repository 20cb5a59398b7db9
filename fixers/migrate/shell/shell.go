// Package shell writes argument vectors as POSIX shell text, so that the shell
// makes the same vector of it again.
package shell

import (
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// Quote returns a word that the shell reads as exactly arg, as escape.Word
// does. The text "${{", which Azure ML would take for an expression before any
// shell sees it, is written in two quoted parts. A NUL byte cannot be part of
// an argument; the caller must not give one.
func Quote(arg string) string {
	return strings.ReplaceAll(escape.Word(arg), "${{", "$''{{")
}

// Join returns the command line that runs argv. The program's name is quoted
// when it holds a "=", for the shell would take it for an assignment.
func Join(argv []string) string {
	words := make([]string, len(argv))
	for i, arg := range argv {
		if words[i] = Quote(arg); i == 0 && words[i] == arg && strings.Contains(arg, "=") {
			words[i] = "'" + arg + "'"
		}
	}
	return strings.Join(words, " ")
}

// Doubled returns arg with every "$" doubled: the form of Compose and Kubernetes,
// which replace $NAME and $(NAME) in argument lists and read "$$" as "$".
func Doubled(arg string) string { return strings.ReplaceAll(arg, "$", "$$") }
