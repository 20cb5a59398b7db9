package start

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

// plainLine is what a plain command line says.
type plainLine struct {
	switches []string
	values   map[string][]string
	paths    []string
}

// TestPlain checks which command lines are plain: only those that other code would take for the same check.
func TestPlain(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"jobs", "run", "--jobs"} {
		testkit.OK(t, os.Mkdir(dir, 0o755))
	}
	dir, err := os.Getwd()
	testkit.OK(t, err)
	run := filepath.Join("..", filepath.Base(dir), "run")
	for line, want := range map[string]*plainLine{
		"amlfix":                      {},
		"bin/amlfix.exe jobs missing": {paths: []string{"jobs", "missing"}},
		"amlfix check":                {paths: []string{}},
		"amlfix check run missing":    {paths: []string{"run", "missing"}},
		"amlfix " + run:               {paths: []string{run}},
		"amlfix --apply check jobs --unsafe": {
			switches: []string{"apply", "unsafe"}, paths: []string{"jobs"}},
		"amlfix jobs --format text --format=sarif=a.sarif --color never": {
			values: map[string][]string{"format": {"text", "sarif=a.sarif"}, "color": {"never"}}, paths: []string{"jobs"}},

		"":                           nil,
		"amlfix run":                 nil,
		"amlfix --diff run":          nil,
		"amlfix missing jobs":        nil,
		"amlfix --jobs":              nil,
		"amlfix jobs -":              nil,
		"amlfix jobs -i":             nil,
		"amlfix jobs -diff":          nil,
		"amlfix jobs --diff=true":    nil,
		"amlfix jobs --format":       nil,
		"amlfix jobs --format --raw": nil,
		"amlfix jobs --format=":      nil,
		"amlfix --select gpu,job":    nil,
		"amlfix --max-warnings 3":    nil,
		"amlfix --version":           nil,
		"amlfix help":                nil,
		"amlfix check -- jobs":       nil,
		"go-build/amlfix.test jobs":  nil,
		"amlfix.test.exe":            nil,
	} {
		f, paths, ok := Plain(strings.Fields(line), func(string) string { return "" })
		if ok != (want != nil) {
			t.Errorf("%q: plain: %v", line, ok)
		} else if ok {
			w, _ := f.(*words)
			testkit.Same(t, *want, plainLine{w.switches, w.values, paths}, "%q", line)
		}
	}
	if _, _, ok := Plain([]string{"amlfix", "jobs", ""}, os.Getenv); ok {
		t.Error("an empty word is plain")
	}
	if _, _, ok := Plain([]string{"amlfix"}, func(name string) string { return strings.TrimPrefix(name, process.Supervise) + "x" }); ok {
		t.Error("a supervisor of a job checks")
	}
}
