//go:build linux

package remote

import (
	"archive/tar"
	"bytes"
	"context" //nolint:gosec // compares output, protects nothing
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) {
	testkit.AtOnce(8) // they wait for connections
	os.Exit(m.Run())
}

// connect logs in to a test's own server.
func connect(t *testing.T, user string, opts ...sshtest.Options) (*sshtest.Server, *ssh.Line) {
	t.Helper()
	testkit.Program(t, "python3")
	s := sshtest.Start(t, append(opts, sshtest.Options{})[0])
	l, err := ssh.Dial(t.Context(), ssh.Host{Address: s.Address(), User: user}, ssh.Options{Home: s.Home})
	testkit.OK(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return s, l
}

// script returns a job that runs a Python program; what it leaves in outputs/ goes to got.
func script(program string, got map[string]string, args ...string) Spec {
	return Spec{RunID: runid.New(time.Now()), Project: "my project's", Argv: append([]string{"python3", "-u", "train.py"}, args...), Env: []string{"MODE=it's fast"},
		Upload: func(_ context.Context, w io.Writer) error {
			tw := tar.NewWriter(w)
			for _, h := range []*tar.Header{{Name: "my project's/", Typeflag: tar.TypeDir, Mode: 0o755}, {Name: "my project's/outputs/", Typeflag: tar.TypeDir, Mode: 0o755},
				{Name: "my project's/train.py", Mode: 0o644, Size: int64(len(program))}} {
				if err := tw.WriteHeader(h); err != nil {
					return err
				}
			}
			if _, err := io.WriteString(tw, program); err != nil {
				return err
			}
			return tw.Close()
		},
		Collect: func(_ context.Context, r io.Reader) error {
			tr := tar.NewReader(r)
			for {
				h, err := tr.Next()
				if errors.Is(err, io.EOF) {
					return nil
				}
				if err != nil {
					return err
				}
				b, err := io.ReadAll(tr)
				if err != nil {
					return err
				}
				if h.Typeflag == tar.TypeReg {
					got[h.Name] = string(b)
				}
			}
		}}
}

// nothingLeft fails the test if a run has left its folder or a process.
func nothingLeft(t *testing.T, s *sshtest.Server, user string, id runid.ID) {
	t.Helper()
	if left, _ := os.ReadDir(filepath.Join(s.HomeOf(user), runsDir)); len(left) > 0 {
		t.Errorf("a folder was left behind: %v", left)
	}
	if out, err := exec.Command("sh", "-c", `grep -lsxz "`+mark(id)+`" /proc/[0-9]*/environ`).Output(); err == nil {
		t.Errorf("processes were left behind: %s", out)
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	for _, user := range []string{sshtest.Root, sshtest.Worker} {
		t.Run(user, func(t *testing.T) {
			s, l := connect(t, user)
			got := map[string]string{}
			spec := script(`
import os, sys
print(sys.argv[1:], os.environ["MODE"], os.path.basename(os.getcwd()), os.environ["WHERE"] == os.path.abspath("../x y"), os.environ["PYTHONPATH"].endswith("/../lib") or os.environ["PYTHONPATH"].endswith("/lib"))
sys.stderr.write("unfinished line")
open(os.environ["SHARE"] + "cache", "w").write("kept")
open("outputs/model it's.bin", "w").write("weights")
sys.exit(3)
`, got, "two words", "it's", "", "$HOME")
			spec.Paths, spec.Append = []string{"WHERE=x y"}, []string{"PYTHONPATH=lib"}
			spec.Share, spec.ShareVariable = "~/my share/digits", "SHARE"
			var out, errs bytes.Buffer
			began := time.Now().Truncate(time.Second)
			res, err := Run(t.Context(), l, spec, process.Streams{Stdout: &out, Stderr: &errs}, process.Control{}, nil)
			if err != nil || res.CollectErr != nil {
				t.Fatalf("%v, %v", err, res.CollectErr)
			}
			testkit.Same(t, "[\"two words\", \"it's\", '', '$HOME'] it's fast my project's True True\n", strings.ReplaceAll(out.String(), "'two words'", `"two words"`), errs.String())
			if errs.String() != "unfinished line" || res.Code != 3 || res.Cause != process.Ended || res.Started.Before(began) || res.Ended.Before(res.Started) {
				t.Errorf("%+v, %q", res, errs.String())
			}
			testkit.Same(t, map[string]string{"./outputs/model it's.bin": "weights"}, got)
			if b, err := os.ReadFile(filepath.Join(s.HomeOf(user), "my share", "digits", "cache")); string(b) != "kept" {
				t.Errorf("%q, %v", b, err)
			}
			nothingLeft(t, s, user, spec.RunID)
		})
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	s, l := connect(t, sshtest.Worker)
	const wait = "import signal, sys, time\nprint('up', flush=True)\ntime.sleep(600)\n"
	const deaf = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
	const bye = "import signal, sys\ndef bye(*a):\n  open('outputs/last', 'w').write('x'); print('bye'); sys.exit(0)\nsignal.signal(signal.SIGTERM, bye)\n"
	interrupt, terminate := &process.Signalled{Signal: os.Interrupt}, &process.Signalled{Signal: os.Kill}
	for _, tt := range []struct {
		name, program string
		cancel        error
		control       process.Control
		code          int
		cause         process.Cause
		outputs       int
		note          string
	}{
		{name: "killed itself", program: "import os\nos.kill(os.getpid(), 11)\n", code: 139, cause: process.Ended},
		{name: "killed by SIGKILL", program: "import os\nos.kill(os.getpid(), 9)\n", code: 137, cause: process.Ended, note: "it was ended by a signal that amlfix did not send: another user or program there or the job itself sent it, or the machine ran out of memory"},
		{name: "stopped by somebody", program: "import os\nos.kill(os.getpid(), 15)\n", code: 143, cause: process.Ended, note: "it was ended by a signal that amlfix did not send: another user or program there or the job itself sent it, or the machine ran out of memory"},
		{name: "Ctrl-C", program: wait, cancel: interrupt, code: 130, cause: process.Cancelled},
		{name: "terminated, with a handler", program: bye + wait, cancel: terminate, code: 0, cause: process.Cancelled, outputs: 1},
		{name: "deaf", program: deaf + wait, cancel: interrupt, control: process.Control{Grace: 500 * time.Millisecond}, code: 137, cause: process.Cancelled},
		{name: "time limit", program: bye + wait, control: process.Control{Limit: testkit.Limit}, cause: process.TimedOut, outputs: 1},
		{name: "background process", program: "import subprocess\nsubprocess.Popen(['setsid', 'sleep', '600'])\n", cause: process.Ended, note: "ended 1 background process that the job had left running"},
		{name: "the whole run is killed", program: "import os\nopen('outputs/last', 'w').close()\nos.kill(os.getppid(), 9)\nos.kill(os.getpid(), 9)\n", code: 137, cause: process.Ended, outputs: 1,
			note: "it left no exit code: its machine was restarted, or the whole run was killed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := map[string]string{}
			spec := script(tt.program, got)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			out := testkit.Doing(map[string]func(){"up\n": func() {
				if tt.cancel != nil {
					cancel(tt.cancel)
				}
			}})
			errs := new(testkit.Buffer)
			res, err := Run(ctx, l, spec, process.Streams{Stdout: out, Stderr: errs}, tt.control, nil)
			if err != nil || res.CollectErr != nil {
				t.Fatalf("%v, %v", err, res.CollectErr)
			}
			testkit.Same(t, []any{tt.code, tt.cause, tt.note, tt.outputs}, []any{res.Code, res.Cause, res.Note, len(got)}, out)
			if said := errs.String(); said != "" && !strings.HasPrefix(said, "Traceback") { // a shell's message about the end is not the job's
				t.Errorf("standard error: %q", said)
			}
			nothingLeft(t, s, sshtest.Worker, spec.RunID)
		})
	}
}

// TestAttendLater starts a job, keeps only its ID, its project and how much was read, and resumes it over another
// connection, as after a crash of this program.
func TestAttendLater(t *testing.T) {
	t.Parallel()
	s, l := connect(t, sshtest.Worker)
	got := map[string]string{}
	spec := script("import os, time\nfor i in range(15):\n  print('tick', i)\n  while i == 5 and not os.path.exists(os.path.expanduser('~/go')): time.sleep(.02)\nopen('outputs/x', 'w').close()\n", got)
	job, err := Start(t.Context(), l, spec, process.Control{}, nil)
	testkit.OK(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var first, second bytes.Buffer
	_, at, err := job.Follow(ctx, process.Streams{Stdout: testkit.Doing(map[string]func(){"tick 3\n": stop})}, Position{}, nil)
	if !errors.Is(err, context.Canceled) || at.Stdout == 0 {
		t.Fatalf("%v, %+v", err, at)
	}
	_ = l.Close()
	testkit.OK(t, os.WriteFile(filepath.Join(s.HomeOf(sshtest.Worker), "go"), nil, 0o644))
	another, err := ssh.Dial(t.Context(), ssh.Host{Address: s.Address(), User: sshtest.Worker}, ssh.Options{Home: s.Home})
	testkit.OK(t, err)
	defer func() { _ = another.Close() }()
	job, err = Open(t.Context(), another, spec.RunID, spec.Project)
	testkit.OK(t, err)
	for i := range 15 {
		fmt.Fprintln(&first, "tick", i)
	}
	res, err := Attend(t.Context(), job, at, spec, process.Streams{Stdout: &second}, process.Control{}, nil)
	if err != nil || res.Code != 0 || len(got) != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	testkit.Same(t, first.String()[at.Stdout:], second.String())
	var said strings.Builder
	if _, _, err := job.Follow(t.Context(), process.Streams{Stdout: &said, Stderr: &said}, Position{}, nil); !errors.Is(err, ErrGone) || said.Len() > 0 {
		t.Errorf("%v", err)
	}
	nothingLeft(t, s, sshtest.Worker, spec.RunID)
}

func TestNotStarted(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	testkit.OK(t, os.Chmod(filepath.Dir(bin), 0o755))
	testkit.OK(t, os.WriteFile(filepath.Join(bin, "barred"), nil, 0o644))
	s, l := connect(t, sshtest.Worker, sshtest.Options{Env: map[string]string{"PATH": os.Getenv("PATH") + ":" + bin}})
	barred := script("", nil)
	barred.Argv[0] = "barred"
	bad := errors.New("cannot be read")
	missing := script("", nil)
	missing.Argv[0] = "nosuchpython"
	unread := script("", nil)
	unread.Upload = func(context.Context, io.Writer) error { return bad }
	share := script("", nil)
	share.Share, share.ShareVariable = "/proc/nowhere", "SHARE"
	for _, tt := range []struct {
		spec Spec
		code int
		want string
	}{
		{missing, 127, l.Name() + ": there is no program nosuchpython: install it there, or give the path of another one"},
		{barred, 126, l.Name() + ": the program barred cannot be run by this user: check that it is executable"},
		{unread, 0, "cannot be read"},
		{share, 125, "/proc/nowhere"},
	} {
		t.Run(tt.spec.RunID.String(), func(t *testing.T) {
			res, err := Run(t.Context(), l, tt.spec, process.Streams{}, process.Control{}, nil)
			var start *StartError
			if res.Ran() || err == nil || !strings.Contains(err.Error(), tt.want) || tt.code != 0 && (!errors.As(err, &start) || start.Code != tt.code) {
				t.Errorf("%+v, %v", res, err)
			}
			nothingLeft(t, s, sshtest.Worker, tt.spec.RunID)
		})
	}
}

// TestWritten lists what a job has written besides its outputs, whatever the names.
func TestWritten(t *testing.T) {
	t.Parallel()
	s, l := connect(t, sshtest.Worker)
	spec := script("import os\nos.makedirs('a b/.amlfix')\nfor name in ('a b/\\n\"c\\n', 'a b/.amlfix/x', 'outputs/y', b'\\xff'): open(name, 'w').close()\n", map[string]string{})
	var job *Job
	var got []string
	spec.Began = func(j *Job) { job = j }
	spec.Exited = func(process.Exit) { got = job.Written(t.Context()) }
	res, err := Run(t.Context(), l, spec, process.Streams{}, process.Control{}, nil)
	if err != nil || res.Code != 0 {
		t.Errorf("%+v, %v", res, err)
	}
	slices.Sort(got)
	testkit.Same(t, []string{"a b/\n\"c\n", "\xff"}, got)
	nothingLeft(t, s, sshtest.Worker, spec.RunID)
}

// hasty is a line whose user presses Ctrl-C just after a script that contains at has run there.
type hasty struct {
	Line
	at     string
	cancel context.CancelFunc
}

func (h hasty) Script(ctx context.Context, script string) (string, error) {
	if !strings.Contains(script, h.at) {
		return h.Line.Script(ctx, script)
	}
	if _, err := h.Line.Script(ctx, script); err != nil {
		return "", err
	}
	h.cancel()
	return "", context.Cause(ctx)
}

// TestCancelledBeforeItStarts presses Ctrl-C before the answer of each script that precedes a job: nothing is left.
func TestCancelledBeforeItStarts(t *testing.T) {
	t.Parallel()
	s, l := connect(t, sshtest.Worker)
	for _, at := range []string{"command -v -- ", "&& mkdir ", "prepared", "python3 -u"} {
		t.Run(at, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			spec := script("import time\ntime.sleep(600)\n", nil)
			spec.Prepare = "echo prepared"
			if _, err := Run(ctx, hasty{l, at, cancel}, spec, process.Streams{}, process.Control{}, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			nothingLeft(t, s, sshtest.Worker, spec.RunID)
		})
	}
}

// TestLoginShell finds a program that is only on a login shell's PATH, as with conda on many machines.
func TestLoginShell(t *testing.T) {
	t.Parallel()
	s, l := connect(t, sshtest.Worker)
	bin := filepath.Join(s.HomeOf(sshtest.Worker), "my conda", "bin")
	testkit.OK(t, os.MkdirAll(bin, 0o755))
	for name, text := range map[string]string{filepath.Join(bin, "python3.99"): "#!/bin/sh\n", filepath.Join(s.HomeOf(sshtest.Worker), ".profile"): "echo welcome\nPATH=\"" + bin + ":$PATH\"\n"} {
		testkit.OK(t, os.WriteFile(name, []byte(text), 0o755))
	}
	if got, err := Find(t.Context(), l, "python3.99"); err != nil || got != filepath.Join(bin, "python3.99") {
		t.Errorf("%q, %v", got, err)
	}
}

// TestMachineThatIsAnother uses a machine that comes back with another host key: amlfix does not keep retrying it. The
// job continues, and the result says where.
func TestMachineThatIsAnother(t *testing.T) {
	t.Parallel()
	s, l := connect(t, sshtest.Worker)
	spec := script("import time\nprint('up', flush=True)\ntime.sleep(600)\n", nil)
	out := testkit.Doing(map[string]func(){"up\n": func() {
		s.NewHostKeys(t)
		s.Cut()
	}})
	res, err := Run(t.Context(), l, spec, process.Streams{Stdout: out}, process.Control{}, nil)
	if !ssh.Is(err, ssh.HostChanged) || res.Cause != process.Lost || !res.Ran() || res.Folder != l.Name()+":"+filepath.Join(s.HomeOf(sshtest.Worker), runsDir, spec.RunID.String()) {
		t.Errorf("%+v, %v", res, err)
	}
	s.Know(t, s.HostKey(t, "ed25519"))
	another, err := ssh.Dial(t.Context(), ssh.Host{Address: s.Address(), User: sshtest.Worker}, ssh.Options{Home: s.Home})
	testkit.OK(t, err)
	defer func() { _ = another.Close() }()
	job, err := Open(t.Context(), another, spec.RunID, spec.Project)
	testkit.OK(t, err)
	if err := job.Remove(t.Context()); err != nil {
		t.Error(err)
	}
	nothingLeft(t, s, sshtest.Worker, spec.RunID)
}
