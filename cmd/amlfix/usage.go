package main

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// usageError tells that the command line cannot be understood.
type usageError struct{ command, message string }

func (e *usageError) Error() string { return e.message }

// help returns the command that shows how it is done right.
func (e *usageError) help() string {
	if e.command == "" || e.command == "check" {
		return "amlfix --help"
	}
	return "amlfix " + e.command + " --help"
}

func usage(command, format string, args ...any) error {
	return &usageError{command: command, message: fmt.Sprintf(format, args...)}
}

// didYouMean returns a question to add to a message about a wrong word, or "".
func didYouMean(word string, candidates []string, show func(string) string) string {
	if near := ui.Nearest(word, candidates); near != "" {
		return fmt.Sprintf("; did you mean %s?", show(near))
	}
	return ""
}

func asIs(word string) string { return word }

// plainFlagError words what the flag parser says for people. Names of flags and
// missing values have been looked at before; what is left are bad values.
func plainFlagError(err error) string {
	message := err.Error()
	if rest, ok := strings.CutPrefix(message, "Cannot use two forms of the same flag: "); ok {
		names := strings.Fields(rest)
		return "the same flag is given twice: " + strings.Join(names, " and ")
	}
	return strings.ReplaceAll(message, "flag -", "flag --")
}

// misnomers are words that people try for a command of another name.
var misnomers = map[string]string{
	"lint": "amlfix check", "validate": "amlfix check", "scan": "amlfix check",
	"fix": "amlfix --apply", "repair": "amlfix --apply", "apply": "amlfix --apply", "format": "amlfix --apply",
	"diff": "amlfix --diff", "version": "amlfix --version",
	"list": "amlfix targets", "computetarget": "amlfix attach", "compute": "amlfix targets",
	"experiment": "amlfix run", "convert": "amlfix migrate", "migration": "amlfix migrate", "upgrade": "amlfix migrate",
	"submit": "amlfix run", "start": "amlfix run",
	"rule": "amlfix rules", "docs": "amlfix rules", "doc": "amlfix rules", "completions": "amlfix completion",
}
