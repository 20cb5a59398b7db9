package ssh

import (
	"cmp"
	"errors"
	"strconv"
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
	NoShell           Problem = "no-shell" // what runs there in place of a script is something else
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
	e, ok := errors.AsType[*Error](err)
	return ok && e.Problem == p
}

// Temporary reports whether err is, or wraps, an *Error that may resolve by itself.
func Temporary(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Temporary()
}

// advice says what each problem means and what to do next: %s stands for the host, %c for the command that logs in to
// it, %r for its name in known_hosts, %d for the detail, which %Q quotes and %D puts in parentheses, and %q for the
// cause.
func advice() map[Problem]string {
	return map[Problem]string{ //nolint:gosec // sentences, not credentials
		AddressInvalid:    "address %Q: this is not a valid machine name: write its IP address or full name, with :PORT if SSH does not listen on port 22",
		UserInvalid:       "username %Q: this is not a valid user name: write the name of the user on that machine",
		ConfigUnsupported: "%s: %d is not supported: forward a port yourself (ssh -N -L 2222:HOST:22 …) and write address: localhost:2222",
		HostNotFound:      "%s: there is no machine of this name: check address, network and VPN",
		Unreachable:       "%s: no connection: check that the machine is running and that its firewall lets SSH through%q",
		NotSSH:            "%s: the answer is not from an SSH server, or came too late: check address and port%q",
		KnownHostsBroken:  "%s: the list of known host keys cannot be read: fix or remove the given line%q",
		HostUnknown:       "%s: this machine's host key is not known here: it presents %d. Compare that with the output of `ssh-keygen -lf` for its /etc/ssh/ssh_host_*_key.pub files, then log in once with `%c` to accept it",
		HostChanged:       "%s: this machine presents a different host key than before, %d: it was set up again, or another machine answers in its place. Ask its administrator; only if the new key is right, remove the old one with `ssh-keygen -R %r`",
		HostRevoked:       "%s: this machine's host key is marked @revoked in %d: do not use the machine until its owner has explained why",
		NoCredentials:     "%s: there is no key or password to log in with%D: load a key into ssh-agent, create one with `ssh-keygen` and `ssh-copy-id`, or set AMLFIX_SSH_PASSWORD",
		AuthRefused:       "%s: the machine does not let this user in%D: check username; add your public key to ~/.ssh/authorized_keys there (`ssh-copy-id`), or set AMLFIX_SSH_PASSWORD",
		SessionRefused:    "%s: the machine lets this user in, but opens no session: check MaxSessions in its sshd_config, and whether its disk is full%q",
		NoShell:           "%s: the machine lets this user in, but runs no commands%q: check the user's shell, its start-up files (~/.bashrc) for exit and exec, and ForceCommand in its sshd_config",
		LineLost:          "%s: the connection was lost%q",
	}
}

func (e *Error) Error() string {
	text := cmp.Or(advice()[e.Problem], advice()[LineLost])
	return strings.NewReplacer("%s", e.Host, "%c", command(e.Host), "%r", removal(e.Host), "%d", e.Detail, "%Q", strconv.Quote(e.Detail), "%D", e.detailed(), "%q", e.quoted()).Replace(text)
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
