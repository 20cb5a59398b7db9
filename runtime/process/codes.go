package process

// Exit codes of runs that did not end on their own. This is the only table of them;
// the code of a cancelled run is 128 plus the signal, as in a shell (see CancelCode).
const (
	CodeNoGPU      = 123 // a GPU was required, and nothing proves that the job used one
	CodeTimedOut   = 124 // as timeout(1) ends
	CodeNotStarted = 125 // also: lost, and a job that ended well but whose outputs could not be brought back
	CodeCannotRun  = 126 // there is such a program, but it cannot be run
	CodeNoProgram  = 127 // there is no such program
)
