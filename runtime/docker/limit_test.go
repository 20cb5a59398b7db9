//go:build linux

package docker

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// leave starts a job with its watchdog, as Run does, and stops watching it.
func leave(t *testing.T, eng Engine, image string, control process.Control, change func(*Container), steps ...string) {
	t.Helper()
	c := Container{Name: ContainerName(runID(t)), RunID: runID(t), Image: image, Argv: append([]string{"/testjob"}, steps...), ExactLog: true}
	if change != nil {
		change(&c)
	}
	id, err := eng.Create(t.Context(), c)
	if err == nil {
		err = eng.Start(t.Context(), id)
	}
	testkit.OK(t, err)
	(&run{eng: eng, id: id, control: control}).guard(t.Context())
}

// TestLimitUnwatched checks that a job's time limit ends it even if nobody watches.
func TestLimitUnwatched(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	image, eng := e.ShellJob(t), connect(t, e)
	for _, tt := range []struct {
		name   string
		change func(*Container)
		steps  []string
		grace  time.Duration
		code   int
		cause  process.Cause
	}{
		{"obeys", nil, []string{"out:up", "sleep:600s"}, 0, 143, process.TimedOut},
		{"as another user", func(c *Container) { c.User = "1234:1234" }, []string{"out:up", "sleep:600s"}, 0, 143, process.TimedOut},
		{"succeeds when asked to stop", nil, []string{"graceful:saved", "out:up", "sleep:600s"}, 0, 0, process.TimedOut},
		{"deaf", nil, []string{"deaf:", "out:up", "sleep:600s"}, 2 * time.Second, 137, process.TimedOut},
		{"ends before", nil, []string{"out:up", "sleep:200ms", "exit:7"}, 0, 7, process.Ended},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			control := process.Control{Limit: testkit.Limit, Grace: tt.grace}
			leave(t, eng, image, control, tt.change, tt.steps...)
			name := ContainerName(runID(t))
			var s State
			testkit.Until(t, "the job ends", func() bool {
				var err error
				s, err = eng.State(t.Context(), name)
				testkit.OK(t, err)
				return !s.Running
			})
			took := s.Ended.Sub(s.Started)
			if over := tt.cause == process.TimedOut; over != (took >= testkit.Limit+tt.grace) || s.Code != tt.code {
				t.Errorf("it took %v: %+v", took, s)
			}
			time.Sleep(max(0, testkit.Limit-took)) // the limit has passed for all of them when they are resumed
			out := new(testkit.Buffer)
			r, err := Reopen(t.Context(), eng, Spec{RunID: runID(t)}, Seen{}, process.Streams{Stdout: out, Stderr: io.Discard}, control, nil)
			if err != nil || r.Cause != tt.cause || r.Code != tt.code || !strings.HasPrefix(out.String(), "up") && tt.code != 0 {
				t.Errorf("%+v, %v, %q", r, err, out)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}

// TestLimitIsAskedForOnce checks that a job gets one SIGTERM when both amlfix and the watchdog see its time run out.
func TestLimitIsAskedForOnce(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	j := launch(t.Context(), t, connect(t, e), e.ShellJob(t), process.Control{Limit: testkit.Limit, Grace: testkit.Patience}, func(s *Spec) {
		// three seconds after being asked to, it ends by itself
		s.Argv = []string{"sh", "-c", `left=6000; trap "echo asked; left=30" TERM; while [ $left -gt 0 ]; do sleep 0.1; left=$((left-1)); done`}
	})
	j.wait(t)
	if j.failure != nil || j.result.Cause != process.TimedOut || j.out.String() != "asked\n" {
		t.Errorf("%+v, %v, %q", j.result, j.failure, j.out)
	}
	if strings.Contains(j.said.String(), "only while") {
		t.Errorf("%s", j.said)
	}
	e.NothingLeft(t, runID(t))
}

// TestLimitOfShortJobs checks that nothing is reported about an image whose job ends before its watchdog has started.
func TestLimitOfShortJobs(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	for i := range 15 { // the shell is there for a moment
		j := launch(t.Context(), t, connect(t, e), e.ShellJob(t), process.Control{Limit: testkit.Patience}, nil, fmt.Sprintf("sleep:%dms", 10*i), "exit:3")
		j.wait(t)
		if j.failure != nil || j.result.Code != 3 || strings.Contains(j.said.String(), "only while") {
			t.Errorf("%d: %+v, %v, %s", i, j.result, j.failure, j.said)
		}
	}
	e.NothingLeft(t, runID(t))
}

// unaware is an engine in which a program ends with a code, and which learns only later that the container has ended.
type unaware struct {
	Engine
	code  int
	later time.Duration
}

func (u unaware) Exec(context.Context, string, string, ...string) ([]byte, int, error) {
	return nil, u.code, nil
}

func (u unaware) Wait(ctx context.Context, _ string, _ bool) <-chan Waited {
	ended := make(chan Waited, 1)
	go func() {
		select {
		case <-time.After(u.later):
			ended <- Waited{}
		case <-ctx.Done():
			ended <- Waited{Err: ctx.Err()}
		}
	}()
	return ended
}

// TestLimitOnBusyEngines checks that an engine may take seconds to learn that a job has ended, but that a job whose
// image has no shell is not delayed as long.
func TestLimitOnBusyEngines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		code        int
		later, most time.Duration
		want        string
	}{
		{"shell not started", 128, 5 * time.Second, 5 * time.Second, ""},
		{"shell killed", 137, 5 * time.Second, 5 * time.Second, ""},
		{"no shell in a short job", process.CodeNoProgram, endingTime / 2, endingTime, ""},
		{"no shell", process.CodeNoProgram, time.Hour, endingTime, "the image has no programs sh and sleep\n"},
		{"job continues", 128, time.Hour, guardTime, "its shell ended with exit code 128\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				said, began := new(testkit.Buffer), time.Now()
				r := &run{eng: unaware{code: tt.code, later: tt.later}, control: process.Control{Limit: time.Hour}, say: progress.Lines(said)}
				r.guard(t.Context())
				if took := time.Since(began); took > tt.most {
					t.Errorf("it took %v", took)
				}
				_, got, _ := strings.Cut(said.String(), "only while amlfix is running: ")
				testkit.Same(t, tt.want, got)
			})
		})
	}
}

