//go:build unix

package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

// asClient makes the test program run the job that the variable describes; the test then kills the program.
const asClient = "AMLFIX_TEST_LOCAL_CLIENT"

func client() {
	var o order
	if err := json.Unmarshal([]byte(os.Getenv(asClient)), &o); err != nil {
		panic(err)
	}
	s := Spec{RunID: o.RunID, Argv: textsOf(o.Argv), Env: textsOf(o.Env), Dir: string(o.Dir), Folder: string(o.Folder)}
	_, _ = Run(context.Background(), s, process.Streams{Stdout: os.Stdout, Stderr: os.Stderr}, process.Control{})
}

// start starts a program that runs the job.
func start(t *testing.T, s Spec) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(s.order(process.Control{}))
	testkit.OK(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asClient+"="+string(text))
	testkit.OK(t, cmd.Start())
	return cmd
}

// TestKilledAtAnyMoment kills the program that runs a job after a delay that grows with each try: either the job is
// never started, or its output is complete.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	py := python(t)
	begun := 0
	for i := 0; i < 25 || begun == 0 && i < 200; i++ { // on a busy machine a job starts late
		s := spec(t, py, "-c", `import os; open("ran", "w"); os.write(1, b"a\r\x00\xff"); os.write(2, b"e"); raise SystemExit(4)`)
		s.RunID = runid.New(time.Now())
		cmd := start(t, s)
		time.Sleep(time.Duration(i+max(0, i-24)*20) * 2 * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		var out, errs bytes.Buffer
		exit, err := Attend(t.Context(), s.Folder, Position{}, process.Streams{Stdout: &out, Stderr: &errs}, nil, nil)
		_, ran := os.Stat(filepath.Join(s.Dir, "ran"))
		switch {
		case errors.Is(err, ErrNotBegun):
			if exit.Ran() || ran == nil || out.Len() > 0 {
				t.Errorf("try %d: %+v, %v, %q", i, exit, ran, out.String())
			}
		case err != nil || exit.Code != 4 || exit.Cause != process.Ended || ran != nil || out.String() != "a\r\x00\xff" || errs.String() != "e":
			t.Errorf("try %d: %+v, %v, %q, %q", i, exit, err, out.String(), errs.String())
		default:
			begun++
		}
	}
	if begun == 0 {
		t.Error("no job was begun: the tries are too short")
	}
}

// TestAbandonedJobDoesNotBegin checks that a supervisor that starts late finds that its job is no longer wanted.
func TestAbandonedJobDoesNotBegin(t *testing.T) {
	s := spec(t, python(t), "-c", `open("ran", "w")`)
	f, err := makeFiles(s.Folder)
	testkit.OK(t, err)
	defer f.close()
	if _, err := Attend(t.Context(), s.Folder, Position{}, process.Streams{}, nil, nil); !errors.Is(err, ErrNotBegun) {
		t.Fatal(err)
	}
	s.order(process.Control{}).supervise()
	if _, err := os.Stat(filepath.Join(s.Dir, "ran")); err == nil || f.has(begunName) || f.has(endedName) {
		t.Errorf("it has begun: %v", err)
	}
}

// TestFilesAreNoLinks checks that the supervisor's files are neither read nor written through a link.
func TestFilesAreNoLinks(t *testing.T) {
	s, other := spec(t, python(t), "-c", `open("ran", "w")`), t.TempDir()
	if err := os.Symlink(other, filepath.Join(s.Folder, FilesDir)); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	if _, err := Run(t.Context(), s, process.Streams{}, process.Control{}); err == nil {
		t.Error("the job runs")
	}
	if _, err := Attend(t.Context(), s.Folder, Position{}, process.Streams{}, nil, nil); err == nil || Busy(s.Folder) {
		t.Errorf("it is attended: %v", err)
	}
	s.order(process.Control{}).supervise()
	if left, err := os.ReadDir(other); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "ran")); err == nil {
		t.Error("the job ran")
	}
}

func hasBegun(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, FilesDir, begunName))
	return err == nil
}

