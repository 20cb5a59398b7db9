//go:build !unix

package process

import "os"

var (
	stopSignals = []os.Signal{os.Interrupt}
	pipeSignals []os.Signal
)
