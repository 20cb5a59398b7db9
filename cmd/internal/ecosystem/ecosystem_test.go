package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/revision"
	"github.com/amlfix/amlfix/schema/testkit"
)

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	testkit.OK(t, os.MkdirAll(filepath.Dir(name), 0o755))
	testkit.OK(t, os.WriteFile(name, []byte(text), mode))
}

// script writes a program that prints a report and a diff for all projects but one.
func script(t *testing.T, report, diff, elsewhere string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "amlfix")
	write(t, name, fmt.Sprintf("#!/bin/sh\ncase $PWD-$1 in\n*/b-*) %s ;;\n*-\"--diff\") cat <<'EOT'\n%s\nEOT\n;;\n*) cat <<'EOT'\n%s\nEOT\n;;\nesac\n", elsewhere, diff, report), 0o755)
	return name
}

func ecosystem(t *testing.T, base, head, dir string) string {
	t.Helper()
	var out strings.Builder
	testkit.OK(t, run(t.Context(), []string{base, head, dir}, &out))
	text := strings.ReplaceAll(strings.ReplaceAll(out.String(), base, "BASE"), head, "HEAD")
	return text
}

const finding = `{"rule":"gpu/framework","severity":"%s","message":"m","path":"x.runconfig","line":2,"column":3,"fix":%s}`

// TestDifference compares two programs: identical findings are not shown; a finding whose severity or repair differs
// counts as removed and added; a project without differences is not shown.
func TestDifference(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a", "x.runconfig"), "", 0o644)
	write(t, filepath.Join(dir, "b", "x.runconfig"), "", 0o644)
	write(t, filepath.Join(dir, "not a project"), "", 0o644)
	same := fmt.Sprintf(finding, "info", "null")
	base := script(t, `{"findings":[`+same+","+same+","+fmt.Sprintf(finding, "warning", "null")+"]}",
		"--- a/one\n+++ b/one\n@@ -1 +1 @@\n-a\n+b\n--- a/two\n+++ b/two\n@@ -1 +1 @@\n-- a\n+c", "exit 0")
	head := script(t, `{"findings":[`+same+","+fmt.Sprintf(finding, "error", `{"title":"t","applicability":"safe"}`)+"]}",
		"--- a/one\n+++ b/one\n@@ -1 +1 @@\n-a\n+b", "exit 0")
	want := "## amlfix: BASE → HEAD\n\n| | appeared | disappeared |\n|---|---|---|\n| findings | 1 | 2 |\n| repaired files | 0 | 1 |\n\n### a\n" +
		"\nFindings:\n\n```diff\n- x.runconfig:2:3: info: m [gpu/framework]\n- x.runconfig:2:3: warning: m [gpu/framework]\n" +
		"+ x.runconfig:2:3: error: m [gpu/framework] (safe: t)\n```\n" +
		"\nRepairs that disappeared:\n\n```diff\n--- a/two\n+++ b/two\n@@ -1 +1 @@\n-- a\n+c\n```\n"
	testkit.Same(t, want, ecosystem(t, base, head, dir))
	testkit.Same(t, "## amlfix: BASE → BASE\n\nNo finding and no repair differs.\n", ecosystem(t, base, base, dir))
	crashes := script(t, `{"findings":[`+same+`]}`, "", "echo panic: oh >&2; exit 2")
	if text := ecosystem(t, head, crashes, dir); !strings.Contains(text, "### b\n\nFindings:\n\n```diff\n+ amlfix failed: exit status 2: panic: oh\n```\n") {
		t.Errorf("a failure is not shown:\n%s", text)
	}
}

// TestRevision builds a revision of this repository and compares it with itself, and with a program that finds nothing.
func TestRevision(t *testing.T) {
	testkit.Program(t, "git")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p", "aml_config", "vm.compute"), "type: localdocker\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\nnvidiaDocker:true\n", 0o644)
	t.Chdir(testkit.Root(t))
	work := t.TempDir()
	built, err := revision.Program(t.Context(), work, "HEAD")
	testkit.OK(t, err)
	if text := ecosystem(t, built, built, dir); !strings.HasSuffix(text, "\nNo finding and no repair differs.\n") {
		t.Error(text)
	}
	silent := filepath.Join(work, "silent")
	write(t, silent, "#!/bin/sh\n", 0o755)
	text := ecosystem(t, silent, built, dir)
	testkit.Has(t, text, "### p\n", "\n+ aml_config/vm.compute:3:1: error: ", "[yaml/no-space-after-colon] (safe: ", "\n+nvidiaDocker: true\n")
	if got, err := os.ReadDir(filepath.Join(dir, "p")); err != nil || len(got) != 1 {
		t.Errorf("the project was written to: %v, %v", got, err)
	}
}

func TestMistakes(t *testing.T) {
	t.Chdir(testkit.Root(t))
	empty, self := t.TempDir(), os.Args[0]
	for want, args := range map[string][]string{
		"1 arguments, want 3":                       {"HEAD"},
		"nowhere is neither a program nor a git":    {"nowhere", self, empty},
		"holds no folders: name the folder above":   {self, self, empty},
		"no such file or directory":                 {self, self, filepath.Join(empty, "x")},
		"--help is neither a program nor a git rev": {self, "--help", empty},
	} {
		if err := run(t.Context(), args, &strings.Builder{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}
