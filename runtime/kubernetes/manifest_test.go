package kubernetes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

func full() Spec {
	at := func(line int) plan.Origin { return plan.Origin{Path: "job.yml", Line: line} }
	return Spec{
		RunID: runid.MustParse("20261122-101112-abcdef"), Project: "f41e85d7d710db50", Image: plan.From("python:3.12", at(1)), GPUs: plan.From(2, at(2)),
		Memory: plan.From(int64(8<<30), at(3)), CPUs: plan.From(0.5, at(4)), Shm: plan.From(int64(1<<30), at(5)), Claim: plan.From("projects", at(6)),
		PullSecret: plan.From("login", at(7)), Queue: plan.From("team", at(8)),
		Selector:  []plan.Item{{Value: "gpu=a100", Origin: at(9)}, {Value: "example.com/zone=1", Origin: at(10)}},
		Tolerated: []plan.Item{{Value: "nvidia.com/gpu:NoSchedule", Origin: at(11)}, {Value: "team=a", Origin: at(12)}},
	}
}

func TestManifest(t *testing.T) {
	labels := `{"app.kubernetes.io/managed-by": "amlfix", "io.amlfix.run": "20261122-101112-abcdef", "io.amlfix.project": "f41e85d7d710db50"`
	want := `{"apiVersion": "batch/v1", "kind": "Job",
		"metadata": {"name": "amlfix-20261122-101112-abcdef", "labels": ` + labels + `, "kueue.x-k8s.io/queue-name": "team"}},
		"spec": {"suspend": true, "backoffLimit": 0, "ttlSecondsAfterFinished": 604800, "template": {"metadata": {"labels": ` + labels + `}}, "spec": {
			"restartPolicy": "Never", "automountServiceAccountToken": false, "terminationGracePeriodSeconds": 30,
			"imagePullSecrets": [{"name": "login"}], "nodeSelector": {"gpu": "a100", "example.com/zone": "1"},
			"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}, {"key": "team", "operator": "Equal", "value": "a"}],
			"containers": [{"name": "job", "image": "python:3.12",
				"command": ["sh", "-c", "SCRIPT", "sh", "/amlfix/.amlfix/runs/20261122-101112-abcdef", "AMLFIX_RUN_ID=20261122-101112-abcdef"],
				"resources": {"limits": {"nvidia.com/gpu": 2, "memory": "8589934592", "cpu": "0.5"}},
				"volumeMounts": [{"name": "amlfix", "mountPath": "/amlfix"}, {"name": "shm", "mountPath": "/dev/shm"}]}],
			"volumes": [{"name": "amlfix", "persistentVolumeClaim": {"claimName": "projects"}}, {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "1073741824"}}]
		}}}}`
	var got, wanted any
	testkit.OK(t, json.Unmarshal([]byte(want), &wanted))
	script, _ := json.Marshal(hold())
	testkit.OK(t, json.Unmarshal([]byte(strings.Replace(string(toJSON(full().Manifest())), string(script), `"SCRIPT"`, 1)), &got))
	testkit.Same(t, wanted, got)
}

// TestManifestKnowsItsLines checks that every field has an origin, and that values from files name their line.
func TestManifestKnowsItsLines(t *testing.T) {
	lines := map[int]bool{}
	for _, s := range full().Manifest() {
		if s.Origin.String() == "" {
			t.Errorf("%s comes from nowhere", s)
		}
		lines[s.Origin.Line] = true
		if strings.Contains(s.String(), "\n") {
			t.Errorf("%s has several lines", s)
		}
	}
	for line := 1; line <= 12; line++ {
		if !lines[line] {
			t.Errorf("no field comes from line %d", line)
		}
	}
}

func TestSetString(t *testing.T) {
	for want, s := range map[string]Set{
		"kind: Job":                             {Path: []string{"kind"}, Value: "Job"},
		"spec.containers[0].image: python:3.12": {Path: []string{"spec", "containers", "0", "image"}, Value: "python:3.12"},
		"limits[nvidia.com/gpu]: 2":             {Path: []string{"limits", "nvidia.com/gpu"}, Value: 2},
		`nodeSelector.zone: "a b"`:              {Path: []string{"nodeSelector", "zone"}, Value: "a b"},
		"volumes[0].emptyDir: {}":               {Path: []string{"volumes", "0", "emptyDir"}, Value: map[string]any{}},
		"automountServiceAccountToken: false":   {Path: []string{"automountServiceAccountToken"}, Value: false},
	} {
		testkit.Same(t, want, s.String())
	}
}

func TestTolerated(t *testing.T) {
	tests := []struct {
		tolerations        string
		key, value, effect string
		want               bool
	}{
		{"team", "team", "a", "NoSchedule", true},
		{"team:NoExecute", "team", "a", "NoSchedule", false},
		{"team=a:NoSchedule", "team", "a", "NoSchedule", true},
		{"team=b", "team", "a", "NoSchedule", false},
		{"other", "team", "", "NoSchedule", false},
		{"other team", "team", "", "NoSchedule", true},
	}
	for _, test := range tests {
		var s Spec
		for _, word := range strings.Fields(test.tolerations) {
			s.Tolerated = append(s.Tolerated, plan.Item{Value: word})
		}
		if got := tolerated(s, test.key, test.value, test.effect); got != test.want {
			t.Error(fmt.Sprintf("%+v", test), got)
		}
	}
}

// TestIndexed checks that a job with several pods becomes an Indexed Job with a Service owned by it.
func TestIndexed(t *testing.T) {
	s := full()
	s.Nodes = plan.From(3, plan.Origin{Path: "job.yml", Line: 13})
	var job struct {
		Spec struct {
			CompletionMode                                               string
			Completions, Parallelism, BackoffLimitPerIndex, BackoffLimit *int
			PodFailurePolicy                                             struct {
				Rules []struct {
					Action      string
					OnExitCodes struct{ Values []int }
				}
			}
			Template struct {
				Spec struct {
					Subdomain  string
					Containers []struct {
						VolumeMounts []struct{ SubPathExpr string }
					}
				}
			}
		}
	}
	testkit.OK(t, json.Unmarshal(toJSON(s.Manifest()), &job))
	j := job.Spec
	if j.CompletionMode != "Indexed" || *j.Completions != 3 || *j.Parallelism != 3 || *j.BackoffLimitPerIndex != replacements || j.BackoffLimit != nil ||
		j.Template.Spec.Subdomain != JobName(s.RunID) || j.Template.Spec.Containers[0].VolumeMounts[0].SubPathExpr != "pods/$(JOB_COMPLETION_INDEX)" {
		t.Errorf("%+v", j)
	}
	if r := j.PodFailurePolicy.Rules; len(r) != 1 || r[0].Action != "FailJob" || !slices.Equal(r[0].OnExitCodes.Values, []int{alone}) {
		t.Errorf("%+v", r)
	}
	want := `{"apiVersion":"v1","kind":"Service","metadata":{"labels":{"app.kubernetes.io/managed-by":"amlfix","io.amlfix.run":"20261122-101112-abcdef"},` +
		`"name":"amlfix-20261122-101112-abcdef","ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"amlfix-20261122-101112-abcdef","uid":"u"}]},` +
		`"spec":{"clusterIP":"None","publishNotReadyAddresses":true,"selector":{"io.amlfix.run":"20261122-101112-abcdef"}}}`
	testkit.Same(t, want, string(toJSON(s.Service("u"))))
}
