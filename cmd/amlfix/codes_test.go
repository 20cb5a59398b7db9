package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestExitCodesAreDocumented checks that help and documentation list the exit codes of the code, and no others.
func TestExitCodesAreDocumented(t *testing.T) {
	docs := filepath.Join(testkit.Root(t), "docs")
	checking := []int{console.OK, console.Findings, console.BadUsage, console.Failure}
	running := []int{console.NoGPU, console.TimedOut, console.NotStarted, process.CodeCannotRun, process.CodeNoProgram, 128 + int(syscall.SIGINT), 128 + int(syscall.SIGTERM)}
	var table strings.Builder // its first column, without the codes that are the job's own
	for line := range strings.Lines(between(testkit.Read(t, docs, "run.md")+"\n## ", "## Exit codes\n", "\n## ")) {
		if first, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), "|"); !strings.Contains(line, "the job's own") {
			table.WriteString(first)
		}
	}
	for _, test := range []struct {
		where, text string
		want        []int
	}{
		{"amlfix --help", between(amlfix(t, t.TempDir(), "--help").out, "Exit status: ", "More: "), checking},
		{"docs/ci.md", between(testkit.Read(t, docs, "ci.md"), "The exit status is", ". "), checking},
		{"amlfix run --help", between(amlfix(t, t.TempDir(), "run", "--help").out, "Exit status: ", "\n\n"), running},
		{"docs/run.md", table.String(), append([]int{console.BadUsage, 128 + int(syscall.SIGKILL)}, running...)},
	} {
		var got []int
		for _, digits := range regexp.MustCompile(`\b\d+\b`).FindAllString(test.text, -1) {
			n, err := strconv.Atoi(digits)
			testkit.OK(t, err)
			got = append(got, n)
		}
		slices.Sort(got)
		testkit.Same(t, slices.Sorted(slices.Values(test.want)), got, test.where)
	}
}

// between returns the text between two others, or "" if one of them is missing.
func between(text, begin, end string) string {
	_, text, _ = strings.Cut(text, begin)
	text, _, ok := strings.Cut(text, end)
	if !ok {
		return ""
	}
	return text
}
