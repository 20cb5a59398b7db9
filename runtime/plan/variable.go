package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/secret"
)

// readOnly are variables that a shell on another machine may refuse to set (bash; on many machines sh is bash).
var readOnly = []string{"BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID"}

// Unpassable returns why a program can be given no such text as an argument or a variable, or "" if it can.
func Unpassable(text string) string {
	const longest = 128 << 10 // Linux's MAX_ARG_STRLEN; it includes a NUL
	switch {
	case strings.ContainsRune(text, 0):
		return "contains a NUL character: remove it"
	case len(text) >= longest:
		return "is longer than 128 KiB, which Linux passes to no program: write it to a file, and give the file's name"
	}
	return ""
}

// Unsettable returns why a variable cannot be set for a job, or "" if it can. This is checked in advance: on another
// machine, a shell sets the variables only after the whole project has been sent.
func Unsettable(name, value string, shell bool) string {
	switch {
	case name == "" || strings.ContainsAny(name, "=\x00"):
		return fmt.Sprintf("%q is not a valid name for an environment variable: use letters, digits and _", name)
	case Unpassable(name+"="+value) != "":
		return fmt.Sprintf("the value of the environment variable %.40q %s", name, Unpassable(name+"="+value))
	case shell && !isIdentifier(name):
		return fmt.Sprintf("the environment variable %q cannot be set on another machine: its shell accepts only letters, digits and _, and no digit at the beginning", name)
	case shell && slices.Contains(readOnly, name):
		return fmt.Sprintf("the environment variable %s cannot be set on another machine, because the shell reserves it: use another name", name)
	}
	return ""
}

// SetVariables plans the variables of the run configuration, and one that makes Python's output unbuffered. shell means
// that a shell on another machine sets them.
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
		d.Plan.Env = append(d.Plan.Env, Item{Name: live, Value: "1", Origin: Origin{Note: "default: output is not buffered"}})
	}
	return nil
}

// isIdentifier reports whether a shell accepts text as the name of a variable.
func isIdentifier(name string) bool {
	other := func(c rune) bool {
		return c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}
	return name != "" && (name[0] < '0' || name[0] > '9') && !strings.ContainsFunc(name, other)
}
