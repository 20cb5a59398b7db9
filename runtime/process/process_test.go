package process

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

type taken struct {
	Step  Step
	Cause Cause
}

// TestWatch uses a fake clock: with a real one, two timeouts that pass before a busy machine looks can come in any
// order.
func TestWatch(t *testing.T) {
	tests := []struct {
		name    string
		control Control
		cancel  bool // cancel the context at once
		ignores int  // requests that the process ignores
		want    []taken
		cause   Cause
	}{
		{name: "ends by itself", ignores: -1, cause: Ended},
		{name: "cancelled, obeys", cancel: true, want: []taken{{Ask, Cancelled}}, cause: Cancelled},
		{name: "cancelled, deaf", control: Control{Grace: 40 * time.Millisecond}, cancel: true, ignores: 2,
			want: []taken{{Ask, Cancelled}, {Insist, Cancelled}, {Kill, Cancelled}}, cause: Cancelled},
		{name: "time limit", control: Control{Limit: 20 * time.Millisecond}, want: []taken{{Ask, TimedOut}}, cause: TimedOut},
		{name: "time limit, deaf", control: Control{Limit: 20 * time.Millisecond, Grace: 40 * time.Millisecond}, ignores: 2,
			want: []taken{{Ask, TimedOut}, {Insist, TimedOut}, {Kill, TimedOut}}, cause: TimedOut},
	}
	for _, tt := range tests {
		t.Run(tt.name, inTime(func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan struct{})
			if tt.ignores < 0 {
				close(done)
			}
			if tt.cancel {
				cancel()
			}
			var got []taken
			cause := tt.control.Watch(ctx, done, func(s Step, c Cause) {
				got = append(got, taken{s, c})
				if len(got) > tt.ignores {
					close(done)
				}
			})
			if d := cmp.Diff(tt.want, got); d != "" || cause != tt.cause {
				t.Errorf("cause %q, want %q; steps:\n%s", cause, tt.cause, d)
			}
		}))
	}
}

// inTime returns a test that runs on the fake clock of testing/synctest.
func inTime(test func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) { synctest.Test(t, test) }
}

func TestWatchSecondRequestKillsAtOnce(t *testing.T) { inTime(secondRequestKillsAtOnce)(t) }

func secondRequestKillsAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	kill, done := make(chan struct{}), make(chan struct{})
	var got []Step
	cancel()
	began := time.Now()
	cause := Control{Grace: time.Hour, Kill: kill}.Watch(ctx, done, func(s Step, _ Cause) {
		got = append(got, s)
		switch s {
		case Ask:
			close(kill)
		case Kill:
			close(done)
		}
	})
	if d := cmp.Diff([]Step{Ask, Kill}, got); d != "" || cause != Cancelled {
		t.Errorf("cause %q, steps:\n%s", cause, d)
	}
	if took := time.Since(began); took > 0 {
		t.Errorf("took %v", took)
	}
}

type closedPipe struct{ calls int }

func (c *closedPipe) Write([]byte) (int, error) { c.calls++; return 0, syscall.EPIPE }

func TestSharedStreamsOutliveTheirReader(t *testing.T) {
	gone := &closedPipe{}
	var both bytes.Buffer
	s := Streams{Stdout: gone, Stderr: &both}.Shared()
	for range 3 {
		if n, err := s.Stdout.Write([]byte("abc")); n != 3 || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	if gone.calls != 1 {
		t.Errorf("a writer that failed was called %d times", gone.calls)
	}
	if n, err := (Streams{}).Shared().Stderr.Write([]byte("x")); n != 1 || err != nil {
		t.Errorf("nil writer: %d, %v", n, err)
	}
}

func TestSharedStreamsMayBeOneWriter(t *testing.T) {
	var b bytes.Buffer // not safe by itself: the race detector would report misuse
	s := Streams{Stdout: &b, Stderr: &b}.Shared()
	var wg sync.WaitGroup
	for _, w := range []interface{ Write([]byte) (int, error) }{s.Stdout, s.Stderr} {
		wg.Go(func() {
			for range 100 {
				_, _ = w.Write([]byte("12345678\n"))
			}
		})
	}
	wg.Wait()
	if b.Len() != 1800 {
		t.Errorf("%d bytes, want 1800", b.Len())
	}
}

func TestSignals(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	testkit.OK(t, err)
	ctx, kill, catch := Signals(t.Context())
	defer signal.Reset(slices.Concat(stopSignals, pipeSignals)...)
	catch()
	if err := self.Signal(os.Interrupt); err != nil {
		t.Skipf("this system cannot send an interrupt: %v", err)
	}
	testkit.Receive(t, "the first interrupt cancels the context", ctx.Done())
	if !Interrupted(ctx) || CancelCode(ctx) != 130 || !errors.Is(context.Cause(ctx), context.Canceled) {
		t.Errorf("cause %v, code %d", context.Cause(ctx), CancelCode(ctx))
	}
	testkit.OK(t, self.Signal(syscall.SIGTERM)) // soon after it
	select {
	case <-kill:
		t.Fatal("one request must not kill")
	case <-time.After(2 * echo):
	}
	testkit.OK(t, self.Signal(os.Interrupt))
	testkit.Receive(t, "the second signal closes kill", kill)
}

// TestNohup checks that a closed terminal does not stop the job of a program that was started with nohup.
func TestNohup(t *testing.T) {
	if !slices.Contains(stopSignals, os.Signal(syscall.SIGHUP)) {
		t.Skip("this system has no SIGHUP")
	}
	signal.Ignore(syscall.SIGHUP)
	_, _, catch := Signals(t.Context())
	defer signal.Reset(slices.Concat(stopSignals, pipeSignals)...)
	catch()
	if !signal.Ignored(syscall.SIGHUP) {
		t.Error("SIGHUP is no longer ignored")
	}
}

func TestRepeats(t *testing.T) {
	for _, tt := range []struct {
		signal os.Signal
		after  time.Duration
		want   bool
	}{
		{os.Interrupt, 10 * time.Millisecond, true},
		{os.Interrupt, 150 * time.Millisecond, false}, // a person in a hurry
		{syscall.SIGHUP, 500 * time.Millisecond, true},
		{syscall.SIGTERM, 500 * time.Millisecond, true},
		{syscall.SIGTERM, 3 * time.Second, false},
	} {
		testkit.Same(t, tt.want, repeats(tt.signal, tt.after), tt.signal.String())
	}
}

// TestClosedOutput checks that a closed standard output never kills the program, and that programs do not inherit that
// once signals are caught.
func TestClosedOutput(t *testing.T) {
	_, _, catch := Signals(t.Context())
	defer signal.Reset(slices.Concat(stopSignals, pipeSignals)...)
	ignored := func() bool { return slices.ContainsFunc(pipeSignals, signal.Ignored) }
	if ignored() != (len(pipeSignals) > 0) {
		t.Error("a closed standard output kills the program before signals are caught")
	}
	catch()
	if ignored() {
		t.Error("programs ignore a closed standard output")
	}
}

func TestCancelCodeWithoutSignal(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c := CancelCode(ctx); c != 143 {
		t.Errorf("code %d, want 143", c)
	}
}
