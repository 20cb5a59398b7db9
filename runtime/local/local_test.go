//go:build unix

package local

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) {
	if Supervising() {
		return
	}
	if os.Getenv(asClient) != "" {
		client()
		return
	}
	testkit.AtOnce(8) // they wait for jobs
	testkit.Shortcut()
	os.Exit(m.Run())
}

func python(t *testing.T) string {
	t.Helper()
	found, err := FindProgram("python", "")
	if err != nil {
		testkit.Unavailable(t, "there is no Python: "+err.Error())
	}
	return found.Path
}

func spec(t *testing.T, argv ...string) Spec {
	t.Helper()
	folder := t.TempDir()
	s := Spec{RunID: runid.New(time.Now()), Argv: argv, Env: os.Environ(), Folder: folder, Dir: filepath.Join(folder, "project")}
	testkit.OK(t, os.Mkdir(s.Dir, 0o755))
	return s
}

func TestRun(t *testing.T) {
	t.Parallel()
	py := python(t)
	tests := []struct {
		name, code string
		out, errs  string
		exit       int
		note       string
	}{
		{name: "bytes unchanged", code: `import sys; sys.stdout.buffer.write(b"a\r\x00\xff no newline"); sys.stderr.write("oops\n")`, out: "a\r\x00\xff no newline", errs: "oops\n"},
		{name: "exit code", code: `import sys; sys.exit(7)`, exit: 7},
		{name: "exception", code: `import sys; sys.tracebacklimit = 0; raise ValueError("x")`, exit: 1, errs: "ValueError: x\n"},
		{name: "dies of a signal", code: `import os, signal; os.kill(os.getpid(), signal.SIGSEGV)`, exit: 139},
		{name: "killed by someone else", code: `import os, signal; os.kill(os.getpid(), signal.SIGKILL)`, exit: 137,
			note: "it was ended by a signal that amlfix did not send: another user or program or the job itself sent it, or the machine ran out of memory"},
		{name: "working folder and environment", code: `import os; print(os.path.basename(os.getcwd()), os.environ["A"])`, out: "work b\n"},
		{name: "standard input is empty", code: `import sys; print(repr(sys.stdin.read()))`, out: "''\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := spec(t, py, "-c", tt.code)
			s.Dir = filepath.Join(s.Dir, "work")
			testkit.OK(t, os.Mkdir(s.Dir, 0o755))
			s.Env = append(s.Env, "A=a", "A=b")
			var out, errs bytes.Buffer
			exit, err := Run(t.Context(), s, process.Streams{Stdout: &out, Stderr: &errs}, process.Control{})
			testkit.OK(t, err)
			testkit.Same(t, []any{tt.exit, process.Ended, tt.out, tt.errs, tt.note}, []any{exit.Code, exit.Cause, out.String(), errs.String(), exit.Note})
			if exit.Ended.Before(exit.Started) || !exit.Ran() {
				t.Errorf("%+v", exit)
			}
		})
	}
}

// TestRunPassesBytes checks that arguments, variables and the working directory need not be UTF-8.
func TestRunPassesBytes(t *testing.T) {
	t.Parallel()
	const latin = "caf\xe9"
	s := spec(t, python(t), "-c", "import os, sys; print([os.fsencode(t) for t in (sys.argv[1], os.environ['LATIN'], os.path.basename(os.getcwd()))])", latin)
	s.Dir, s.Env = filepath.Join(s.Dir, latin), append(s.Env, "LATIN="+latin)
	if err := os.Mkdir(s.Dir, 0o755); err != nil {
		t.Skipf("this file system has only names in UTF-8: %v", err)
	}
	var out bytes.Buffer
	_, err := Run(t.Context(), s, process.Streams{Stdout: &out}, process.Control{})
	testkit.OK(t, err)
	testkit.Same(t, `[b'caf\xe9', b'caf\xe9', b'caf\xe9']`+"\n", out.String())
}

