//go:build linux

package enginetest

import (
	"os/exec"
	"testing"
)

// unified mounts the unified hierarchy of control groups, and nothing else, where engines look for it, in a separate
// mount namespace. It lacks controllers that the machine's own hierarchies use.
const unified = `set -e
mount --make-rprivate /
umount -R /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup
exec "$@"`

// StartCgroup2 returns an engine that uses version 2 of control groups, whatever the machine uses. Its live-restore is
// off, because its containerd ends with it. On a machine with version 1 it can limit neither memory nor processors.
func StartCgroup2(t testing.TB) *Engine {
	t.Helper()
	return start(t, "cgroup2", func(string) (options, error) {
		inside := []string{"unshare", "--mount", "sh", "-c", unified, "sh"}
		err := exec.Command(inside[0], append(inside[1:], "true")...).Run()
		return options{inside: inside, config: map[string]any{"live-restore": false}}, err
	})
}
