package cli

import (
	"fmt"

	"github.com/amlfix/amlfix/runtime"
)

// The exit statuses. They are an interface: scripts rely on them. The numbers of
// runs are in package process.
const (
	OK       = 0 // nothing at or above --fail-on is left
	Findings = 1 // something is; with --diff: a diff exists
	BadUsage = 2 // the command line cannot be understood
	Failure  = 3 // a path named there cannot be read, or writing failed

	// Of `amlfix run` alone, where 0 to 122 and 128 to 255 are the job's own; that
	// of a job that was cancelled is process.CancelCode.
	NoGPU      = runtime.CodeNoGPU      // --require-gpu, and no proof that the job used a GPU
	TimedOut   = runtime.CodeTimedOut   // --timeout is over
	NotStarted = runtime.CodeNotStarted // findings, or nothing to run it with; or lost
)

// Status is an exit status without a message: all has been said.
type Status int

func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }
