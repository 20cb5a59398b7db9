//go:build unix

package kubernetes

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNodesThatAccept checks which taints keep a job from ever running on a node. kubectl is a stand-in here.
func TestNodesThatAccept(t *testing.T) {
	for taint, want := range map[string]int{
		`"key": "team", "value": "other", "effect": "NoSchedule"`:                   0,
		`"key": "team", "value": "mine", "effect": "NoSchedule"`:                    1,
		`"key": "team", "value": "other", "effect": "PreferNoSchedule"`:             1,
		`"key": "node.kubernetes.io/memory-pressure", "effect": "NoSchedule"`:       1,
		`"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"`:              1,
		`"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"`:         0,
		`"key": "node.kubernetes.io/out-of-service", "effect": "NoExecute"`:         0,
		`"key": "example.com/node.kubernetes.io/not-ready", "effect": "NoSchedule"`: 0,
		`"key": "` + GPU + `", "value": "present", "effect": "NoSchedule"`:          0,
	} {
		dir := t.TempDir()
		script := "#!/bin/sh\ncase $1 in config) echo '{\"current-context\": \"a\", \"contexts\": [{\"name\": \"a\", \"context\": {}}]}' ;; *) echo '{\"items\": [{\"spec\": {\"taints\": [{" + "'$TAINT'" + "}]}}]}' ;; esac\n"
		testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o755))
		t.Setenv("PATH", dir)
		t.Setenv("TAINT", taint)
		client, err := Connect(t.Context(), Cluster{}, os.Environ())
		testkit.OK(t, err)
		nodes, err := client.Nodes(t.Context(), Spec{Tolerated: []plan.Item{{Value: "team=mine:NoSchedule"}}})
		testkit.OK(t, err)
		testkit.Same(t, want, len(nodes), taint)
	}
}
