//go:build unix

package process

import (
	"os"
	"syscall"
)

var (
	stopSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	pipeSignals = []os.Signal{syscall.SIGPIPE}
)
