package session

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// stuckText is a program that nobody can wait for once it was killed, like one that hangs in a driver: another process
// traces it, and does not ask how it ended.
const stuckText = `#!/usr/bin/env python3
import ctypes, os, sys, time
if os.fork() == 0:
    os.setsid()
    if ctypes.CDLL(None).ptrace(0x4206, os.getppid(), None, None) != 0:
        os._exit(1)
    with open(sys.argv[0] + ".tracer", "w") as f: f.write("%d\n" % os.getpid())
    for fd in (0, 1, 2): os.close(fd)
    time.sleep(300)
time.sleep(300)
`

// TestSMIThatIsStuck checks that an nvidia-smi that cannot be killed is not waited for.
func TestSMIThatIsStuck(t *testing.T) {
	testkit.Program(t, "python3")
	bin := t.TempDir()
	name := filepath.Join(bin, "nvidia-smi")
	testkit.OK(t, os.WriteFile(name, []byte(stuckText), 0o755)) //nolint:gosec // a program
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan bool, 1)
	go func() {
		_, ok := SMIHere(ctx)
		ended <- ok
	}()
	tracer := func() int {
		text, _ := os.ReadFile(name + ".tracer")
		pid, _ := strconv.Atoi(strings.TrimSuffix(string(text), "\n"))
		return pid
	}
	for end := time.Now().Add(10 * time.Second); tracer() == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			testkit.Unavailable(t, "no process can be traced here")
		}
	}
	defer func() { _ = syscall.Kill(tracer(), syscall.SIGKILL) }()
	stop()
	if testkit.Receive(t, "the query ends", ended) {
		t.Error("it has answered")
	}
}
