package kubernetes

import (
	"errors"
	"testing"
)

// TestExplain checks the explanations of messages of kubectl 1.34.
func TestExplain(t *testing.T) {
	for said, want := range map[string]Problem{
		"The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?":                                                                 Unreachable,
		"Unable to connect to the server: dial tcp: lookup k8s.example.com: no such host":                                                                                Unreachable,
		"Unable to connect to the server: net/http: TLS handshake timeout":                                                                                               Unreachable,
		`Error from server (Forbidden): jobs.batch is forbidden: User "guest" cannot create resource "jobs" in API group "batch" in the namespace "default"`:             Forbidden,
		"error: You must be logged in to the server (Unauthorized)":                                                                                                      NoLogin,
		`Error from server (NotFound): pods "x" not found`:                                                                                                               NotFound,
		`Error from server (Forbidden): error when creating "STDIN": jobs.batch "x" is forbidden: exceeded quota: q, requested: count/jobs.batch=1, used: 0, limited: 0`: Refused,
		`The Job "x" is invalid: spec.template.spec.containers[0].image: Required value`:                                                                                 Refused,
		`error: context "nowhere" does not exist`:                                                                                                                        NoContext,
		"Unable to connect to the server: getting credentials: exec: executable gke-gcloud-auth-plugin not found":                                                        NoLogin,
		"error: unknown flag: --frobnicate":                                                                                                                              Unclear,
	} {
		var e *Error
		if err := explain(Cluster{"c", "n"}, &saidError{said}); !errors.As(err, &e) || e.Problem != want {
			t.Errorf("%s\nis %v, not %s", said, err, want)
		}
	}
}
