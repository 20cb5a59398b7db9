//go:build linux

package kubetest

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestStops checks that Ctrl-C sends SIGINT, then SIGTERM, then SIGKILL, and that a time limit ends a job. What the job
// has saved is copied back.
func TestStops(t *testing.T) {
	for name, test := range map[string]struct {
		words, flags string
		signal       syscall.Signal
		code         int
		said, last   string
		saved        bool
	}{
		"interrupted": {"wait", "", syscall.SIGINT, 130, "waiting\ninterrupted\n", "cancelled", true},
		"deaf":        {"deaf wait", "", syscall.SIGINT, 130, "waiting\nignored 2\nignored 15\n", "cancelled", false},
		"terminated":  {"wait", "", syscall.SIGTERM, 143, "waiting\n", "cancelled", false},
		"timed out":   {"wait", "--timeout=3s", 0, 124, "waiting\n", "timed out", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			run := s.begin(s.job(test.words, strings.Fields(test.flags)...))
			s.in(progress.Running, "waiting\n")
			if test.signal != 0 {
				testkit.OK(t, run.Process.Signal(test.signal))
			}
			got := run.ended()
			if got.code != test.code || !strings.Contains(got.last(), test.last) {
				t.Errorf("%d\n%s", got.code, got.err)
			}
			testkit.Same(t, test.said, got.out)
			if _, err := os.Stat(filepath.Join(s.dir, "outputs/saved")); (err == nil) != test.saved {
				t.Errorf("saved: %v", err)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// TestPending checks that, for a pod that no node accepts, the cluster's reason is shown, and that Ctrl-C removes the
// pod.
func TestPending(t *testing.T) {
	s := newScene(t)
	run := s.begin(s.job("none", "--memory", "100000g"))
	s.in(progress.Creating, "")
	time.Sleep(10 * time.Second)
	testkit.OK(t, run.Process.Signal(os.Interrupt))
	got := run.ended()
	if got.code != 130 || !strings.Contains(got.err, "waiting for the pod: Unschedulable: 0/1 nodes are available: 1 Insufficient memory") || !strings.Contains(got.last(), "before the job was started") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestStopped checks that runs stop ends a job that another amlfix follows.
func TestStopped(t *testing.T) {
	s := newScene(t)
	run := s.begin(s.job("wait"))
	s.in(progress.Running, "waiting\n")
	if got := finish(s.Command(t, s.dir, "runs", "stop", s.record().ID.String())); got.code != 0 {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	if code := run.ended().code; code != 143 {
		t.Error(code)
	}
	s.NothingLeft(t, s.namespace)
}
