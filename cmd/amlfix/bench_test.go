package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/sample"
	"github.com/amlfix/amlfix/cmd/internal/start"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// generate writes n projects into a temporary folder.
func generate(b *testing.B, n int) string {
	b.Helper()
	root := b.TempDir()
	for i := range n {
		dir := filepath.Join(root, fmt.Sprintf("team-%02d", i%40), fmt.Sprintf("project-%05d", i), "aml_config")
		testkit.OK(b, os.MkdirAll(dir, 0o755))
		for name, text := range sample.Project(i, i%50 == 0) {
			testkit.OK(b, os.WriteFile(filepath.Join(dir, name), text, 0o644))
		}
	}
	return root
}

const projects = 1000

// BenchmarkLintThousandProjects runs everything in `amlfix DIR` except the start of the process. Compare it with
// BenchmarkFloorThousandProjects of the same run.
func BenchmarkLintThousandProjects(b *testing.B) {
	start.TuneMemory()
	root := generate(b, projects)
	b.ReportAllocs()
	for b.Loop() {
		c := Command{Stdout: io.Discard, Stderr: io.Discard, Env: func(string) string { return "" }}
		if code := c.Run(context.Background(), []string{root}); code != console.Findings {
			b.Fatalf("exit status %d", code)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*projects*8), "µs/file")
}

// BenchmarkFloorThousandProjects only walks, reads and parses the same files with yaml.v3, with the same number of
// workers: the floor.
func BenchmarkFloorThousandProjects(b *testing.B) {
	root := generate(b, projects)
	b.ReportAllocs()
	for b.Loop() {
		names := make(chan string)
		var workers sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			workers.Go(func() {
				for name := range names {
					text, err := os.ReadFile(name)
					if err == nil {
						err = yaml.NewDecoder(bytes.NewReader(text)).Decode(new(yaml.Node))
					}
					if err != nil && !errors.Is(err, io.EOF) {
						b.Error(err)
					}
				}
			})
		}
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				names <- name
			}
			return err
		})
		close(names)
		workers.Wait()
		testkit.OK(b, err)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*projects*8), "µs/file")
}

// BenchmarkLintOneProjectWarm checks one project in a running process.
func BenchmarkLintOneProjectWarm(b *testing.B) {
	root := generate(b, 1)
	roots, err := schema.Discover([]string{root})
	testkit.OK(b, err)
	b.ReportAllocs()
	for b.Loop() {
		rules.Check(schema.Load(roots[0], schema.Options{}))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*8), "µs/file")
}

// goEnv is the environment before the tests get a home of their own, which has no build cache: the whole program would
// be compiled again.
var goEnv = os.Environ()

// BenchmarkStartUp times processes: an empty Go program, `amlfix --version`, and `amlfix` on one project with cold
// caches.
func BenchmarkStartUp(b *testing.B) {
	dir := b.TempDir()
	amlfix, empty := filepath.Join(dir, "amlfix"), filepath.Join(dir, "empty")
	testkit.OK(b, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o644))
	for out, in := range map[string]string{amlfix: ".", empty: filepath.Join(dir, "main.go")} {
		build := exec.Command("go", "build", "-o", out, in)
		build.Env = goEnv
		if text, err := build.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, text)
		}
	}
	project := generate(b, 2)
	clean := filepath.Join(project, "team-01")
	for _, c := range []struct {
		name string
		argv []string
	}{
		{"empty program", []string{empty}},
		{"version", []string{amlfix, "--version"}},
		{"one project", []string{amlfix, clean}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if text, err := exec.Command(c.argv[0], c.argv[1:]...).CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, text)
				}
			}
		})
	}
}
