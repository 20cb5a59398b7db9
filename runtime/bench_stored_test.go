//go:build linux

package runtime

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// largeProject adds a gigabyte to a project: 45 files of 20 MB, 500 of 200 kB and 5,000 of 1 kB.
func largeProject(b *testing.B, dir string) {
	b.Helper()
	random := rand.NewChaCha8([32]byte{1})
	content := make([]byte, 20_000_000)
	add := func(kind string, files, size int) {
		for i := range files {
			_, _ = random.Read(content[:size])
			name := filepath.Join(dir, "data", kind, fmt.Sprint("d", i%20), fmt.Sprint("f", i))
			testkit.OK(b, os.MkdirAll(filepath.Dir(name), 0o755))
			testkit.OK(b, os.WriteFile(name, content[:size], 0o644))
		}
	}
	add("large", 45, 20_000_000)
	add("medium", 500, 200_000)
	add("small", 5000, 1000)
}

// BenchmarkSecondRun runs a job of a 1 GB project, in a container and over SSH, as whole processes: "whole" keeps no
// copy of the project there; "first" keeps one, and "second" is a run after a 1 MB file has changed. The floor is the
// same job in a project that has only this file.
func BenchmarkSecondRun(b *testing.B) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		b.Skip("SKIPPED: a minute, and 3 GB of disk; AMLFIX_TEST_FULL=1 runs it")
	}
	e := enginetest.Start(b)
	image := e.Python(b)
	s := sshtest.Start(b, sshtest.Options{Env: map[string]string{"DOCKER_HOST": e.Host}})
	name := program(b)
	b.Setenv("DOCKER_HOST", e.Host)
	for _, tt := range []struct{ name, target string }{
		{"docker", ""},
		{"remotedocker", "type: remotedocker\naddress: " + s.Address() + "\nusername: root\n"},
		{"remote", "type: remote\naddress: " + s.Address() + "\nusername: root\n"},
	} {
		b.Run(tt.name, func(b *testing.B) {
			dir := jobFolder(b, image, tt.target, "import os, sys\nprint(os.path.getsize('data/changed'))\n")
			largeProject(b, dir)
			cache := b.TempDir()
			run := func(dir string) {
				cmd := exec.Command(name, "run", "-c", "docker")
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+s.Home, "XDG_CACHE_HOME="+cache)
				out, err := cmd.CombinedOutput()
				if err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				if testing.Verbose() {
					b.Logf("%s", out)
				}
			}
			small, n := jobFolder(b, image, tt.target, "import os, sys\nprint(os.path.getsize('data/changed'))\n"), 0
			change := func(dir string) {
				n++
				testkit.OK(b, os.MkdirAll(filepath.Join(dir, "data"), 0o755))
				testkit.OK(b, os.WriteFile(filepath.Join(dir, "data", "changed"), make([]byte, 1_000_000+n), 0o644))
			}
			change(dir)
			change(small)
			run(small)                  // the environment is prepared once
			time.Sleep(3 * time.Second) // recent changes are read again
			compare(b,
				contender{"whole", func() {
					b.Setenv("AMLFIX_STORE_GB", "0")
					run(dir)
					_ = os.Unsetenv("AMLFIX_STORE_GB")
				}},
				contender{"first", func() {
					testkit.OK(b, os.RemoveAll(cache))
					run(dir)
				}},
				contender{"second", func() {
					change(dir)
					run(dir)
				}},
				contender{"floor", func() {
					change(small)
					run(small)
				}})
		})
	}
}
