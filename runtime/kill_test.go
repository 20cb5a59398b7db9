//go:build linux

package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

// asChild makes this test program run the plan in it, as amlfix would, and kill itself with SIGKILL once the run has
// entered the state in killAt: the state is then on disk, and its action has not been done.
const (
	asChild  = "AMLFIX_TEST_PLAN"
	killAt   = "AMLFIX_TEST_KILL_AT"
	attachTo = "AMLFIX_TEST_ATTACH" // a record's folder: the program resumes its run
)

func child() int {
	var sent sentPlan
	if err := json.Unmarshal([]byte(os.Getenv(asChild)), &sent); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	plan := sent.plan()
	ctx, kill, catch := process.Signals(context.Background())
	catch()
	do := Run
	if dir := os.Getenv(attachTo); dir != "" {
		do = func(ctx context.Context, _ Plan, opts RunOptions) (Result, error) { return Attach(ctx, dir, opts) }
	}
	res, err := do(ctx, plan, RunOptions{Stdout: os.Stdout, Stderr: os.Stderr, Kill: kill, Progress: func(e progress.Event) {
		if e.State != "" && string(e.State) == os.Getenv(killAt) {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}})
	if err != nil {
		fmt.Fprintln(os.Stderr, Explain(err))
	}
	fmt.Fprintln(os.Stderr, res.Sentence())
	return res.Code
}

// spawn starts this program as amlfix.
func spawn(t *testing.T, plan Plan, at progress.State) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(send(plan))
	testkit.OK(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asChild+"="+string(text), killAt+"="+string(at))
	return cmd
}

// attachedChild starts this program as an amlfix process that resumes a run.
func attachedChild(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := spawn(t, Plan{RunID: runid.New(time.Now())}, "")
	cmd.Env = append(cmd.Env, attachTo+"="+dir)
	return cmd
}

// killedAfter starts amlfix, kills it when it has shown text, and returns its output.
func killedAfter(t *testing.T, cmd *exec.Cmd, text string) *testkit.Buffer {
	t.Helper()
	var out testkit.Buffer
	cmd.Stdout = &out
	testkit.OK(t, cmd.Start())
	out.Await(t, text)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return &out
}

// logOf returns the record's log, each stream separately.
func logOf(t *testing.T, dir string) (out, errs string) {
	t.Helper()
	f, err := record.Follow(dir)
	testkit.OK(t, err)
	defer f.Close()
	var o, e bytes.Buffer
	testkit.OK(t, f.CopyTo(process.Streams{Stdout: &o, Stderr: &e}))
	return o.String(), e.String()
}

// TestKilledAtEveryState kills amlfix in each state of a run in a container, and resumes the run.
func TestKilledAtEveryState(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Job(t)
	const out, errs = "first\r\n\xff\x00", "to stderr"
	for _, mounted := range []bool{false, true} {
		for _, tt := range []struct {
			at      progress.State
			started bool
		}{
			{progress.Planned, false}, {progress.Checking, false}, {progress.Creating, false}, {progress.Uploading, false},
			{progress.Starting, false}, {progress.Running, true}, {progress.Collecting, true}, {progress.Removing, true},
		} {
			name, target := string(tt.at)+", copied", ""
			if mounted {
				name, target = string(tt.at)+", mounted", "sharedVolumes: true\n"
			}
			t.Run(name, func(t *testing.T) {
				plan := steps(inContainer(t, e, "", image, target, Options{}), "hex:66697273740d0aff00", "err:"+errs, "write:outputs/partial=x",
					`write:/azureml-run/.amlfix/metrics.jsonl={"t":1,"name":"loss","value":0.5}`+"\n", "sleep:100ms", "exit:4")
				if tt.at == progress.Planned {
					killedBefore(t, plan)
				} else {
					cmd := spawn(t, plan, tt.at)
					if err := cmd.Run(); err == nil || cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
						t.Fatalf("it was not killed: %v", err)
					}
				}
				dir := record.Dir(plan.Project, plan.RunID)
				before, err := unwatched(dir)
				if err != nil || before.State != tt.at || before.Live || before.MayRun() != (tt.started || tt.at == progress.Starting) {
					t.Fatalf("%+v, %v", before, err)
				}
				var gotOut, gotErr bytes.Buffer
				res, err := Attach(t.Context(), dir, RunOptions{Stdout: &gotOut, Stderr: &gotErr})
				e.NothingLeft(t, plan.RunID.String())
				if !tt.started {
					if err == nil || res.Outcome != NotStarted || res.Code != 125 || !strings.Contains(res.Reason, "before it had started the job") {
						t.Errorf("%+v, %v", res, err)
					}
					return
				}
				if err != nil || res.Outcome != Failed || res.Code != 4 || res.JobCode != 4 || res.Outputs.Files != 1 || res.Duration() <= 0 {
					t.Errorf("%+v, %v", res, err)
				}
				testkit.Same(t, map[string]string{"old.txt": "old", "partial": "x"}, read(t, plan))
				logOut, logErr := logOf(t, dir)
				testkit.Same(t, []string{out, errs}, []string{logOut, logErr})
				if m, err := os.ReadFile(filepath.Join(dir, "metrics.jsonl")); err != nil || !strings.Contains(string(m), "loss") {
					t.Errorf("%q, %v", m, err)
				}
				after, err := record.ReadDir(dir)
				if err != nil || !after.Over() || after.Outcome != "failed" || after.Code != 4 || after.Image.ID == "" || len(after.Outputs.Files) != 1 {
					t.Errorf("%+v, %v", after, err)
				}
				if again, err := Attach(t.Context(), dir, RunOptions{}); err != nil || again.Code != 4 || again.GPUSentence() != res.GPUSentence() {
					t.Errorf("a second time: %+v, %v", again, err)
				}
			})
		}
	}
}

