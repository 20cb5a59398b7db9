//go:build linux

package kubetest

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNotStarted checks that whatever prevents a job from starting is reported in one sentence with the next step.
// Except in the last cases, this happens before anything is created.
func TestNotStarted(t *testing.T) {
	s := newScene(t)
	s.Apply(t, "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: narrow, namespace: "+s.namespace+"}\nspec: {hard: {count/jobs.batch: 1}}\n")
	full := newScene(t)
	full.Apply(t, "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: full, namespace: "+full.namespace+"}\nspec: {hard: {count/jobs.batch: 0}}\n")
	eventually(t, "the quota", func() bool {
		return strings.Contains(full.Kubectl(t, "-n", full.namespace, "get", "resourcequota", "full", "-o", "jsonpath={.status.hard}"), "jobs.batch")
	})
	small := newScene(t)
	small.Apply(t, "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: small, namespace: "+small.namespace+"}\nspec: {hard: {limits.memory: 4Gi, requests.cpu: 1500m}}\n"+
		"---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: each, namespace: "+small.namespace+"}\nspec: {limits: [{type: Container, max: {memory: 2Gi}}]}\n")
	eventually(t, "the quota", func() bool {
		return strings.Contains(small.Kubectl(t, "-n", small.namespace, "get", "resourcequota", "small", "-o", "jsonpath={.status.hard}"), "memory")
	})
	for name, test := range map[string]struct {
		scene *scene
		flags []string
		want  string
		made  bool
	}{
		"no context":    {s, []string{"--k8s", "context=nowhere"}, `there is no context "nowhere"; there are: away, guest, node, stranger: name one with`, false},
		"no rights":     {s, []string{"--k8s", "context=guest"}, "this user lacks rights in guest/" + s.namespace + " that a run needs: create jobs.batch", false},
		"no answer":     {s, []string{"--k8s", "context=away"}, "away: the cluster does not answer: check the network", false},
		"no namespace":  {s, []string{"--k8s", "namespace=nowhere"}, "there is no namespace nowhere in node: name another one", false},
		"no GPU":        {s, []string{"--gpus", "1"}, "no node that accepts the job offers nvidia.com/gpu: install", false},
		"no such node":  {s, []string{"--gpus", "1", "--k8s", "node-selector=gpu=a100"}, "no node of the cluster accepts the job: check", false},
		"no claim":      {s, []string{"--k8s", "claim=nothing"}, "there is no persistentvolumeclaim nothing in", false},
		"no secret":     {s, []string{"--k8s", "pull-secret=nothing"}, "there is no secret nothing in", false},
		"no quota":      {full, nil, "quota full of node/" + full.namespace + " allows 0 count/jobs.batch", false},
		"small quota":   {small, []string{"--memory", "1g", "--cpus", "2"}, "quota small of node/" + small.namespace + " allows 1500m requests.cpu, of which 0 are in use, and the job needs 2: ask for less, or", false},
		"limit range":   {small, []string{"--memory", "3g", "--cpus", "1"}, "limit range each of node/" + small.namespace + " allows a pod 2Gi memory, and the job needs 3Gi: ask for less, or", false},
		"no node":       {s, []string{"--k8s", "node-selector=gpu=a100"}, "no node of the cluster accepts the job: check", false},
		"no class":      {s, []string{"--k8s", "storage-class=fast"}, "there is no storage class fast in node: ", false},
		"no login":      {s, []string{"--k8s", "context=stranger"}, "stranger: the cluster does not recognize this user: log in again", false},
		"no shell":      {s, []string{"--image", Bare}, "the image has no shell (sh), which amlfix needs to start jobs: use an image", true},
		"no such image": {s, []string{"--image", "registry.invalid/none:1"}, "the image cannot be pulled (", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := test.scene
			got := finish(s.job("none", test.flags...))
			if got.code != 125 || !strings.Contains(got.last(), test.want) || !strings.HasPrefix(got.last(), "amlfix: not started: ") {
				t.Errorf("%d\n%s", got.code, got.err)
			}
			if made := strings.Contains(got.err, "creating job"); made != test.made {
				t.Errorf("made: %v\n%s", made, got.err)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// TestChecks checks that --check reports what it finds and creates nothing.
func TestChecks(t *testing.T) {
	s := newScene(t)
	s.StandIn(t, 2)
	got := finish(s.Command(t, s.dir, "run", "job.yml", "-t", "k8s", "--check", "--gpus", "2"))
	testkit.Has(t, got.out, "ok        connection   kubectl v1.", "ok        rights ", "ok        gpus         1 node offers 2 nvidia.com/gpu or more", "ok        image        "+Image+" is on a node")
	if got.code != 0 {
		t.Error(got.code, got.err)
	}
	got = finish(s.Command(t, s.dir, "run", "job.yml", "-t", "k8s", "--check", "--gpus", "3"))
	if got.code != 125 || !strings.Contains(got.out, "the job needs 3 GPUs on one node, but no node that accepts it has more than 2") {
		t.Errorf("%d\n%s", got.code, got.out)
	}
	s.NothingLeft(t, s.namespace)
}
