// Package sshengine reaches the Docker engine of another machine over an SSH connection: through the engine's socket if
// sshd forwards sockets and the user may use it, otherwise through the docker command there, as a last resort with
// sudo.
package sshengine

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/ssh"
)

// way is how connections to the engine are made.
type way string

const (
	bySocket way = ""                                 // a channel to the engine's socket
	byStdio  way = "docker system dial-stdio"         // the docker command relays to the engine
	bySudo   way = "sudo -n docker system dial-stdio" // the same, as root without a password
	pingText     = "GET /_ping HTTP/1.1\r\nHost: engine\r\nConnection: close\r\n\r\n"
)

// Connect prepares a connection to the engine of line's machine. The caller still owns the line and must close it after
// the engine. Connect sends nothing; the first request finds out how to reach the engine.
func Connect(line *ssh.Line, notice func(format string, args ...any)) (docker.Engine, error) {
	c := &connector{line: line, notice: notice}
	return docker.ConnectOver("ssh://"+line.Name(), c.dial)
}

type connector struct {
	line   *ssh.Line
	notice func(format string, args ...any)

	mu    sync.Mutex
	found bool
	way   way
	at    facts
}

func (c *connector) dial(ctx context.Context) (net.Conn, error) {
	c.mu.Lock()
	found := c.found
	c.mu.Unlock()
	if found {
		return c.connect(ctx, c.way)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found {
		return c.connect(ctx, c.way)
	}
	return c.find(ctx)
}

func (c *connector) connect(ctx context.Context, w way) (net.Conn, error) {
	if w == bySocket {
		conn, err := c.line.DialUnix(ctx, c.at.socket)
		if err != nil && !lineError(ctx, err) { // it was reached before: the engine is down, or about to return
			return nil, &Error{Host: c.line.Name(), Problem: EngineDown, Detail: c.at.socket, Err: err}
		}
		return conn, err
	}
	conn, err := c.line.Pipe(ctx, string(w))
	if err != nil {
		return nil, err
	}
	return conn, nil
}

// find tries the ways in turn and returns the first connection that leads to an engine.
func (c *connector) find(ctx context.Context) (net.Conn, error) {
	at, err := look(ctx, c.line)
	if err != nil {
		return nil, err
	}
	c.at = at
	conn, refused := c.line.DialUnix(ctx, at.socket)
	if refused == nil {
		c.found, c.way = true, bySocket
		return conn, nil
	}
	if lineError(ctx, refused) {
		return nil, refused
	}
	tried := []string{}
	for _, w := range []way{byStdio, bySudo} {
		if !at.docker {
			break
		}
		said, err := c.ping(ctx, w)
		if err != nil {
			return nil, err
		}
		if said == "" {
			c.found, c.way = true, w
			if c.notice != nil {
				c.notice("the Docker engine of %s is reached by `%s`, because %s", c.line.Name(), w, at.why())
			}
			return c.connect(ctx, w)
		}
		tried = append(tried, said)
	}
	return nil, at.explain(c.line.Name(), tried, refused)
}

// noAnswer stands in for the message of a command that ended without one.
const noAnswer = "no answer"

// ping checks that the engine answers: the docker command accepts a connection before it knows whether there is an
// engine. said is why there is none, or empty if there is one.
func (c *connector) ping(ctx context.Context, w way) (said string, err error) {
	conn, err := c.line.Pipe(ctx, string(w))
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_, _ = io.WriteString(conn, pingText) // a command that has ended reports why on its other stream
	answer, _ := io.ReadAll(io.LimitReader(conn, 1<<16))
	if strings.HasPrefix(string(answer), "HTTP/1.1 200") {
		return "", nil
	}
	conn.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return "", cause
	}
	if said = conn.Said(); said == "" {
		said = noAnswer
	}
	return said, nil
}