func TestRunIsLive(t *testing.T) {
	out := new(testkit.Buffer)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := spec(t, python(t), "-u", "-c", `import time; print("10%", end="\r"); time.sleep(60)`)
	ended := make(chan process.Exit, 1)
	go func() {
		exit, _ := Run(ctx, s, process.Streams{Stdout: out, Stderr: out}, process.Control{})
		ended <- exit
	}()
	out.Await(t, "10%\r")
	cancel()
	if exit := <-ended; exit.Cause != process.Cancelled || exit.Code != 143 {
		t.Errorf("%+v", exit)
	}
}

// TestJobRemovesTheFolder: a job that took its run's folder away has run.
func TestJobRemovesTheFolder(t *testing.T) {
	t.Parallel()
	s := spec(t, "sh", "-c", `rm -rf "$0"`)
	s.Argv = append(s.Argv, s.Folder)
	exit, err := Run(t.Context(), s, process.Streams{}, process.Control{})
	if err != nil || !exit.Ran() || exit.Cause != process.Lost || exit.Note != ErrGone.Error() {
		t.Errorf("%+v, %v", exit, err)
	}
}

func TestRunNotStarted(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	testkit.OK(t, os.WriteFile(text, []byte("no program"), 0o644))
	garbage := filepath.Join(dir, "garbage")
	testkit.OK(t, os.WriteFile(garbage, []byte("\x00\x01no program"), 0o755))
	for name, want := range map[string]int{"amlfix-no-such-program": 127, filepath.Join(dir, "none"): 127, text: 126, garbage: 126, dir: 126} {
		exit, err := Run(t.Context(), spec(t, name), process.Streams{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}, process.Control{})
		se, ok := errors.AsType[*StartError](err)
		if !ok || se.Code != want || exit.Ran() {
			t.Errorf("%s: %v, %+v", name, err, exit)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&process.Signalled{Signal: os.Interrupt})
	if exit, err := Run(ctx, spec(t, "true"), process.Streams{}, process.Control{}); err == nil || exit.Ran() {
		t.Errorf("a cancelled context started a process: %+v", exit)
	}
}

// alive reports whether a process exists and is not a zombie.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return runtime.GOOS != "linux" && syscall.Kill(pid, 0) == nil
	}
	return stat[bytes.LastIndexByte(stat, ')')+2] != 'Z'
}

// family is a job with a child in its process group, a child in another session and a grandchild there. The first of
// the PIDs is its own.
const family = `
import os, subprocess, sys, time
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
deaf = [sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"]
a = subprocess.Popen(sleep)
b = subprocess.Popen(deaf if "deaf" in sys.argv else sleep, stdout=subprocess.PIPE)
if "deaf" in sys.argv: b.stdout.readline()
print("pids", os.getpid(), a.pid, b.pid, end=" ")
if sys.platform == "linux":
    c = subprocess.Popen([sys.executable, "-c", "import subprocess, sys, time; p = subprocess.Popen(%r); print(p.pid, flush=True); time.sleep(600)" % sleep],
                         start_new_session=True, stdout=subprocess.PIPE)
    print(c.pid, c.stdout.readline().decode().strip(), end=" ")
print("end", flush=True)
if "wait" in sys.argv:
    time.sleep(600)
`

func familyPids(t *testing.T, text string) (pids []int) {
	t.Helper()
	_, rest, _ := strings.Cut(text, "pids ")
	list, _, _ := strings.Cut(rest, "end")
	for f := range strings.FieldsSeq(list) {
		pid, err := strconv.Atoi(f)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		pids = append(pids, pid)
	}
	if len(pids) < 3 {
		t.Fatalf("no processes in %q", text)
	}
	return pids
}

