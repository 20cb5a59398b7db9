//go:build linux

package docker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// orphan starts a container as Run does, and leaves it running.
func orphan(t *testing.T, eng Engine, image string, started bool, steps ...string) {
	t.Helper()
	c := Container{Name: ContainerName(runID(t)), RunID: runID(t), Image: image, Argv: append([]string{"/testjob"}, steps...), ExactLog: true}
	id, err := eng.Create(t.Context(), c)
	if err == nil && started {
		err = eng.Start(t.Context(), id)
	}
	testkit.OK(t, err)
}

// TestReopen resumes a job whose output was seen up to every possible byte. The output contains what logs could
// corrupt: bytes that are not UTF-8, empty lines, lines longer than the engine's buffer, and no newline at the end.
func TestReopen(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	image, eng := e.Job(t), connect(t, e)
	const out, errs = "a\r\n\n\n\tb\xff\x00\xc3\n \nend", "c\rd\n"
	for _, tt := range []struct {
		name string
		hex  string
		seen Seen
	}{
		{"nothing", "610d0a0a0a0962ff00c30a200a656e64", Seen{}},
		{"inside a line", "610d0a0a0a0962ff00c30a200a656e64", Seen{8, 3}},
		{"all", "610d0a0a0a0962ff00c30a200a656e64", Seen{int64(len(out)), int64(len(errs))}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			orphan(t, eng, image, true, "hex:"+tt.hex, "err:"+errs, "write:outputs/x=y", "sleep:300ms", "exit:6")
			got, gotErr := new(testkit.Buffer), new(testkit.Buffer)
			var exit process.Exit
			collected := 0
			spec := Spec{RunID: runID(t), Exited: func(e process.Exit) { exit = e }, Collect: func(_ context.Context, tar io.Reader) error {
				collected++
				_, err := io.Copy(io.Discard, tar)
				return err
			}}
			r, err := Reopen(t.Context(), eng, spec, tt.seen, process.Streams{Stdout: got, Stderr: gotErr}, process.Control{}, nil)
			if err != nil || r.Code != 6 || exit.Code != 6 || collected != 1 || r.Cause != process.Ended || !r.Ended.After(r.Started) {
				t.Errorf("%+v, %+v, %d, %v", r, exit, collected, err)
			}
			testkit.Same(t, []string{out[tt.seen.Stdout:], errs[tt.seen.Stderr:]}, []string{got.String(), gotErr.String()})
			e.NothingLeft(t, runID(t))
		})
	}
}

func TestReopenLongOutput(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	eng := connect(t, e)
	orphan(t, eng, e.Job(t), true, "count:30000", "sleep:200ms")
	out, errs := new(testkit.Buffer), new(testkit.Buffer)
	if _, err := Reopen(t.Context(), eng, Spec{RunID: runID(t)}, Seen{1000, 2000}, process.Streams{Stdout: out, Stderr: errs}, process.Control{}, nil); err != nil {
		t.Fatal(err)
	}
	var want [2]string
	for i := range 30000 {
		want[i%2] += fmt.Sprintln("line", i)
	}
	if out.String() != want[0][1000:] || errs.String() != want[1][2000:] {
		t.Errorf("%d and %d bytes, want %d and %d", len(out.String()), len(errs.String()), len(want[0])-1000, len(want[1])-2000)
	}
}

