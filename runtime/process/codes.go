package process

// Exit codes of runs that did not end on their own. This is the only table of them; the code of a cancelled run is 128
// plus the signal, as in a shell (see CancelCode).
const (
	CodeNoGPU      = 123 // a GPU was required, and nothing proves that the job used one
	CodeTimedOut   = 124 // as timeout(1) returns
	CodeNotStarted = 125 // also for a lost job, and for a successful job whose outputs could not be copied back
	CodeCannotRun  = 126 // the program exists but cannot be executed
	CodeNoProgram  = 127 // the program does not exist
)
