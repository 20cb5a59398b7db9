//go:build unix

package local

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/plain"
)

// poll is how often to check whether all processes of a job have ended.
const poll = 20 * time.Millisecond

// stragglerTime is how long processes may continue that were left running by a job that ended by itself.
const stragglerTime = 2 * time.Second

func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// setSession protects the supervisor from the signals that a terminal sends to its processes.
func setSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// group is the job's process group, with all its descendants on systems that can find them.
type group struct {
	leader *os.Process
	mark   string // the variable that all descendants carry
	left   int    // processes that the leader had left running
	waited        //nolint:unused // empty on Linux
}

func (g *group) signal(step process.Step, interrupt bool) {
	sig := syscall.SIGTERM
	switch {
	case step == process.Kill:
		sig = syscall.SIGKILL
	case step == process.Ask && interrupt:
		sig = syscall.SIGINT
	}
	g.send(sig)
}

// send signals the group first, then the descendants that have left it.
func (g *group) send(sig syscall.Signal) {
	_ = syscall.Kill(-g.leader.Pid, sig)
	g.sendStrays(sig)
}

// endStragglers ends what the leader left running. The leader has ended but, where the system allows it, is not reaped,
// so its PID cannot belong to another process.
func (g *group) endStragglers(ctx context.Context, grace time.Duration) {
	g.left = g.others()
	if g.left == 0 {
		return
	}
	if ctx.Err() == nil { // otherwise all of them have been signalled already, and Watch continues to do so
		grace = min(grace, stragglerTime)
		g.send(syscall.SIGTERM)
	}
	for end := time.Now().Add(grace); g.others() > 0 && time.Now().Before(end); {
		time.Sleep(poll)
	}
	for range 100 { // a process can start while the others are being killed
		g.send(syscall.SIGKILL)
		if g.others() == 0 {
			return
		}
		time.Sleep(poll)
	}
}

func (g *group) note() string {
	if g.left == 0 {
		return ""
	}
	return "ended " + plain.Count(g.left, "background process") + " that the job had left running"
}

func exitCode(s *os.ProcessState) int {
	if s == nil {
		return process.CodeNotStarted
	}
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}