// killedBefore makes the record of a run that was killed as soon as it was planned.
func killedBefore(t *testing.T, plan Plan) {
	t.Helper()
	rec := record.Record{ID: plan.RunID, Name: plan.Name, Target: plan.Target.Value, Kind: string(plan.Kind.Value), Project: plan.Project, Tracked: plan.Tracked.Value}
	rec.Handle.Host, rec.Handle.User = plan.Host.Address.Value, plan.Host.User.Value
	run, err := record.Create(rec)
	testkit.OK(t, err)
	run.Close()
}

func ticks(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, "tick", i)
	}
	return b.String()
}

// TestKilledWhileRunning kills amlfix in the middle of the output, twice. Nothing is lost, and the log has every byte
// exactly once.
func TestKilledWhileRunning(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	plan := steps(inContainer(t, e, "", e.Job(t), "", Options{Timeout: time.Hour}), "tick:100", "await:/go", "write:outputs/partial=x", "exit:7")
	first := killedAfter(t, spawn(t, plan, ""), "tick 20\n")
	dir := record.Dir(plan.Project, plan.RunID)
	if now, err := unwatched(dir); err != nil || now.State != progress.Running || now.Live {
		t.Fatalf("%+v, %v", now, err)
	}
	goOn(t, e, plan)
	var second bytes.Buffer
	res, err := Attach(t.Context(), dir, RunOptions{Stdout: &second})
	if err != nil || res.Outcome != Failed || res.Code != 7 || res.Outputs.Files != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	out, _ := logOf(t, dir)
	testkit.Same(t, ticks(100), out, "the log")
	// The last piece before the kill may have been shown without being recorded as shown. It is then shown again.
	shown := first.String()
	if rest := strings.TrimPrefix(ticks(100), shown); shown+second.String() != ticks(100) && !strings.HasSuffix(second.String(), rest) {
		t.Errorf("shown: %q, then %q", shown, second.String())
	}
	e.NothingLeft(t, plan.RunID.String())
}

// TestKilledWhileStopping checks that a request made before the kill counts: the job is still stopped.
func TestKilledWhileStopping(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Job(t)
	for _, tt := range []struct {
		name    string
		opts    Options
		signal  os.Signal
		outcome Outcome
		code    int
		jobCode int
	}{
		{"Ctrl-C", Options{}, os.Interrupt, Cancelled, 130, 130},
		{"SIGTERM", Options{}, syscall.SIGTERM, Cancelled, 143, 143},
		{"time limit", Options{Timeout: testkit.Limit}, nil, TimedOut, 124, 143},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := steps(inContainer(t, e, "", image, "", tt.opts), "out:up\n", "sleep:600s")
			cmd := spawn(t, plan, progress.Stopping)
			var out testkit.Buffer
			cmd.Stdout = &out
			testkit.OK(t, cmd.Start())
			out.Await(t, "up")
			if tt.signal != nil {
				_ = cmd.Process.Signal(tt.signal)
			}
			_ = cmd.Wait()
			if cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatal("it was not killed")
			}
			res, err := Attach(t.Context(), record.Dir(plan.Project, plan.RunID), RunOptions{})
			if err != nil || res.Outcome != tt.outcome || res.Code != tt.code || res.JobCode != tt.jobCode {
				t.Errorf("%+v, %v", res, err)
			}
			e.NothingLeft(t, plan.RunID.String())
		})
	}
}