func assertDead(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		for end := time.Now().Add(testkit.Patience); alive(pid) && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		} // a killed process ends when it is next scheduled
		if alive(pid) {
			t.Errorf("process %d was left behind", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func TestCancelEndsTheWholeFamily(t *testing.T) {
	t.Parallel()
	py := python(t)
	tests := []struct {
		name string
		args []string
		kill bool
		why  error
		code int
		slow bool
	}{
		{name: "terminate", args: []string{"wait"}, code: 143},
		{name: "interrupt", args: []string{"wait"}, why: &process.Signalled{Signal: os.Interrupt}, code: 130},
		{name: "a deaf child is killed after the grace period", args: []string{"wait", "deaf"}, code: 143, slow: true},
		{name: "second request", args: []string{"wait", "deaf"}, kill: true, code: 143},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := new(testkit.Buffer)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			kill := make(chan struct{})
			grace := 20 * time.Second // Python can lose a SIGINT that arrives while it starts; SIGTERM follows after half of this
			switch {
			case tt.slow:
				grace = 600 * time.Millisecond
			case tt.kill:
				grace = time.Hour
			}
			type end struct {
				exit process.Exit
				err  error
			}
			ended := make(chan end, 1)
			s := spec(t, append([]string{py, "-c", family}, tt.args...)...)
			go func() {
				exit, err := Run(ctx, s, process.Streams{Stdout: out, Stderr: &bytes.Buffer{}}, process.Control{Grace: grace, Kill: kill})
				ended <- end{exit, err}
			}()
			out.Await(t, "end")
			pids := familyPids(t, out.String())
			cancel(tt.why)
			if tt.kill {
				testkit.Until(t, "the leader ends", func() bool { return !alive(pids[0]) }) // the deaf child does not
				close(kill)
			}
			if e := testkit.Receive(t, "Run returns", ended); e.err != nil || e.exit.Cause != process.Cancelled || e.exit.Code != tt.code {
				t.Errorf("%+v, %v", e.exit, e.err)
			}
			assertDead(t, pids)
		})
	}
}

func TestNormalEndLeavesNobodyBehind(t *testing.T) {
	var out bytes.Buffer
	began := time.Now()
	exit, err := Run(t.Context(), spec(t, python(t), "-c", family), process.Streams{Stdout: &out, Stderr: &bytes.Buffer{}}, process.Control{})
	if err != nil || exit.Code != 0 || exit.Cause != process.Ended {
		t.Errorf("%+v, %v", exit, err)
	}
	testkit.Has(t, exit.Note, "background process")
	assertDead(t, familyPids(t, out.String()))
	if took := time.Since(began); took > testkit.Patience {
		t.Errorf("took %v", took)
	}
}

func TestTimeLimit(t *testing.T) {
	exit, err := Run(t.Context(), spec(t, python(t), "-c", "import time; time.sleep(600)"), process.Streams{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}},
		process.Control{Limit: 300 * time.Millisecond})
	if err != nil || exit.Cause != process.TimedOut || exit.Code != 143 {
		t.Errorf("%+v, %v", exit, err)
	}
}

func TestFindProgram(t *testing.T) {
	bin, root := t.TempDir(), t.TempDir()
	program := func(dir, name string) string {
		p := filepath.Join(dir, name)
		testkit.OK(t, os.MkdirAll(filepath.Dir(p), 0o755))
		testkit.OK(t, os.WriteFile(p, []byte("#!/bin/sh\n"), 0o755))
		return p
	}
	three, inProject, inHome := program(bin, "python3"), program(root, "venv/bin/python"), program(bin, "my/python")
	t.Setenv("PATH", bin)
	t.Setenv("HOME", bin)
	tests := []struct {
		name, want, note string
		code             int
	}{
		{name: "python", want: three, note: "there is no `python` on the PATH, so python3 is used"},
		{name: "python3", want: three},
		{name: "venv/bin/python", want: inProject},
		{name: "~/my/python", want: inHome},
		{name: inHome, want: inHome},
		{name: "python2", want: "python2", code: 127},
		{name: "venv/bin/none", want: "venv/bin/none", code: 127},
	}
	for _, tt := range tests {
		found, err := FindProgram(tt.name, root)
		var se *StartError
		code := 0
		if errors.As(err, &se) {
			code = se.Code
		}
		testkit.Same(t, []any{tt.want, tt.note, tt.code}, []any{found.Path, found.Note, code}, tt.name)
	}
	two := program(bin, "python")
	if found, err := FindProgram("python", root); err != nil || found != (Found{Path: two}) {
		t.Errorf("%+v, %v", found, err)
	}
}