// TestAttend resumes the output from a position, any number of times, even long after the job has ended.
func TestAttend(t *testing.T) {
	s := spec(t, python(t), "-c", `import sys; sys.stdout.write("0123456789"); sys.stderr.write("abc"); sys.exit(5)`)
	first, err := Run(t.Context(), s, process.Streams{}, process.Control{})
	if err != nil || first.Code != 5 {
		t.Fatalf("%+v, %v", first, err)
	}
	if Busy(s.Folder) {
		t.Error("a supervisor is left")
	}
	for _, from := range []Position{{}, {Stdout: 4, Stderr: 3}, {Stdout: 10, Stderr: 1}} {
		var out, errs bytes.Buffer
		cancelled, cancel := context.WithCancel(t.Context())
		cancel() // a job that has ended is not stopped
		again, err := Attend(cancelled, s.Folder, from, process.Streams{Stdout: &out, Stderr: &errs}, nil, nil)
		if d := cmp.Diff(first, again); d != "" || err != nil {
			t.Errorf("%v, %s", err, d)
		}
		testkit.Same(t, []string{"0123456789"[from.Stdout:], "abc"[from.Stderr:]}, []string{out.String(), errs.String()}, "%+v", from)
	}
	testkit.OK(t, os.RemoveAll(s.Folder))
	if _, err := Attend(t.Context(), s.Folder, Position{}, process.Streams{}, nil, nil); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
}

// TestStoppedByAnother checks that another process can stop or kill a job whose program was killed, along with all its
// descendants.
func TestStoppedByAnother(t *testing.T) {
	t.Parallel()
	py := python(t)
	for _, tt := range []struct {
		name string
		args []string
		stop func(context.CancelCauseFunc, chan struct{})
		code int
		said string
	}{
		{"Ctrl-C", nil, func(cancel context.CancelCauseFunc, _ chan struct{}) {
			cancel(&process.Signalled{Signal: os.Interrupt})
		}, 130, "0 cancelled"},
		{"stop", nil, func(cancel context.CancelCauseFunc, _ chan struct{}) { cancel(nil) }, 143, "0 cancelled"},
		{"kill", []string{"deaf"}, func(_ context.CancelCauseFunc, kill chan struct{}) { close(kill) }, 137, "2 cancelled"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := spec(t, append([]string{py, "-u", "-c", family, "wait"}, tt.args...)...)
			cmd := start(t, s)
			out := new(testkit.Buffer)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			testkit.Until(t, "the job begins", func() bool { return Busy(s.Folder) && hasBegun(s.Folder) })
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			kill, said := make(chan struct{}), new(steps)
			ended := make(chan process.Exit, 1)
			go func() {
				exit, err := Attend(ctx, s.Folder, Position{}, process.Streams{Stdout: out}, kill, said.add)
				if err != nil {
					t.Error(err)
				}
				ended <- exit
			}()
			out.Await(t, "end")
			pids := familyPids(t, out.String())
			tt.stop(cancel, kill)
			if exit := <-ended; exit.Cause != process.Cancelled || exit.Code != tt.code || said.String() != tt.said {
				t.Errorf("%+v, reported %q", exit, said)
			}
			assertDead(t, pids)
		})
	}
}

// steps lists what a job's stopping reports.
type steps []string

func (s *steps) add(step process.Step, why process.Cause) {
	*s = append(*s, fmt.Sprintf("%d %s", step, why))
}

func (s *steps) String() string { return strings.Join(*s, ", ") }

// TestTimeLimitReported checks that the steps that the supervisor takes by itself are reported, and each once.
func TestTimeLimitReported(t *testing.T) {
	t.Parallel()
	s, said := spec(t, "/bin/sh", "-c", "trap '' TERM; sleep 60"), new(steps) // deaf sooner than a Python that is starting
	s.Stopping = said.add
	exit, err := Run(t.Context(), s, process.Streams{}, process.Control{Limit: time.Second, Grace: 100 * time.Millisecond})
	if err != nil || exit.Cause != process.TimedOut {
		t.Errorf("%+v, %v", exit, err)
	}
	testkit.Same(t, "0 timed out, 2 timed out", said.String())
}

// TestEnd kills the job that is using a folder.
func TestEnd(t *testing.T) {
	t.Parallel()
	s := spec(t, python(t), "-u", "-c", family, "wait", "deaf")
	out, ended := new(testkit.Buffer), make(chan process.Exit, 1)
	go func() {
		exit, _ := Run(t.Context(), s, process.Streams{Stdout: out}, process.Control{Grace: time.Hour})
		ended <- exit
	}()
	out.Await(t, "end")
	if err := End(t.Context(), s.RunID, s.Folder); err != nil || Busy(s.Folder) {
		t.Error(err)
	}
	if exit := <-ended; exit.Code != 137 || exit.Cause != process.Cancelled {
		t.Errorf("%+v", exit)
	}
	assertDead(t, familyPids(t, out.String()))
	if err := End(t.Context(), s.RunID, s.Folder); err != nil {
		t.Errorf("a second time: %v", err)
	}
}

// supervisor returns the PID of the process that supervises a job.
func supervisor(t *testing.T, runID runid.ID) int {
	t.Helper()
	names, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range names {
		if env, err := os.ReadFile(name); err == nil && strings.Contains("\x00"+string(env), "\x00"+process.Supervise+"="+runID.String()+"\x00") {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			return pid
		}
	}
	t.Skip("SKIPPED: this system does not tell the environment of a process")
	return 0
}

