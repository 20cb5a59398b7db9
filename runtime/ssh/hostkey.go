package ssh

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/skeema/knownhosts"
	"golang.org/x/crypto/ssh"
	xknownhosts "golang.org/x/crypto/ssh/knownhosts"
)

// hostKeys checks a machine's host key against the known_hosts files. This cannot be disabled.
type hostKeys struct {
	e endpoint
	knownList
	seen *Error // why the key was refused
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
	if len(k.skipped) > 0 { // one of them may be this machine's
		k.seen.Detail += fmt.Sprintf(" (ignored, because it is not a host's name and a supported key: %s)", strings.Join(k.skipped, ", "))
	}
	var revoked *xknownhosts.RevokedError
	var differs *xknownhosts.KeyError
	switch {
	case errors.As(err, &revoked):
		k.seen.Problem, k.seen.Detail = HostRevoked, k.place(revoked.Revoked)
	case errors.As(err, &differs) && len(differs.Want) > 0 && k.known():
		want := differs.Want[0]
		k.seen.Problem = HostChanged
		k.seen.Detail = fmt.Sprintf("%s; %s has %s %s", shown, k.place(want), want.Key.Type(), ssh.FingerprintSHA256(want.Key))
	}
	return k.seen
}
