//go:build linux

// Package daemon starts the servers that tests use. None outlives the tests, even if the tests are killed.
package daemon

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// Daemon is a running server.
type Daemon struct {
	PID   int
	Ended chan struct{} // closed when it has ended
	log   string        // the file with its output
}

// Start starts a server and appends its output to the file log.
func Start(cmd *exec.Cmd, log string) (*Daemon, error) {
	d := &Daemon{log: log, Ended: make(chan struct{})}
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: true}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // the server gets SIGTERM when this thread ends
		err := cmd.Start()
		if err == nil {
			d.PID = cmd.Process.Pid
		}
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
		close(d.Ended)
	}()
	return d, <-started
}

// FreePort returns an unused port of 127.0.0.1, for a server that is about to start and cannot choose a port itself.
// The port is below those that systems assign to connections and to servers that accept any port (from 32768 on Linux),
// so hardly anything but another FreePort takes it in the meantime.
func FreePort() int {
	for {
		port := 10000 + rand.IntN(22000) //nolint:gosec // need not be unpredictable
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			_ = l.Close()
			return port
		}
	}
}

// Await waits until the server is ready. name is used in the error.
func (d *Daemon) Await(name string, ready func() bool) error {
	for end := time.Now().Add(testkit.Patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ready() {
			return nil
		}
		select {
		case <-d.Ended:
			return fmt.Errorf("%s ended at once:\n%s", name, d.Said())
		default:
		}
	}
	return fmt.Errorf("%s does not answer:\n%s", name, d.Said())
}

// Said returns the end of the server's output.
func (d *Daemon) Said() string {
	b, _ := os.ReadFile(d.log)
	return string(b[max(0, len(b)-4000):])
}

// EndWith ends the server, and what it has started, when the test ends, and shows the server's output if the test
// failed.
func (d *Daemon) EndWith(t testing.TB) {
	t.Cleanup(func() {
		_ = syscall.Kill(-d.PID, syscall.SIGKILL)
		<-d.Ended
		if t.Failed() {
			t.Logf("%s:\n%s", d.log, d.Said())
		}
	})
}

// End ends the server with a signal and waits for its end.
func (d *Daemon) End(sig syscall.Signal) error {
	if err := syscall.Kill(d.PID, sig); err != nil {
		return err
	}
	select {
	case <-d.Ended:
		return nil
	case <-time.After(testkit.Patience):
		return fmt.Errorf("%s: the server did not end", d.log)
	}
}
