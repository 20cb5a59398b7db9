// Package flags reads the flags of amlfix check, and those that other commands share with it.
package flags

import (
	"errors"
	"slices"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema"
)

// Set has the flags of a command line. Package cli parses those of all commands, and package start the plain ones of
// check.
type Set interface {
	Bool(name string) bool
	Int(name string) int
	String(name string) string
	StringSlice(name string) []string
	// IsSet reports whether a flag is given, and NumFlags how many are.
	IsSet(name string) bool
	NumFlags() int
}

// DayExample is a date in the layout of flags.
const DayExample = "2027-01-31"

// Read reads the flags shared by all commands, before the command itself does anything.
func Read(f Set, command string, e *check.Engine) error {
	if e.AsOf = f.String("as-of"); f.IsSet("as-of") {
		if _, err := time.Parse(check.Day, e.AsOf); err != nil {
			return console.Usage(command, "--as-of: %q is not a date: write it as in %s", e.AsOf, DayExample)
		}
	}
	return ReadTrust(f, command, e)
}

// ReadTrust reads the flags that say which settings count, before the command itself does anything.
func ReadTrust(f Set, command string, e *check.Engine) error {
	file, folder := f.String("settings"), f.String("settings-from")
	e.Trust.Isolated = f.Bool("isolated") || slices.Contains([]string{"undo", "runs"}, command) // records exist whatever the settings say
	e.Trust.KeepsBaseline = e.Trust.Isolated && command == "baseline" && file == ""
	switch {
	case f.IsSet("settings") && f.IsSet("settings-from"):
		return console.Usage(command, "--settings and --settings-from exclude each other: one is a file, the other a folder of files")
	case f.IsSet("settings") && file == "":
		return console.Usage(command, "--settings: the file name is missing")
	case f.IsSet("settings-from") && folder == "":
		return console.Usage(command, "--settings-from: the folder name is missing")
	case file != "":
		return trustFile(e, command, file)
	case folder != "":
		if err := e.TrustCopy(folder); err != nil {
			return &schema.PathError{Path: "--settings-from " + folder, Err: err}
		}
	}
	return nil
}

func trustFile(e *check.Engine, command, name string) error {
	err := e.TrustFile(name)
	switch wrong := new(check.SettingsError); {
	case errors.As(err, &wrong):
		return console.Usage(command, "--settings %s: %v", name, wrong)
	case err != nil:
		return &schema.PathError{Path: "--settings " + name, Err: err}
	}
	return nil
}

// trustWords returns the trust flags and the reference date, as written on a command line.
func trustWords(f Set, word func(string) string) (words []string) {
	for _, name := range []string{"settings", "settings-from", "as-of"} {
		if f.IsSet(name) {
			words = append(words, "--"+name, word(f.String(name)))
		}
	}
	if f.Bool("isolated") {
		words = append(words, "--isolated")
	}
	return words
}

// Colour returns the mode that the flags for colours select.
func Colour(f Set, command string) (ui.ColourMode, error) {
	mode, err := ui.ParseColourMode(f.String("color"))
	if err != nil {
		return "", console.Usage(command, "%v", err)
	}
	if f.Bool("no-color") {
		mode = ui.ColourNever
	}
	return mode, nil
}
