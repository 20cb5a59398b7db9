package main

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDiffColours checks that --diff is coloured on request and keeps its line endings, and that --raw is never
// coloured.
func TestDiffColours(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: Local\r\npythonLocation: python\r\n")
	r := amlfix(t, dir, "--diff", "--color", "always")
	if !strings.Contains(r.out, "\x1b[1;31m-type: Local\x1b[0m\r\n\x1b[32m+type: local\x1b[0m\r\n") {
		t.Errorf("%q", r.out)
	}
	for _, args := range [][]string{{"--diff"}, {"--diff", "--raw", "--color", "always"}} {
		if r := amlfix(t, dir, args...); r.out == "" || strings.Contains(r.out, "\x1b") {
			t.Errorf("%v: %q", args, r.out)
		}
	}
}
