package shell

import (
	"slices"
	"strings"
	"testing"
)

// TestProgramsOnce checks that no program has two descriptions: which of them counted would be chance.
func TestProgramsOnce(t *testing.T) {
	seen := map[string]bool{}
	for name := range programs.Get() {
		seen[name] = true
	}
	for _, names := range others.Get() {
		for _, name := range names {
			if seen[name] {
				t.Errorf("%s is described twice", name)
			}
			seen[name] = true
		}
	}
}

// TestTableOfPrograms fails for a line of programs.txt that says nothing, and for a name that is there twice.
func TestTableOfPrograms(t *testing.T) {
	alone, known := []string{"interpreter", "launcher", "wrapper", "letters"}, strings.Fields("flags values pairs ends module command takes sub")
	seen := map[string]bool{}
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		switch {
		case line[0] == '#':
		case line[0] != '\t':
			for _, name := range words {
				if seen[name] || line[0] == ' ' {
					t.Errorf("%q in %q", name, line)
				}
				seen[name] = true
			}
		case len(words) == 1 && !slices.Contains(alone, words[0]), len(words) > 1 && !slices.Contains(known, words[0]),
			words[0] == "takes" && !slices.Contains([]Language{Python, Shell, Other}, Language(words[1])):
			t.Errorf("%q", line)
		}
	}
}
