// Command new creates a rule: its file, its line in the registry and a test case. Run it in the root of the repository:
//
//	go run ./rules/new GROUP/NAME
//
// The result builds, but `go test ./rules` fails until the rule reports its example.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "rules/new:", err)
		os.Exit(1)
	}
}

var idForm = regexp.MustCompile(`^[a-z][a-z0-9]*/[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func run(args []string, out io.Writer) error {
	if len(args) != 1 || !idForm.MatchString(args[0]) {
		return errors.New("write `go run ./rules/new GROUP/NAME`, such as gpu/base-image: lowercase letters, digits and hyphens")
	}
	id := args[0]
	files := map[string]string{
		filepath.Join("rules", strings.NewReplacer("/", "_", "-", "_").Replace(id)+".go"): rule(id),
		filepath.Join("rules", "testdata", strings.ReplaceAll(id, "/", "-")+".txtar"):     fmt.Sprintf("# What this case is about.\nonly: %s\naml_config/vm.compute:3:11 warning %s\n\n%s", id, id, bad),
	}
	for name := range files {
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("%s already exists: choose another name", name)
		}
	}
	const registry = "rules/rule.go"
	old, err := os.ReadFile(registry)
	if err != nil {
		return fmt.Errorf("%w: run this at the top of the repository", err)
	}
	text, err := register(string(old), id)
	if err != nil {
		return fmt.Errorf("%s: %w", registry, err)
	}
	files[registry] = text
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, "wrote", filepath.ToSlash(name)); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(out, "Now fill it in: until the rule reports its example, `go test ./rules` fails (TestExamples, TestCheck). CONTRIBUTING.md has the steps.")
	return err
}

// variable returns the Go name of a rule: gpuBaseImage.
func variable(id string) string {
	words := strings.FieldsFunc(id, func(r rune) bool { return r == '/' || r == '-' })
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// register returns the text of the registry with a line for the rule, after the last rule of its group or at the end.
func register(text, id string) (string, error) {
	const begin = "var registry = []*Rule{\n"
	before, rest, ok := strings.Cut(text, begin)
	list, after, closed := strings.Cut(rest, "}\n")
	if !ok || !closed {
		return "", fmt.Errorf("no list begins with %q", begin)
	}
	group, _, _ := strings.Cut(id, "/")
	lines := strings.SplitAfter(list, "\n")
	lines = lines[:len(lines)-1] // the empty text after the last line
	at := len(lines)
	for i, line := range lines {
		if name := strings.TrimPrefix(strings.TrimSpace(line), "&"); strings.HasPrefix(name, group) && len(name) > len(group) && strings.ToUpper(name[len(group):len(group)+1]) == name[len(group):len(group)+1] {
			at = i + 1
		}
	}
	added := strings.Join(lines[:at], "") + "\t&" + variable(id) + ",\n" + strings.Join(lines[at:], "")
	return before + begin + added + "}\n" + after, nil
}

// The example of a new rule: what it should report, and what it should not.
const (
	bad  = "-- aml_config/vm.compute --\ntype: remotedocker\naddress: vm.example.com\nusername: wrong\n"
	good = "-- aml_config/vm.compute --\ntype: remotedocker\naddress: vm.example.com\nusername: right\n"
)

func rule(id string) string {
	return fmt.Sprintf(`package rules

import "github.com/amlfix/amlfix/schema/finding"

var %s = Rule{
	ID:       %q,
	Severity: finding.Warning,
	Since:    %q,
	Doc:      "One sentence: what is wrong.",
	Why:      "What happens to the job, and how people get there.",
	Bad: `+"`\n%s`"+`,
	Good: `+"`\n%s`"+`,
	Check: func(p *Pass) {
		for range p.Project.Targets {
			// if f := target.Username(); f.Text == "wrong" { p.report(f.Location("what to write instead"), nil) }
			continue
		}
	},
}
`, variable(id), id, time.Now().Format(time.DateOnly), bad, good)
}
