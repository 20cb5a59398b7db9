package local

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// setSession protects the supervisor from the signals that a console sends to its programs, and shows no window.
func setSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | createNoWindow}
}

// createNoWindow is CREATE_NO_WINDOW of Windows' CreateProcess.
const createNoWindow = 0x08000000

type group struct {
	leader *os.Process
	mark   string
	state  *os.ProcessState
	err    error
}

// signal kills the process: Windows has no signal that asks a console program without a window to end.
func (g *group) signal(process.Step, bool) { _ = g.leader.Kill() }

func (g *group) awaitLeader() { g.state, g.err = g.leader.Wait() }

func (g *group) reap() (*os.ProcessState, error) { return g.state, g.err }

func (g *group) endStragglers(context.Context, time.Duration) {}

func (g *group) note() string { return "" }

func exitCode(s *os.ProcessState) int {
	if s == nil {
		return process.CodeNotStarted
	}
	return s.ExitCode()
}
