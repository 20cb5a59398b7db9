package target

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/runtime/sshengine"
)

// PasswordVariable is the environment variable that holds the SSH password. Jobs on this machine do not get it.
const PasswordVariable = "AMLFIX_SSH_PASSWORD" //nolint:gosec // a name, not a password

// OwnEnvironment returns this program's environment without the SSH password.
func OwnEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, PasswordVariable+"=") })
}

// Dial connects to the plan's host. The caller must close the connection.
func Dial(ctx context.Context, job *session.Job) (*ssh.Line, error) {
	opts := job.Options.SSH
	opts.Notice = job.Say.Notice
	h := job.Plan.Host
	line, err := ssh.Dial(ctx, ssh.Host{Address: h.Address.Value, User: h.User.Value}, opts)
	if err != nil {
		return nil, PlaceHost(job.Plan, err)
	}
	return line, nil
}

// Connected reports that the connection works.
func Connected(line *ssh.Line) preflight.Result {
	return preflight.Result{Topic: preflight.Connection, Status: preflight.OK, Text: "logged in to " + line.Name()}
}

// PlaceHost adds the line of the project's files that names the host to an error about the plan's host.
func PlaceHost(p plan.Plan, err error) error {
	var line *ssh.Error
	var engine *sshengine.Error
	o := p.Host.Address.Origin
	switch {
	case errors.As(err, &line) && line.Problem == ssh.UserInvalid:
		o = p.Host.User.Origin
	case errors.As(err, &line) && (line.Problem == ssh.AuthRefused || line.Problem == ssh.NoCredentials):
		if p.Host.Stored.Value != "" {
			return &plan.PlacedError{Origin: p.Host.Stored.Origin, Err: fmt.Errorf("%s (%w)", p.Host.Stored.Value, err)}
		}
		o = p.Host.User.Origin
	case errors.As(err, &line), errors.As(err, &engine):
	default:
		return err
	}
	if o.Path == "" {
		return err
	}
	return &plan.PlacedError{Origin: o, Err: err}
}

// FreeThere returns how many bytes are free in a folder on another machine; the folder is given as a word of a shell
// script. ok is false if that is not known.
func FreeThere(ctx context.Context, line *ssh.Line, word string) (free int64, ok bool) {
	out, err := line.Script(ctx, "df -Pk -- "+word+" 2>/dev/null || df -Pk /")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	fields := strings.Fields(lines[len(lines)-1])
	if err != nil || len(fields) < 6 || fields[1] == "0" { // some file systems report nothing
		return 0, false
	}
	n, err := strconv.ParseInt(fields[3], 10, 64)
	return n << 10, err == nil
}

// PythonPath is the variable that lists where Python looks for modules before its installed packages.
const PythonPath = "PYTHONPATH"
