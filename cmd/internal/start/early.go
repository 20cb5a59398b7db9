// Package start has what begins with the program: how memory is used, what signals do, and a check that does not wait
// for packages that it does not need.
//
// Go starts the packages of a program one after the other, those with the lesser path first, and then main. Of amlfix's
// start, two thirds are jsonschema's alone, and other parts are those of SSH, HTTP and the Docker client, which only
// other commands use. This package imports none of them, and its path precedes theirs, so it starts before them. If the
// command line is a plain check, it checks at once, and the program ends then: see docs/performance.md. An order in
// which this package starts later would change nothing but the time.
package start

import "os"

func init() { //nolint:gochecknoinits // other packages start later
	if f, paths, ok := Plain(os.Args, os.Getenv); ok {
		TuneMemory()
		code := make(chan int)
		go func() { code <- checked(f, paths) }() // this goroutine is bound to its thread, which costs time
		os.Exit(<-code)
	}
}
