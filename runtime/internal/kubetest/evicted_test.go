//go:build linux

package kubetest

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/progress"
)

// TestPodDeleted deletes the pod, with and without force: the run is lost, the reason is given, and nothing is left.
func TestPodDeleted(t *testing.T) {
	for name, flags := range map[string][]string{"asked": nil, "forced": {"--force", "--grace-period=0"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			run := s.begin(s.job("tick"))
			s.in(progress.Running, "tick 3\n")
			s.Kubectl(t, append([]string{"-n", s.namespace, "delete", "pods", "--all", "--wait=false"}, flags...)...)
			got := run.ended()
			if got.code != 125 && got.code != 143 || !strings.Contains(got.err, "pod") {
				t.Errorf("%d\n%s", got.code, got.err)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// evict makes the cluster evict a pod, as kubectl drain does.
func (s *scene) evict(pod string) {
	s.t.Helper()
	cmd := exec.Command("kubectl", "create", "--raw", "/api/v1/namespaces/"+s.namespace+"/pods/"+pod+"/eviction", "-f", "-")
	own := s.Command(s.t, s.dir)
	cmd.Path, cmd.Env = s.Node.dir+"/bin/kubectl", own.Env
	cmd.Stdin = strings.NewReader(`{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "` + pod + `", "namespace": "` + s.namespace + `"}}`)
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
}

// TestEvicted evicts the pod, or one of two: the run is lost, the reason is one sentence, and nothing is left. What the
// other pod has saved is copied back.
func TestEvicted(t *testing.T) {
	for name, test := range map[string]struct {
		scene *scene
		said  string
	}{
		"one":      {newScene(t), "waiting\n"},
		"of two":   {newNodes(t, 2, "{type: pytorch}"), "[1] waiting\n"},
		"attached": {newScene(t), "waiting\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := test.scene
			run := s.begin(s.job("wait"))
			s.in(progress.Running, test.said)
			pods := strings.Fields(s.Kubectl(t, "-n", s.namespace, "get", "pods", "-o", "name", "--sort-by=.metadata.name"))
			if name == "attached" { // amlfix is not running meanwhile
				run.killed()
			}
			s.evict(strings.TrimPrefix(pods[len(pods)-1], "pod/"))
			if name == "attached" {
				run = s.begin(s.Command(t, s.dir, "runs", "attach", s.record().ID.String()))
			}
			got := run.ended()
			if got.code != 125 || !strings.Contains(got.last(), "evicted") && !strings.Contains(got.last(), "was deleted") || strings.Count(got.err, "evicted") > 2 {
				t.Errorf("%d\n%s", got.code, got.err)
			}
			if name == "of two" && s.content("outputs/saved") != "x" {
				t.Errorf("what pod 0 has saved did not come back:\n%s", got.err)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}
