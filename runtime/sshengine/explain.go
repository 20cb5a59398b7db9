package sshengine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/escape"
)

// Problem is a reason why a machine's engine cannot be reached although the machine can.
type Problem string

// The problems.
const (
	NoDocker     Problem = "no-docker"     // neither a socket nor a docker command
	EngineDown   Problem = "engine-down"   // a socket or a command, but no engine behind it
	NoPermission Problem = "no-permission" // the user may not use the socket
	NoForwarding Problem = "no-forwarding" // sshd does not forward the socket, and the docker command does not help
)

// Error reports why the engine cannot be reached. Its text says what to do about it.
type Error struct {
	Problem Problem
	Host    string // as in "user@host:22"
	Detail  string // the socket, with its owner and permissions if these matter
	Said    string // the message of the docker command there; empty if it was not tried
	Err     error
}

func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether the engine may come back by itself.
func (e *Error) Temporary() bool { return e.Problem == EngineDown }

func (e *Error) Error() string {
	text := ""
	switch e.Problem {
	case NoDocker:
		text = fmt.Sprintf("%s: there is no Docker on this machine: no socket %s and no docker command: install it there (Debian and Ubuntu: sudo apt-get install docker.io)", e.Host, e.Detail)
	case EngineDown:
		text = fmt.Sprintf("%s: no Docker engine answers there (%s): start it (sudo systemctl start docker)", e.Host, e.Detail)
	case NoPermission:
		user, _, _ := strings.Cut(e.Host, "@")
		text = fmt.Sprintf("%s: this user may not use the Docker engine (%s): add it to the group there (sudo usermod -aG docker %s); the next run logs in again", e.Host, e.Detail, escape.Word(user))
	case NoForwarding:
		text = fmt.Sprintf("%s: its sshd does not forward the Docker engine's socket (%s): set AllowStreamLocalForwarding yes in its sshd_config, or install the docker command there", e.Host, e.Detail)
	}
	return text + relay(e.Said)
}

// relays are the messages of docker commands, 17.03 to 29, that cannot relay to the engine, and of sudo. plain is empty
// if the preceding sentence already says it.
var relays = []struct{ says, plain string }{
	{"permission denied", ""},
	{"Cannot connect to the Docker daemon", ""},
	{"onnection refused", ""},
	{"no such file or directory", ""},
	{noAnswer, ""},
	{"is not a docker command", "the docker command there is older than 18.09, and cannot relay"},
	{"unknown command", "the docker command there is older than 18.09, and cannot relay"},
	{"password is required", "sudo asks for a password there"},
	{"not in the sudoers", "this user may not use sudo there"},
}

// relay adds what went wrong with the docker command, in its own words if they are not recognized.
func relay(said string) string {
	for _, r := range relays {
		switch {
		case !strings.Contains(said, r.says):
		case r.plain == "":
			return ""
		default:
			return "; " + r.plain
		}
	}
	if said == "" {
		return ""
	}
	return fmt.Sprintf("; the docker command there says: %q", said)
}

// facts are what the machine reports about its engine over the same connection: SSH itself calls every refusal "open
// failed".
type facts struct {
	socket string
	exists bool
	usable bool   // this user may write to it
	rights string // "srw-rw---- root docker"
	groups string // of this user
	docker bool   // a docker command exists
	serves bool   // something listens on the socket
}

// lookScript prints one fact per line; in /proc/net/unix the flags 00010000 mark a socket with a listener. Rootless
// engines have their socket elsewhere, named by DOCKER_HOST.
const lookScript = `s=/var/run/docker.sock
case $DOCKER_HOST in
unix://*) s=${DOCKER_HOST#unix://} ;;
*) [ -S "$s" ] || [ ! -S "$XDG_RUNTIME_DIR/docker.sock" ] || s=$XDG_RUNTIME_DIR/docker.sock ;;
esac
printf '%s\n' "$s"
[ -e "$s" ] && echo yes || echo no
[ -w "$s" ] && echo yes || echo no
grep -qsF "00010000 0001 01 " /proc/net/unix && { cut -d' ' -f4,8- /proc/net/unix | grep -qxF -e "00010000 $s" -e "00010000 $(readlink -f "$s")" && echo yes || echo no; } || echo yes
command -v docker >/dev/null && echo yes || echo no
ls -ldL "$s" 2>/dev/null | awk '{print $1, $3, $4}' | grep . || echo none
id -nG`

func look(ctx context.Context, line *ssh.Line) (facts, error) {
	out, err := line.Script(ctx, lookScript)
	if err != nil {
		return facts{}, err
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) < 7 {
		return facts{}, fmt.Errorf("%s: unexpected answer from the machine's shell: %q", line.Name(), out)
	}
	yes := func(i int) bool { return lines[i] == "yes" }
	return facts{socket: lines[0], exists: yes(1), usable: yes(2), serves: yes(3), docker: yes(4), rights: lines[5], groups: lines[6]}, nil
}

// why returns why the socket itself cannot be used.
func (f facts) why() string {
	switch {
	case !f.exists:
		return "there is no socket " + f.socket
	case !f.usable:
		return "this user may not use " + f.socket
	case !f.serves:
		return "there is no answer at " + f.socket
	}
	return "sshd there does not forward " + f.socket
}

// explain returns why no way leads to an engine. tried is what the docker command printed, by itself and with sudo.
func (f facts) explain(host string, tried []string, err error) error {
	e := &Error{Host: host, Detail: f.socket, Err: err}
	if len(tried) > 0 {
		e.Said = tried[0]
	}
	switch {
	case !f.exists && strings.Contains(e.Said, "permission denied"): // in a folder that the user may not enter
		e.Problem, e.Detail, e.Said = NoPermission, fmt.Sprintf("%s is in a folder that the user may not enter, who is in %s", f.socket, f.groups), ""
	case !f.exists && !f.docker:
		e.Problem = NoDocker
	case !f.exists:
		e.Problem = EngineDown
	case !f.usable:
		e.Problem, e.Detail = NoPermission, fmt.Sprintf("%s is %s, the user is in %s", f.socket, f.rights, f.groups)
	case !f.serves:
		e.Problem = EngineDown
	default:
		e.Problem = NoForwarding
	}
	return e
}

// lineError reports whether an error is about the connection rather than the engine at its other end.
func lineError(ctx context.Context, err error) bool {
	_, ok := errors.AsType[*ssh.Error](err)
	return ok || context.Cause(ctx) != nil
}
