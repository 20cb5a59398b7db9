package costtest

import (
	"os"
	"syscall"
)

// memory returns the most memory that a process had at once.
func memory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss * 1024
}
