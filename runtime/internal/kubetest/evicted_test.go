//go:build linux

package kubetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
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

// TestNodeGoneAlone: one of two pods is deleted or evicted while no amlfix process follows the run. The cluster makes
// another one in its place, which ends the other an hour later: here it has waited for that long at once. Then, and
// before, runs attach says which pod was lost.
func TestNodeGoneAlone(t *testing.T) {
	for name, test := range map[string]struct {
		evicted, later bool
	}{"deleted": {}, "deleted, an hour ago": {later: true}, "evicted, an hour ago": {true, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newNodes(t, 2, "{type: pytorch}")
			run := s.begin(s.job("wait"))
			s.in(progress.Running, "[1] waiting\n")
			run.killed()
			rec := s.record()
			if test.evicted {
				s.evict(rec.Pods[1].Name)
			} else {
				s.Kubectl(t, "-n", s.namespace, "delete", "pod", rec.Pods[1].Name, "--wait=false", "--force", "--grace-period=0")
			}
			other := ""
			eventually(t, "another pod", func() bool {
				other = s.Kubectl(t, "-n", s.namespace, "get", "pods", "-o", `jsonpath={.items[?(@.metadata.name!="`+rec.Pods[0].Name+`")].metadata.name}`, "--field-selector", "status.phase=Running")
				return other != "" && other != rec.Pods[1].Name
			})
			if test.later {
				s.Kubectl(t, "-n", s.namespace, "exec", other, "--", "sh", "-c", "echo 75 >/amlfix/.amlfix/runs/"+rec.ID.String()+".over")
				eventually(t, "the job's failure", func() bool {
					return s.Kubectl(t, "-n", s.namespace, "get", "job", "amlfix-"+rec.ID.String(), "-o", `jsonpath={.status.conditions[?(@.type=="Failed")].reason}`) == "PodFailurePolicy"
				})
				eventually(t, "the end of all pods", func() bool {
					return s.Kubectl(t, "-n", s.namespace, "get", "pods", "--field-selector", "status.phase=Running", "-o", "name") == ""
				})
			}
			got := finish(s.Command(t, s.dir, "runs", "attach", rec.ID.String()))
			if got.code != 125 || !strings.Contains(got.last(), "pod 1 was lost: pod "+rec.Pods[1].Name) {
				t.Errorf("%d\n%s", got.code, got.err)
			}
			if saved := s.content("outputs/saved") == "x"; saved == test.later {
				t.Errorf("what pod 0 has saved came back: %v\n%s", saved, got.err)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// pressed has the kubelet find that the node has too little memory, whatever it has; relieve ends that.
func (n *Node) pressed(t *testing.T) (relieve func()) {
	t.Helper()
	file := filepath.Join(n.dir, "kubelet.yaml")
	config := []byte(testkit.Read(t, file))
	with := func(config string) {
		testkit.OK(t, os.WriteFile(file, []byte(config), 0o644))
		n.Kill(t, "kubelet")()
	}
	with(strings.Replace(string(config), "evictionHard: {", "evictionHard: {memory.available: 99%, ", 1))
	return func() {
		with(string(config))
		eventually(t, "a node with memory", func() bool {
			out, err := n.kubectl("get", "node", "node1", "-o", `jsonpath={.status.conditions[?(@.type=="Ready")].status} {.status.conditions[?(@.type=="MemoryPressure")].status} {.spec.taints}`)
			return err == nil && out == "True False"
		})
	}
}

// TestNodePressure: the kubelet evicts pods because the node's memory is scarce: the run is lost, with the reason, also
// when no amlfix process follows it.
func TestNodePressure(t *testing.T) {
	s, away := newScene(t), newScene(t)
	run, other := s.begin(s.job("wait")), away.begin(away.job("wait"))
	s.in(progress.Running, "waiting\n")
	away.in(progress.Running, "waiting\n")
	other.killed()
	defer s.pressed(t)()
	check := func(s *scene, got ended) {
		t.Helper()
		// The second reason is that of a kubelet that finds the pod when it starts.
		if got.code != 125 || !regexp.MustCompile(`has ended: Evicted: (The node was low on resource: memory|Pod was rejected: The node had condition: \[MemoryPressure\])`).MatchString(got.last()) {
			t.Errorf("%d\n%s", got.code, got.err)
		}
		s.NothingLeft(t, s.namespace)
	}
	check(s, run.ended())
	eventually(t, "the other pod's end", func() bool {
		return away.Kubectl(t, "-n", away.namespace, "get", "pods", "--field-selector", "status.phase=Running", "-o", "name") == ""
	})
	check(away, finish(away.Command(t, away.dir, "runs", "attach", away.record().ID.String())))
}
