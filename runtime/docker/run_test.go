//go:build linux

package docker

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestRun(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	image := e.Job(t)
	type end struct {
		Code     int
		Cause    process.Cause
		OOM      bool
		Out, Err string
		Note     string
	}
	tests := []struct {
		name   string
		steps  []string
		change func(*Spec)
		want   end
	}{
		{name: "bytes unchanged", steps: []string{"out:a\r\n\tb", "hex:ff00", "err:c\r"}, want: end{Out: "a\r\n\tb\xff\x00", Err: "c\r"}},
		{name: "exit code", steps: []string{"exit:7"}, want: end{Code: 7}},
		{name: "working folder and user", steps: []string{"where:"}, want: end{Out: "/azureml-run 0 0 2\n"}},
		{name: "environment", steps: []string{"env:A", "env:NVIDIA_VISIBLE_DEVICES"}, change: func(s *Spec) { s.Env = []string{"A=b c"} },
			want: end{Out: "A=\"b c\" true\nNVIDIA_VISIBLE_DEVICES=\"\" false\n"}},
		{name: "own signal", steps: []string{"kill:1"}, want: end{Code: 129}},
		{name: "program missing", change: func(s *Spec) { s.Argv = []string{"nosuchprogram"} }, want: end{Code: 127, Err: "[FATAL tini] exec nosuchprogram failed: No such file or directory\n"}},
		{name: "program not executable", change: func(s *Spec) { s.Argv = []string{"/etc/passwd"} }, want: end{Code: 126, Err: "[FATAL tini] exec /etc/passwd failed: Permission denied\n"}},
		{name: "out of memory", steps: []string{"alloc:200"}, change: func(s *Spec) { s.Memory = 64 << 20 }, want: end{Code: 137, OOM: true, Note: "the memory limit was 67.1 MB"}},
		{name: "a child is out of memory", steps: []string{"try:alloc:200", "out:on", "exit:3"}, change: func(s *Spec) { s.Memory = 64 << 20 },
			want: end{Code: 3, OOM: true, Out: "on", Note: "the kernel ended a process that the job had started, because memory ran out; the memory limit was 67.1 MB"}},
		{name: "a child is out of memory, and the job succeeds", steps: []string{"try:alloc:200"}, change: func(s *Spec) { s.Memory = 64 << 20 },
			want: end{Note: "the kernel ended a process that the job had started, because memory ran out; the memory limit was 67.1 MB"}},
		{name: "killed, but not for lack of memory", steps: []string{"kill:9"}, change: func(s *Spec) { s.Memory = 64 << 20 },
			want: end{Code: 137, Note: "it was ended by a signal that amlfix did not send: the container was stopped from outside, or the job sent the signal itself; or memory ran out, whose limit was 67.1 MB"}},
		{name: "a child is left", steps: []string{"child:", "sleep:600s"}, want: end{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			j := launch(t.Context(), t, connect(t, e), image, process.Control{}, tt.change, tt.steps...)
			j.wait(t)
			child := strings.Contains(tt.want.Note, "because memory ran out")
			for n := 0; (tt.want.OOM && !j.result.OOMKilled || child && j.result.Note == "") && n < 8; n++ { // a busy engine can lose the kernel's event
				t.Logf("once more: %+v", j.result)
				j = launch(t.Context(), t, connect(t, e), image, process.Control{}, tt.change, tt.steps...)
				j.wait(t)
			}
			if j.failure != nil {
				t.Fatal(j.failure)
			}
			tt.want.Cause = process.Ended
			errs := regexp.MustCompile(`tini \(\d+\)`).ReplaceAllString(j.err.String(), "tini")
			r := j.result
			testkit.Same(t, tt.want, end{r.Code, r.Cause, r.OOMKilled, j.out.String(), errs, r.Note})
			if !r.Ran() || r.Ended.Before(r.Started) {
				t.Errorf("%+v", r)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}

func TestOutputIsLive(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	j := launch(ctx, t, connect(t, e), e.Job(t), process.Control{}, nil, "out:10%\r", "sleep:600s")
	j.out.Await(t, "10%\r") // an unfinished line
	cancel()
	j.wait(t)
	e.NothingLeft(t, runID(t))
}

func TestStop(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	image := e.Job(t)
	tests := []struct {
		name   string
		steps  []string
		grace  time.Duration
		limit  time.Duration
		cancel bool
		ctrlC  bool // cancelled by Ctrl-C
		kill   bool
		cause  process.Cause
		code   int
	}{
		{name: "cancel", steps: []string{"out:up", "sleep:600s"}, cancel: true, cause: process.Cancelled, code: 143},
		{name: "cancelled, the job succeeds", steps: []string{"graceful:saved", "out:up", "sleep:600s"}, cancel: true, cause: process.Cancelled, code: 0},
		{name: "cancel, deaf", steps: []string{"deaf:", "out:up", "sleep:600s"}, grace: time.Second, cancel: true, cause: process.Cancelled, code: 137},
		{name: "Ctrl-C", steps: []string{"out:up", "sleep:600s"}, ctrlC: true, cause: process.Cancelled, code: 130},
		{name: "Ctrl-C, hears SIGTERM only", steps: []string{"deaf:", "graceful:saved", "out:up", "sleep:600s"}, grace: 20 * time.Second, ctrlC: true, cause: process.Cancelled, code: 0},
		{name: "Ctrl-C, deaf", steps: []string{"deaf:", "out:up", "sleep:600s"}, grace: time.Second, ctrlC: true, cause: process.Cancelled, code: 137},
		{name: "kill", steps: []string{"deaf:", "out:up", "sleep:600s"}, grace: time.Hour, cancel: true, kill: true, cause: process.Cancelled, code: 137},
		{name: "time limit", steps: []string{"out:up", "sleep:600s"}, limit: testkit.Limit, cause: process.TimedOut, code: 143},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			kill := make(chan struct{})
			j := launch(ctx, t, connect(t, e), image, process.Control{Grace: tt.grace, Limit: tt.limit, Kill: kill}, nil, tt.steps...)
			j.out.Await(t, "up")
			if tt.cancel {
				cancel(nil)
			}
			if tt.ctrlC {
				cancel(&process.Signalled{Signal: os.Interrupt})
			}
			if tt.kill {
				j.said.Await(t, "stopping the job")
				close(kill)
			}
			j.wait(t)
			if j.failure != nil || j.result.Cause != tt.cause || j.result.Code != tt.code {
				t.Errorf("%+v, %v", j.result, j.failure)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}

func TestCancelBeforeTheStart(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	why := &process.Signalled{Signal: os.Interrupt}
	for _, at := range []string{"Info", "Image", "Create", "CopyIn", "Attach", "Start"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			eng := &tripwire{Engine: connect(t, e), at: at, trip: func() { cancel(why) }}
			j := launch(ctx, t, eng, e.Job(t), process.Control{Grace: time.Second}, withProject(t, nil), "sleep:600s")
			j.wait(t)
			// if cancelled during Start, the job may have run for a moment
			if !errors.Is(j.failure, why) && j.result.Cause != process.Cancelled {
				t.Errorf("%+v, %v", j.result, j.failure)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}

// TestCancelInUpload cancels a run while an endless project is being uploaded.
func TestCancelInUpload(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := &process.Signalled{Signal: os.Interrupt}
	files := 0
	endless := func(s *Spec) {
		s.Upload = func(ctx context.Context, w io.Writer, _ bool) error {
			tw := tar.NewWriter(w)
			for ; ctx.Err() == nil; files++ {
				if err := tw.WriteHeader(&tar.Header{Name: fmt.Sprint(TarPrefix, "/", files), Mode: 0o644}); err != nil {
					return err
				}
				if files == 10 {
					cancel(why)
				}
				time.Sleep(20 * time.Millisecond)
			}
			return context.Cause(ctx)
		}
	}
	j := launch(ctx, t, connect(t, e), e.Job(t), process.Control{}, endless, "out:ran")
	j.wait(t)
	if !errors.Is(j.failure, why) || j.result.Ran() || files < 10 {
		t.Errorf("%+v, %v after %d files", j.result, j.failure, files)
	}
	e.NothingLeft(t, runID(t))
}

func TestEndFromOutside(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	image := e.Job(t)
	for _, tt := range []struct {
		name, method, path string
		code               int
		note               string
	}{
		{"stop", "POST", "/stop?t=1", 143, "it was ended by a signal that amlfix did not send: the container was stopped from outside, or the job sent the signal itself"},
		{"kill", "POST", "/kill", 137, "it was ended by a signal that amlfix did not send: the container was stopped from outside, or the job sent the signal itself; or the machine ran out of memory"},
		{"remove", "DELETE", "?force=1", 137, "the container is gone: it was removed while the job was running"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			j := launch(t.Context(), t, connect(t, e), image, process.Control{}, nil, "out:up", "sleep:600s")
			j.out.Await(t, "up")
			e.Do(t, tt.method, "/containers/"+ContainerName(runID(t))+tt.path)
			j.wait(t)
			if j.failure != nil || j.result.Code != tt.code || j.result.Cause != process.Ended || j.result.Note != tt.note {
				t.Errorf("%+v, %v", j.result, j.failure)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}

// TestEngineRestart uses its own engine, which it ends under a running job. If containerd was away as well, containerd
// 1.6 learns afterwards how a job ended; engine 29's does not. If containerd has forgotten a container that the engine
// takes for running, no engine learns it. That also happens when a job ends just before the engine: the engine has made
// containerd forget it, and has not noted its exit code yet.
func TestEngineRestart(t *testing.T) {
	t.Parallel()
	e := enginetest.StartOwn(t, "restart")
	for _, tt := range []struct {
		name string
		sig  syscall.Signal
		ends bool // the job, while the engine is away
		away bool // containerd, too
		lost bool // containerd has forgotten the job
	}{
		{name: "killed", sig: syscall.SIGKILL},
		{name: "the job ends meanwhile", sig: syscall.SIGTERM, ends: true},
		{name: "the job ends meanwhile, containerd is away", sig: syscall.SIGTERM, ends: true, away: true},
		{name: "the job ends meanwhile and is forgotten", sig: syscall.SIGTERM, ends: true, lost: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eng := connect(t, e)
			j := launch(t.Context(), t, eng, e.Job(t), process.Control{}, nil, "out:first \n", "tick:30", "await:/go", "out:last", "exit:5")
			j.out.Await(t, "tick 10\n")
			pids, err := eng.Processes(t.Context(), ContainerName(runID(t)))
			testkit.OK(t, err)
			testkit.OK(t, e.Crash(tt.sig))
			if tt.away {
				testkit.OK(t, e.CrashContainerd(tt.sig))
			}
			if tt.ends {
				e.GoOn(t, slices.Min(pids), tt.lost)
			}
			testkit.OK(t, e.Relaunch())
			if !tt.ends {
				_, _, err := eng.Exec(t.Context(), ContainerName(runID(t)), "", "/testjob", "write:/go=")
				testkit.OK(t, err)
			}
			j.wait(t)
			want, got := "first \n"+ticks("tick:30")+"last", j.out.String()
			// An engine that is away loses what a job prints if it also ends then; it repeats nothing.
			mayLose := tt.ends && strings.HasPrefix(want, got) && strings.Contains(got, "tick 10\n")
			if tt.sig == syscall.SIGKILL {
				mayLose = enginetest.LacksOneBlock(got, want, strings.Index(want, "tick 11\n"))
			}
			if got != want && !mayLose {
				t.Errorf("bytes were lost or repeated:\n%s", cmp.Diff(want, got))
			}
			code, note := 5, ""
			if tt.lost || tt.away && e.API(t) >= 52 {
				code, note = codeUnknown, "the job returned 255, or it ended while the engine was stopping or down, in which case the engine may report 255: see the end of the log"
			}
			if j.failure != nil || j.result.Code != code || j.result.Note != note || j.result.Cause != process.Ended {
				t.Errorf("%+v, %v\n%s", j.result, j.failure, j.said)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}
