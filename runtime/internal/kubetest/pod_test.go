//go:build linux

package kubetest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

// jobs has a job of each dialect, which run the same script.
const jobs = `
-- .amlfix.yaml --
kubernetes: {context: node, namespace: $NAMESPACE}
-- job.yml --
type: command
command: python main.py ${{inputs.args}}
code: src
inputs: {args: none}
environment: {image: $IMAGE}
environment_variables: {API_TOKEN: abcdefghijklmnop1234}
-- src/main.py --
import os, signal, sys, time
def say(text):
    sys.stdout.write(text); sys.stdout.flush()
args = " ".join(sys.argv[1:]).split()
os.makedirs("outputs", exist_ok=True)
if "deaf" in args:
    for s in signal.SIGINT, signal.SIGTERM:
        signal.signal(s, lambda s, f: say("ignored %d\n" % s))
if "bytes" in args:
    for i in range(300):
        os.write(1, b"out %d \x1e\x00\xff" % i + b"x" * 1000 + b"\r\n")
        os.write(2, b"err %d \x1eamlfix 0\x1e\n" % i)
        if i % 100 == 0: time.sleep(0.3)
    os.write(1, b"no newline"); os.write(2, b"none either")
if "tick" in args:
    for i in range(60):
        say("tick %d\n" % i); sys.stderr.write("tock %d\n" % i); sys.stderr.flush(); time.sleep(0.5)
if "memory" in args:
    time.sleep(2); x = bytearray(1 << 30)
if "wait" in args:
    say("waiting\n")
    try:
        for i in range(1200): time.sleep(0.1)
    except KeyboardInterrupt:
        say("interrupted\n"); open("outputs/saved", "w").write("x"); sys.exit(4)
open("outputs/file", "w").write("content of %s" % os.environ.get("API_TOKEN", "none")[:3])
if not os.path.islink("outputs/link"): os.symlink("file", "outputs/link")
sys.exit(3 if "fail" in args else 0)
-- main.py --
import runpy; runpy.run_path("src/main.py", run_name="__main__")
-- aml_config/workbench.compute --
type: localdocker
baseDockerImage: $IMAGE
-- aml_config/workbench.runconfig --
Target: workbench
Framework: Python
CondaDependenciesFile: aml_config/conda.yml
-- aml_config/conda.yml --
dependencies: []
-- .azureml/sdk.runconfig --
script: main.py
framework: Python
target: local
environment:
  docker: {enabled: true, baseImage: $IMAGE}
  python: {userManagedDependencies: true, interpreterPath: python}
`

// scene is a project whose jobs run in a namespace of its own.
type scene struct {
	*Node
	t              *testing.T
	dir, namespace string
}

func newScene(t *testing.T, more ...string) *scene {
	t.Helper()
	n := Start(t)
	s := &scene{Node: n, t: t, namespace: n.Namespace(t)}
	text := strings.NewReplacer(append(more, "$NAMESPACE", s.namespace, "$IMAGE", Image)...).Replace(jobs)
	s.dir = testkit.Unpack(t, txtar.Parse([]byte(text)).Files)
	return s
}

// ended is how a process of amlfix ended.
type ended struct {
	code     int
	out, err string
}

func (e ended) last() string {
	lines := strings.Split(strings.TrimSuffix(e.err, "\n"), "\n")
	return lines[len(lines)-1]
}

// job runs job.yml with words for its script, and flags.
func (s *scene) job(words string, flags ...string) *exec.Cmd {
	return s.Command(s.t, s.dir, append([]string{"run", "job.yml", "-t", "k8s", "--input", "args=" + words}, flags...)...)
}

