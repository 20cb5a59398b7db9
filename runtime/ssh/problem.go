package ssh

import (
	"errors"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/runtime/cause"
	"github.com/amlfix/amlfix/schema/escape"
)

// Problem is a kind of failure that calls for a specific next step.
type Problem string

// The problems.
const (
	AddressInvalid    Problem = "address-invalid"
	UserInvalid       Problem = "user-invalid"
	ConfigUnsupported Problem = "config-unsupported" // ~/.ssh/config requests something unsupported
	HostNotFound      Problem = "host-not-found"     // the name cannot be resolved
	Unreachable       Problem = "unreachable"
	NotSSH            Problem = "not-ssh"
	KnownHostsBroken  Problem = "known-hosts-broken"
	HostUnknown       Problem = "host-unknown"
	HostChanged       Problem = "host-changed"
	HostRevoked       Problem = "host-revoked"
	NoCredentials     Problem = "no-credentials" // there is nothing to log in with
	AuthRefused       Problem = "auth-refused"
	LineLost          Problem = "line-lost" // the connection existed and is lost
	SessionRefused    Problem = "session-refused"
)

// Error is a failure of a Line. Its text says what is wrong and what to do about it.
type Error struct {
	Problem Problem
	Host    string // as in "user@host:22"
	Detail  string // what the next step depends on, by problem: a fingerprint, a file and line, what was tried
	Err     error
}

func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether retrying a little later might succeed without any changes.
func (e *Error) Temporary() bool {
	switch e.Problem {
	case Unreachable, HostNotFound, NotSSH, LineLost, SessionRefused:
		return true
	default:
		return false
	}
}

// Is reports whether err is, or wraps, an *Error with Problem p.
func Is(err error, p Problem) bool {
	var e *Error
	return errors.As(err, &e) && e.Problem == p
}

// Temporary reports whether err is, or wraps, an *Error that may resolve by itself.
func Temporary(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Temporary()
}

func (e *Error) Error() string {
	switch e.Problem {
	case AddressInvalid:
		return fmt.Sprintf("address %q: this is not a valid machine name: write its IP address or full name, with :PORT if SSH does not listen on port 22", e.Detail)
	case UserInvalid:
		return fmt.Sprintf("username %q: this is not a valid user name: write the name of the user on that machine", e.Detail)
	case ConfigUnsupported:
		return fmt.Sprintf("%s: %s is not supported: forward a port yourself (ssh -N -L 2222:HOST:22 …) and write address: localhost:2222", e.Host, e.Detail)
	case HostNotFound:
		return e.Host + ": there is no machine of this name: check address, network and VPN"
	case Unreachable:
		return e.Host + ": no connection: check that the machine is running and that its firewall lets SSH through" + e.quoted()
	case NotSSH:
		return e.Host + ": the answer is not from an SSH server, or came too late: check address and port" + e.quoted()
	case KnownHostsBroken:
		return e.Host + ": the list of known host keys cannot be read: fix or remove the given line" + e.quoted()
	case HostUnknown:
		return fmt.Sprintf("%s: this machine's host key is not known here: it presents %s. Compare that with the output of `ssh-keygen -lf` for its /etc/ssh/ssh_host_*_key.pub files, then log in once with `%s` to accept it",
			e.Host, e.Detail, command(e.Host))
	case HostChanged:
		return fmt.Sprintf("%s: this machine presents a different host key than before, %s: it was set up again, or another machine answers in its place. Ask its administrator; only if the new key is right, remove the old one with `ssh-keygen -R %s`",
			e.Host, e.Detail, removal(e.Host))
	case HostRevoked:
		return fmt.Sprintf("%s: this machine's host key is marked @revoked in %s: do not use the machine until its owner has explained why", e.Host, e.Detail)
	case NoCredentials:
		return fmt.Sprintf("%s: there is no key or password to log in with%s: load a key into ssh-agent, create one with `ssh-keygen` and `ssh-copy-id`, or set AMLFIX_SSH_PASSWORD", e.Host, e.detailed())
	case AuthRefused:
		return fmt.Sprintf("%s: the machine does not let this user in%s: check username; add your public key to ~/.ssh/authorized_keys there (`ssh-copy-id`), or set AMLFIX_SSH_PASSWORD", e.Host, e.detailed())
	case SessionRefused:
		return e.Host + ": the machine lets this user in, but opens no session: check MaxSessions in its sshd_config, and whether its disk is full" + e.quoted()
	case LineLost: // as below
	}
	return e.Host + ": the connection was lost" + e.quoted()
}

func (e *Error) detailed() string {
	if e.Detail == "" {
		return ""
	}
	return " (" + e.Detail + ")"
}

// quoted appends the cause.
func (e *Error) quoted() string {
	if e.Err == nil {
		return ""
	}
	return " (" + cause.Plain(e.Err) + ")"
}

// command returns the usual ssh command for a host like "user@host:22".
func command(host string) string {
	user, rest, _ := strings.Cut(host, "@")
	name, port := splitPort(rest)
	words := "ssh "
	if port != defaultPort {
		words += "-p " + escape.Word(port) + " "
	}
	return words + escape.Word(user+"@"+name)
}

// removal returns the name under which known_hosts lists the host.
func removal(host string) string {
	_, rest, _ := strings.Cut(host, "@")
	name, port := splitPort(rest)
	if port == defaultPort {
		return escape.Word(name)
	}
	return escape.Word("[" + name + "]:" + port)
}
