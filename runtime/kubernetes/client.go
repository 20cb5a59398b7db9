// Package kubernetes runs a job in a pod of a cluster, which it reaches through the user's own kubectl, with its
// contexts, logins and plugins. It trusts neither kubectl's exit status nor the end of its output: a command has ended
// when it has printed its end mark, and a pod has ended when the cluster says so.
package kubernetes

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Oldest is the minor version of the oldest supported kubectl: 1.24, from 2022.
const Oldest = 24

// askTime is how long a cluster may take to answer a request.
const askTime = 30 * time.Second

// Cluster is a namespace of a cluster, with the names used in the user's kubectl configuration.
type Cluster struct{ Context, Namespace string }

func (c Cluster) String() string { return c.Context + "/" + c.Namespace }

// Client sends requests to a cluster. Its methods may be called concurrently.
type Client struct {
	Cluster
	program string
	env     []string
}

// config is the output of `kubectl config view`.
type config struct {
	Current  string `json:"current-context"`
	Contexts []struct {
		Name    string
		Context struct{ Namespace string }
	}
}

// Connect finds kubectl and the context; empty names mean the current ones. It does not contact the cluster. env is
// kubectl's environment. The error is an *Error.
func Connect(ctx context.Context, c Cluster, env []string) (*Client, error) {
	program, err := exec.LookPath("kubectl")
	if err != nil {
		return nil, &Error{Problem: NoProgram, Err: err}
	}
	client := &Client{Cluster: c, program: program, env: env}
	var conf config
	out, err := client.kubectl(ctx, nil, "config", "view", "-o", "json")
	if err == nil {
		err = json.Unmarshal(out, &conf)
	}
	if err != nil {
		return nil, &Error{Problem: NoContext, Detail: "kubectl's configuration cannot be read", Err: err}
	}
	client.Context = cmp.Or(client.Context, conf.Current)
	var names []string
	for _, k := range conf.Contexts {
		names = append(names, k.Name)
		if k.Name == client.Context && client.Namespace == "" {
			client.Namespace = k.Context.Namespace
		}
	}
	client.Namespace = cmp.Or(client.Namespace, "default")
	switch {
	case client.Context == "" || len(names) == 0:
		return nil, &Error{Problem: NoContext, Detail: "no context is set"}
	case !slices.Contains(names, client.Context):
		return nil, &Error{Problem: NoContext, Detail: fmt.Sprintf("there is no context %q; there are: %s", client.Context, strings.Join(names, ", "))}
	}
	return client, nil
}

// Version returns the versions of kubectl and of the cluster. The error is an *Error if kubectl is too old.
func (c *Client) Version(ctx context.Context) (client, server string, err error) {
	var v struct {
		ClientVersion, ServerVersion struct{ GitVersion, Minor string }
	}
	out, err := c.run(ctx, nil, "version", "-o", "json")
	if jsonErr := json.Unmarshal(out, &v); err == nil && jsonErr != nil {
		err = &Error{Problem: Unclear, Cluster: c.Cluster, Err: jsonErr}
	}
	minor, _ := strconv.Atoi(strings.TrimRight(v.ClientVersion.Minor, "+"))
	if minor > 0 && minor < Oldest {
		return v.ClientVersion.GitVersion, "", &Error{Problem: TooOld, Detail: v.ClientVersion.GitVersion}
	}
	return v.ClientVersion.GitVersion, v.ServerVersion.GitVersion, err
}

// args returns the first arguments of every call to the cluster.
func (c *Client) args() []string {
	return []string{"--context=" + c.Context, "--namespace=" + c.Namespace}
}

// run sends a request to the cluster. The error is an *Error or the cause of ctx.
func (c *Client) run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	return c.runFor(ctx, askTime, stdin, args...)
}

// runFor is like run but with its own time limit.
func (c *Client) runFor(ctx context.Context, limit time.Duration, stdin io.Reader, args ...string) ([]byte, error) {
	asked, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out, err := c.kubectl(asked, stdin, append(c.args(), args...)...)
	var said *saidError
	switch {
	case context.Cause(ctx) != nil:
		return out, context.Cause(ctx)
	case asked.Err() != nil:
		return out, &Error{Problem: Unreachable, Cluster: c.Cluster, Err: fmt.Errorf("no answer within %v", limit)}
	case errors.As(err, &said):
		return out, explain(c.Cluster, said)
	}
	return out, err
}

// saidError is the message that kubectl printed when it failed.
type saidError struct{ text string }

func (e *saidError) Error() string { return e.text }

// kubectl runs kubectl.
func (c *Client) kubectl(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	var out, said bytes.Buffer
	err := c.start(ctx, args, stdin, &out, &said)
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		err = &saidError{strings.TrimSpace(said.String())}
	}
	return out.Bytes(), err
}

// waitDelay is how long to wait for kubectl's streams to close after it has ended.
const waitDelay = 2 * time.Second

// start runs kubectl until it ends, in its own process group, so that Ctrl-C does not reach it, and so that it ends
// with this program where the system supports that.
func (c *Client) start(ctx context.Context, args []string, stdin io.Reader, out, said io.Writer) error {
	cmd := exec.CommandContext(ctx, c.program, args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.env, stdin, out, said, waitDelay
	apart(cmd)
	ended := make(chan error)
	go func() { ended <- onThread(cmd.Run) }()
	return <-ended
}

// get reads objects as JSON into into. A missing object is an *Error with NotFound; with --ignore-not-found, into is
// left unchanged instead.
func (c *Client) get(ctx context.Context, into any, args ...string) error {
	out, err := c.run(ctx, nil, append([]string{"get", "-o", "json"}, args...)...)
	if err != nil || len(bytes.TrimSpace(out)) == 0 {
		return err
	}
	if err := json.Unmarshal(out, into); err != nil {
		return &Error{Problem: Unclear, Cluster: c.Cluster, Err: err}
	}
	return nil
}

// May reports whether the user may do something, such as "create", "jobs.batch" or "create", "pods/exec".
func (c *Client) May(ctx context.Context, verb, what string) (bool, error) {
	what, part, _ := strings.Cut(what, "/") // otherwise kubectl would read it as an object's name
	args := []string{"auth", "can-i", verb, what}
	if part != "" {
		args = append(args, "--subresource="+part)
	}
	out, err := c.run(ctx, nil, args...)
	switch answer := strings.TrimSpace(string(out)); {
	case strings.HasPrefix(answer, "yes"):
		return true, nil
	case strings.HasPrefix(answer, "no"):
		return false, nil // its exit status is 1
	}
	return false, err
}
