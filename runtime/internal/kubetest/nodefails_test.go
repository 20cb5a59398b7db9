//go:build linux

package kubetest

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNodeFails checks that the first pod that fails ends the run with its exit code, and ends the other pods as Ctrl-C
// does: what they save is copied back. Each log is that of its pod, byte for byte.
func TestNodeFails(t *testing.T) {
	s := newNodes(t, 3, "{type: pytorch}")
	got := finish(s.job("fail wait"))
	if got.code != 7 || !strings.Contains(got.last(), "failed with exit code 7") || !strings.Contains(got.last(), "pod 1 ended with exit code 7") || !strings.Contains(got.err, "pod 1 ended with exit code 7: stopping the other 2\n") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	testkit.Same(t, "[0] interrupted\n[0] waiting\n[1] failing\n[2] interrupted\n[2] waiting\n", sorted(got.out))
	for i, want := range []string{"waiting\ninterrupted\n", "failing\n", "waiting\ninterrupted\n"} {
		testkit.Same(t, want, s.podLog(i), i)
	}
	if s.content("outputs/saved") != "x" || s.content("outputs/pod-2/saved") != "x" {
		t.Error("what was saved did not come back")
	}
	if pods := s.record().Pods; len(pods) != 3 || pods[1].Exit == nil || pods[1].Exit.Code != 7 || pods[0].Exit == nil || pods[0].Exit.Cause != process.Cancelled {
		t.Errorf("%+v", pods)
	}
	shown := finish(s.Command(t, s.dir, "runs", "show", s.record().ID.String()))
	testkit.Has(t, shown.out, "exit code 7, output in pod-1.log")
	if strings.Count(shown.out, "the run's metrics") != 1 {
		t.Error(shown.out)
	}
	s.NothingLeft(t, s.namespace)
}

// TestNodeFailsAlone makes a pod fail while no amlfix follows the run. The cluster would end the others an hour later,
// for which the test does not wait. runs attach reports which pod failed, and how.
func TestNodeFailsAlone(t *testing.T) {
	s := newNodes(t, 2, "{type: pytorch}")
	run := s.begin(s.job("wait"))
	s.in(progress.Running, "[1] waiting\n")
	run.killed()
	rec := s.record()
	in := func(script string) (string, error) {
		return s.kubectl("-n", s.namespace, "exec", rec.Pods[1].Name, "--", "sh", "-c", "cd /amlfix/.amlfix/runs/"+rec.ID.String()+" && "+script)
	}
	_, _ = in("for p in /proc/[0-9]*; do case $(readlink $p/exe) in */python*) kill -9 ${p#/proc/} ;; esac; done")
	eventually(t, "the job's end", func() bool {
		_, err := in("[ -s exit ] && touch -t 202001010000 exit")
		return err == nil
	})
	eventually(t, "the end of both pods", func() bool {
		return s.Kubectl(t, "-n", s.namespace, "get", "pods", "--field-selector", "status.phase=Running", "-o", "name") == ""
	})
	eventually(t, "the job's failure", func() bool {
		return s.Kubectl(t, "-n", s.namespace, "get", "job", "amlfix-"+rec.ID.String(), "-o", `jsonpath={.status.conditions[?(@.type=="Failed")].reason}`) == "PodFailurePolicy"
	})
	if log := s.Kubectl(t, "-n", s.namespace, "logs", rec.Pods[1].Name); !strings.Contains(log, "waiting\n") && log != "waiting" {
		t.Errorf("the pod's log: %q", log)
	}
	got := finish(s.Command(t, s.dir, "runs", "attach", rec.ID.String()))
	if got.code != 137 || !strings.Contains(got.last(), "pod 1 ended with exit code 137") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestNodeDeleted deletes one of the pods: the run is lost, the reason is given, and what the other pods saved is
// copied back.
func TestNodeDeleted(t *testing.T) {
	s := newNodes(t, 2, "{type: pytorch}")
	run := s.begin(s.job("wait"))
	s.in(progress.Running, "[1] waiting\n")
	s.Kubectl(t, "-n", s.namespace, "delete", "pod", s.record().Pods[1].Name, "--wait=false", "--force", "--grace-period=0")
	got := run.ended()
	if got.code != 125 || !strings.Contains(got.last(), "pod 1 was lost") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	if s.content("outputs/saved") != "x" {
		t.Error("what pod 0 has saved did not come back")
	}
	s.NothingLeft(t, s.namespace)
}

// TestNodesPending starts pods of which only some fit: the cluster's reason is shown, and Ctrl-C removes them.
func TestNodesPending(t *testing.T) {
	s := newNodes(t, 3, "{type: pytorch}")
	s.StandIn(t, 3) // for the check's request; the other pods have two of them
	s.Apply(t, `apiVersion: v1
kind: Pod
metadata: {name: other, namespace: `+s.namespace+`}
spec: {restartPolicy: Never, terminationGracePeriodSeconds: 0, containers: [{name: c, image: `+Image+`, imagePullPolicy: Never, command: [sleep, "300"], resources: {limits: {nvidia.com/gpu: 1}}}]}
`)
	s.Kubectl(t, "-n", s.namespace, "wait", "--for=condition=Ready", "pod/other", "--timeout=30s")
	run := s.begin(s.job("none", "--gpus", "1"))
	s.in(progress.Creating, "")
	time.Sleep(12 * time.Second)
	testkit.OK(t, run.Process.Signal(os.Interrupt))
	got := run.ended()
	if got.code != 130 || !regexp.MustCompile(`waiting for the pods: 2 of 3 are running; pod \d is waiting: Unschedulable: 0/1 nodes are available: 1 Insufficient nvidia.com/gpu`).MatchString(got.err) {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}
