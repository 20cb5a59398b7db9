package remote

import (
	"context"
	"io"

	"github.com/amlfix/amlfix/runtime/ssh"
)

// Line is a connection to the machine: an *ssh.Line, or another one that keeps its methods' promises. Errors are an
// *ssh.ExitError for a command that ran, an *ssh.Error with LineLost if it is not known what became of it, and others
// if retrying is pointless.
type Line interface {
	ssh.Shell
	Script(ctx context.Context, script string) (string, error)
	Put(ctx context.Context, dir string, write func(io.Writer) error) error
	Get(ctx context.Context, dir, name string, read func(io.Reader) error) error
}