// TestSupervisorKilled checks that nothing is left of the job, that its output is available, and that its end is
// reported as unknown.
func TestSupervisorKilled(t *testing.T) {
	s := spec(t, python(t), "-u", "-c", family, "wait", "deaf")
	out := new(testkit.Buffer)
	type end struct {
		exit process.Exit
		err  error
	}
	ended := make(chan end, 1)
	go func() {
		exit, err := Run(t.Context(), s, process.Streams{Stdout: out}, process.Control{})
		ended <- end{exit, err}
	}()
	out.Await(t, "end")
	testkit.OK(t, syscall.Kill(supervisor(t, s.RunID), syscall.SIGKILL))
	e := <-ended
	if e.err != nil || e.exit.Code != 137 || e.exit.Cause != process.Ended || !strings.Contains(e.exit.Note, "how it ended is not known") || !e.exit.Ran() {
		t.Errorf("%+v, %v", e.exit, e.err)
	}
	assertDead(t, familyPids(t, out.String()))
}

// TestSupervisorEndsWithTheSystem checks that SIGTERM, which a machine that is shutting down sends to all processes,
// stops the job, and that a closed terminal's SIGHUP and Ctrl-C do not reach it.
func TestSupervisorEndsWithTheSystem(t *testing.T) {
	s := spec(t, python(t), "-u", "-c", `import time; print("up"); time.sleep(.4); print("still up"); time.sleep(600)`)
	out, ended := new(testkit.Buffer), make(chan process.Exit, 1)
	go func() {
		exit, _ := Run(t.Context(), s, process.Streams{Stdout: out}, process.Control{})
		ended <- exit
	}()
	out.Await(t, "up")
	pid := supervisor(t, s.RunID)
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT} {
		testkit.OK(t, syscall.Kill(pid, sig))
	}
	out.Await(t, "still up")
	testkit.OK(t, syscall.Kill(pid, syscall.SIGTERM))
	if exit := <-ended; exit.Code != 143 || exit.Cause != process.Cancelled {
		t.Errorf("%+v", exit)
	}
}

// TestOutputToItsName checks that a job that writes to its output by name does not truncate it.
func TestOutputToItsName(t *testing.T) {
	var out, errs bytes.Buffer
	s := spec(t, "sh", "-c", "echo a; sleep .1; echo b > /dev/stdout; echo c >&2; sleep .1; echo d > /dev/stderr; echo e")
	if _, err := Run(t.Context(), s, process.Streams{Stdout: &out, Stderr: &errs}, process.Control{}); err != nil {
		t.Fatal(err)
	}
	testkit.Same(t, []string{"a\nb\ne\n", "c\nd\n"}, []string{out.String(), errs.String()})
}

// TestOutputThatCannotBeKept checks that a full disk is reported and does not stop the job. /dev/full behaves like a
// full disk.
func TestOutputThatCannotBeKept(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	k := &keeper{f: f}
	for range 2 {
		if n, err := k.Write([]byte("abc")); n != 3 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if !errors.Is(k.err, syscall.ENOSPC) {
		t.Error(k.err)
	}
	_ = f.Close()
}

// TestMuchOutput checks that 50 MB of output arrive completely.
func TestMuchOutput(t *testing.T) {
	py := python(t)
	var out counting
	exit, err := Run(t.Context(), spec(t, py, "-c", `import sys
for i in range(50): sys.stdout.write("x" * 999999 + "\n")`), process.Streams{Stdout: &out}, process.Control{})
	if err != nil || exit.Code != 0 || out != 50_000_000 {
		t.Errorf("%d bytes, %+v, %v", out, exit, err)
	}
}

// TestStoppedWhileItsReaderStands checks that a reader that takes nothing (a paused pager) does not prevent stopping
// the job.
func TestStoppedWhileItsReaderStands(t *testing.T) {
	s := spec(t, python(t), "-u", "-c", `import time; print("up"); time.sleep(600)`)
	stands := standing{came: make(chan struct{}), leave: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan process.Exit, 1)
	go func() {
		exit, _ := Run(ctx, s, process.Streams{Stdout: &stands}, process.Control{})
		ended <- exit
	}()
	<-stands.came
	cancel()
	testkit.Until(t, "the job is stopped", func() bool { return !Busy(s.Folder) })
	close(stands.leave)
	if exit := <-ended; exit.Cause != process.Cancelled || exit.Code != 143 {
		t.Errorf("%+v", exit)
	}
}

type standing struct {
	came, leave chan struct{}
	once        sync.Once
}

func (s *standing) Write(p []byte) (int, error) {
	s.once.Do(func() { close(s.came) })
	<-s.leave
	return len(p), nil
}

// TestFullDiskKeepsTheEnd checks that the job's exit code is recorded even if the disk of the run's folder is full.
func TestFullDiskKeepsTheEnd(t *testing.T) {
	s := spec(t, python(t), "-c", "import os, sys\nfor i in range(100): os.write(1, b'x' * 9999 + b'\\n')\nsys.exit(3)")
	s.Dir = t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", s.Folder).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no small file system can be mounted: %v, %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", s.Folder).Run() })
	var out bytes.Buffer
	exit, err := Run(t.Context(), s, process.Streams{Stdout: &out}, process.Control{})
	if err != nil || exit.Code != 3 || exit.Cause != process.Ended || !strings.Contains(exit.Note, "its output is not complete") || out.Len() == 0 {
		t.Errorf("%+v, %v, %d bytes", exit, err, out.Len())
	}
}

