package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestExitStatus(t *testing.T) {
	dir := testkit.Folder(t, `
-- error/aml_config/x.compute --
type: loal
-- warning/aml_config/x.compute --
type: local
pythonLocaton: python
-- info/aml_config/x.compute --
type: docker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
-- fine/aml_config/x.compute --
type: local
-- nothing/readme --
`)
	tests := []struct {
		args string
		want int
	}{
		{"error", 1}, {"warning", 0}, {"info", 0}, {"fine", 0}, {"nothing", 0}, {".", 1}, {"", 1},
		{"warning --max-warnings 0", 1}, {"warning --max-warnings 1", 0}, {"fine --max-warnings 0", 0}, {"error --max-warnings 0", 1},
		{"warning --fail-on never --max-warnings 0", 1}, {"error --exit-zero", 0}, {"warning --exit-zero --max-warnings 0", 0},
		{"--diff warning --exit-zero", 0}, {"nowhere --exit-zero", 3}, {"--max-warnings many", 2}, {"--max-warnings -1", 2},
		{"error --fail-on never", 0}, {"error --fail-on info", 1}, {"error --fail-on=error", 1},
		{"warning --fail-on warning", 1}, {"warning --fail-on error", 0}, {"warning --fail-on info", 1},
		{"info --fail-on warning", 0}, {"info --fail-on info", 1},
		{"nowhere", 3}, {"nowhere error", 3}, {"nowhere fine --fail-on never", 3},
		{"--diff error", 0}, {"--diff warning", 1}, {"--diff fine", 0}, {"--diff nowhere warning", 3},
		{"check error", 1}, {"check fine", 0}, {"check check", 3},
		{"--nothing-like-it", 2}, {"--version", 0}, {"--help", 0}, {"help", 0}, {"help run", 0}, {"run -h", 0},
		{"rules", 0}, {"explain gpu/framework", 0}, {"explain nothing", 2}, {"targets fine", 0}, {"targets nowhere", 3},
		{"completion bash", 0}, {"completion", 2},
		{"--apply warning", 0}, {"--apply error", 1}, {"--diff warning", 0},
	}
	for _, tt := range tests {
		if r := amlfix(t, dir, strings.Fields(tt.args)...); r.code != tt.want {
			t.Errorf("amlfix %s: exit %d, want %d\n%s%s", tt.args, r.code, tt.want, r.out, r.err)
		}
	}
}

func TestSilenceOnCorrectProjects(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: local\n")
	for _, args := range [][]string{nil, {"--verbose"}, {"--diff"}, {"--apply"}, {"check", "."}} {
		if r := amlfix(t, dir, args...); r != (result{}) {
			t.Errorf("amlfix %q: %+v", args, r)
		}
	}
}

func TestFlagsBehindPaths(t *testing.T) {
	dir := testkit.Folder(t, "-- p/aml_config/x.compute --\ntype: loal\n")
	want := amlfix(t, dir, "--format", "json", "--fail-on", "never", "p")
	for _, args := range []string{
		"p --format json --fail-on never", "--format=json p --fail-on=never", "check p --fail-on never --format json",
		"--format json check p --fail-on never", "-format json p -fail-on never", "--fail-on never --format json -- p",
	} {
		testkit.Same(t, want.out, amlfix(t, dir, strings.Fields(args)...).out, "amlfix %s", args)
	}
}

func TestAPathThatIsNamedLikeACommand(t *testing.T) {
	dir := testkit.Folder(t, "-- rules/aml_config/x.compute --\ntype: loal\n-- explian/aml_config/x.compute --\ntype: loal\n")
	for _, args := range [][]string{{"./rules"}, {"check", "rules"}, {"explian"}} {
		if r := amlfix(t, dir, args...); r.code != console.Findings {
			t.Errorf("amlfix %q: %+v", args, r)
		}
	}
}

// TestOrderIsStable checks many projects repeatedly, some of them nested.
func TestOrderIsStable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 60 {
		testkit.Write(t, dir, fmt.Sprintf("a%d/aml_config/x.compute", i), "type: loal\npythonLocaton: x\n")
		testkit.Write(t, dir, fmt.Sprintf("a%d/b/aml_config/x.compute", i), "type: loal\n")
		testkit.Write(t, dir, fmt.Sprintf("a%d-b/aml_config/x.compute", i), "type: loal\n")
	}
	first := amlfix(t, dir, "--format", "json")
	var paths []string
	for line := range strings.Lines(first.out) {
		if _, rest, ok := strings.Cut(line, `"path":"`); ok {
			path, _, _ := strings.Cut(rest, `"`)
			paths = append(paths, path)
		}
	}
	if len(paths) < 180 || !slices.IsSorted(paths) {
		t.Errorf("%d paths, sorted: %v", len(paths), slices.IsSorted(paths))
	}
	for range 10 {
		if again := amlfix(t, dir, "--format", "json"); again != first {
			t.Fatal("the report differs from run to run")
		}
	}
}

