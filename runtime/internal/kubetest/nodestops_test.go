//go:build linux

package kubetest

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNodesStopped checks that Ctrl-C and a time limit end all pods.
func TestNodesStopped(t *testing.T) {
	for name, test := range map[string]struct {
		flags []string
		code  int
		last  string
		saved bool
	}{
		"interrupted": {nil, 130, "cancelled", true},
		"timed out":   {[]string{"--timeout=3s"}, 124, "timed out", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newNodes(t, 2, "{type: pytorch}")
			run := s.begin(s.job("wait", test.flags...))
			s.in(progress.Running, "waiting\n")
			if test.flags == nil {
				eventually(t, "both pods", func() bool { return s.podLog(0) != "" && s.podLog(1) != "" })
				testkit.OK(t, run.Process.Signal(os.Interrupt))
			}
			got := run.ended()
			if got.code != test.code || !strings.Contains(got.last(), test.last) {
				t.Errorf("%d\n%s", got.code, got.err)
			}
			if saved := s.content("outputs/saved") == "x" && s.content("outputs/pod-1/saved") == "x"; saved != test.saved {
				t.Errorf("saved: %v\n%s", saved, got.err)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// TestNodesStoppedFromOutside checks that runs stop ends a job with several pods that nobody follows.
func TestNodesStoppedFromOutside(t *testing.T) {
	s := newNodes(t, 2, "{type: pytorch}")
	run := s.begin(s.job("wait"))
	s.in(progress.Running, "[1] waiting\n")
	run.killed()
	if got := finish(s.Command(t, s.dir, "runs", "stop", s.record().ID.String())); got.code != 0 {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestNodesAttach kills amlfix; runs attach resumes each pod's output where it was, and both logs are complete.
func TestNodesAttach(t *testing.T) {
	for _, state := range []progress.State{progress.Creating, progress.Starting, progress.Running} {
		t.Run(string(state), func(t *testing.T) {
			t.Parallel()
			s := newNodes(t, 2, "{type: pytorch}")
			run := s.begin(s.job("tick"))
			said := ""
			if state == progress.Running {
				said = "[1] tick 3\n"
			}
			s.in(state, said)
			run.killed()
			got := finish(s.Command(t, s.dir, "runs", "attach", s.record().ID.String()))
			s.NothingLeft(t, s.namespace)
			if state != progress.Running && got.code == 125 && strings.Contains(got.last(), "nothing is left of it") {
				return
			}
			if got.code != 0 {
				t.Fatalf("%d\n%s", got.code, got.err)
			}
			want, wantErrs, prefixed := "", "", ""
			for i := range 60 {
				want += fmt.Sprintf("tick %d\n", i)
				wantErrs += fmt.Sprintf("tock %d\r\n", i)
			}
			for i := range 2 {
				for _, line := range strings.SplitAfter(want+"no newline\n", "\n")[:61] {
					prefixed += fmt.Sprintf("[%d] %s", i, line)
				}
				log := s.podLog(i)
				out := regexp.MustCompile(`tock \d+\r\n`).ReplaceAllString(log, "")
				testkit.Same(t, want+"no newline", out, "pod %d", i)
				if errs := strings.Join(regexp.MustCompile(`tock \d+\r\n`).FindAllString(log, -1), ""); errs != wantErrs {
					t.Errorf("pod %d: %s", i, cmp.Diff(wantErrs, errs))
				}
			}
			out, _ := s.log()
			testkit.Same(t, sorted(prefixed), sorted(out))
		})
	}
}
