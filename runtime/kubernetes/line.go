package kubernetes

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/plain"
)

// Line is a connection to a pod's container through kubectl exec, for package remote. Scripts run with the folder of
// the run's volume as their home.
type Line struct {
	client *Client
	Pod    string
}

// Line returns a connection to the job's container in a pod.
func (c *Client) Line(pod string) *Line { return &Line{client: c, Pod: pod} }

// Name returns "pod NAME".
func (l *Line) Name() string { return "pod " + l.Pod }

// outer runs the command $2 and then prints the mark $1 with its exit code. It uses only standard output, because
// kubectl writes its own messages to standard error.
const outer = `(eval "$2"); printf '\036%s %d\036\n' "$1" $?`

// errorOutput runs the command and prints only its standard error.
const errorOutput = `(eval "$2") 2>&1 >/dev/null; printf '\036%s %d\036\n' "$1" $?`

// Exec runs a shell command in the container. Errors are as for ssh.Line.Exec, or a *GoneError.
func (l *Line) Exec(ctx context.Context, command string, stdin io.Reader, out process.Streams) error {
	said := out.Stderr
	var last ssh.Tail
	if said == nil {
		said = &last
	}
	return l.exec(ctx, outer, command, stdin, out.Stdout, said, &last)
}

func (l *Line) exec(ctx context.Context, shell, command string, stdin io.Reader, out, said io.Writer, last *ssh.Tail) error {
	m := &marked{w: out, word: rand.Text()}
	args := append(l.client.args(), "exec", "-i", l.Pod, "-c", Container, "--", "sh", "-c", shell, "sh", m.word, command)
	if stdin == nil {
		stdin = strings.NewReader("")
	}
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	err := l.client.start(running, args, stdin, m, said)
	switch {
	case m.seen && m.code == 0:
		return nil
	case m.seen:
		return &ssh.ExitError{Code: m.code, Said: last.String()}
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	}
	return l.broken(ctx, errors.Join(err, lastWords(last)))
}

// broken returns what became of a command whose end was not seen.
func (l *Line) broken(ctx context.Context, err error) error {
	pod, podErr := l.client.Pod(ctx, l.Pod)
	switch {
	case Is(podErr, NotFound):
		return &GoneError{Pod: Pod{Metadata: Metadata{Name: l.Pod}}, Deleted: true}
	case podErr != nil:
		err = podErr
	case pod.Ended(), pod.Metadata.DeletionTimestamp != nil, pod.Disrupted() != "", refused.Get().MatchString(fmt.Sprint(err)):
		if gone := l.client.gone(ctx, pod); gone != nil {
			return gone
		}
	}
	return &ssh.Error{Problem: ssh.LineLost, Host: l.Name(), Err: err}
}

// finalFor is how long the cluster may take to report why it ends a pod: the kubelet does so some time after the
// containers have ended.
const finalFor = 15 * time.Second

// refused matches what kubectl reports about a container that is ending, before the cluster does.
var refused = plain.Regexp{Text: `container not found|executing command in container|failed to exec in container`}

// gone waits until the cluster reports why it is ending a pod, or has ended it. It returns nil if the pod continues.
func (c *Client) gone(ctx context.Context, pod Pod) *GoneError {
	for until := time.Now().Add(finalFor); !pod.Over() && time.Now().Before(until) && ctx.Err() == nil; time.Sleep(lookEvery) {
		now, err := c.Pod(ctx, pod.Metadata.Name)
		switch {
		case err == nil:
			pod = now
		case Is(err, NotFound):
			return &GoneError{Pod: pod, Deleted: !pod.Ended()}
		}
	}
	if pod.Ended() {
		return &GoneError{Pod: pod}
	}
	return nil
}

// Ending returns why the cluster is ending the run's pod, or has ended it; empty: it is not, or does not say.
func (l *Line) Ending(ctx context.Context, id runid.ID) string {
	for until := time.Now().Add(finalFor); ; time.Sleep(lookEvery) {
		pod, err := l.client.Pod(ctx, l.Pod)
		switch {
		case Is(err, NotFound):
			return (&GoneError{Pod: Pod{Metadata: Metadata{Name: l.Pod}}, Deleted: true}).Error()
		case err != nil:
		case pod.Status.Reason != "":
			return (&GoneError{Pod: pod}).Error()
		case pod.Disrupted() != "":
			return "pod " + l.Pod + " is being evicted: " + pod.Disrupted()
		case pod.Metadata.DeletionTimestamp != nil:
			return "pod " + l.Pod + " is being deleted"
		case pod.Over():
			return ""
		}
		var exit *ssh.ExitError
		err = l.Exec(ctx, "[ -e "+path.Join(runsDir, id.String(), "stopping")+" ]", nil, process.Streams{})
		if errors.As(err, &exit) || time.Now().After(until) || ctx.Err() != nil {
			return ""
		}
	}
}

// GoneError reports that a job's container is no longer running.
type GoneError struct {
	Pod     Pod
	Deleted bool // nothing remains that could say why
}

func (e *GoneError) Error() string {
	if e.Deleted {
		return fmt.Sprintf("pod %s was deleted", e.Pod.Metadata.Name)
	}
	return fmt.Sprintf("pod %s has ended: %s", e.Pod.Metadata.Name, e.Pod.Why())
}

// scriptLimit is how many bytes of a script's output are kept. The longest output is a piece of a job's metrics, 64 MiB
// (session.MetricsPiece).
const scriptLimit = 80 << 20

// Script runs a shell script, passed on standard input, and returns its standard output.
func (l *Line) Script(ctx context.Context, script string) (string, error) {
	out := process.First{Limit: scriptLimit}
	err := l.ScriptTo(ctx, script, process.Streams{Stdout: &out})
	return out.String(), err
}

// ScriptTo is like Script but passes output on as it arrives. If both streams are requested, the script runs twice
// concurrently, once for each stream, so it must allow that.
func (l *Line) ScriptTo(ctx context.Context, script string, out process.Streams) error {
	whole := "{\nHOME=" + Root + "; export HOME\n" + script + "\nexit\n} </dev/null\n"
	if out.Stderr == nil {
		return l.Exec(ctx, "sh -s", strings.NewReader(whole), out)
	}
	both, cancel := context.WithCancel(ctx)
	defer cancel()
	var last ssh.Tail
	errs := make(chan error, 1)
	go func() {
		err := l.exec(both, errorOutput, "sh -s", strings.NewReader(whole), out.Stderr, &last, &last)
		if !isExit(err) {
			cancel() // otherwise the other one would continue alone
		}
		errs <- err
	}()
	err := l.Exec(both, "sh -s", strings.NewReader(whole), process.Streams{Stdout: out.Stdout})
	if !isExit(err) {
		cancel()
	}
	other := <-errs
	switch {
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case isExit(err) && !isExit(other), errors.Is(err, context.Canceled):
		return other
	}
	return err
}

// isExit reports whether a command ended by itself.
func isExit(err error) bool {
	var exit *ssh.ExitError
	return err == nil || errors.As(err, &exit)
}

// Put unpacks a tar stream in the container.
func (l *Line) Put(ctx context.Context, dir string, write func(io.Writer) error) error {
	return ssh.Put(ctx, l, dir, write)
}

// Get passes a file or folder of the container on as a tar stream.
func (l *Line) Get(ctx context.Context, dir, name string, read func(io.Reader) error) error {
	return ssh.Get(ctx, l, dir, name, read)
}

// lastWords returns the last error message, or nil if there was none.
func lastWords(t *ssh.Tail) error {
	if text := t.String(); text != "" {
		return errors.New(text)
	}
	return nil
}
