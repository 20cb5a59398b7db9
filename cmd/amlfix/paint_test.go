package main

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDiffColours checks that --diff is coloured on request, shows what is invisible then, and keeps its line endings,
// and that one for programs has the bytes of the files.
func TestDiffColours(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\n\ufefftype: Local\r\npythonLocation: python # \u200ba\r\n")
	r := amlfix(t, dir, "--diff", "--color", "always")
	if !strings.Contains(r.out, "\x1b[31m-\\ufefftype: Local\x1b[0m\r\n\x1b[32m+\\ufefftype: local\x1b[0m\r\n pythonLocation: python # \\u200ba\r\n") {
		t.Errorf("%q", r.out)
	}
	for _, args := range [][]string{{"--diff"}, {"--diff", "--raw", "--color", "always"}} {
		if r := amlfix(t, dir, args...); !strings.Contains(r.out, "+\ufefftype: local\r\n") || !strings.Contains(r.out, "\u200b") || strings.Contains(r.out, "\x1b") {
			t.Errorf("%v: %q", args, r.out)
		}
	}
}
