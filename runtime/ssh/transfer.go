package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/escape"
)

// Shell is a machine that runs commands: a Line, or another connection that returns the same errors.
type Shell interface {
	Name() string
	Exec(ctx context.Context, command string, stdin io.Reader, out process.Streams) error
	ScriptTo(ctx context.Context, script string, out process.Streams) error
}

// Put is Put for this machine.
func (l *Line) Put(ctx context.Context, dir string, write func(io.Writer) error) error {
	return Put(ctx, l, dir, write)
}

// Get is Get for this machine.
func (l *Line) Get(ctx context.Context, dir, name string, read func(io.Reader) error) error {
	return Get(ctx, l, dir, name, read)
}

// Put unpacks a tar stream, which write writes, into an existing folder there. dir is relative to the user's home or
// absolute. The error is write's if the stream caused it, or one of Exec.
func Put(ctx context.Context, l Shell, dir string, write func(io.Writer) error) error {
	r, w := io.Pipe()
	var wrote error
	done := make(chan struct{})
	go func() {
		defer close(done)
		wrote = write(w)
		_ = w.CloseWithError(wrote)
	}()
	err := l.Exec(ctx, "exec tar -xf - -C "+escape.Word(dir), r, process.Streams{})
	_ = r.CloseWithError(errStopped)
	<-done
	if wrote != nil && !errors.Is(wrote, errStopped) {
		return wrote
	}
	return err
}

// errStopped is returned to a writer whose stream is no longer read; the reader's error says more.
var errStopped = errors.New("the other side stopped reading")

// noSuchPath is the exit code for a path that does not exist.
const noSuchPath = 44

// Get passes the file or folder called name in the folder dir to read as a tar stream, after it has made what is the
// user's own in it readable. The error wraps fs.ErrNotExist if it does not exist; otherwise it is read's, or one of
// Exec.
func Get(ctx context.Context, l Shell, dir, name string, read func(io.Reader) error) error {
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var ran error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		script := fmt.Sprintf("cd %s && [ -e %[2]s ] || exit %[3]d\n[ -L %[2]s ] || chmod -R u+rX -- %[2]s 2>/dev/null\nexec tar -cf - %[2]s", escape.Word(dir), escape.Word("./"+name), noSuchPath)
		ran = l.ScriptTo(ctx, script, process.Streams{Stdout: w})
		_ = w.CloseWithError(ran)
	}()
	err := read(r)
	if err == nil { // what follows the archive's end mark
		_, err = io.Copy(io.Discard, r)
	}
	_ = r.CloseWithError(errStopped)
	if err != nil && !isExit(err) {
		cancel()
		<-ended
		return err
	}
	<-ended
	var exit *ExitError
	switch {
	case errors.As(ran, &exit) && exit.Code == noSuchPath:
		return fmt.Errorf("%s: not on %s: %w", name, l.Name(), fs.ErrNotExist)
	case errors.As(ran, &exit) && exit.Code == 1: // tar: a file changed while it was read
		return nil
	}
	return ran
}

func isExit(err error) bool {
	_, ok := errors.AsType[*ExitError](err)
	return ok
}