func finish(cmd *exec.Cmd) ended {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // how it ended is what is asked for
	return ended{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// record is that of the project's only run.
func (s *scene) record() record.Entry {
	s.t.Helper()
	entries, err := os.ReadDir(filepath.Dir(record.Dir(s.dir, runid.MustParse("20261122-101112-abcdef"))))
	if err != nil || len(entries) != 1 {
		s.t.Fatalf("%v, %v", entries, err)
	}
	e, err := record.ReadDir(record.Dir(s.dir, runid.MustParse(entries[0].Name())))
	testkit.OK(s.t, err)
	return e
}

// log is what is kept of a stream of the only run.
func (s *scene) log() (out, errs string) {
	var o, e bytes.Buffer
	cmd := s.Command(s.t, s.dir, "runs", "logs", s.record().ID.String())
	cmd.Stdout, cmd.Stderr = &o, &e
	testkit.OK(s.t, cmd.Run())
	return o.String(), e.String()
}

// in waits until the only run is in a state, and its job has said something.
func (s *scene) in(state progress.State, said string) {
	s.t.Helper()
	eventually(s.t, string(state), func() bool {
		entries, _ := os.ReadDir(filepath.Dir(record.Dir(s.dir, runid.MustParse("20261122-101112-abcdef"))))
		if len(entries) != 1 {
			return false
		}
		dir := record.Dir(s.dir, runid.MustParse(entries[0].Name()))
		e, err := record.ReadDir(dir)
		if err != nil || e.Entered(state).IsZero() {
			return false
		}
		if said == "" {
			return true
		}
		out, _ := s.log()
		return strings.Contains(out, said)
	})
}

// TestRuns: a job of each dialect runs in a pod, with its exit code, its output byte for byte and its outputs, links
// included; nothing of it is left in the cluster.
func TestRuns(t *testing.T) {
	s := newScene(t)
	for name, args := range map[string][]string{
		"v2":        {"run", "job.yml", "-t", "k8s", "--input", "args=bytes fail"},
		"workbench": {"run", "-c", "workbench", "-t", "k8s", "main.py", "bytes", "fail"},
		"sdk":       {"run", "-c", "sdk", "-t", "k8s", "main.py", "bytes", "fail"},
	} {
		t.Run(name, func(t *testing.T) {
			got := finish(s.Command(t, s.dir, args...))
			if got.code != 3 || !strings.Contains(got.last(), "failed with exit code 3") {
				t.Fatalf("%d\n%s", got.code, got.err)
			}
			var out, errs strings.Builder
			for i := range 300 {
				fmt.Fprintf(&out, "out %d \x1e\x00\xff%s\r\n", i, strings.Repeat("x", 1000))
				fmt.Fprintf(&errs, "err %d \x1eamlfix 0\x1e\n", i)
			}
			if want := out.String() + "no newline"; got.out != want {
				t.Errorf("%d bytes of output, not %d", len(got.out), len(want))
			}
			if want := errs.String() + "none either"; !strings.Contains(got.err, want) {
				t.Errorf("standard error differs: %q", got.err[:min(len(got.err), 3000)])
			}
			want := "content of non"
			if name == "v2" {
				want = "content of abc"
			}
			content, err := os.ReadFile(filepath.Join(s.dir, "outputs/file"))
			testkit.OK(t, err)
			link, err := os.Readlink(filepath.Join(s.dir, "outputs/link"))
			if testkit.OK(t, err); string(content) != want || link != "file" {
				t.Errorf("%q, link to %q", content, link)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// TestNotStarted: what keeps a job from being started is one sentence with the next step. All but the last ones is known
// before anything is made.
func TestNotStarted(t *testing.T) {
	s := newScene(t)
	s.Apply(t, "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: narrow, namespace: "+s.namespace+"}\nspec: {hard: {count/jobs.batch: 1}}\n")
	full := newScene(t)
	full.Apply(t, "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: full, namespace: "+full.namespace+"}\nspec: {hard: {count/jobs.batch: 0}}\n")
	eventually(t, "the quota", func() bool {
		return strings.Contains(full.Kubectl(t, "-n", full.namespace, "get", "resourcequota", "full", "-o", "jsonpath={.status.hard}"), "jobs.batch")
	})
	for name, test := range map[string]struct {
		scene *scene
		flags []string
		want  string
		made  bool
	}{
		"no context":    {s, []string{"--k8s", "context=nowhere"}, `there is no context "nowhere"; there are: away, guest, node: name one with`, false},
		"no rights":     {s, []string{"--k8s", "context=guest"}, "this user may not do in guest/" + s.namespace + " what a run needs: create jobs.batch", false},
		"no answer":     {s, []string{"--k8s", "context=away"}, "away: the cluster does not answer: check network", false},
		"no namespace":  {s, []string{"--k8s", "namespace=nowhere"}, "there is no namespace nowhere in node: name another one", false},
		"no GPU":        {s, []string{"--gpus", "1"}, "none of the 1 node(s) that take the job offers nvidia.com/gpu: install", false},
		"no such node":  {s, []string{"--gpus", "1", "--k8s", "node-selector=gpu=a100"}, "no node of the cluster takes the job: check", false},
		"no claim":      {s, []string{"--k8s", "claim=nothing"}, "there is no persistentvolumeclaim nothing in", false},
		"no secret":     {s, []string{"--k8s", "pull-secret=nothing"}, "there is no secret nothing in", false},
		"no quota":      {full, nil, "quota full of node/" + full.namespace + " allows 0 count/jobs.batch", false},
		"no shell":      {s, []string{"--image", Bare}, "the image has no shell (sh), which amlfix starts jobs with: take an image", true},
		"no such image": {s, []string{"--image", "registry.invalid/none:1"}, "the image cannot be pulled (", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := test.scene
			got := finish(s.job("none", test.flags...))
			if got.code != 125 || !strings.Contains(got.last(), test.want) || !strings.HasPrefix(got.last(), "amlfix: not started: ") {
				t.Errorf("%d\n%s", got.code, got.err)
			}
			if made := strings.Contains(got.err, "making job"); made != test.made {
				t.Errorf("made: %v\n%s", made, got.err)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// TestChecks: --check says what there is, and makes nothing.
func TestChecks(t *testing.T) {
	s := newScene(t)
	s.StandIn(t, 2)
	got := finish(s.Command(t, s.dir, "run", "job.yml", "-t", "k8s", "--check", "--gpus", "2"))
	for _, want := range []string{"ok        connection   kubectl v1.", "ok        rights ", "ok        gpus         1 node(s) offer 2 nvidia.com/gpu or more", "ok        image        " + Image + " is on a node"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in\n%s", want, got.out)
		}
	}
	if got.code != 0 {
		t.Error(got.code, got.err)
	}
	got = finish(s.Command(t, s.dir, "run", "job.yml", "-t", "k8s", "--check", "--gpus", "3"))
	if got.code != 125 || !strings.Contains(got.out, "the job is for 3 GPUs of one node, and no node that takes it has more than 2") {
		t.Errorf("%d\n%s", got.code, got.out)
	}
	s.NothingLeft(t, s.namespace)
}

// TestStops: Ctrl-C is SIGINT, then SIGTERM, then SIGKILL; a time limit ends a job, and what it has saved comes back.
func TestStops(t *testing.T) {
	for name, test := range map[string]struct {
		words, flags string
		signal       syscall.Signal
		code         int
		said, last   string
		saved        bool
	}{
		"interrupted": {"wait", "", syscall.SIGINT, 130, "waiting\ninterrupted\n", "cancelled", true},
		"deaf":        {"deaf wait", "", syscall.SIGINT, 130, "waiting\nignored 2\nignored 15\n", "cancelled", false},
		"terminated":  {"wait", "", syscall.SIGTERM, 143, "waiting\n", "cancelled", false},
		"timed out":   {"wait", "--timeout=3s", 0, 124, "waiting\n", "timed out", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			cmd := s.job(test.words)
			if test.flags != "" {
				cmd.Args = append(cmd.Args, test.flags)
			}
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			testkit.OK(t, cmd.Start())
			s.in(progress.Running, "waiting\n")
			if test.signal != 0 {
				testkit.OK(t, cmd.Process.Signal(test.signal))
			}
			_ = cmd.Wait()
			got := ended{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
			if got.code != test.code || !strings.Contains(got.last(), test.last) {
				t.Errorf("%d\n%s", got.code, got.err)
			}
			if diff := cmp.Diff(test.said, got.out); diff != "" {
				t.Error(diff)
			}
			if _, err := os.Stat(filepath.Join(s.dir, "outputs/saved")); (err == nil) != test.saved {
				t.Errorf("saved: %v", err)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// ticks are the streams of a job with the word tick.
func ticks() (out, errs string) {
	for i := range 60 {
		out += fmt.Sprintf("tick %d\n", i)
		errs += fmt.Sprintf("tock %d\n", i)
	}
	return out, errs
}

// whole fails the test unless the log is that of a job with the word tick, byte for byte.
func (s *scene) whole() {
	s.t.Helper()
	out, errs := s.log()
	wantOut, wantErrs := ticks()
	if diff := cmp.Diff(wantOut, out); diff != "" {
		s.t.Error(diff)
	}
	if diff := cmp.Diff(wantErrs, errs); diff != "" {
		s.t.Error(diff)
	}
}

// TestAmlfixKilled: amlfix is killed in every state of a run, and runs attach continues with it.
func TestAmlfixKilled(t *testing.T) {
	for _, state := range []progress.State{progress.Creating, progress.Uploading, progress.Starting, progress.Running, progress.Removing} {
		t.Run(string(state), func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			words, said := "tick", "tick 3\n"
			if state != progress.Running {
				said = ""
			}
			if state == progress.Removing {
				words = "none"
			}
			cmd := s.job(words)
			testkit.OK(t, cmd.Start())
			s.in(state, said)
			testkit.OK(t, cmd.Process.Kill())
			_ = cmd.Wait()
			id := s.record().ID.String()
			got := finish(s.Command(t, s.dir, "runs", "attach", id))
			switch {
			case state == progress.Creating || state == progress.Uploading:
				if got.code != 125 || !strings.Contains(got.last(), "amlfix was ended before it had started the job; nothing of it is left") {
					t.Errorf("%d\n%s", got.code, got.err)
				}
			case state == progress.Starting && got.code == 125: // before the job was there
			case got.code != 0:
				t.Errorf("%d\n%s", got.code, got.err)
			case words == "tick":
				s.whole()
				fallthrough
			default:
				if _, err := os.Readlink(filepath.Join(s.dir, "outputs/link")); err != nil {
					t.Error(err)
				}
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// children are the processes of kubectl that a process has started.
func children(parent int) (pids []int) {
	out, _ := exec.Command("pgrep", "-P", fmt.Sprint(parent)).Output()
	for _, word := range strings.Fields(string(out)) {
		var pid int
		_, _ = fmt.Sscan(word, &pid)
		pids = append(pids, pid)
	}
	return pids
}

// TestKubectlKilled: each kubectl that amlfix has started is killed, again and again, and the log is whole.
func TestKubectlKilled(t *testing.T) {
	s := newScene(t)
	cmd := s.job("tick")
	testkit.OK(t, cmd.Start())
	s.in(progress.Running, "tick 3\n")
	for range 3 {
		for _, pid := range children(cmd.Process.Pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(3 * time.Second)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	s.whole()
	s.NothingLeft(t, s.namespace)
}

// TestServersKilled: the node's kubelet, or the API server, is killed while a job runs, and comes back: the log is whole,
// and the exit code that of the job.
func TestServersKilled(t *testing.T) {
	for _, name := range []string{"kubelet", "api"} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			cmd := s.job("tick fail")
			testkit.OK(t, cmd.Start())
			s.in(progress.Running, "tick 3\n")
			again := s.Kill(t, name)
			defer again()
			time.Sleep(8 * time.Second)
			again()
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 3 {
				t.Error(code)
			}
			s.whole()
			s.NothingLeft(t, s.namespace)
		})
	}
}

// TestPending: of a pod that no node takes, the cluster's reason is shown, and Ctrl-C removes it.
func TestPending(t *testing.T) {
	s := newScene(t)
	cmd := s.job("none", "--k8s", "node-selector=no=such")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	testkit.OK(t, cmd.Start())
	s.in(progress.Creating, "")
	time.Sleep(10 * time.Second)
	testkit.OK(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	got := ended{cmd.ProcessState.ExitCode(), "", errs.String()}
	if got.code != 130 || !strings.Contains(got.err, "waiting for the pod: Unschedulable: 0/1 nodes are available") || !strings.Contains(got.last(), "before the job was started") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestStopped: runs stop ends a job that another amlfix sees to.
func TestStopped(t *testing.T) {
	s := newScene(t)
	cmd := s.job("wait")
	testkit.OK(t, cmd.Start())
	s.in(progress.Running, "waiting\n")
	if got := finish(s.Command(t, s.dir, "runs", "stop", s.record().ID.String())); got.code != 0 {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 143 {
		t.Error(code)
	}
	s.NothingLeft(t, s.namespace)
}

// TestPodDeleted: somebody deletes the pod, by force or not: the run is lost, with the reason, and nothing is left.
func TestPodDeleted(t *testing.T) {
	for name, flags := range map[string][]string{"asked": nil, "forced": {"--force", "--grace-period=0"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			cmd := s.job("tick")
			var errs bytes.Buffer
			cmd.Stderr = &errs
			testkit.OK(t, cmd.Start())
			s.in(progress.Running, "tick 3\n")
			s.Kubectl(t, append([]string{"-n", s.namespace, "delete", "pods", "--all", "--wait=false"}, flags...)...)
			_ = cmd.Wait()
			got := ended{cmd.ProcessState.ExitCode(), "", errs.String()}
			if got.code != 125 && got.code != 143 || !strings.Contains(got.err, "pod") {
				t.Errorf("%d\n%s", got.code, got.err)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// TestMemory: a job that takes more memory than --memory allows is ended by the kernel, and amlfix says so.
func TestMemory(t *testing.T) {
	s := newScene(t)
	got := finish(s.job("memory", "--memory", "100m"))
	if got.code != 137 || !strings.Contains(got.last(), "oom-killed") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestGPU: a job that is for a GPU gets one of the node's, here of a stand-in, which proves nothing.
func TestGPU(t *testing.T) {
	s := newScene(t)
	s.StandIn(t, 1)
	got := finish(s.job("none", "--gpus", "1"))
	if got.code != 0 || !strings.Contains(got.err, "GPU") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	if got := finish(s.job("none", "--gpus", "1", "--require-gpu")); got.code != 123 {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestClaim: on a volume that stays, the second run sends only what has changed, and the job sees exactly the project.
func TestClaim(t *testing.T) {
	s := newScene(t)
	volume := t.TempDir()
	s.Apply(t, `apiVersion: v1
kind: PersistentVolume
metadata: {name: `+s.namespace+`}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: `+volume+`}, claimRef: {namespace: `+s.namespace+`, name: projects}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: projects, namespace: `+s.namespace+`}
spec: {storageClassName: "", accessModes: [ReadWriteOnce], volumeName: `+s.namespace+`, resources: {requests: {storage: 1Gi}}}
`)
	for i := range 6 {
		testkit.OK(t, os.WriteFile(filepath.Join(s.dir, "src", fmt.Sprintf("data%d", i)), bytes.Repeat([]byte{byte('a' + i)}, 1_000_000), 0o644))
	}
	run := func() ended {
		t.Helper()
		got := finish(s.job("none", "--k8s", "claim=projects"))
		if got.code != 0 {
			t.Fatalf("%d\n%s", got.code, got.err)
		}
		return got
	}
	run()
	testkit.OK(t, os.WriteFile(filepath.Join(s.dir, "src/data0"), bytes.Repeat([]byte("z"), 1_000_000), 0o644))
	if got := run(); !strings.Contains(got.err, "1 of ") && !strings.Contains(got.err, "976") {
		t.Error(got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestOrphans: what a run has left whose record is gone is removed, and a job of somebody else is not.
func TestOrphans(t *testing.T) {
	s, other := newScene(t), newScene(t)
	cmd := s.job("wait")
	testkit.OK(t, cmd.Start())
	s.in(progress.Running, "waiting\n")
	testkit.OK(t, cmd.Process.Kill())
	_ = cmd.Wait()
	id := s.record().ID.String()
	testkit.OK(t, os.RemoveAll(filepath.Join(s.dir, ".amlfix")))
	testkit.OK(t, os.WriteFile(filepath.Join(other.dir, ".amlfix.yaml"), []byte("kubernetes: {context: node, namespace: "+s.namespace+"}\n"), 0o644))
	clean := func(s *scene) ended {
		t.Helper()
		cmd := s.Command(t, s.dir, "runs", "clean", "--orphans")
		cmd.Env = append(cmd.Env, "DOCKER_HOST=unix:///nowhere.sock")
		return finish(cmd)
	}
	if got := clean(other); strings.Contains(got.err, id) {
		t.Errorf("another project's:\n%s", got.err)
	}
	if got := clean(s); !strings.Contains(got.err, "of run "+id+" is still at work: left alone") {
		t.Errorf("at work:\n%s", got.err)
	}
	s.Kubectl(t, "-n", s.namespace, "exec", "job/amlfix-"+id, "--", "sh", "-c", "kill -9 $(grep -lsa 'main.p[y]' /proc/[0-9]*/cmdline | cut -d/ -f3); sleep 1")
	if got := clean(s); !strings.Contains(got.err, "removed job amlfix-"+id+" in node/"+s.namespace) {
		t.Errorf("not removed:\n%s", got.err)
	}
	s.NothingLeft(t, s.namespace)
}
