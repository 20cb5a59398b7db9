package kubernetes

import (
	"errors"
	"regexp"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// Problem is a kind of failure that has a next step of its own.
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
	Refused     Problem = "refused" // by a quota or a rule of the cluster
	Unclear     Problem = "unclear"
)

// Error is a failure of the way to a cluster, or of what it was asked. Its text says
// what is wrong and what to do about it.
type Error struct {
	Problem Problem
	Cluster Cluster
	Detail  string
	Err     error
}

func (e *Error) Unwrap() error { return e.Err }

// Is reports whether err is, or wraps, an *Error of this problem.
func Is(err error, p Problem) bool {
	var e *Error
	return errors.As(err, &e) && e.Problem == p
}

func (e *Error) Error() string {
	switch e.Problem {
	case NoProgram:
		return "there is no program kubectl on the PATH: install it (https://kubernetes.io/docs/tasks/tools), version 1.24 or later"
	case TooOld:
		return "kubectl is of version " + e.Detail + ": install 1.24 or later"
	case NoContext:
		return e.Detail + e.quoted() + ": name one with kubernetes.context in .amlfix.yaml or --k8s context=NAME; `kubectl config get-contexts` lists them"
	case Unreachable:
		return e.Cluster.Context + ": the cluster does not answer: check network, VPN and that it is running" + e.quoted()
	case NoLogin:
		return e.Cluster.Context + ": the cluster does not know this user: log in again, as for kubectl" + e.quoted()
	case Forbidden:
		return e.Cluster.String() + ": this user may not do that: ask whoever runs the cluster for the rights that docs/kubernetes.md lists" + e.quoted()
	case NotFound:
		return e.Cluster.String() + ": it is not there" + e.quoted()
	case Refused:
		return e.Cluster.String() + ": the cluster refuses it: ask for less, or another namespace" + e.quoted()
	case Unclear: // as below
	}
	return e.Cluster.String() + ": kubectl failed" + e.quoted()
}

func (e *Error) quoted() string {
	if e.Err == nil || e.Err.Error() == "" {
		return ""
	}
	return " (it said: " + escape.Said(strings.Join(strings.Fields(e.Err.Error()), " "), 400) + ")"
}

// signs tell problems by what kubectl says; the first that fits counts.
var signs = []struct {
	problem Problem
	sign    *regexp.Regexp
}{
	{Refused, regexp.MustCompile(`exceeded quota|denied the request|is invalid:|LimitRange`)},
	{Forbidden, regexp.MustCompile(`\(Forbidden\)|is forbidden`)},
	{NoLogin, regexp.MustCompile(`\(Unauthorized\)|must be logged in|provide credentials|getting credentials|executable .* not found`)},
	{NotFound, regexp.MustCompile(`\(NotFound\)|not found$`)},
	{NoContext, regexp.MustCompile(`context .* does not exist`)},
	{Unreachable, regexp.MustCompile(`was refused|no such host|timeout|timed out|Unable to connect|connection reset|connection refused|EOF|no route to host|ServiceUnavailable|InternalError|TooManyRequests|x509:`)},
}

func explain(c Cluster, said *saidError) error {
	for _, s := range signs {
		if s.sign.MatchString(said.text) {
			e := &Error{Problem: s.problem, Cluster: c, Err: said}
			if s.problem == NoContext {
				e.Detail = "there is no context " + c.Context
			}
			return e
		}
	}
	return &Error{Problem: Unclear, Cluster: c, Err: said}
}
