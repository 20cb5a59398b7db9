package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/escape"
)

// ExitError reports that a command ran on the machine and failed.
type ExitError struct {
	Code int    // 128+n for signal n
	Said string // the end of its standard error, escaped, on one line; empty if that was redirected
}

func (e *ExitError) Error() string {
	if e.Said == "" {
		return fmt.Sprintf("it failed there with exit code %d", e.Code)
	}
	return e.Said
}

// Exec runs a command in the user's shell there, whichever that is, and waits for it to end. stdin may be nil. A nil
// writer discards its stream, except that the end of standard error is kept in the ExitError. The error is an
// *ExitError, an *Error (the command may still be running) or the cause of ctx. Cancelling ctx closes the session;
// whether the command then ends is up to the machine.
func (l *Line) Exec(ctx context.Context, command string, stdin io.Reader, out process.Streams) error {
	session, err := l.session(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	said, gate := new(Tail), new(gate)
	session.Stdin, session.Stdout, session.Stderr = stdin, gate.before(out.Stdout), gate.before(out.Stderr)
	if out.Stderr == nil {
		session.Stderr = said
	}
	ended := make(chan error, 1)
	go func() {
		err := session.Start(command)
		if err == nil {
			err = session.Wait()
			if errors.Is(err, io.EOF) { // it succeeded without reading all of its input
				err = nil
			}
		}
		ended <- err
	}()
	select {
	case err = <-ended:
	case <-ctx.Done(): // the machine ends a session only when the command has ended, so there is no point in waiting
		gate.close()
		_ = session.Signal(ssh.SIGKILL)
		return context.Cause(ctx)
	}
	if err == nil {
		return nil
	}
	if exit, ok := errors.AsType[*ssh.ExitError](err); ok {
		return &ExitError{Code: exit.ExitStatus(), Said: said.String()}
	}
	return &Error{Problem: LineLost, Host: l.Name(), Err: err}
}

// scriptLimit is how many bytes of a script's output are accepted: a machine that sends more cannot be trusted. The
// longest output is a piece of a job's metrics, 64 MiB (session.MetricsPiece).
const scriptLimit = 80 << 20

// Script runs a shell script there, whatever shell the user has, and returns its standard output. The script is sent
// over standard input, so none of its text appears in a process list. Errors are as for Exec.
func (l *Line) Script(ctx context.Context, script string) (string, error) {
	out := process.First{Limit: scriptLimit + 1}
	err := l.ScriptTo(ctx, script, process.Streams{Stdout: &out})
	if out.Len() > scriptLimit {
		return "", fmt.Errorf("%s: the machine's answer is longer than expected", l.Name())
	}
	return out.String(), err
}

// ScriptTo is like Script but passes output on as it arrives. An *Error whose Problem is NoShell means that the script
// was not run.
func (l *Line) ScriptTo(ctx context.Context, script string, out process.Streams) error {
	// in braces, so that all of it is read before any of it is run
	whole := "{\nprintf '" + beginMark + "'; printf '" + beginMark + "' >&2\n" + script + "\nexit\n} </dev/null\n"
	if out.Stdout == nil {
		out.Stdout = io.Discard
	}
	stdout := &skipper{w: out.Stdout}
	err := l.Exec(ctx, "sh -s", strings.NewReader(whole), process.Streams{Stdout: stdout, Stderr: afterMark(out.Stderr)})
	if exit, ended := errors.AsType[*ExitError](err); (ended || err == nil) && !stdout.passed {
		if said := (&Tail{text: stdout.noise}).String(); said != "" && (err == nil || exit.Said == "") {
			err = errors.New(said)
		}
		return &Error{Problem: NoShell, Host: l.Name(), Err: err}
	}
	return err
}

func (l *Line) session(ctx context.Context) (session *ssh.Session, err error) {
	session, err = opened(ctx, l, (*ssh.Client).NewSession)
	if _, ok := errors.AsType[*ssh.OpenChannelError](err); ok {
		return nil, &Error{Problem: SessionRefused, Host: l.Name(), Err: err}
	}
	return session, err
}

// DialUnix connects to a Unix socket there. An error that is neither an *Error nor the cause of ctx means that the
// machine refused without a reason: there is no such socket, no permission to use it, no listener, or sshd does not
// forward sockets.
func (l *Line) DialUnix(ctx context.Context, path string) (conn net.Conn, err error) {
	conn, err = opened(ctx, l, func(c *ssh.Client) (net.Conn, error) { return c.DialContext(ctx, "unix", path) })
	if _, ok := errors.AsType[*ssh.OpenChannelError](err); ok {
		return nil, fmt.Errorf("%s: cannot be reached on %s: %w", path, l.Name(), err)
	}
	return conn, err
}

// Pipe starts a command whose standard input and output are the two directions of a connection. When the command ends,
// the connection is closed; closing the connection closes the command's input.
func (l *Line) Pipe(ctx context.Context, command string) (*Pipe, error) {
	session, err := l.session(ctx)
	if err != nil {
		return nil, err
	}
	p := &Pipe{session: session, said: new(Tail)}
	session.Stderr = p.said
	if p.in, err = session.StdinPipe(); err == nil {
		if p.Reader, err = session.StdoutPipe(); err == nil {
			err = session.Start(command)
		}
	}
	if err != nil {
		_ = session.Close()
		return nil, &Error{Problem: LineLost, Host: l.Name(), Err: err}
	}
	return p, nil
}

// Pipe is the connection to a command. Deadlines are not supported: setting one does nothing.
type Pipe struct {
	io.Reader
	in      io.WriteCloser
	session *ssh.Session
	said    *Tail
}

// Said returns the end of the command's standard error so far, on one line.
func (p *Pipe) Said() string { return p.said.String() }

// Wait returns when the command has ended.
func (p *Pipe) Wait() { _ = p.session.Wait() }

func (p *Pipe) Write(b []byte) (int, error) { return p.in.Write(b) }

// CloseWrite closes the command's input.
func (p *Pipe) CloseWrite() error { return p.in.Close() }

// Close ends the session.
func (p *Pipe) Close() error {
	_ = p.in.Close()
	return p.session.Close()
}

// LocalAddr implements net.Conn.
func (p *Pipe) LocalAddr() net.Addr { return pipeAddr{} }

// RemoteAddr implements net.Conn.
func (p *Pipe) RemoteAddr() net.Addr { return pipeAddr{} }

// SetDeadline implements net.Conn and does nothing.
func (p *Pipe) SetDeadline(time.Time) error { return nil }

// SetReadDeadline implements net.Conn and does nothing.
func (p *Pipe) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline implements net.Conn and does nothing.
func (p *Pipe) SetWriteDeadline(time.Time) error { return nil }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "ssh" }
func (pipeAddr) String() string  { return "command" }

// gate protects the writers of a command that may be abandoned while it still writes.
type gate struct {
	mu     sync.Mutex
	closed bool
}

type gated struct {
	gate *gate
	w    io.Writer
}

func (g *gate) before(w io.Writer) io.Writer {
	if w == nil {
		return nil
	}
	return gated{g, w}
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

func (g gated) Write(p []byte) (int, error) {
	g.gate.mu.Lock()
	defer g.gate.mu.Unlock()
	if g.gate.closed {
		return 0, io.ErrClosedPipe
	}
	return g.w.Write(p)
}

// Tail keeps the last 2,000 bytes written to it: the last words of a program. Its zero value is ready for use, and its
// methods may be called concurrently.
type Tail struct {
	mu   sync.Mutex
	text []byte
}

// tailSize is how many bytes of the end of standard error are kept for an error: a program's last words, without the
// trace before them.
const tailSize = 2000

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-tailSize):]
	return len(p), nil
}

// String returns what was kept as one line that is safe for a terminal, without what a login shell printed before the
// command.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(t.text)
	if _, after, marked := strings.Cut(text, begin); marked {
		text = after
	}
	return escape.Terminal(strings.Join(strings.Fields(text), " "))
}
