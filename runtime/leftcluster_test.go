//go:build unix

package runtime

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestClusterLeftoverUnseen checks that a job whose pods cannot be listed counts as busy: it may be running. A script
// stands in for the kubectl of such a cluster.
func TestClusterLeftoverUnseen(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	canonical, err := project.Canonical(dir)
	testkit.OK(t, err)
	id := runid.MustParse("20261122-101112-f0f0f0")
	labels := fmt.Sprintf(`{"%s": "%s", "%s": "%s"}`, kubernetes.RunLabel, id, kubernetes.ProjectLabel, docker.ProjectMark(canonical))
	testkit.OK(t, os.WriteFile(filepath.Join(bin, "kubectl"), fmt.Appendf(nil, `#!/bin/sh
case "$*" in
*"config view"*) echo '{"current-context": "c", "contexts": [{"name": "c"}]}' ;;
*" jobs"*) echo '{"items": [{"metadata": {"name": "%s", "labels": %s}}]}' ;;
*) echo 'Error from server (Forbidden): pods is forbidden' >&2; exit 1 ;;
esac
`, kubernetes.JobName(id), labels), 0o755)) //nolint:gosec // a program
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	list, err := ClusterLeftovers(t.Context(), kubernetes.Cluster{}, []string{dir}, nil)
	if err != nil || len(list) != 1 || !list[0].Busy {
		t.Errorf("%+v, %v", list, err)
	}
}
