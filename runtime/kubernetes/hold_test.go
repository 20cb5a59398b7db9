//go:build linux

package kubernetes

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) {
	testkit.AtOnce(8) // they wait for containers
	os.Exit(m.Run())
}

// TestHold: a container for which amlfix does nothing for an hour ends, which is two seconds here. One of several then
// ends the others, also in the place of a pod that is gone, whose folder it finds on a claim.
func TestHold(t *testing.T) {
	for name, test := range map[string]struct {
		alone string
		files []string // in the run's folder
		code  int
		said  string
	}{
		"one":                  {"", nil, 125, ""},
		"several":              {"75", nil, 75, "125\n"},
		"replaced":             {"75", []string{"run/pid"}, 75, "125\n"},
		"replaced in making":   {"75", []string{"run.alive"}, 75, "125\n"},
		"replaced when failed": {"75", []string{"run/pid", "run/exit", "run/out", "run/err"}, 75, "7\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			testkit.OK(t, os.Mkdir(filepath.Join(dir, "run"), 0o755))
			for _, f := range test.files {
				testkit.OK(t, os.WriteFile(filepath.Join(dir, f), []byte("7\n"), 0o644))
			}
			script := strings.NewReplacer("3600", "2", "-mmin +60", "-mmin -60", "/dev/termination-log", filepath.Join(dir, "said")).Replace(hold())
			err := exec.CommandContext(t.Context(), "sh", "-c", script, "sh", filepath.Join(dir, "run"), "no such mark", test.alone).Run()
			exit, ok := errors.AsType[*exec.ExitError](err)
			if !ok || exit.ExitCode() != test.code {
				t.Error(err)
			}
			said, _ := os.ReadFile(filepath.Join(dir, "said"))
			testkit.Same(t, test.said, string(said))
		})
	}
}
