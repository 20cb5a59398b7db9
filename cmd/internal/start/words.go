package start

import (
	"os"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/flags"
	"github.com/amlfix/amlfix/runtime/process"
)

// Commands are the commands other than check: a first word that is one of them is not a path.
var Commands = [...]string{
	"run", "prepare", "runs", "attach", "migrate", "targets", "fix", "undo", "init", "config", "baseline", "rules", "explain",
	"schema", "facts", "lsp", "man", "completion", "help",
}

// Switches and Valued are the flags of check that a plain command line may have: those without a value, and those with
// one.
var (
	Switches = [...]string{"apply", "diff", "raw", "add-ignores", "unsafe", "statistics", "exit-zero", "no-baseline", "isolated", "verbose", "no-color"}
	Valued   = [...]string{"fail-on", "since", "as-of", "settings", "settings-from", "color", "reason", "format", "select", "ignore"}
)

// words are a plain command line of check; they implement flags.Set.
type words struct {
	switches []string
	values   map[string][]string
}

func (w *words) Bool(name string) bool { return slices.Contains(w.switches, name) }

// Int returns the value of a flag that no plain command line has: a number that stands for none.
func (w *words) Int(string) int { return -1 }

func (w *words) String(name string) string {
	if list := w.values[name]; len(list) > 0 {
		return list[len(list)-1]
	}
	if name == "color" {
		return "auto"
	}
	return ""
}

func (w *words) StringSlice(name string) []string { return w.values[name] }

func (w *words) IsSet(name string) bool { return w.Bool(name) || len(w.values[name]) > 0 }

func (w *words) NumFlags() int { return len(w.switches) + len(w.values) }

// Plain reads a command line that certainly is a check. Of a line with anything else, be it only another way to write a
// flag, it makes nothing: package cli reads it, and says what is wrong. A first word that is not a path may be a
// command's, misspelt.
func Plain(args []string, env func(string) string) (f flags.Set, paths []string, ok bool) {
	if len(args) == 0 || env(process.Supervise) != "" || strings.HasSuffix(strings.TrimSuffix(args[0], ".exe"), ".test") {
		return nil, nil, false
	}
	w := new(words)
	for i := 1; i < len(args); i++ {
		if args[i] == "" {
			return nil, nil, false
		}
		if args[i][0] != '-' {
			paths = append(paths, args[i])
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(args[i], "--"), "=")
		switch {
		case len(name) == len(args[i]): // a short flag
			return nil, nil, false
		case !given && slices.Contains(Switches[:], name):
			w.switches = append(w.switches, name)
			continue
		case !slices.Contains(Valued[:], name):
			return nil, nil, false
		case !given:
			if i++; i < len(args) {
				value = args[i]
			}
		}
		if value == "" || value[0] == '-' || value != strings.TrimSpace(value) || strings.Contains(value, ",") {
			return nil, nil, false
		}
		if w.values == nil {
			w.values = map[string][]string{}
		}
		w.values[name] = append(w.values[name], value)
	}
	if len(paths) > 0 {
		if paths[0] == "check" {
			paths = paths[1:]
		} else if _, err := os.Lstat(paths[0]); err != nil || slices.Contains(Commands[:], paths[0]) {
			return nil, nil, false
		}
	}
	return w, paths, true
}
