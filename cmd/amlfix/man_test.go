package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestManual formats the page with a real formatter, and checks that it has every command, flag and example in the
// help.
func TestManual(t *testing.T) {
	page := amlfix(t, t.TempDir(), "man")
	if page.code != console.OK || page.err != "" {
		t.Fatalf("%+v", page)
	}
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		testkit.Unavailable(t, "mandoc is not installed: apt-get install mandoc")
	}
	lint := exec.Command(mandoc, "-T", "lint", "-W", "warning")
	lint.Stdin = strings.NewReader(page.out)
	complaints, _ := lint.CombinedOutput() // exits with a status for the one complaint that always occurs
	for line := range strings.Lines(string(complaints)) {
		if !strings.Contains(line, "missing date") {
			t.Error(line)
		}
	}
	format := exec.Command(mandoc, "-T", "utf8", "-O", "width=200")
	format.Stdin = strings.NewReader(page.out)
	out, err := format.Output()
	testkit.OK(t, err)
	text := unstruck(string(out))
	for _, one := range new(Command).program().Commands {
		command := one.Make()
		testkit.Same(t, one.Name, command.Name, "the name of a command")
		if help := amlfix(t, t.TempDir(), "help", command.Name).out; !strings.Contains(help, "\nUsage:\n  amlfix "+command.Name) {
			t.Errorf("the help does not say how %s is used:\n%s", command.Name, help)
		}
		wanted := []string{"amlfix " + command.Name}
		for line := range strings.Lines(command.UsageText) {
			wanted = append(wanted, strings.TrimSpace(line))
		}
		for _, f := range command.Flags {
			wanted = append(wanted, "-"+f.Names()[0])
		}
		for _, want := range wanted {
			if !strings.Contains(text, want) {
				t.Errorf("the manual does not mention %q", want)
			}
		}
	}
}

// TestHelpFits checks that each help fits a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	dir := t.TempDir()
	for _, command := range new(Command).program().Commands {
		for line := range strings.Lines(amlfix(t, dir, command.Name, "--help").out) {
			if len(line) > 81 {
				t.Errorf("%s: %d columns: %s", command.Name, len(line)-1, line)
			}
		}
	}
}

// unstruck removes overstruck letters, which old printers needed for bold and underlined text, and simplifies dashes
// and quotes.
func unstruck(text string) string {
	var b strings.Builder
	runes := []rune(text)
	for i, r := range runes {
		if r != '\b' && (i+1 == len(runes) || runes[i+1] != '\b') {
			b.WriteRune(r)
		}
	}
	return strings.NewReplacer("‐", "-", "−", "-").Replace(b.String())
}
