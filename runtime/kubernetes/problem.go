package kubernetes

import (
	"cmp"
	"errors"
	"regexp"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// Problem is a kind of failure that calls for a specific next step.
type Problem string

// The problems.
const (
	NoProgram   Problem = "no-kubectl"
	TooOld      Problem = "kubectl-too-old"
	NoContext   Problem = "no-context"
	Unreachable Problem = "unreachable"
	NoLogin     Problem = "no-login"
	Forbidden   Problem = "forbidden"
	NotFound    Problem = "not-found"
	Exists      Problem = "exists"
	Refused     Problem = "refused" // by a quota or an admission rule of the cluster
	Unclear     Problem = "unclear"
)

// Error is a failure to reach a cluster, or of a request to it. Its text says what is wrong and what to do about it.
type Error struct {
	Problem Problem
	Cluster Cluster
	Detail  string
	Err     error
}

func (e *Error) Unwrap() error { return e.Err }

// Is reports whether err is, or wraps, an *Error with Problem p.
func Is(err error, p Problem) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Problem == p
}

// Missing reports whether err means that the cluster does not know a kind of object.
func Missing(err error) bool {
	return err != nil && strings.Contains(err.Error(), "doesn't have a resource type")
}

// advice says what each problem means and what to do next: %s stands for the cluster and namespace, %c for its context,
// %d for the detail, and %q for what kubectl said.
func advice() map[Problem]string {
	return map[Problem]string{
		NoProgram:   "kubectl is not on the PATH: install it (https://kubernetes.io/docs/tasks/tools), version 1.24 or later",
		TooOld:      "kubectl is version %d: install 1.24 or later",
		NoContext:   "%d%q: name one with kubernetes.context in .amlfix.yaml or --k8s context=NAME; `kubectl config get-contexts` lists them",
		Unreachable: "%c: the cluster does not answer: check the network, the VPN, and that the cluster is running%q",
		NoLogin:     "%c: the cluster does not recognize this user: log in again, as for kubectl%q",
		Forbidden:   "%s: this user may not do that: ask the cluster's administrator for the rights that docs/kubernetes.md lists%q",
		NotFound:    "%s: not found%q",
		Exists:      "%s: it already exists%q",
		Refused:     "%s: the cluster refuses the request: ask for less, or use another namespace%q",
		Unclear:     "%s: kubectl failed%q",
	}
}

func (e *Error) Error() string {
	text := cmp.Or(advice()[e.Problem], advice()[Unclear])
	return strings.NewReplacer("%s", e.Cluster.String(), "%c", e.Cluster.Context, "%d", e.Detail, "%q", e.quoted()).Replace(text)
}

func (e *Error) quoted() string {
	if e.Err == nil || e.Err.Error() == "" {
		return ""
	}
	return " (it said: " + escape.Said(strings.Join(strings.Fields(e.Err.Error()), " "), 400) + ")"
}

// signs are patterns that identify problems by kubectl's messages; the first match counts.
var signs = []struct {
	problem Problem
	sign    string
}{
	{Refused, `exceeded quota|denied the request|is invalid:|LimitRange`},
	{Forbidden, `\(Forbidden\)|is forbidden`},
	{NoLogin, `\(Unauthorized\)|must be logged in|provide credentials|getting credentials|executable .* not found`},
	{Exists, `\(AlreadyExists\)`},
	{NotFound, `\(NotFound\)|not found$`},
	{NoContext, `context .* does not exist`},
	{Unreachable, `was refused|no such host|timeout|timed out|Unable to connect|connection reset|connection refused|EOF|no route to host|ServiceUnavailable|InternalError|TooManyRequests|x509:`},
}

func explain(c Cluster, said *saidError) error {
	for _, s := range signs {
		if regexp.MustCompile(s.sign).MatchString(said.text) {
			e := &Error{Problem: s.problem, Cluster: c, Err: said}
			if s.problem == NoContext {
				e.Detail = "there is no context " + c.Context
			}
			return e
		}
	}
	return &Error{Problem: Unclear, Cluster: c, Err: said}
}
