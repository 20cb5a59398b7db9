package shell

import (
	"slices"
	"strings"
	"testing"
)

// TestTableOfPrograms fails for a line of programs.txt that says nothing.
func TestTableOfPrograms(t *testing.T) {
	alone, known := []string{"interpreter", "launcher", "wrapper", "letters"}, strings.Fields("flags values pairs ends module command takes sub")
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		if line[0] == '\t' && (len(words) == 1 && !slices.Contains(alone, words[0]) || len(words) > 1 && !slices.Contains(known, words[0])) {
			t.Errorf("%q", line)
		}
	}
}
