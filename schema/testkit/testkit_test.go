package testkit

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// recorder is a test that only keeps how it ended.
type recorder struct {
	testing.TB
	outcome, why string
}

func (*recorder) Helper() {}

func (r *recorder) Skip(args ...any) { r.end("skipped", args) }

func (r *recorder) Fatal(args ...any) { r.end("failed", args) }

func (r *recorder) end(outcome string, args []any) {
	r.outcome, r.why = outcome, fmt.Sprint(args...)
	runtime.Goexit()
}

func (r *recorder) Errorf(format string, args ...any) {
	r.outcome, r.why = "failed", fmt.Sprintf(format, args...)
}

// ending returns how a test that calls f ends.
func ending(f func(testing.TB)) (outcome, why string) {
	r, done := &recorder{outcome: "ran"}, make(chan struct{})
	go func() { defer close(done); f(r) }()
	<-done
	return r.outcome, r.why
}

// TestCorpus holds that continuous integration does not pass quietly without the corpora, and says how to leave them
// out.
func TestCorpus(t *testing.T) {
	top := t.TempDir()
	write := func(name string) {
		OK(t, os.MkdirAll(filepath.Join(top, filepath.Dir(name)), 0o755))
		OK(t, os.WriteFile(filepath.Join(top, name), nil, 0o644))
	}
	write("checkout/go.mod")
	write("shared/corpus/projects/x")
	t.Chdir(filepath.Join(top, "checkout"))
	for _, tt := range []struct{ ci, without, outcome, says string }{
		{"", "", "skipped", "SKIPPED: no real files at ../shared/corpus-v2"},
		{"", "1", "skipped", "SKIPPED: no real files at ../shared/corpus-v2"},
		{"true", "1", "skipped", "SKIPPED: no real files at ../shared/corpus-v2"},
		{"true", "", "failed", "AMLFIX_NO_CORPUS=1 leaves these tests out"},
		{"true", "yes", "failed", "AMLFIX_NO_CORPUS=1 leaves these tests out"},
	} {
		t.Setenv("CI", tt.ci)
		t.Setenv(NoCorpus, tt.without)
		outcome, why := ending(func(t testing.TB) { CorpusV2(t, "projects") })
		if outcome != tt.outcome || !strings.Contains(why, tt.says) {
			t.Errorf("CI=%q %s=%q: %s, %q", tt.ci, NoCorpus, tt.without, outcome, why)
		}
		if outcome, why := ending(func(t testing.TB) { Corpus(t, "projects") }); outcome != "ran" {
			t.Errorf("the corpus is there, and the test is %s: %s", outcome, why)
		}
	}
}

// TestProgram holds that a missing program is named with the way to get it.
func TestProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for ci, want := range map[string]string{"": "skipped", "true": "failed"} {
		t.Setenv("CI", ci)
		for name, how := range install {
			outcome, why := ending(func(t testing.TB) { Program(t, name) })
			if outcome != want || !strings.HasSuffix(why, name+" is not installed: "+how) {
				t.Errorf("CI=%q, %s: %s, %q", ci, name, outcome, why)
			}
		}
	}
}

// TestCached holds that a script runs once for each content, and again, from an empty folder, when it failed.
func TestCached(t *testing.T) {
	defer func(old string) { cache = old }(cache)
	cache = t.TempDir()
	files := fstest.MapFS{"list": {Data: []byte("a")}}
	const script = "[ ! -e left ]; touch left; echo x >>ran; cat list; [ -e $OUTSIDE ]"
	t.Setenv("OUTSIDE", filepath.Join(cache, "now"))
	if _, err := Cached("kit", script, files, "list"); err == nil {
		t.Fatal("a script that fails is not an error")
	}
	OK(t, os.WriteFile(filepath.Join(cache, "now"), nil, 0o644))
	var dirs []string
	for _, text := range []string{"a", "a", "b"} {
		files["list"].Data = []byte(text)
		dir, err := Cached("kit", script, files, "list")
		OK(t, err)
		if ran, err := os.ReadFile(filepath.Join(dir, "ran")); string(ran) != "x\n" {
			t.Errorf("the script ran %q times, %v", ran, err)
		}
		dirs = append(dirs, dir)
	}
	if dirs[0] != dirs[1] || dirs[0] == dirs[2] {
		t.Errorf("folders %q", dirs)
	}
}

// TestAtOnce holds that the number of parallel tests is raised once, and not where somebody has said it.
func TestAtOnce(t *testing.T) {
	parallel := flag.Lookup("test.parallel").Value
	want := "3000"
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "test.parallel" {
			want = f.Value.String()
		}
	})
	before := parallel.String()
	defer func() { _ = parallel.Set(before) }()
	for _, n := range []int{3000, 5} { // the first one says it for the second
		AtOnce(n)
		if got := parallel.String(); got != want {
			t.Errorf("AtOnce(%d): %s, want %s", n, got, want)
		}
	}
}

// TestLinear holds that the square of the size is found, and what is linear is not.
func TestLinear(t *testing.T) {
	n := 0
	work := func(rounds int) func() {
		return func() {
			for range rounds {
				n++
			}
		}
	}
	for power, want := range map[int]string{1: "ran", 2: "failed"} {
		outcome, why := ending(func(t testing.TB) {
			Linear(t, "it", 4000, func(size int) func() { return work(int(math.Pow(float64(size), float64(power)))) })
		})
		if outcome != want {
			t.Errorf("size to the power of %d: %s %s", power, outcome, why)
		}
	}
}

// TestHas holds that a part that is missing fails a test, and is named.
func TestHas(t *testing.T) {
	for part, want := range map[string]string{"b": "ran", "d": "failed"} {
		if outcome, why := ending(func(t testing.TB) { Has(t, "a b c", "a", part) }); outcome != want || outcome == "failed" && !strings.HasPrefix(why, `"d" is not in`) {
			t.Errorf("%s: %s %s", part, outcome, why)
		}
	}
}

// TestSet holds that a named set runs where its variable is given, and in CI.
func TestSet(t *testing.T) {
	for _, tt := range []struct{ ci, variable, outcome string }{{"", "", "skipped"}, {"", "1", "ran"}, {"true", "", "ran"}} {
		t.Setenv("CI", tt.ci)
		t.Setenv(Channels, tt.variable)
		if outcome, why := ending(func(t testing.TB) { Set(t, Channels) }); outcome != tt.outcome || outcome == "skipped" && !strings.Contains(why, Channels+"=1") {
			t.Errorf("%+v: %s %s", tt, outcome, why)
		}
	}
}

// TestShortcut holds that a script which only starts Python is passed over, and that a Python itself changes nothing.
func TestShortcut(t *testing.T) {
	python := Program(t, "python3")
	out, err := exec.Command(python, "-c", "import sys; print(sys.executable)").Output()
	OK(t, err)
	real := strings.TrimSpace(string(out))
	bin, shims := t.TempDir(), t.TempDir()
	OK(t, os.Symlink(real, filepath.Join(bin, "python3")))
	OK(t, os.WriteFile(filepath.Join(shims, "python3"), []byte("#!/bin/sh\nexec "+bin+"/python3 \"$@\"\n"), 0o755)) //nolint:gosec // a program
	for path, want := range map[string]string{shims + ":/bin": bin + ":" + shims + ":/bin", bin + ":/bin": bin + ":/bin", "/nowhere": "/nowhere"} {
		t.Setenv("PATH", path)
		Shortcut()
		Same(t, want, os.Getenv("PATH"))
	}
}
