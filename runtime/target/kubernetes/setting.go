package kubernetes

import (
	"regexp"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
)

// Parts of the values that Kubernetes accepts. Sources: its documentation, "Object Names and IDs", "Labels and
// Selectors", "Taints and Tolerations" and "Resource Management".
const (
	aPart  = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
	aLabel = `([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)`
	aName  = aPart + `(\.` + aPart + `)*`
	aKey   = `(` + aName + `/)?` + aLabel
)

// forms say which values of settings Kubernetes accepts, and how to write them.
var forms = [...]struct{ settings, form, write string }{
	{"namespace", aPart, "is not a name: write lowercase letters, digits and hyphens"},
	{"claim pull-secret queue storage-class", aName, "is not a name: write lowercase letters, digits, hyphens and periods"},
	{"node-selector", aKey + `=` + aLabel + `?`, "is not a node label: write LABEL=VALUE"},
	{"toleration", aKey + `(=` + aLabel + `?)?(:(NoSchedule|PreferNoSchedule|NoExecute))?`, "is not a taint, as in nvidia.com/gpu:NoSchedule or gpu=a100:NoExecute; the effects are NoSchedule, PreferNoSchedule and NoExecute"},
	{"storage", `\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]+)?`, "is not a size: write a number and a unit, as in 20Gi"},
}

// misformed says how to write a setting whose value Kubernetes would refuse, or "".
func misformed(i plan.Item) string {
	for _, f := range &forms {
		for name := range strings.FieldsSeq(f.settings) {
			if name == i.Name && !regexp.MustCompile(`^(`+f.form+`)$`).MatchString(i.Value) {
				return f.write
			}
		}
	}
	return ""
}
