//go:build linux

package enginetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// daemon is a program of an engine that was started.
type daemon struct {
	pid   int
	log   string        // the file with its output
	ended chan struct{} // closed when it has ended
}

// start starts a daemon of this engine.
func (e *Engine) start(name string, arg ...string) (*daemon, error) {
	d := &daemon{log: filepath.Join(e.Dir, name+".log"), ended: make(chan struct{})}
	log, err := os.OpenFile(d.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	started := make(chan error, 1)
	go func() {
		// a daemon gets SIGTERM when this thread ends, so that it does not outlive tests that are killed
		runtime.LockOSThread()
		cmd := exec.Command(program(name), arg...)
		cmd.Stdout, cmd.Stderr = log, log
		// a test's own folder for temporary files may be gone before the daemon is
		cmd.Env = slices.Concat(os.Environ(), e.env, []string{"PATH=" + programs(e.path), "TMPDIR=" + e.Dir})
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: true}
		err := cmd.Start()
		if err == nil {
			d.pid = cmd.Process.Pid
		}
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
		close(d.ended)
	}()
	return d, <-started
}

// await waits until the daemon is ready.
func (d *daemon) await(name string, ready func() bool) error {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ready() {
			return nil
		}
		select {
		case <-d.ended:
			return fmt.Errorf("%s ended at once:\n%s", name, d.said())
		default:
		}
	}
	return fmt.Errorf("%s does not answer:\n%s", name, d.said())
}

// said is the end of what the daemon has written.
func (d *daemon) said() string {
	b, _ := os.ReadFile(d.log)
	return string(b[max(0, len(b)-4000):])
}

// end sends a signal that ends the daemon, and waits for its end.
func (d *daemon) end(sig syscall.Signal) error {
	if err := syscall.Kill(d.pid, sig); err != nil {
		return err
	}
	select {
	case <-d.ended:
		return nil
	case <-time.After(20 * time.Second):
		return fmt.Errorf("%s: the daemon did not end", d.log)
	}
}
