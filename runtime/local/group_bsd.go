//go:build unix && !linux

package local

import (
	"os"
	"syscall"
)

// waited is how the leader ended. It is reaped at once: this system offers no way to wait for it and keep its PID.
type waited struct {
	state *os.ProcessState
	err   error
}

func (g *group) awaitLeader() { g.state, g.err = g.leader.Wait() }

func (g *group) reap() (*os.ProcessState, error) { return g.state, g.err }

// others reports whether the group has a living process; their number is not available here.
func (g *group) others() int {
	if syscall.Kill(-g.leader.Pid, 0) == nil {
		return 1
	}
	return 0
}

func (g *group) sendStrays(syscall.Signal) {}
