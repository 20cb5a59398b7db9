//go:build linux

package kubetest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// nodes has jobs with several pods that run the same script.
const nodes = `
-- .amlfix.yaml --
kubernetes: {context: node, namespace: $NAMESPACE}
-- job.yml --
type: command
command: python main.py ${{inputs.args}}
code: src
inputs: {args: none}
environment: {image: $IMAGE}
resources: {instance_count: $PODS}
distribution: $DISTRIBUTION
-- sdk.runconfig --
script: src/main.py
arguments: [meet]
framework: PyTorch
communicator: Gloo
nodeCount: 2
pytorch: {processCount: 4}
target: local
environment:
  docker: {enabled: true, baseImage: $IMAGE}
  python: {userManagedDependencies: true, interpreterPath: python}
-- src/main.py --
import json, os, signal, socket, sys, time
def say(text, to=sys.stdout):
    to.write(text); to.flush()
args = " ".join(sys.argv[1:]).split()
node = os.environ["NODE_RANK"]
os.makedirs("outputs", exist_ok=True)
if "meet" in args: # as torch.distributed does: rank 0 listens, the others tell it who they are
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    at = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
    who = "rank %d of %d, local %s, node %s" % (rank, world, os.environ["LOCAL_RANK"], node)
    if rank == 0:
        s = socket.create_server(("", at[1])); met = [who]
        while len(met) < world:
            c, _ = s.accept(); met.append(c.makefile().readline().strip()); c.close()
        say("met: " + "; ".join(sorted(met)) + "\n")
    else:
        for i in range(100):
            try: c = socket.create_connection(at, 5); break
            except OSError: time.sleep(0.2)
        c.sendall((who + "\n").encode()); c.close()
if "tf" in args:
    tf = json.loads(os.environ["TF_CONFIG"]); host = socket.gethostname()
    at = tf["cluster"][tf["task"]["type"]][tf["task"]["index"]]
    say("%s %d of %s, itself: %s\n" % (tf["task"]["type"], tf["task"]["index"], {k: len(v) for k, v in sorted(tf["cluster"].items())}, at.startswith(host + ".")))
    if tf["task"]["type"] == "ps":
        while True: time.sleep(0.1)
    time.sleep(1)
if "mpi" in args:
    say(" ".join("%s=%s" % (k[16:], v) for k, v in sorted(os.environ.items()) if k.startswith("OMPI_COMM_WORLD_")) + "\n")
if "tick" in args:
    for i in range(60):
        say("tick %d\n" % i); say("tock %d\r\n" % i, sys.stderr); time.sleep(0.5)
    say("no newline")
if "fail" in args and node == "1":
    time.sleep(2); say("failing\n"); sys.exit(7)
if "quiet" in args and node != "0": sys.exit(0)
if "wait" in args:
    say("waiting\n")
    try:
        for i in range(1200): time.sleep(0.1)
    except KeyboardInterrupt:
        say("interrupted\n"); open("outputs/saved", "w").write("x"); sys.exit(4)
open("outputs/file", "w").write("of pod " + node)
`

// newNodes returns a scene with this number of pods.
func newNodes(t *testing.T, pods int, distribution string) *scene {
	t.Helper()
	return newProject(t, nodes, "$PODS", fmt.Sprint(pods), "$DISTRIBUTION", distribution)
}