// TestLimitNeedsPrograms checks that an image without a shell or sleep is reported, and that amlfix itself enforces the
// limit.
func TestLimitNeedsPrograms(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	shell := e.ShellJob(t)
	dash, err := os.ReadFile("/bin/dash") // the image's own shell has a built-in sleep
	testkit.OK(t, err)
	e.Derive(t, "amlfix-test/nosleep:1", shell, map[string]string{"/only/sh": string(dash)}, "ENV PATH=/only")
	for name, image := range map[string]string{"no shell": e.Job(t), "no sleep": "amlfix-test/nosleep:1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := launch(t.Context(), t, connect(t, e), image, process.Control{Limit: testkit.Limit}, nil, "out:up", "sleep:600s")
			j.wait(t)
			if j.failure != nil || j.result.Cause != process.TimedOut || j.result.Code != 143 {
				t.Errorf("%+v, %v", j.result, j.failure)
			}
			testkit.Has(t, j.said.String(), "the time limit applies only while amlfix is running: the image has no programs sh and sleep\n")
			e.NothingLeft(t, runID(t))
		})
	}
}

// TestLimitOutlivesEngine checks that the watchdog keeps running while the engine goes down and comes back.
func TestLimitOutlivesEngine(t *testing.T) {
	t.Parallel()
	e := enginetest.StartOwn(t, "limit")
	eng := connect(t, e)
	leave(t, eng, e.ShellJob(t), process.Control{Limit: testkit.Limit}, nil, "sleep:600s")
	testkit.OK(t, e.Crash(9))
	testkit.OK(t, e.Relaunch())
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	if w := <-eng.Wait(ctx, ContainerName(runID(t)), false); w.Code != 143 || w.Err != nil {
		t.Errorf("%+v", w)
	}
	_ = eng.Remove(t.Context(), ContainerName(runID(t)))
}
