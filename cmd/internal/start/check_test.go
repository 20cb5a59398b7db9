package start

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestOperands checks which command lines begin early: only those that other code would take for a check without flags.
func TestOperands(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"jobs", "run", "--jobs"} {
		testkit.OK(t, os.Mkdir(dir, 0o755))
	}
	supervises := func(name string) string {
		if name == process.Supervise {
			return "20261127-120000-abcdef"
		}
		return ""
	}
	for _, tt := range []struct {
		args []string
		env  func(string) string
		want []string // nil: the command line is for other code
	}{
		{args: []string{"amlfix"}, want: []string{}},
		{args: []string{filepath.Join("bin", "amlfix.exe"), "jobs", "no such"}, want: []string{"jobs", "no such"}},
		{args: []string{"amlfix", "check"}, want: []string{}},
		{args: []string{"amlfix", "check", "run", "no such"}, want: []string{"run", "no such"}},
		{args: []string{"amlfix", filepath.Join("..", filepath.Base(getwd(t)), "run")}, want: []string{filepath.Join("..", filepath.Base(getwd(t)), "run")}},
		{args: []string{"amlfix", "run"}},
		{args: []string{"amlfix", "no such", "jobs"}},
		{args: []string{"amlfix", "--jobs"}},
		{args: []string{"amlfix", "jobs", "--diff"}},
		{args: []string{"amlfix", "jobs", "-"}},
		{args: []string{"amlfix", "check", "--", "jobs"}},
		{args: []string{"amlfix", "jobs", ""}},
		{args: []string{"amlfix"}, env: supervises},
		{args: []string{"/tmp/go-build/amlfix.test"}},
		{args: []string{"amlfix.test.exe", "jobs"}},
		{args: nil},
	} {
		if tt.env == nil {
			tt.env = func(string) string { return "" }
		}
		got, ok := operands(tt.args, tt.env)
		if !ok {
			got = nil
		}
		testkit.Same(t, tt.want, got, "%q", tt.args)
	}
}

func getwd(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	testkit.OK(t, err)
	return dir
}
