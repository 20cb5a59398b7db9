//go:build unix

package prepare

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestGatherPipes checks that a pipe in place of a requirements file or a wheel is named in an error, and not waited
// for.
func TestGatherPipes(t *testing.T) {
	for _, item := range []string{"-r pipe", "./pipe", "-f pipe"} {
		job := load(t, jobWith("  - "+item+"\n", nil))
		at := filepath.Dir(job.File.Path)
		testkit.OK(t, syscall.Mkfifo(filepath.Join(at, "pipe"), 0o600))
		r := NewRecipe(job.Environment)
		ended := make(chan error, 1)
		go func() {
			_, err := r.Gather(job.Environment, filepath.Dir(at))
			ended <- err
		}()
		if err := testkit.Receive(t, item, ended); err == nil || !strings.HasPrefix(err.Error(), "aml_config/pipe is neither a file nor a folder") {
			t.Errorf("%s: %v", item, err)
		}
	}
}
