//go:build linux

package kubetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestOrphans checks that the remains of a run whose record is gone are removed, and that someone else's job is not.
func TestOrphans(t *testing.T) {
	s, other := newScene(t), newScene(t)
	run := s.begin(s.job("wait"))
	s.in(progress.Running, "waiting\n")
	run.killed()
	id := s.record().ID.String()
	testkit.OK(t, os.RemoveAll(filepath.Join(s.dir, ".amlfix")))
	testkit.OK(t, os.WriteFile(filepath.Join(other.dir, ".amlfix.yaml"), []byte("kubernetes: {context: node, namespace: "+s.namespace+"}\n"), 0o644))
	clean := func(s *scene) ended {
		t.Helper()
		cmd := s.Command(t, s.dir, "runs", "clean", "--orphans")
		cmd.Env = append(cmd.Env, "DOCKER_HOST=unix:///nowhere.sock")
		return finish(cmd)
	}
	if got := clean(other); strings.Contains(got.err, id) {
		t.Errorf("another project's:\n%s", got.err)
	}
	if got := clean(s); !strings.Contains(got.err, "of run "+id+" is still in use, so it is not removed") {
		t.Errorf("at work:\n%s", got.err)
	}
	s.Kubectl(t, "-n", s.namespace, "exec", "job/amlfix-"+id, "--", "sh", "-c", "kill -9 $(grep -lsa 'main.p[y]' /proc/[0-9]*/cmdline | cut -d/ -f3); sleep 1")
	if got := clean(s); !strings.Contains(got.err, "removed job amlfix-"+id+" in node/"+s.namespace) {
		t.Errorf("not removed:\n%s", got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestNodesOrphans checks that the remains of a run in several pods whose record is gone are removed once none of the
// pods is running.
func TestNodesOrphans(t *testing.T) {
	s := newNodes(t, 2, "{type: pytorch}")
	run := s.begin(s.job("quiet wait"))
	s.in(progress.Running, "waiting\n")
	run.killed()
	id, first := s.record().ID.String(), s.record().Pods[0].Name
	testkit.OK(t, os.RemoveAll(filepath.Join(s.dir, ".amlfix")))
	clean := func() string {
		t.Helper()
		cmd := s.Command(t, s.dir, "runs", "clean", "--orphans")
		cmd.Env = append(cmd.Env, "DOCKER_HOST=unix:///nowhere.sock")
		return finish(cmd).err
	}
	if got := clean(); !strings.Contains(got, "of run "+id+" is still in use, so it is not removed") {
		t.Errorf("at work:\n%s", got)
	}
	s.Kubectl(t, "-n", s.namespace, "exec", first, "--", "sh", "-c", "kill -9 $(grep -lsa 'main.p[y]' /proc/[0-9]*/cmdline | cut -d/ -f3); sleep 1")
	if got := clean(); !strings.Contains(got, "removed job amlfix-"+id+" in node/"+s.namespace) {
		t.Errorf("not removed:\n%s", got)
	}
	s.NothingLeft(t, s.namespace)
}
