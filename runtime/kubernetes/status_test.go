package kubernetes

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestWaiting checks the descriptions of states of real pods.
func TestWaiting(t *testing.T) {
	waiting := func(reason string) string {
		return `{"status": {"phase": "Pending", "containerStatuses": [{"name": "job", "state": {"waiting": {"reason": "` + reason + `", "message": "said"}}}]}}`
	}
	for _, test := range []struct {
		pod, why string
		final    bool
	}{
		{`{"status": {"phase": "Pending"}}`, "", false},
		{waiting("ContainerCreating"), "", false},
		{waiting("ErrImagePull"), "ErrImagePull: said", false},
		{waiting("ImagePullBackOff"), "ImagePullBackOff: said", true},
		{waiting("InvalidImageName"), "InvalidImageName: said", true},
		{`{"status": {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1 nodes"}]}}`, "Unschedulable: 0/1 nodes", false},
	} {
		var p Pod
		testkit.OK(t, json.Unmarshal([]byte(test.pod), &p))
		if why, final := p.Waiting(); why != test.why || final != test.final {
			t.Errorf("%s\n%q, %v", test.pod, why, final)
		}
	}
}

func TestUnstarted(t *testing.T) {
	for why, want := range map[string]string{
		`StartError, exit code 128: exec: "sh": executable file not found in $PATH`:                                        "has no shell",
		`RunContainerError: exec: "sh": stat sh: no such file or directory`:                                                "has no shell",
		`ErrImageNeverPull: Container image "x" is not present with pull policy of Never`:                                  "may not pull it",
		`Failed: Failed to pull image "r/x": pull access denied, repository does not exist or may require authorization`:   "kubernetes.pull-secret",
		`ImagePullBackOff: Back-off pulling image "registry.invalid/x:1": dial tcp: lookup registry.invalid: no such host`: "check its name",
		`InvalidImageName: Failed to apply default image tag "X"`:                                                          "check its name",
		"CreateContainerConfigError: secret not found":                                                                     "could not be started",
	} {
		if got := unstarted(why); !strings.Contains(got, want) {
			t.Errorf("%s\n%s\nlacks %s", why, got, want)
		}
	}
}
