// Command amlfix checks the files that describe Azure ML jobs, reports and repairs problems in them, and runs jobs on
// the repaired targets.
package main

import (
	"context"
	"io"
	"log"
	"os"

	"github.com/amlfix/amlfix/cmd/internal/start"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/process"
	_ "github.com/amlfix/amlfix/schema/format/library"
)

func main() {
	if local.Supervising() {
		return
	}
	log.SetOutput(io.Discard) // net/http reports there what a server sent at the wrong moment
	start.TuneMemory()
	ctx, kill, catch := process.Signals(context.Background())
	c := Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv, Catch: catch, Kill: kill}
	os.Exit(c.Run(ctx, os.Args[1:]))
}
