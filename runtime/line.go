package runtime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/runtime/sshengine"
	"github.com/amlfix/amlfix/schema/escape"
)

// PasswordVariable is the environment variable with the password for SSH. Jobs on this machine do not get it.
const PasswordVariable = "AMLFIX_SSH_PASSWORD"

// ownEnvironment is the environment of this program without the password for SSH.
func ownEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, PasswordVariable+"=") })
}

// dial connects to the plan's host, once for a run.
func (r *runner) dial(ctx context.Context) (*ssh.Line, error) {
	if r.line != nil {
		return r.line, nil
	}
	opts := r.opts.SSH
	opts.Notice = r.say.Notice
	line, err := ssh.Dial(ctx, ssh.Host{Address: r.plan.Host.Value, User: r.plan.User.Value}, opts)
	if err != nil {
		return nil, r.placedLine(err)
	}
	r.line = line
	return line, nil
}

// hangUp ends the connection to the plan's host.
func (r *runner) hangUp() {
	if r.line != nil {
		_ = r.line.Close()
	}
}

// placedLine adds the line of the project's files that an error about the plan's host is about.
func (r *runner) placedLine(err error) error {
	var line *ssh.Error
	var engine *sshengine.Error
	o := r.plan.Host.Origin
	switch {
	case errors.As(err, &line) && line.Problem == ssh.UserInvalid:
		o = r.plan.User.Origin
	case errors.As(err, &line) && (line.Problem == ssh.AuthRefused || line.Problem == ssh.NoCredentials):
		if r.plan.Stored.Value != "" {
			return &PlacedError{Origin: r.plan.Stored.Origin, Err: fmt.Errorf("%s (%w)", r.plan.Stored.Value, err)}
		}
		o = r.plan.User.Origin
	case errors.As(err, &line), errors.As(err, &engine):
	default:
		return err
	}
	if o.Path == "" {
		return err
	}
	return &PlacedError{Origin: o, Err: err}
}

// shareThere makes the shared folder on the plan's host and returns its absolute path.
func (r *runner) shareThere(ctx context.Context) (string, error) {
	dir := r.plan.ShareDir.Value
	word := escape.Word(dir)
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		word = `"$HOME"/` + escape.Word(rest)
	}
	out, err := r.line.Script(ctx, "mkdir -p -- "+word+" && cd -- "+word+" && [ -w . ] && pwd -P && cd && pwd -P")
	var exit *ssh.ExitError
	if errors.As(err, &exit) {
		return "", &PlacedError{Origin: r.plan.ShareDir.Origin, Err: fmt.Errorf("the shared folder %s cannot be made on %s: %w", dir, r.line.Name(), err)}
	}
	if err != nil {
		return "", err
	}
	there, home, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	return there, refuseShare(r.plan.ShareDir.Origin, there, unshared(there, home, ""))
}
