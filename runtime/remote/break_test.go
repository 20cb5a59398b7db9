//go:build linux

package remote

import (
	"bytes"
	"context"
	"crypto/md5" //nolint:gosec // compares output, protects nothing
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestLostLine repeatedly kills and freezes the connection while a job writes to both streams, in the end as fast as it
// can, and compares every byte.
func TestLostLine(t *testing.T) {
	t.Parallel()
	s, _ := connect(t, sshtest.Worker)
	l, err := ssh.Dial(t.Context(), ssh.Host{Address: s.Address(), User: sshtest.Worker}, ssh.Options{Home: s.Home, KeepAlive: 2 * time.Second}) // it notices the freeze
	testkit.OK(t, err)
	t.Cleanup(func() { _ = l.Close() })
	got := map[string]string{}
	spec := script(`
import os, sys, time
for i in range(30):
    sys.stdout.write("tick %d \r" % i); sys.stdout.flush()
    sys.stderr.write("note %d\n" % i)
    time.sleep(.02)
    while i in (5, 10, 15) and not os.path.exists(os.path.expanduser("~/broke-%d" % (i // 5))): time.sleep(.02)
for i in range(200000):
    sys.stdout.write("line %d\n" % i)
open("outputs/done", "w").close()
sys.exit(4)
`, got)
	var want, notes strings.Builder
	for i := range 30 {
		fmt.Fprintf(&want, "tick %d \r", i)
		fmt.Fprintf(&notes, "note %d\n", i)
	}
	for i := range 200000 {
		fmt.Fprintf(&want, "line %d\n", i)
	}
	cut := func() {
		time.Sleep(2 * workedFor) // a connection that breaks earlier is not reported again
		s.Cut()
	}
	out := testkit.Doing(map[string]func(){"tick 3 ": cut, "tick 8 ": cut, "tick 12 ": func() { s.Freeze(t) }, "line 5000\n": cut})
	errs := new(testkit.Buffer)
	broke := 0
	said := func(e progress.Event) {
		if strings.Contains(e.Text, "was lost") { // the job waits for each of the first three
			broke++
			testkit.OK(t, os.WriteFile(filepath.Join(s.HomeOf(sshtest.Worker), fmt.Sprint("broke-", broke)), nil, 0o644))
		}
	}
	res, err := Run(t.Context(), l, spec, process.Streams{Stdout: out, Stderr: errs}, process.Control{}, said)
	if err != nil || res.Code != 4 || res.CollectErr != nil || len(got) != 1 {
		t.Errorf("%+v, %v, %v", res, err, got)
	}
	if md5.Sum([]byte(out.String())) != md5.Sum([]byte(want.String())) { //nolint:gosec // see above
		t.Errorf("%d bytes of output instead of %d", len(out.String()), want.Len())
	}
	testkit.Same(t, notes.String(), errs.String())
	if broke < 3 {
		t.Errorf("the line broke only %d times, so nothing was tested", broke)
	}
	nothingLeft(t, s, sshtest.Worker, spec.RunID)
}

// breaking is a line that is lost after the script with a job's program has been run there, or before.
type breaking struct {
	Line
	before bool
	then   func()
}

func (b breaking) Script(ctx context.Context, script string) (string, error) {
	if !strings.Contains(script, "python3 -u") {
		return b.Line.Script(ctx, script)
	}
	if !b.before {
		if _, err := b.Line.Script(ctx, script); err != nil {
			return "", err
		}
	}
	b.then()
	return "", &ssh.Error{Problem: ssh.LineLost, Host: b.Name(), Err: io.EOF}
}

// TestLostWhileStarting loses the connection when the machine has been asked to start the job: the job is followed if
// it was started, its run is lost if the machine stays away, and otherwise nothing is left.
func TestLostWhileStarting(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name         string
		before, away bool
	}{{name: "the job was started"}, {name: "the job was not started", before: true}, {name: "the machine stays away", away: true}} {
		t.Run(tt.name, func(t *testing.T) {
			s, l := connect(t, sshtest.Worker)
			got := map[string]string{}
			spec := script("open('outputs/x', 'w').close(); print('ran'); raise SystemExit(3)\n", got)
			line := breaking{l, tt.before, func() {
				if s.Cut(); tt.away {
					s.Stop(t)
				}
			}}
			var out bytes.Buffer
			res, err := Run(t.Context(), line, spec, process.Streams{Stdout: &out}, process.Control{Patience: 300 * time.Millisecond}, nil)
			if tt.away {
				if err == nil || res.Cause != process.Lost || !res.Ran() || !strings.HasSuffix(res.Folder, spec.RunID.String()) {
					t.Fatalf("%+v, %v", res, err)
				}
				s.Restart(t)
				job, err := Open(t.Context(), l, spec.RunID, spec.Project)
				testkit.OK(t, err)
				res, err = Attend(t.Context(), job, Position{}, spec, process.Streams{Stdout: &out}, process.Control{}, nil)
				testkit.OK(t, err)
			}
			if tt.before {
				if res.Ran() || !ssh.Is(err, ssh.LineLost) {
					t.Errorf("%+v, %v", res, err)
				}
			} else if res.Code != 3 || res.Cause != process.Ended || out.String() != "ran\n" || len(got) != 1 {
				t.Errorf("%+v, %v, %q, %v", res, err, out.String(), got)
			}
			nothingLeft(t, s, sshtest.Worker, spec.RunID)
		})
	}
}

