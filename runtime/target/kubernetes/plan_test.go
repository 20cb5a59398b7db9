package kubernetes

import (
	"testing"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSettings: a setting that does not exist, or whose value is not valid, is named the way it was written.
func TestSettings(t *testing.T) {
	file := plan.Origin{Path: ".amlfix.yaml", Line: 2}
	for _, test := range []struct {
		item plan.Item
		want string
	}{
		{plan.Item{Name: "queue", Value: "team", Origin: file}, ""},
		{plan.Item{Name: "contxt", Value: "a", Origin: file}, ".amlfix.yaml:2: kubernetes.contxt is not a setting: the settings are context, namespace, node-selector, tolerations, claim, storage-class, storage, pull-secret, registry and queue"},
		{plan.Item{Name: "context", Value: "-a", Origin: file}, ".amlfix.yaml:2: kubernetes.context: -a is not a valid value"},
		{plan.Item{Name: "node-selector", Value: "a", Origin: plan.CommandLine}, "--k8s node-selector=a is not a node label: write LABEL=VALUE"},
	} {
		got := ""
		if err := new(Part).settings([]plan.Item{test.item}); err != nil {
			got = err.Error()
		}
		testkit.Same(t, test.want, got)
	}
}
