package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestMain lets the test program act as the floor, like main.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == asFloor {
		floor(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

// script returns a program that a shell runs.
func script(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program")
	testkit.OK(t, os.WriteFile(name, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	return name
}

// TestTable measures two programs, one of which computes for a while.
func TestTable(t *testing.T) {
	quick, slow := script(t, "exit 1"), script(t, "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done")
	var out strings.Builder
	testkit.OK(t, run(t.Context(), []string{"-n", "2", "-rounds", "1", quick, slow}, &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	number := regexp.MustCompile(`[0-9.]+`)
	testkit.Same(t, "| start | N ms | N ms | **N slower** | | |", number.ReplaceAllString(lines[2], "N"))
	testkit.Same(t, "| one project | N ms | N ms | **N slower** | N ms | N |", number.ReplaceAllString(lines[3], "N"))
	testkit.Same(t, 11, len(lines))

	out.Reset()
	testkit.OK(t, run(t.Context(), []string{"-n", "2", "-rounds", "1", slow}, &out))
	if strings.Contains(out.String(), "slower") {
		t.Errorf("compared with nothing:\n%s", out.String())
	}
}

// TestPeers has stand-ins for other validators check that they are given readable files, and a schema of amlfix itself.
func TestPeers(t *testing.T) {
	amlfix := filepath.Join(t.TempDir(), "amlfix")
	testkit.OK(t, testkit.Build(amlfix))
	bin := t.TempDir()
	for name, text := range map[string]string{
		"jv":          `test $# = 2 -o $# = 7 && grep -q json-schema.org "$1" || exit 3; for f; do grep -q : "$f" || exit 3; done`,
		"kubeconform": `grep -q definitions "$3" && test $(grep -l 'kind: Job' "$4"/* | wc -l) = 6 || exit 3`,
	} {
		testkit.OK(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var out strings.Builder
	testkit.OK(t, run(t.Context(), []string{"-n", "2", "-rounds", "1", "-peers", amlfix}, &out))
	for _, name := range []string{"jv", "kubeconform"} {
		if !regexp.MustCompile(name + ` on 6 files: [0-9.]+ ms \([0-9.]+ ms a file; [0-9.]+ times as long for a byte as `).MatchString(out.String()) {
			t.Errorf("%s is missing:\n%s", name, out.String())
		}
	}
}

// TestUnfitPeer measures no validator that rejects valid files: it would be done at the first one.
func TestUnfitPeer(t *testing.T) {
	amlfix, bin := filepath.Join(t.TempDir(), "amlfix"), t.TempDir()
	testkit.OK(t, testkit.Build(amlfix))
	testkit.OK(t, os.WriteFile(filepath.Join(bin, "jv"), []byte("#!/bin/sh\necho cannot read $2; exit 1\n"), 0o755))
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	err := run(t.Context(), []string{"-n", "2", "-rounds", "1", "-peers", amlfix}, new(strings.Builder))
	if err == nil || !strings.Contains(err.Error(), "cannot read") {
		t.Errorf("measured, or another error: %v", err)
	}
}

// TestErrors distinguishes invalid calls and failing programs from slow ones.
func TestErrors(t *testing.T) {
	for _, args := range [][]string{nil, {"a", "b", "c"}, {"-n", "0", "x"}, {"-n", "1", "no-such-revision"}, {"-n", "1", "-rounds", "1", script(t, "exit 3")}} {
		if err := run(t.Context(), args, new(strings.Builder)); err == nil {
			t.Errorf("%q is not an error", args)
		}
	}
}

// TestCompared checks the ratio from which a time is marked.
func TestCompared(t *testing.T) {
	for head, want := range map[time.Duration]string{104: "1.04", 106: "**1.06 slower**", 90: "0.90"} {
		testkit.Same(t, want, compared(head, 100))
	}
}