// TestFullDisk uses a home folder there that is too small for the project.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{SmallHome: 1 << 20})
	l, err := ssh.Dial(t.Context(), ssh.Host{Address: s.Address(), User: sshtest.Worker}, ssh.Options{Home: s.Home})
	testkit.OK(t, err)
	defer func() { _ = l.Close() }()
	spec := script("#"+strings.Repeat("x", 3<<20), nil)
	_, err = Run(t.Context(), l, spec, process.Streams{}, process.Control{}, nil)
	if _, ok := errors.AsType[*StartError](err); !ok || !strings.Contains(err.Error(), l.Name()+": its disk is full: free some space in the home folder there (it said: ") {
		t.Errorf("%v", err)
	}
	if out, err := l.Script(t.Context(), "ls -A "+runsDir); out != "" || err != nil {
		t.Errorf("something was left behind: %q, %v", out, err)
	}
}

// TestJobFillsTheDisk checks that when a job's home folder is full, its exit code is kept and its outputs are copied
// back as far as they exist.
func TestJobFillsTheDisk(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{SmallHome: 1 << 20})
	l, err := ssh.Dial(t.Context(), ssh.Host{Address: s.Address(), User: sshtest.Worker}, ssh.Options{Home: s.Home})
	testkit.OK(t, err)
	defer func() { _ = l.Close() }()
	got := map[string]string{}
	spec := script(`
import os
print("up", flush=True)
open("outputs/first", "w").write("x")
f = os.open("outputs/big", os.O_CREAT | os.O_WRONLY)
while True:
    os.write(f, bytes(1000))
`, got)
	out := new(testkit.Buffer)
	res, err := Run(t.Context(), l, spec, process.Streams{Stdout: out}, process.Control{}, nil)
	want := "the disk with its home folder is full there: the end of its output may be missing"
	if err != nil || res.Code != 1 || res.Cause != process.Ended || res.Note != want || res.CollectErr != nil || out.String() != "up\n" {
		t.Errorf("%+v, %v, %q", res, err, out)
	}
	if got["./outputs/first"] != "x" || len(got["./outputs/big"]) < 1<<19 {
		t.Errorf("%d files came back, the big one has %d bytes", len(got), len(got["./outputs/big"]))
	}
	if out, err := l.Script(t.Context(), "ls -A "+runsDir); out != "" || err != nil {
		t.Errorf("something was left behind: %q, %v", out, err)
	}
}
