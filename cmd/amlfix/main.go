// Command amlfix reads the files that describe Azure ML jobs, says what is wrong
// where, repairs them, and runs the job on the repaired target.
package main

import (
	"context"
	"os"

	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/process"
)

func main() {
	if local.Supervising() {
		return
	}
	tuneMemory()
	ctx, kill, stop := process.Signals(context.Background())
	c := Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv, Kill: kill}
	status := c.Run(ctx, os.Args[1:])
	stop()
	os.Exit(status)
}
