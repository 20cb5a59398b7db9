// Package start has what begins with the program: how memory is used, what signals do, and a check that does not wait
// for packages that it hardly ever needs.
//
// Go starts the packages of a program one after the other, those with the lesser path first, and then main. Of amlfix's
// start, two thirds are jsonschema's alone, and other parts are those of SSH, HTTP and the Docker client, which only
// other commands use. This package imports none of them, and its path precedes theirs, so it starts before them. If the
// command line is a plain check, it checks at once, and most programs end then: see docs/performance.md. Where a file
// does not fit its schema, the check waits until all packages have started. An order in which this package starts later
// would change nothing but the time.
package start

import (
	"os"
	"sync"

	"github.com/amlfix/amlfix/schema/format/literal"
)

// early is the check that began before other packages started; nil if none did.
var early *attempt

type attempt struct {
	code    chan int      // receives the exit status
	started chan struct{} // closed when all packages have started
}

func init() { //nolint:gochecknoinits // other packages start later
	f, paths, ok := Plain(os.Args, os.Getenv)
	if !ok {
		return
	}
	TuneMemory()
	a := &attempt{code: make(chan int, 1), started: make(chan struct{})}
	needed := make(chan struct{})
	need := sync.OnceFunc(func() { close(needed) })
	literal.Await = func() {
		need()
		<-a.started
	}
	go func() { a.code <- checked(f, paths) }()
	select {
	case code := <-a.code:
		os.Exit(code)
	case <-needed:
		early = a
	}
}

// Finish ends the program when a check that began before other packages started is done. Without one, it does nothing.
// It must be called once all packages have started.
func Finish() {
	if early != nil {
		close(early.started)
		os.Exit(<-early.code)
	}
}
