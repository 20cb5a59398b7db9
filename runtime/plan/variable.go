package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/secret"
)

// readOnly are variables that a shell of another machine does not let anybody set (bash; sh is bash on many machines).
var readOnly = []string{"BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID"}

// Unsettable says why a variable cannot be set for a job; "": it can be. It is
// found out before anything is done: on another machine a shell sets the
// variables, when all of the project has been sent.
func Unsettable(name, value string, shell bool) string {
	switch {
	case name == "" || strings.ContainsAny(name, "=\x00"):
		return fmt.Sprintf("%q is no name of an environment variable: write one of letters, digits and _", name)
	case strings.ContainsRune(value, 0):
		return fmt.Sprintf("the value of the environment variable %q holds a NUL, which no variable can", name)
	case shell && !isIdentifier(name):
		return fmt.Sprintf("the environment variable %q cannot be set on another machine: its shell takes only names of letters, digits and _ that do not begin with a digit", name)
	case shell && slices.Contains(readOnly, name):
		return fmt.Sprintf("the environment variable %s cannot be set on another machine: its shell keeps it to itself; call it something else", name)
	}
	return ""
}

// SetVariables plans those of the run configuration, and one that keeps Python's
// output live. shell says that a shell of another machine sets them.
func (d *Draft) SetVariables(shell bool) error {
	const live = "PYTHONUNBUFFERED"
	set := false
	for _, v := range d.Job.Variables {
		if why := Unsettable(v.Name, v.Value.Text, shell); why != "" {
			return &Error{Origin: d.At(v.Value), Text: why}
		}
		d.Plan.Env = append(d.Plan.Env, Item{Name: v.Name, Value: v.Value.Text, Origin: d.At(v.Value), Secret: secret.Variable(v.Name, v.Value.Text)})
		set = set || v.Name == live
	}
	if !set {
		d.Plan.Env = append(d.Plan.Env, Item{Name: live, Value: "1", Origin: Origin{Note: "default: output comes at once"}})
	}
	return nil
}

// isIdentifier reports whether a shell takes a text for the name of a variable.
func isIdentifier(name string) bool {
	other := func(c rune) bool {
		return c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}
	return name != "" && (name[0] < '0' || name[0] > '9') && !strings.ContainsFunc(name, other)
}
