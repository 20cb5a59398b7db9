//go:build linux

package kubetest

import (
	"os"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// localQueues is a stand-in for Kueue: only its kind of object.
const localQueues = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: localqueues.kueue.x-k8s.io, annotations: {api-approved.kubernetes.io: "https://github.com/kubernetes-sigs/kueue"}}
spec:
  group: kueue.x-k8s.io
  scope: Namespaced
  names: {kind: LocalQueue, plural: localqueues, singular: localqueue}
  versions: [{name: v1beta1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`

// TestQueue checks that a queued job waits until it is admitted, that one sentence says so, and that Ctrl-C and runs
// attach end it while it waits. Without Kueue, or its queue, nothing is created. Kueue is a stand-in: the test admits
// the job as Kueue does.
func TestQueue(t *testing.T) {
	missing := newScene(t)
	refused := func(want string) {
		t.Helper()
		got := finish(missing.job("none", "--k8s", "queue=team"))
		if got.code != 125 || !strings.Contains(got.last(), want) || strings.Contains(got.err, "creating job") {
			t.Errorf("%d\n%s", got.code, got.err)
		}
	}
	refused("node has no Kueue, which queue team needs: install it")
	missing.Apply(t, localQueues)
	missing.Kubectl(t, "wait", "--for=condition=Established", "crd/localqueues.kueue.x-k8s.io", "--timeout=60s")
	refused("there is no queue team in node/" + missing.namespace + ": name another one")
	for _, name := range []string{"admitted", "interrupted", "attached"} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.Apply(t, "apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: team, namespace: "+s.namespace+"}\n")
			said, err := os.Create(s.dir + "/said")
			testkit.OK(t, err)
			defer said.Close()
			cmd := s.job("none", "--k8s", "queue=team")
			cmd.Stderr = said
			testkit.OK(t, cmd.Start())
			s.in(progress.Creating, "")
			const waits = "waiting for the pod: the job is suspended: queue team has not admitted it yet\n"
			eventually(t, "the reason", func() bool { return strings.Contains(s.content("said"), waits) })
			job := "amlfix-" + s.record().ID.String()
			testkit.Same(t, "team", s.Kubectl(t, "-n", s.namespace, "get", "job", job, "-o", `jsonpath={.metadata.labels.kueue\.x-k8s\.io/queue-name}`), "label")
			want := 0
			switch name {
			case "admitted":
				s.Kubectl(t, "-n", s.namespace, "patch", "job", job, "-p", `{"spec":{"suspend":false}}`)
			case "interrupted":
				want = 130
				testkit.OK(t, cmd.Process.Signal(os.Interrupt))
			case "attached":
				want = -1
				testkit.OK(t, cmd.Process.Kill())
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != want || strings.Count(s.content("said"), "suspended") != 1 {
				t.Errorf("%d\n%s", code, s.content("said"))
			}
			if name == "attached" {
				got := finish(s.Command(t, s.dir, "runs", "attach", s.record().ID.String()))
				if got.code != 125 || !strings.Contains(got.last(), "amlfix ended before it had started the job; nothing is left of it") {
					t.Errorf("%d\n%s", got.code, got.err)
				}
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}
