//go:build linux

package enginetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/schema/testkit/daemon"
)

// start starts a daemon of this engine.
func (e *Engine) start(name string, arg ...string) (*daemon.Daemon, error) {
	argv := append(slices.Clone(e.inside), append([]string{program(name)}, arg...)...)
	cmd := exec.Command(argv[0], argv[1:]...)
	// A test's temporary folder may be removed before the daemon ends. Most processes of an engine live for a moment:
	// at Go's default, a part of it goes to collecting garbage while they start.
	cmd.Env = slices.Concat([]string{"GOGC=400"}, os.Environ(), e.env, []string{"PATH=" + programs(e.path), "TMPDIR=" + e.Dir})
	return daemon.Start(cmd, filepath.Join(e.Dir, name+".log"))
}
