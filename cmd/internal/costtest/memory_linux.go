package costtest

import (
	"os"
	"syscall"
)

// memory returns the peak memory of a process.
func memory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss * 1024
}
