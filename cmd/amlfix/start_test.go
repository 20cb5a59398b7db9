package main

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestStart checks that no package of ours runs code at every start. Each that does costs a page fault for its code,
// and what it makes: use plain.Once, plain.Regexp, or a function that returns a map.
func TestStart(t *testing.T) {
	t.Parallel()
	if testing.CoverMode() != "" || runtime.GOOS != "linux" {
		t.Skip("to measure coverage, every package runs code; other systems have other packages")
	}
	const module = "github.com/amlfix/amlfix/"
	cmd := exec.Command(os.Args[0], "-test.run", "^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	testkit.OK(t, cmd.Run())
	exempt := []string{"cmd/amlfix", "schema/judge", "cmd/internal/start", "schema/format/library"} // for tests; to begin a check; one assignment
	var got []string
	for line := range strings.Lines(trace.String()) {
		name, ours := strings.CutPrefix(line, "init "+module)
		if name, _, _ = strings.Cut(name, " "); ours && !strings.Contains(name, "test") && !slices.Contains(exempt, name) {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	testkit.Same(t, []string(nil), got)
}
