package ssh

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"slices"

	"github.com/skeema/knownhosts"
	"golang.org/x/crypto/ssh"
	xknownhosts "golang.org/x/crypto/ssh/knownhosts"

	"github.com/amlfix/amlfix/schema/plain"
)

// hostKeys checks a machine's host key against the known_hosts files. This cannot be disabled.
type hostKeys struct {
	e    endpoint
	db   *knownhosts.HostKeyDB
	seen *Error // why the key was refused
}

func newHostKeys(e endpoint) (*hostKeys, error) {
	db, err := knownhosts.NewDB(e.knownHosts...)
	if err != nil {
		return nil, &Error{Problem: KnownHostsBroken, Host: e.String(), Err: brokenList(err)}
	}
	return &hostKeys{e: e, db: db}, nil
}

// brokenText matches the library's message about a malformed line: "knownhosts: FILE:3: …".
var brokenText = plain.Regexp{Text: `^knownhosts: (.+:\d+): `}

// brokenList reports which line of which file cannot be read.
func brokenList(err error) error {
	var p *fs.PathError
	switch m := brokenText.Get().FindStringSubmatch(err.Error()); {
	case m != nil:
		return errors.New(m[1] + " is not a host's name and key")
	case errors.As(err, &p):
		return errors.New(p.Path + ": " + unreadable(err))
	}
	return errors.New("its form is unknown")
}

// algorithms returns the kinds of host keys to request: those known for the machine. By default the library requests
// another kind if the machine has several, and then reports a well-known machine as changed.
func (k *hostKeys) algorithms() []string {
	list := k.db.HostKeyAlgorithms(k.address())
	if len(list) > 0 && !k.known() {
		list = append(list, ssh.SupportedAlgorithms().HostKeys...)
	}
	return list
}

func (k *hostKeys) address() string { return net.JoinHostPort(k.e.host, k.e.port) }

// known reports whether a key of the machine itself is known, and not only authorities that may have signed one: a line
// "@cert-authority *" is about every machine.
func (k *hostKeys) known() bool {
	return slices.ContainsFunc(k.db.HostKeys(k.address()), func(key knownhosts.PublicKey) bool { return !key.Cert })
}

func (k *hostKeys) check(hostname string, remote net.Addr, key ssh.PublicKey) error {
	err := k.db.HostKeyCallback()(hostname, remote, key)
	if err == nil {
		return nil
	}
	shown := key.Type() + " " + ssh.FingerprintSHA256(key)
	k.seen = &Error{Problem: HostUnknown, Host: k.e.String(), Detail: shown, Err: err}
	var revoked *xknownhosts.RevokedError
	var differs *xknownhosts.KeyError
	switch {
	case errors.As(err, &revoked):
		k.seen.Problem, k.seen.Detail = HostRevoked, fmt.Sprintf("%s:%d", revoked.Revoked.Filename, revoked.Revoked.Line)
	case errors.As(err, &differs) && len(differs.Want) > 0 && k.known():
		want := differs.Want[0]
		k.seen.Problem = HostChanged
		k.seen.Detail = fmt.Sprintf("%s; %s:%d has %s %s", shown, want.Filename, want.Line, want.Key.Type(), ssh.FingerprintSHA256(want.Key))
	}
	return k.seen
}