// sorted returns the lines of a text, sorted, because those of several pods arrive in any order.
func sorted(text string) string {
	lines := strings.SplitAfter(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// podLog returns the recorded output of a pod.
func (s *scene) podLog(index int) string {
	return s.content(filepath.Join(".amlfix/runs", s.record().ID.String(), fmt.Sprintf("pod-%d.log", index)))
}

// TestNodes checks that the pods of jobs in each dialect and distribution find each other, including by the variables
// that Azure ML sets; that lines start with the index of their pod and outputs of all but the first pod get their own
// folder; and that nothing is left.
func TestNodes(t *testing.T) {
	all := func(n int) (who []string) {
		for rank := range n {
			who = append(who, fmt.Sprintf("rank %d of %d, local %d, node %d", rank, n, rank%(n/2), rank/(n/2)))
		}
		return who
	}
	for name, test := range map[string]struct {
		pods         int
		distribution string
		args         []string
		out          string
	}{
		"pytorch":     {2, "{type: pytorch}", []string{"job.yml", "--input", "args=meet"}, "[0] met: " + strings.Join(all(2), "; ") + "\n"},
		"processes":   {2, "{type: pytorch, process_count_per_instance: 2}", []string{"job.yml", "--input", "args=meet"}, "[0] [0] met: " + strings.Join(all(4), "; ") + "\n"},
		"SDK v1":      {1, "{type: pytorch}", []string{"-c", "sdk.runconfig"}, "[0] [0] met: " + strings.Join(all(4), "; ") + "\n"},
		"tensorflow":  {3, "{type: tensorflow, worker_count: 2, parameter_server_count: 1}", []string{"job.yml", "--input", "args=tf"}, "[0] worker 0 of {'ps': 1, 'worker': 2}, itself: True\n[1] worker 1 of {'ps': 1, 'worker': 2}, itself: True\n[2] ps 0 of {'ps': 1, 'worker': 2}, itself: True\n"},
		"mpi":         {2, "{type: mpi}", []string{"job.yml", "--input", "args=mpi"}, "[0] LOCAL_RANK=0 LOCAL_SIZE=1 RANK=0 SIZE=2\n[1] LOCAL_RANK=0 LOCAL_SIZE=1 RANK=1 SIZE=2\n"},
		"several mpi": {2, "{type: mpi, process_count_per_instance: 2}", []string{"job.yml", "--input", "args=mpi"}, "[0] [0] LOCAL_RANK=0 LOCAL_SIZE=2 RANK=0 SIZE=4\n[0] [1] LOCAL_RANK=1 LOCAL_SIZE=2 RANK=1 SIZE=4\n[1] [2] LOCAL_RANK=0 LOCAL_SIZE=2 RANK=2 SIZE=4\n[1] [3] LOCAL_RANK=1 LOCAL_SIZE=2 RANK=3 SIZE=4\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newNodes(t, test.pods, test.distribution)
			got := finish(s.Command(t, s.dir, append([]string{"run", "-t", "k8s"}, test.args...)...))
			if got.code != 0 {
				t.Fatalf("%d\n%s", got.code, got.err)
			}
			// a parameter server is ended when the workers have ended
			out := regexp.MustCompile(`(?m)^\[2\] (Traceback| |KeyboardInterrupt).*\n`).ReplaceAllString(got.out, "")
			testkit.Same(t, test.out, sorted(out))
			testkit.Same(t, "of pod 0", s.content("outputs/file"), "outputs/file")
			testkit.Same(t, "of pod 1", s.content("outputs/pod-1/file"), "outputs/pod-1/file")
			testkit.Has(t, got.err, "pods other than the first one also wrote outputs: they are in outputs/pod-1/\n")
			s.NothingLeft(t, s.namespace)
		})
	}
}

// TestNodesRefused checks that each thing not supported with several pods is reported in one sentence, and that nothing
// is created.
func TestNodesRefused(t *testing.T) {
	s := newNodes(t, 2, "{type: pytorch}")
	text := s.content("job.yml")
	s.StandIn(t, 3)
	for name, test := range map[string]struct {
		old, new, want string
		flags          []string
	}{
		"number":    {"instance_count: 2", "instance_count: 200", `job.yml:6: the number of machines is 200: write a number from 1 to 100`, nil},
		"mpirun":    {"type: pytorch", "type: mpi", `job.yml:7: the job runs mpirun, which needs an mpirun that reaches all pods over SSH, and target k8s has none: use`, []string{"--input", "args=none; mpirun x"}},
		"unknown":   {"type: pytorch", "type: ray", `job.yml:7: target k8s does not support distribution ray: use`, nil},
		"tasks":     {"type: pytorch", "type: tensorflow, worker_count: 2, parameter_server_count: 1", "job.yml:6: the job has 2 workers and 1 parameter servers, but 2 pods", nil},
		"too few":   {"x", "x", "the job has 2 pods with 2 GPUs each, but the nodes that accept it have room for 1 of them: use fewer", []string{"--gpus", "2"}},
		"no rights": {"x", "x", "that a run needs: create jobs.batch, get jobs.batch, list jobs.batch, watch jobs.batch, delete jobs.batch, get pods, list pods, create pods/exec, create services, delete services", []string{"--k8s", "context=guest"}},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.OK(t, os.WriteFile(filepath.Join(s.dir, "job.yml"), []byte(strings.Replace(text, test.old, test.new, 1)), 0o644))
			got := finish(s.job("none", test.flags...))
			if got.code != 125 && got.code != 2 || !strings.Contains(got.err, test.want) || strings.Contains(got.err, "creating job") {
				t.Errorf("%d\n%s", got.code, got.err)
			}
		})
	}
	s.NothingLeft(t, s.namespace)
}

// TestNodesPlan checks that the plan shows the pods, their Service, and the origin of both.
func TestNodesPlan(t *testing.T) {
	s := newNodes(t, 3, "{type: pytorch}")
	got := finish(s.job("none", "--plan"))
	for _, want := range []string{`spec.completions: 3 +\(job.yml:6\)`, `spec.completionMode: Indexed +\(job.yml:6\)`, `spec.clusterIP: None`, `(?m)^pod 0 {8}MASTER_ADDR=amlfix-([0-9a-f-]+)-0.amlfix-([0-9a-f-]+) `} {
		if !regexp.MustCompile(want).MatchString(got.out) {
			t.Errorf("%s is missing in\n%s", want, got.out)
		}
	}
}
