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
		{plan.Item{Name: "node-selector", Value: "nvidia.com/gpu.product=A100-SXM4", Origin: plan.CommandLine}, ""},
		{plan.Item{Name: "node-selector", Value: "gpu=", Origin: plan.CommandLine}, ""},
		{plan.Item{Name: "node-selector", Value: "a b=c", Origin: plan.CommandLine}, "--k8s node-selector=\"a b=c\" is not a node label: write LABEL=VALUE"},
		{plan.Item{Name: "toleration", Value: "nvidia.com/gpu:NoSchedule", Origin: file}, ""},
		{plan.Item{Name: "toleration", Value: "gpu=a100:NoExecute", Origin: file}, ""},
		{plan.Item{Name: "toleration", Value: "gpu", Origin: file}, ""},
		{plan.Item{Name: "toleration", Value: ":::", Origin: file}, ".amlfix.yaml:2: kubernetes.toleration: ::: is not a taint, as in nvidia.com/gpu:NoSchedule or gpu=a100:NoExecute; the effects are NoSchedule, PreferNoSchedule and NoExecute"},
		{plan.Item{Name: "storage", Value: "50Gi", Origin: file}, ""},
		{plan.Item{Name: "storage", Value: "+.5e3", Origin: file}, ""},
		{plan.Item{Name: "storage", Value: "20ki", Origin: file}, ".amlfix.yaml:2: kubernetes.storage: 20ki is not a size: write a number and a unit, as in 20Gi"},
		{plan.Item{Name: "storage", Value: "x", Origin: plan.CommandLine}, "--k8s storage=x is not a size: write a number and a unit, as in 20Gi"},
		{plan.Item{Name: "claim", Value: "A B", Origin: plan.CommandLine}, "--k8s claim=\"A B\" is not a name: write lowercase letters, digits, hyphens and periods"},
		{plan.Item{Name: "namespace", Value: "a.b", Origin: plan.CommandLine}, "--k8s namespace=a.b is not a name: write lowercase letters, digits and hyphens"},
	} {
		got := ""
		if err := new(Part).settings([]plan.Item{test.item}); err != nil {
			got = err.Error()
		}
		testkit.Same(t, test.want, got)
	}
}