// TestEngineRestartsMeanwhile kills amlfix and then the engine; the job continues, or ends before the engine is back.
// Output printed while the engine is down is kept if the job is still running afterwards; otherwise the engine loses
// it. An engine that is killed also loses what it has read and not written yet.
func TestEngineRestartsMeanwhile(t *testing.T) {
	e := enginetest.StartOwn(t, "meanwhile")
	t.Setenv("DOCKER_HOST", e.Host)
	const printed, late = "/printed", "while the engine is down\n"
	quiet := []string{"tick:11", "await:/down", "out:" + late, "write:" + printed + "=x", "await:/go", "write:outputs/partial=x", "exit:5"}
	busy := []string{"tick:50", "await:/go", "write:outputs/partial=x", "exit:5"}
	for _, tt := range []struct {
		name  string
		sig   syscall.Signal
		steps []string
		ends  bool
		right func(shown, log string) bool
	}{
		{"the job continues", syscall.SIGKILL, quiet, false, func(_, log string) bool { return log == ticks(11)+late }},
		{"the job continues, and was printing", syscall.SIGKILL, busy, false, func(shown, log string) bool { return enginetest.LacksOneBlock(log, ticks(50), len(shown)) }},
		{"the job ends meanwhile", syscall.SIGTERM, busy, true, func(shown, log string) bool {
			return strings.HasPrefix(ticks(50), log) && len(log) >= len(shown)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := steps(inContainer(t, e, "", e.Job(t), "", Options{}), tt.steps...)
			first := killedAfter(t, spawn(t, plan, ""), "tick 10\n")
			pids, err := onEngine(t, e).Processes(t.Context(), docker.ContainerName(plan.RunID.String()))
			testkit.OK(t, err)
			testkit.OK(t, e.Crash(tt.sig))
			dir := record.Dir(plan.Project, plan.RunID)
			res, err := Attach(t.Context(), dir, RunOptions{})
			if err == nil || res.Outcome != Lost || res.Container == "" {
				t.Errorf("without an engine: %+v, %v", res, err)
			}
			root := fmt.Sprintf("/proc/%d/root", slices.Min(pids))
			testkit.OK(t, os.WriteFile(root+"/down", nil, 0o600))
			if tt.ends {
				e.GoOn(t, slices.Min(pids), false)
			} else if slices.Contains(tt.steps, "out:"+late) {
				testkit.Until(t, "the job prints while the engine is down", func() bool {
					_, err := os.Stat(root + printed)
					return err == nil
				})
			}
			testkit.OK(t, e.Relaunch())
			if !tt.ends {
				goOn(t, e, plan)
			}
			res, err = Attach(t.Context(), dir, RunOptions{Stdout: io.Discard})
			if err != nil || res.Outcome != Failed || res.Code != 5 || res.Outputs.Files != 1 {
				t.Errorf("%+v, %v", res, err)
			}
			if out, _ := logOf(t, dir); !tt.right(first.String(), out) {
				t.Errorf("shown: %q, the log: %q", first.String(), out)
			}
			e.NothingLeft(t, plan.RunID.String())
		})
	}
}

// unwatched reads a record whose amlfix was killed. A child that amlfix was about to start may hold the record's lock
// for a moment longer.
func unwatched(dir string) (entry record.Entry, err error) {
	for end := time.Now().Add(testkit.Patience); ; time.Sleep(20 * time.Millisecond) {
		if entry, err = record.ReadDir(dir); err != nil || !entry.Live || time.Now().After(end) {
			return entry, err
		}
	}
}

// goOn resumes a job that waits for the file /go in its container.
func goOn(t *testing.T, e *enginetest.Engine, plan Plan) {
	t.Helper()
	if _, code, err := onEngine(t, e).Exec(t.Context(), docker.ContainerName(plan.RunID.String()), "", "/testjob", "write:/go="); code != 0 || err != nil {
		t.Fatalf("exit %d, %v", code, err)
	}
}