// TestReopenEnded resumes a job that has ended, and kills and restarts its engine while the output is passed on. The
// output arrives once and complete.
func TestReopenEnded(t *testing.T) {
	t.Parallel()
	e := enginetest.StartOwn(t, "reopen-ended")
	eng := connect(t, e)
	for name, meanwhile := range map[string]func() error{
		"read at once": func() error { return nil },
		"broken off":   func() error { return errors.Join(e.Crash(syscall.SIGKILL), e.Relaunch()) },
	} {
		t.Run(name, func(t *testing.T) {
			orphan(t, eng, e.Job(t), true, "hex:ff00", "count:60000", "out:no newline")
			testkit.Until(t, "the job has ended", func() bool {
				s, err := eng.State(t.Context(), ContainerName(runID(t)))
				return err == nil && !s.Running
			})
			var written [2]bytes.Buffer
			written[0].WriteString("\xff\x00")
			for i := range 60000 {
				fmt.Fprintln(&written[i%2], "line", i)
			}
			written[0].WriteString("no newline")
			want := [2]string{written[0].String(), written[1].String()}
			out, errs := &busyReader{meanwhile: meanwhile}, new(testkit.Buffer)
			seen := Seen{1000, 2000}
			r, err := Reopen(t.Context(), eng, Spec{RunID: runID(t)}, seen, process.Streams{Stdout: out, Stderr: errs}, process.Control{}, nil)
			if err != nil || r.Code != 0 || r.Cause != process.Ended || out.err != nil {
				t.Errorf("%+v, %v, %v", r, err, out.err)
			}
			if out.String() != want[0][seen.Stdout:] || errs.String() != want[1][seen.Stderr:] {
				t.Errorf("%d and %d bytes, want %d and %d", len(out.String()), len(errs.String()), len(want[0])-1000, len(want[1])-2000)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}

// busyReader reads the first piece of output and then stops reading for a while.
type busyReader struct {
	testkit.Buffer
	meanwhile func() error
	err       error
}

func (s *busyReader) Write(p []byte) (int, error) {
	if s.meanwhile != nil {
		s.err, s.meanwhile = s.meanwhile(), nil
	}
	return s.Buffer.Write(p)
}

func TestReopenEnds(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	image, eng := e.Job(t), connect(t, e)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name    string
		ctx     context.Context
		control process.Control
		cause   process.Cause
	}{
		{"stop", cancelled, process.Control{}, process.Cancelled},
		{"the time limit continues", t.Context(), process.Control{Limit: time.Second}, process.TimedOut},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			orphan(t, eng, image, true, "sleep:600s")
			time.Sleep(200 * time.Millisecond)
			r, err := Reopen(tt.ctx, eng, Spec{RunID: runID(t)}, Seen{}, process.Streams{Stdout: io.Discard, Stderr: io.Discard}, tt.control, nil)
			if err != nil || r.Cause != tt.cause || r.Code != 143 || r.Ended.Sub(r.Started) > testkit.Patience {
				t.Errorf("%+v, %v", r, err)
			}
			e.NothingLeft(t, runID(t))
		})
	}
	t.Run("never started", func(t *testing.T) {
		t.Parallel()
		orphan(t, eng, image, false)
		var states []progress.State
		say := progress.Sink(func(e progress.Event) { states = append(states, e.State) })
		r, err := Reopen(t.Context(), eng, Spec{RunID: runID(t)}, Seen{}, process.Streams{}, process.Control{}, say)
		if err != nil || r.Ran() || cmp.Diff([]progress.State{progress.Removing}, states) != "" {
			t.Errorf("%+v, %v, %v", r, err, states)
		}
		e.NothingLeft(t, runID(t))
	})
	t.Run("gone", func(t *testing.T) {
		t.Parallel()
		if _, err := Reopen(t.Context(), eng, Spec{RunID: runID(t)}, Seen{}, process.Streams{}, process.Control{}, nil); !Is(err, ContainerGone) {
			t.Errorf("%v", err)
		}
	})
}

func TestInspect(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	eng := connect(t, e)
	orphan(t, eng, e.Job(t), true, "write:/azureml-run/f=12345", "out:up", "sleep:600s")
	name := ContainerName(runID(t))
	defer func() { _ = eng.Remove(t.Context(), name) }()
	testkit.Until(t, "the job has written", func() bool {
		s, _ := eng.Stat(t.Context(), name, WorkDir+"/f")
		return s.Size == 5
	})
	if s, err := eng.Stat(t.Context(), name, WorkDir+"/f"); s.Size != 5 || !s.Mode.IsRegular() || time.Since(s.ModTime) > testkit.Patience || err != nil {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := eng.Stat(t.Context(), name, WorkDir+"/g"); !Is(err, PathNotFound) {
		t.Errorf("%v", err)
	}
	out, code, err := eng.Exec(t.Context(), name, "", "/testjob", "out:hello", "err:not this", "exit:3")
	if string(out) != "hello" || code != 3 || err != nil {
		t.Errorf("%q, %d, %v", out, code, err)
	}
	if _, code, err := eng.Exec(t.Context(), name, "", "nvidia-smi"); code < 126 && err == nil {
		t.Errorf("%d, %v", code, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, _, err := eng.Exec(ctx, name, "", "/testjob", "sleep:600s")
		ended <- err
	}()
	testkit.Until(t, "the program runs", func() bool {
		pids, err := eng.Processes(t.Context(), name)
		testkit.OK(t, err)
		return len(pids) > 1
	})
	cancel()
	if err := testkit.Receive(t, "the call ends", ended); err == nil {
		t.Error("a program that does not end was waited for")
	}
	list, err := eng.Containers(t.Context())
	found := false
	for _, l := range list {
		found = found || !l.Made.IsZero() && l == Labelled{Name: name, RunID: runID(t), Made: l.Made, Running: true}
	}
	if err != nil || !found {
		t.Errorf("%+v, %v", list, err)
	}
	e.Do(t, http.MethodGet, "/containers/"+name+"/json")
}

// TestReopenAnother checks that a container that merely has the name of the run's container is neither stopped nor
// removed.
func TestReopenAnother(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	eng := connect(t, e)
	c := Container{Name: ContainerName(runID(t)), RunID: "another", Image: e.Job(t), Argv: []string{"/testjob", "sleep:60s"}}
	id, err := eng.Create(t.Context(), c)
	if err == nil {
		err = eng.Start(t.Context(), id)
	}
	testkit.OK(t, err)
	defer func() { _ = eng.Remove(context.Background(), id) }()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Reopen(cancelled, eng, Spec{RunID: runID(t)}, Seen{}, process.Streams{}, process.Control{}, nil); !Is(err, ContainerGone) {
		t.Error(err)
	}
	if state, err := eng.State(t.Context(), id); err != nil || !state.Running {
		t.Errorf("%+v, %v", state, err)
	}
}
