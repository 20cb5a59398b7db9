package citest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// foreign is the program for another system or processor: the command line that
// starts it here, and its environment.
type foreign struct {
	argv, env []string
	undoFails bool // undo restores the files and cannot remove its record
}

// run starts it in dir and returns what it prints, with / for \.
func (f foreign) run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), f.argv[0], append(f.argv[1:], args...)...)
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, f.env, &out, &out
	_ = cmd.Run() // findings are no success
	return strings.ReplaceAll(out.String(), `\`, "/")
}

// here is the program for this system, with a cache folder of its own.
func here(t *testing.T) foreign {
	t.Helper()
	return foreign{argv: []string{build(t, top(t), runtime.GOOS, runtime.GOARCH)}, env: append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())}
}

// TestForeignPrograms runs the programs for Windows and for arm64 over all real
// projects: they print and write what the program of this system does.
func TestForeignPrograms(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("SKIPPED: part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
	var projects []string
	for _, corpus := range []string{testkit.Corpus(t, "projects"), testkit.CorpusV2(t, "projects")} {
		found, err := filepath.Glob(filepath.Join(corpus, "*"))
		testkit.OK(t, err)
		projects = append(projects, found...)
	}
	native := here(t)
	for _, f := range []struct {
		name string
		make func(*testing.T) foreign
	}{{"Wine", newWine}, {"qemu", newQEMU}} {
		t.Run(f.name, func(t *testing.T) {
			program := f.make(t)
			for _, project := range projects {
				t.Run(filepath.Base(project), func(t *testing.T) { program.sameAs(t, native, project) })
			}
		})
	}
}

// sameAs gives a copy of one project to both programs, command by command.
func (f foreign) sameAs(t *testing.T, native foreign, project string) {
	t.Helper()
	name := filepath.Base(project) // what migrate makes is named after the folder
	one, other := filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), name)
	testkit.OK(t, os.CopyFS(one, os.DirFS(project)))
	testkit.OK(t, os.CopyFS(other, os.DirFS(project)))
	before := testkit.Contents(t, other)
	for _, args := range [][]string{
		{}, {"--diff"}, {"--format", "json"}, {"explain", "gpu/nvidia-docker"}, {"--apply"}, {"undo"}, {"migrate", "--to", "v2"}, {"init"},
	} {
		want, got := native.run(t, one, args...), f.run(t, other, args...)
		if args := strings.Join(args, " "); args == "undo" && f.undoFails {
			testkit.Same(t, before, testkit.Contents(t, other), "%s: after undo", name)
		} else if diff := cmp.Diff(strings.ReplaceAll(want, `\`, "/"), got); diff != "" {
			t.Errorf("%s: amlfix %s (-here +there):\n%s", name, args, diff)
		}
		if diff := cmp.Diff(testkit.Contents(t, one), testkit.Contents(t, other)); diff != "" {
			t.Errorf("%s: files after amlfix %v (-here +there):\n%s", name, args, diff)
		}
	}
}

// newQEMU returns the program for arm64 under Debian's qemu-user-static.
func newQEMU(t *testing.T) foreign {
	t.Helper()
	const program = "/usr/bin/qemu-aarch64-static"
	if _, err := os.Stat(program); err != nil {
		t.Skip("SKIPPED: no qemu is here: apt-get install qemu-user-static")
	}
	return foreign{argv: []string{program, build(t, top(t), "linux", "arm64")}, env: append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())}
}
