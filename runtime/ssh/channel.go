package ssh

import (
	"context"
	"errors"
	"io"
	"net"

	"golang.org/x/crypto/ssh"
)

// opened returns the channel that open opens; if the connection turns out to be dead, it tries once more over a new
// one. The error is an *ssh.OpenChannelError if the machine refused, an *Error, or the cause of ctx.
func opened[T io.Closer](ctx context.Context, l *Line, open func(*ssh.Client) (T, error)) (channel T, err error) {
	var bad *ssh.Client
	for {
		client, dead, err := l.live(ctx, bad)
		if err != nil {
			return channel, err
		}
		channel, err := answered(ctx, client, dead, open)
		var refused *ssh.OpenChannelError
		if err == nil || errors.As(err, &refused) {
			return channel, err
		}
		if cause := context.Cause(ctx); cause != nil {
			return channel, cause
		}
		if bad != nil {
			return channel, &Error{Problem: LineLost, Host: l.Name(), Err: err}
		}
		_ = client.Close()
		bad = client
	}
}

// answered returns what open returns, or net.ErrClosed when the connection is dead: the library waits forever if a
// channel is opened in the moment in which the connection ends. A machine that does not answer any more is not waited
// for after ctx is cancelled; what it then opens is closed.
func answered[T io.Closer](ctx context.Context, client *ssh.Client, dead <-chan struct{}, open func(*ssh.Client) (T, error)) (channel T, err error) {
	type answer struct {
		channel T
		err     error
	}
	answers := make(chan answer, 1)
	go func() {
		channel, err := open(client)
		answers <- answer{channel, err}
	}()
	select {
	case a := <-answers:
		return a.channel, a.err
	case <-dead:
		err = net.ErrClosed
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	go func() {
		select {
		case a := <-answers:
			if a.err == nil {
				_ = a.channel.Close()
			}
		case <-dead:
		}
	}()
	return channel, err
}
