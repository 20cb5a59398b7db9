// Package ssh connects to another machine: a Line is one SSH connection over which commands are run, files are
// transferred and sockets are reached, and which is re-established after it breaks. It needs no ssh program on this
// machine.
//
// Host keys are checked strictly against known_hosts. A password comes from the caller (a prompt or the environment)
// and stays in memory; it never reaches an argument, a file or a message.
package ssh

import (
	"context"
	"errors"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// Timeouts of a connection.
const (
	dialTime         = 10 * time.Second // for the TCP connection
	handshakeTime    = 20 * time.Second // for keys and login, excluding the time in which a person types
	defaultKeepAlive = 10 * time.Second
)

// Line is a connection to a machine. It is safe for concurrent use.
type Line struct {
	e     endpoint
	keys  *hostKeys
	login *login
	every time.Duration

	turn   chan struct{} // holds one token: only its holder may read and change the following fields
	client *ssh.Client
	dead   chan struct{} // closed shortly after client has ended
	closed bool
}

// Dial logs in to a machine. The error is an *Error or the cause of ctx.
func Dial(ctx context.Context, h Host, opts Options) (*Line, error) {
	if opts.Home == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, errors.New("this user has no home folder, so there are no known host keys: set HOME")
		}
		opts.Home = home
	}
	e, err := resolve(h, opts.Home)
	if err != nil {
		return nil, err
	}
	keys, err := newHostKeys(e)
	if err != nil {
		return nil, err
	}
	l := &Line{e: e, keys: keys, login: newLogin(e, opts), every: opts.KeepAlive, turn: make(chan struct{}, 1)}
	if l.every <= 0 {
		l.every = defaultKeepAlive
	}
	for _, n := range e.notes {
		l.login.notice("%s", n)
	}
	l.turn <- struct{}{}
	_, _, err = l.live(ctx, nil)
	return l, err
}

// Name returns "user@host:22", after applying ~/.ssh/config.
func (l *Line) Name() string { return l.e.String() }

// Close closes the connection and everything that uses it. Programs that were started on the machine continue there.
func (l *Line) Close() error {
	<-l.turn
	defer func() { l.turn <- struct{}{} }()
	l.closed = true
	if l.client == nil {
		return nil
	}
	_ = l.client.Close() // it may have ended already
	return nil
}

// live returns the connection, and makes a new one if the old one has ended or is bad. dead is closed shortly after it
// has ended.
func (l *Line) live(ctx context.Context, bad *ssh.Client) (client *ssh.Client, dead <-chan struct{}, err error) {
	select {
	case <-l.turn:
		defer func() { l.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
	if l.closed {
		return nil, nil, &Error{Problem: LineLost, Host: l.Name(), Err: net.ErrClosed}
	}
	if l.client != bad {
		select {
		case <-l.dead:
		default:
			return l.client, l.dead, nil
		}
	}
	if client, err = l.dial(ctx); err != nil {
		return nil, nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = client.Wait()
		close(ended)
	}()
	go l.keepAlive(client, ended)
	l.client, l.dead = client, ended
	return client, ended, nil
}

func (l *Line) dial(ctx context.Context) (*ssh.Client, error) {
	address := net.JoinHostPort(l.e.host, l.e.port)
	conn, err := (&net.Dialer{Timeout: dialTime}).DialContext(ctx, "tcp", address)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, l.unreachable(err)
	}
	l.login.ctx, l.login.pause = ctx, func() { _ = conn.SetDeadline(time.Time{}) }
	methods, done := l.login.methods()
	defer done()
	stop := context.AfterFunc(ctx, func() {
		_ = conn.Close()
		done() // the agent may wait for a person, or for a machine that is gone
	})
	defer stop()
	_ = conn.SetDeadline(time.Now().Add(handshakeTime)) // the library's own timeout applies only to the TCP connection
	l.keys.seen = nil
	verified := false
	c, channels, requests, err := ssh.NewClientConn(conn, address, &ssh.ClientConfig{
		User: l.e.user, Auth: methods, HostKeyAlgorithms: l.keys.algorithms(),
		HostKeyCallback: func(hostname string, remote net.Addr, key ssh.PublicKey) error {
			err := l.keys.check(hostname, remote, key)
			verified = err == nil
			return err
		},
	})
	if err != nil {
		_ = conn.Close()
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, l.refused(err, verified, len(methods) > 0)
	}
	_ = conn.SetDeadline(time.Time{})
	return ssh.NewClient(c, channels, requests), nil
}

func (l *Line) unreachable(err error) error {
	e := &Error{Problem: Unreachable, Host: l.Name(), Err: err}
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound {
		e.Problem = HostNotFound
	}
	return e
}

// refusals are the library's messages if a machine accepts none of the login methods. The last one is about
// keyboard-interactive, which OpenSSH announces even when it then refuses it at once.
var refusals = []string{"unable to authenticate", "Too many authentication failures", "unexpected message type 51 (expected 60)"}

// refused returns why a machine that was reached refused the login. verified means that its host key is correct.
func (l *Line) refused(err error, verified, any bool) error {
	e := &Error{Problem: NotSSH, Host: l.Name(), Err: err}
	text := err.Error()
	switch {
	case l.keys.seen != nil:
		return l.keys.seen
	case strings.Contains(text, "no common algorithm for host key"):
		// the machine no longer has a key of the known kinds
		e.Problem, e.Detail = HostChanged, "of another kind than the known ones ("+strings.Join(l.keys.algorithms(), ", ")+")"
	case verified && !any:
		e.Problem = NoCredentials
	case verified && slices.ContainsFunc(refusals, func(r string) bool { return strings.Contains(text, r) }):
		e.Problem, e.Detail = AuthRefused, strings.Join(l.login.tried, ", ")
		if e.Detail != "" {
			e.Detail = "refused: " + e.Detail
		} else {
			e.Detail = "it accepts none of the methods that are possible here"
		}
	case verified && (strings.Contains(text, "passphrase") || errors.Is(err, errNobody)):
		e.Problem, e.Detail = NoCredentials, strings.TrimPrefix(text, "ssh: handshake failed: ")
	}
	return e
}

// keepAlive notices a machine that no longer answers: TCP alone would wait for many minutes.
func (l *Line) keepAlive(client *ssh.Client, dead <-chan struct{}) {
	t := time.NewTicker(l.every)
	defer t.Stop()
	for {
		select {
		case <-dead:
			return
		case <-t.C:
		}
		answered := make(chan error, 1)
		go func() {
			_, _, err := client.SendRequest("keepalive@openssh.com", true, nil)
			answered <- err
		}()
		select {
		case <-dead:
			return
		case err := <-answered:
			if err == nil {
				continue
			}
		case <-time.After(l.every):
		}
		_ = client.Close() // ends every reader
		return
	}
}
