package ssh

import (
	"context"
	"errors"
	"net"

	"golang.org/x/crypto/ssh"
)

// opened returns the channel that open opens; if the connection turns out to be dead, it tries once more over a new
// one. The error is an *ssh.OpenChannelError if the machine refused, an *Error, or the cause of ctx.
func opened[T any](ctx context.Context, l *Line, open func(*ssh.Client) (T, error)) (channel T, err error) {
	var bad *ssh.Client
	for {
		client, dead, err := l.live(ctx, bad)
		if err != nil {
			return channel, err
		}
		channel, err := answered(client, dead, open)
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
// channel is opened in the moment in which the connection ends.
func answered[T any](client *ssh.Client, dead <-chan struct{}, open func(*ssh.Client) (T, error)) (channel T, err error) {
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
	}
	select {
	case a := <-answers:
		return a.channel, a.err
	default:
		return channel, net.ErrClosed
	}
}
