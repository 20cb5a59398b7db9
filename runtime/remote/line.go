package remote

import (
	"context"
	"io"

	"github.com/amlfix/amlfix/runtime/ssh"
)

// Line is the way to the machine, an *ssh.Line or another one that keeps what its
// methods promise: errors are an *ssh.ExitError of a command that ran, an *ssh.Error
// with LineLost when it is not known what became of it, and others when there is no
// use in trying again.
type Line interface {
	ssh.Shell
	Script(ctx context.Context, script string) (string, error)
	Put(ctx context.Context, dir string, write func(io.Writer) error) error
	Get(ctx context.Context, dir, name string, read func(io.Reader) error) error
}
