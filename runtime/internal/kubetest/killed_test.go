//go:build linux

package kubetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/progress"
)

// ticks returns the output of a job with the word tick.
func ticks() (out, errs string) {
	for i := range 60 {
		out += fmt.Sprintf("tick %d\n", i)
		errs += fmt.Sprintf("tock %d\n", i)
	}
	return out, errs
}

// whole fails the test unless the log is that of a job with the word tick, byte for byte.
func (s *scene) whole() {
	s.t.Helper()
	out, errs := s.log()
	wantOut, wantErrs := ticks()
	if diff := cmp.Diff(wantOut, out); diff != "" {
		s.t.Error(diff)
	}
	if diff := cmp.Diff(wantErrs, errs); diff != "" {
		s.t.Error(diff)
	}
}

// TestAmlfixKilled kills amlfix in every state of a run, and resumes the run with runs attach.
func TestAmlfixKilled(t *testing.T) {
	for _, state := range []progress.State{progress.Creating, progress.Uploading, progress.Starting, progress.Running, progress.Removing} {
		t.Run(string(state), func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			words, said := "tick", "tick 3\n"
			if state != progress.Running {
				said = ""
			}
			if state == progress.Removing {
				words = "none"
			}
			run := s.begin(s.job(words))
			s.in(state, said)
			run.killed()
			id := s.record().ID.String()
			got := finish(s.Command(t, s.dir, "runs", "attach", id))
			switch {
			case state == progress.Creating || state == progress.Uploading:
				if got.code != 125 || !strings.Contains(got.last(), "amlfix ended before it had started the job; nothing is left of it") {
					t.Errorf("%d\n%s", got.code, got.err)
				}
			case state == progress.Starting && got.code == 125: // before the job existed
			case got.code != 0:
				t.Errorf("%d\n%s", got.code, got.err)
			case words == "tick":
				s.whole()
				fallthrough
			default:
				if _, err := os.Readlink(filepath.Join(s.dir, "outputs/link")); err != nil {
					t.Error(err)
				}
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// children returns the kubectl processes that a process has started.
func children(parent int) (pids []int) {
	out, _ := exec.Command("pgrep", "-P", fmt.Sprint(parent)).Output()
	for _, word := range strings.Fields(string(out)) {
		var pid int
		_, _ = fmt.Sscan(word, &pid)
		pids = append(pids, pid)
	}
	return pids
}

// TestKubectlKilled repeatedly kills each kubectl that amlfix has started: the log is complete.
func TestKubectlKilled(t *testing.T) {
	s := newScene(t)
	run := s.begin(s.job("tick"))
	s.in(progress.Running, "tick 3\n")
	for range 3 {
		for _, pid := range children(run.Process.Pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(3 * time.Second)
	}
	if err := run.Wait(); err != nil {
		t.Error(err)
	}
	s.whole()
	s.NothingLeft(t, s.namespace)
}

// TestServersKilled kills the node's kubelet or the API server while a job runs and starts it again: the log is
// complete, and the exit code is the job's.
func TestServersKilled(t *testing.T) {
	for _, name := range []string{"kubelet", "api"} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			run := s.begin(s.job("tick fail"))
			s.in(progress.Running, "tick 3\n")
			again := s.Kill(t, name)
			defer again()
			time.Sleep(8 * time.Second)
			again()
			if code := run.ended().code; code != 3 {
				t.Error(code)
			}
			s.whole()
			s.NothingLeft(t, s.namespace)
		})
	}
}
