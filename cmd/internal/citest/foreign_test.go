package citest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// foreign is the program for another system or processor: the command line that starts it here, and its environment.
type foreign struct {
	argv, env []string
	old       bool // it cannot remove anything opened relative to a folder
}

// wineWords matches what Wine itself prints when one of its own threads fails, which happens at the end of about one
// program in a hundred.
var wineWords = regexp.MustCompile(`(?m)^wine(?: client error)?:.*\n`)

// run starts it in dir and returns its output, with \ replaced by / and dir by DIR.
func (f foreign) run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(f.argv[0], append(slices.Clone(f.argv[1:]), args...)...)
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, f.env, &out, &out
	_ = cmd.Run() // findings lead to a non-zero exit code
	text := wineWords.ReplaceAllString(strings.ReplaceAll(out.String(), `\`, "/"), "")
	return strings.NewReplacer("Z:"+dir, "DIR", dir, "DIR").Replace(text)
}

// here returns the program for this system, with its own cache folder.
func here(t *testing.T) foreign {
	t.Helper()
	return foreign{argv: []string{build(t, top(t), runtime.GOOS, runtime.GOARCH)}, env: append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())}
}

// TestForeignPrograms runs the programs for Windows and arm64 over all real projects: they print and write the same as
// this system's program.
func TestForeignPrograms(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("SKIPPED: part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
	var projects []string
	for _, corpus := range []string{testkit.Corpus(t, "projects"), testkit.CorpusV2(t, "projects")} {
		found, err := os.ReadDir(corpus)
		testkit.OK(t, err)
		for _, e := range found {
			if e.IsDir() {
				projects = append(projects, filepath.Join(corpus, e.Name()))
			}
		}
	}
	native := here(t)
	foreigners(t, func(t *testing.T, program foreign) {
		for _, project := range projects {
			t.Run(filepath.Base(project), func(t *testing.T) { program.sameAs(t, native, project) })
		}
	})
}

func foreigners(t *testing.T, test func(*testing.T, foreign)) {
	t.Helper()
	t.Run("Wine", func(t *testing.T) { test(t, newWine(t)) })
	t.Run("qemu", func(t *testing.T) { test(t, newQEMU(t)) })
}

// TestForeignCrashes kills these programs while they write, as TestCrashLoop in cmd/amlfix does with this system's
// program.
func TestForeignCrashes(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("SKIPPED: part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
	foreigners(t, func(t *testing.T, program foreign) {
		if program.old {
			t.Skip("SKIPPED: this Wine cannot undo; see docs/testing.md for a later one")
		}
		cmd := exec.Command("go", "test", "-count=1", "-v", "-timeout", "60m", "-run", "^TestCrashLoop$", "./cmd/amlfix")
		cmd.Dir, cmd.Env = top(t), append(program.env, "AMLFIX_TEST_FULL=", "AMLFIX_TEST_PROGRAM="+strings.Join(program.argv, "\n"))
		for _, name := range []string{"GOCACHE", "GOPATH"} { // these are below HOME
			folder, err := exec.Command("go", "env", name).Output()
			testkit.OK(t, err)
			cmd.Env = append(cmd.Env, name+"="+strings.TrimSpace(string(folder)))
		}
		out, err := cmd.CombinedOutput()
		t.Logf("%s", out)
		testkit.OK(t, err)
	})
}

// sameAs runs both programs on copies of one project, command by command, and compares the results.
func (f foreign) sameAs(t *testing.T, native foreign, project string) {
	t.Helper()
	name := filepath.Base(project) // migrate names its result after the folder
	one, other := filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), name)
	testkit.OK(t, os.CopyFS(one, os.DirFS(project)))
	testkit.OK(t, os.CopyFS(other, os.DirFS(project)))
	before := testkit.Contents(t, other)
	commands := [][]string{{}, {"--diff"}, {"--format", "json"}, {"explain", "gpu/nvidia-docker"}, {"--apply"}, {"undo"}, {"migrate", "--to", "v2"}, {"init"}}
	if f.old { // commands that create files there fail
		commands = commands[:6]
	}
	for _, args := range commands {
		want, got := native.run(t, one, args...), f.run(t, other, args...)
		if args := strings.Join(args, " "); args == "undo" && f.old {
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