// TestSupervisorKnowsNoMore checks that the supervisor's environment is that of the job, without what only amlfix
// needs.
func TestSupervisorKnowsNoMore(t *testing.T) {
	s := spec(t, python(t), "-u", "-c", `import time; print("up"); time.sleep(600)`)
	t.Setenv("AMLFIX_SSH_PASSWORD", "hunter2")
	out := new(testkit.Buffer)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = Run(ctx, s, process.Streams{Stdout: out}, process.Control{})
	}()
	out.Await(t, "up")
	if env, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(supervisor(t, s.RunID)), "environ")); err != nil || strings.Contains(string(env), "hunter2") {
		t.Errorf("it knows the password, %v", err)
	}
	cancel()
	<-ended
}

// TestClockSetBack checks that a job does not wait for a watcher that is gone and has read, by the clock, in an hour.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	s := spec(t)
	f, err := makeFiles(s.Folder)
	testkit.OK(t, err)
	defer f.close()
	out, done, err := keep(f)
	testkit.OK(t, err)
	name := filepath.Join(s.Folder, FilesDir, outName+readSuffix)
	testkit.OK(t, os.WriteFile(name, nil, 0o600))
	later := time.Now().Add(time.Hour)
	testkit.OK(t, os.Chtimes(name, later, later))
	ended := make(chan error, 1)
	go func() {
		for range maxLead>>20 + 3 {
			_, err = out.Stdout.Write(make([]byte, 1<<20))
		}
		ended <- err
	}()
	testkit.OK(t, testkit.Receive(t, "the output is kept", ended))
	testkit.Same(t, "", done())
}

// TestFloodCanBeStopped checks that a job that prints endlessly can be stopped and does not get far ahead of its
// watcher; without a watcher it continues.
func TestFloodCanBeStopped(t *testing.T) {
	t.Parallel()
	s := spec(t, python(t), "-c", "import os\nfor _ in range(16384): os.write(1, b'x' * 65536)") // 1 GB: if the test is killed, the disk does not fill up
	slow := slowly{seen: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan process.Exit, 1)
	go func() {
		exit, err := Run(ctx, s, process.Streams{Stdout: &slow}, process.Control{})
		if err != nil {
			t.Error(err)
		}
		ended <- exit
	}()
	<-slow.seen
	if info, err := os.Stat(filepath.Join(s.Folder, FilesDir, outName)); err != nil || info.Size() > slow.n.Load()+maxLead+8<<20 {
		t.Errorf("%v is far ahead of the %d bytes that were read, %v", info, slow.n.Load(), err)
	}
	cancel()
	select {
	case exit := <-ended:
		if info, err := os.Stat(filepath.Join(s.Folder, FilesDir, outName)); exit.Cause != process.Cancelled || err != nil || slow.n.Load() != info.Size() {
			t.Errorf("%+v, %d bytes of %v, %v", exit, slow.n.Load(), info, err)
		}
	case <-time.After(testkit.Patience):
		t.Fatal("the job cannot be stopped")
	}
}

// slowly accepts 200 MB in a second, and signals when it has received 100 MB.
type slowly struct {
	n    atomic.Int64
	seen chan struct{}
	once sync.Once
}

func (s *slowly) Write(p []byte) (int, error) {
	time.Sleep(time.Duration(len(p)) * 5 * time.Nanosecond)
	if s.n.Add(int64(len(p))) > 100<<20 {
		s.once.Do(func() { close(s.seen) })
	}
	return len(p), nil
}

type counting int64

func (c *counting) Write(p []byte) (int, error) { *c += counting(len(p)); return len(p), nil }
