package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/schema/testkit"
)

var update = flag.Bool("update", false, "write the transcripts in testdata again")

// asMain makes this test binary behave as amlfix: some things need a process.
const asMain = "AMLFIX_TEST_AS_MAIN"

func TestMain(m *testing.M) {
	if local.Supervising() {
		return
	}
	if os.Getenv(asMain) != "" {
		main()
	}
	testkit.Shortcut()
	os.Exit(withCache(m.Run))
}

// withCache calls run with the tests' own cache folder, where journals are kept.
func withCache(run func() int) int {
	if os.Getenv(otherProgram) != "" {
		testkit.OnDisk() // Wine hides /dev
	}
	dir, err := os.MkdirTemp("", "amlfix-cache-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a leftover folder does no harm
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		if err := os.Setenv(name, dir); err != nil {
			panic(err)
		}
	}
	return run()
}

// otherProgram names a variable with a command line, one word per line, that spawn starts instead: the program for
// another system or processor.
const otherProgram = "AMLFIX_TEST_PROGRAM"

// spawn returns amlfix as a process with dir as its working directory.
func spawn(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	testkit.OK(t, err)
	argv := append([]string{self}, args...)
	if other := os.Getenv(otherProgram); other != "" {
		argv = append(strings.Split(other, "\n"), args...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asMain+"=1")
	return cmd
}

// result is the result of a command line.
type result struct {
	out, err string
	code     int
}

// today is the date passed to commands, so that later retirements do not change their output.
var today = time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)

// amlfix runs a command line in dir, within this process.
func amlfix(t *testing.T, dir string, args ...string) result {
	t.Helper()
	return amlfixWith(t.Context(), dir, nil, args...)
}

// amlfixAgain is like amlfix, but starts otherProgram if there is one, as the test before it did.
func amlfixAgain(t *testing.T, dir string, args ...string) result {
	t.Helper()
	if os.Getenv(otherProgram) == "" {
		return amlfix(t, dir, args...)
	}
	cmd := spawn(t, dir, args...)
	out, _ := cmd.CombinedOutput()
	return result{string(out), "", cmd.ProcessState.ExitCode()}
}

func amlfixWith(ctx context.Context, dir string, env map[string]string, args ...string) result {
	var out, err bytes.Buffer
	c := Command{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err, Dir: dir,
		Env: func(name string) string { return env[name] }, Now: func() time.Time { return today },
	}
	code := c.Run(ctx, args)
	return result{out.String(), err.String(), code}
}