// TestStopFromAnotherProgram runs `amlfix runs stop` while amlfix is using the run.
func TestStopFromAnotherProgram(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Job(t)
	for _, tt := range []struct {
		name    string
		steps   []string
		asked   int
		jobCode int
	}{{"once", []string{"out:up\n", "sleep:600s"}, 1, 143}, {"twice, deaf", []string{"deaf:", "out:up\n", "sleep:600s"}, 2, 137}} {
		t.Run(tt.name, func(t *testing.T) {
			plan := steps(inContainer(t, e, "", image, "", Options{}), tt.steps...)
			dir := record.Dir(plan.Project, plan.RunID)
			res, err := Run(t.Context(), plan, RunOptions{Stdout: &cancelAt{text: "up", cancel: func() {
				for range tt.asked {
					if err := record.RequestStop(dir); err != nil {
						t.Error(err)
					}
				}
				if _, err := Attach(t.Context(), dir, RunOptions{}); !errors.Is(err, record.ErrBusy) {
					t.Errorf("two programs use one run: %v", err)
				}
			}}})
			if err != nil || res.Outcome != Cancelled || res.Code != 143 || res.JobCode != tt.jobCode {
				t.Errorf("%+v, %v", res, err)
			}
			e.NothingLeft(t, plan.RunID.String())
		})
	}
}

// TestRemovedMeanwhile removes the container of a run whose amlfix was killed.
func TestRemovedMeanwhile(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	plan := steps(inContainer(t, e, "", e.Job(t), "", Options{}), "sleep:600s")
	cmd := spawn(t, plan, progress.Running)
	_ = cmd.Run()
	e.Do(t, "DELETE", "/containers/"+docker.ContainerName(plan.RunID.String())+"?force=1")
	dir := record.Dir(plan.Project, plan.RunID)
	res, err := Attach(t.Context(), dir, RunOptions{})
	if err == nil || res.Outcome != Lost || res.Code != 125 || res.Container != "" || !strings.Contains(res.Reason, "it was removed") {
		t.Errorf("%+v, %v", res, err)
	}
	if after, err := record.ReadDir(dir); err != nil || !after.Over() {
		t.Errorf("%+v, %v", after, err)
	}
}

// TestUntracked checks that a run configuration with TrackedRun: false leaves only outputs in the project.
func TestUntracked(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	plan := steps(inContainer(t, e, "", e.Job(t), "", Options{}), "out:up")
	plan.Tracked.Value = false
	during := false
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &cancelAt{text: "up", cancel: func() {
		_, err := os.Stat(record.Dir(plan.Project, plan.RunID))
		during = err == nil
	}}})
	if err != nil || res.Outcome != Succeeded || res.Record != "" || !during {
		t.Errorf("%+v, %v, %v", res, err, during)
	}
	if _, err := os.Stat(filepath.Join(plan.Project, record.Folder)); !os.IsNotExist(err) {
		t.Errorf("a record is left: %v", err)
	}
}

// TestNoRecordNoRun checks that a run that could not be found again is not started.
func TestNoRecordNoRun(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	plan := steps(inContainer(t, e, "", e.Job(t), "", Options{}), "out:ran")
	testkit.OK(t, os.WriteFile(filepath.Join(plan.Project, record.Folder), nil, 0o600))
	var out bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out})
	if err == nil || res.Outcome != NotStarted || res.Code != 125 || out.Len() > 0 || !strings.Contains(Explain(err), "no record of the run can be kept") {
		t.Errorf("%+v, %v", res, err)
	}
	e.NothingLeft(t, plan.RunID.String())
}

// leftOf returns what Leftovers finds of a run; tests that run at the same time leave something behind as well.
func leftOf(t *testing.T, eng docker.Engine, plan Plan, known ...runid.ID) ([]Leftover, error) {
	t.Helper()
	list, err := Leftovers(t.Context(), eng, known)
	return slices.DeleteFunc(list, func(l Leftover) bool { return l.RunID != plan.RunID }), err
}

// TestLeftovers finds what is left of a killed run whose record is gone.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	plan := steps(inContainer(t, e, "", e.Job(t), "sharedVolumes: true\n", Options{}), "exit:0")
	_ = spawn(t, plan, progress.Collecting).Run()
	eng, err := docker.Connect()
	testkit.OK(t, err)
	defer func() { _ = eng.Close() }()
	if list, err := leftOf(t, eng, plan, plan.RunID); err != nil || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
	list, err := leftOf(t, eng, plan)
	if err != nil || len(list) != 1 || list[0].Busy { // the container is removed before the folder
		t.Errorf("%+v, %v", list, err)
	}
	for _, l := range list {
		if err := l.Remove(t.Context()); err != nil {
			t.Error(err)
		}
	}
	e.NothingLeft(t, plan.RunID.String())
}