// TestSharedFile repairs a file used by two projects that are repaired at the same time.
func TestSharedFile(t *testing.T) {
	for range 20 {
		dir := t.TempDir()
		for _, p := range []string{"a", "b", "c", "d"} {
			testkit.Write(t, dir, p+"/aml_config/vm.compute", "type: remotedocker\naddress: a\nusername: b\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\nnvidiaDocker: true\n")
			testkit.Write(t, dir, p+"/aml_config/vm.runconfig", "ArgumentVector: [$file]\nFramework: Python\nTarget: vm\nCondaDependenciesFile: ../shared.yml\n")
		}
		testkit.Write(t, dir, "shared.yml", "dependencies:\n  - tensorflow\n")
		r := amlfix(t, dir, "--apply")
		if r.code != 0 || r.err != "" {
			t.Fatalf("%+v", r)
		}
		if got := testkit.Read(t, dir, "shared.yml"); got != "dependencies:\n  - tensorflow-gpu\n" {
			t.Fatalf("shared.yml: %q", got)
		}
		if strings.Count(r.out, "shared.yml:2: repaired:") != 1 {
			t.Fatalf("the repair is not reported once:\n%s", r.out)
		}
	}
}

// TestWriteFailure checks that if one file of a project cannot be written, none is, that this is reported, and that
// nothing counts as repaired.
func TestWriteFailure(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, dir, "a/aml_config/x.runconfig", "ArgumentVector: [a.py]\nFramework: python\nTarget: x\n")
	testkit.Write(t, dir, "a/aml_config/x.compute", "type: Local\n")
	testkit.OK(t, os.Chmod(filepath.Join(dir, "a/aml_config/x.runconfig"), 0o444))
	r := amlfix(t, dir, "--apply")
	if r.code != console.Failure || !strings.Contains(r.err, "x.runconfig: is read-only: make it writable first; nothing was written") {
		t.Errorf("%+v", r)
	}
	if strings.Contains(r.out, "repaired") || !strings.Contains(r.out, "x.compute:1:7: error:") || !strings.Contains(r.out, "x.runconfig:2:12: error:") {
		t.Errorf("the report does not say what is on disk:\n%s", r.out)
	}
	testkit.Same(t, "type: Local\n", testkit.Read(t, dir, "a/aml_config/x.compute"), "x.compute")
}

func TestCheckCancelled(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: loal\n")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&process.Signalled{Signal: os.Interrupt})
	if r := amlfixWith(ctx, dir, nil); r.code != 130 {
		t.Errorf("%+v", r)
	}
	ctx, cancel = context.WithCancelCause(t.Context())
	cancel(&process.Signalled{Signal: syscall.SIGTERM})
	if r := amlfixWith(ctx, dir, nil, "targets"); r.code != 143 {
		t.Errorf("%+v", r)
	}
}

// TestSignalsDuringSearch checks that a search for projects, which may take minutes, can be ended by any signal.
func TestSignalsDuringSearch(t *testing.T) {
	for _, args := range [][]string{{"run"}, {"prepare"}, {"runs"}, {"targets"}, {"check", "--cpu", "x"}, {"undo"}} {
		var stderr bytes.Buffer
		found, dir := "", t.TempDir()
		c := Command{Stdout: io.Discard, Stderr: &stderr, Dir: dir, Env: func(string) string { return "" }, Catch: func() { found += stderr.String() }}
		if c.Run(t.Context(), args); !strings.Contains(found, "no Azure ML job configuration found") {
			t.Errorf("%q catches signals before it has found the projects, or never: %q", args, found)
		}
	}
}

// TestSignalsCaught checks that a check without flags catches signals after a collection, and all else at once.
func TestSignalsCaught(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: local\n")
	for _, tt := range []struct {
		args []string
		want int
	}{{nil, 0}, {[]string{"check", "."}, 0}, {[]string{"--apply"}, 1}, {[]string{"targets"}, 1}} {
		caught := make(chan struct{}, 2)
		c := Command{Stdout: io.Discard, Stderr: io.Discard, Dir: dir, Env: func(string) string { return "" }, Catch: func() { caught <- struct{}{} }}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code := c.Run(t.Context(), tt.args)
		at := len(caught)
		if runtime.ReadMemStats(&after); code != console.OK || at != tt.want && before.NumGC == after.NumGC { // other tests collect, too
			t.Errorf("%q: exit %d, caught %d times at first", tt.args, code, at)
		}
		runtime.GC()
		testkit.Receive(t, "signals are caught", caught)
		if len(caught) > 0 {
			t.Errorf("%q: caught twice", tt.args)
		}
	}
}

// TestLargeBaseline: what a baseline that is too large to be read needs is not what a job's file would need.
func TestLargeBaseline(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: loal\n")
	testkit.Write(t, dir, ".amlfix-baseline.yaml", "version: 1\n"+strings.Repeat("# a line\n", 1<<17))
	r := amlfix(t, dir)
	if r.code != console.Failure || r.err != "amlfix: .amlfix-baseline.yaml: the baseline cannot be used: it is larger than 1024 KiB: accept fewer findings, or ignore rules in .amlfix.yaml\n" {
		t.Errorf("%+v", r)
	}
}
