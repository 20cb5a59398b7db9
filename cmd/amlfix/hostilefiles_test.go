//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNotRegularFiles puts pipes, devices, sockets, link loops and files of 500 MB in place of configuration: each
// command returns soon, using less than 72 MB.
func TestNotRegularFiles(t *testing.T) {
	kinds := map[string]func(path string) error{
		"pipe":       func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"null":       func(path string) error { return os.Symlink("/dev/null", path) },
		"zero":       func(path string) error { return os.Symlink("/dev/zero", path) },
		"terminal":   func(path string) error { return os.Symlink("/dev/tty", path) },
		"process":    func(path string) error { return os.Symlink("/proc/self/mem", path) },
		"loop":       func(path string) error { return os.Symlink(filepath.Base(path), path) },
		"nowhere":    func(path string) error { return os.Symlink("nowhere", path) },
		"folder":     func(path string) error { return os.Mkdir(path, 0o755) },
		"folderlink": func(path string) error { return os.Symlink("..", path) },
		"huge": func(path string) error {
			if err := os.WriteFile(path, []byte("type: local\n"), 0o644); err != nil {
				return err
			}
			return os.Truncate(path, 500<<20)
		},
	}
	if os.Getuid() == 0 {
		kinds["device"] = func(path string) error { return syscall.Mknod(path, syscall.S_IFCHR|0o666, 1<<8|5) } // like /dev/zero
	}
	dir := t.TempDir()
	for name, do := range kinds {
		for _, file := range []string{"x.compute", "x.runconfig", "conda_dependencies.yml", "../.amlfix.yaml", "../train.py"} {
			project := filepath.Join(dir, name+"-"+filepath.Base(file))
			path := filepath.Join(project, "aml_config", file)
			testkit.Write(t, project, "aml_config/good.compute", "type: local\n")
			testkit.Write(t, project, "aml_config/good.runconfig", "Target: good\nFramework: python\nArgumentVector: [train.py]\n")
			if err := do(path); err != nil {
				if name == "device" {
					continue // root in a container may not do this
				}
				t.Fatal(err)
			}
		}
	}
	limit := int64(72 << 10) // kB; the race detector needs more, in proportion
	for _, args := range [][]string{{"--version"}, {}, {"--diff"}, {"targets"}, {"migrate", "--to", "v2", "huge-train.py", "--out", "out"}, {"--apply"}} {
		cmd := spawn(t, dir, args...)
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		testkit.OK(t, cmd.Start())
		stuck := time.AfterFunc(testkit.Patience, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		if !stuck.Stop() {
			t.Fatalf("amlfix %q does not come back", args)
		}
		usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if code := cmd.ProcessState.ExitCode(); code < 0 || code > console.Failure || strings.Contains(out.String(), "bug in amlfix") {
			t.Errorf("amlfix %q: exit %d\n%.2000s", args, code, out.String())
		}
		t.Logf("amlfix %q: exit %d, %d kB", args, cmd.ProcessState.ExitCode(), usage.Maxrss)
		if slices.Contains(args, "--version") {
			limit = max(limit, usage.Maxrss*3/2)
		}
		if usage.Maxrss > limit && runtime.GOOS == "linux" { // other systems count bytes
			t.Errorf("amlfix %q takes %d kB", args, usage.Maxrss)
		}
	}
	if r := amlfix(t, dir, "pipe-x.compute", "huge-x.compute"); r.code != console.Findings || strings.Count(r.out, "x.compute:1:1: error: ") != 2 {
		t.Errorf("what cannot be read is no finding: %+v", r)
	}
}

// TestApplyAtOnce repeatedly starts three --apply at once: the files are those of one of them, and none fails.
// AMLFIX_THOROUGH=N repeats it N times.
func TestApplyAtOnce(t *testing.T) {
	rounds := 8
	if n, err := strconv.Atoi(os.Getenv("AMLFIX_THOROUGH")); err == nil {
		rounds = max(n, rounds)
	}
	alone := t.TempDir()
	faulty(t, alone, 6)
	original := testkit.Contents(t, alone)
	if r := amlfix(t, alone, "--apply"); r.code != console.OK {
		t.Fatalf("%+v", r)
	}
	want := testkit.Contents(t, alone)
	if cmp.Equal(original, want) {
		t.Fatal("nothing is repaired")
	}
	for range rounds {
		dir := t.TempDir()
		faulty(t, dir, 6)
		var all sync.WaitGroup
		for i := range 3 {
			cmd := spawn(t, dir, "--apply")
			all.Go(func() {
				if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() > console.Findings {
					t.Error(fmt.Sprint("run ", i, ": ", err, "\n", string(out)))
				}
			})
		}
		all.Wait()
		if d := cmp.Diff(want, testkit.Contents(t, dir)); d != "" {
			t.Fatalf("three at once differ from one (-want +got):\n%s", d)
		}
	}
}
