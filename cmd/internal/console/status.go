package cli

import (
	"fmt"

	"github.com/amlfix/amlfix/runtime/process"
)

// The exit statuses. They are a stable interface: scripts rely on them. Package process defines the numbers for runs.
const (
	OK       = 0 // nothing at or above --fail-on remains
	Findings = 1 // something remains; with --diff: the diff is not empty
	BadUsage = 2 // the command line cannot be understood
	Failure  = 3 // a path on the command line cannot be read, or writing failed

	// Only from `amlfix run`, where 0 to 122 and 128 to 255 are the job's own; process.CancelCode returns the status
	// for a cancelled job.
	NoGPU      = process.CodeNoGPU      // --require-gpu, and no proof that the job used a GPU
	TimedOut   = process.CodeTimedOut   // the time of --timeout has passed
	NotStarted = process.CodeNotStarted // findings, or nothing to run it with; or lost
)

// Status is an exit status without a message: everything has been reported.
type Status int

func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }
