package kubernetes

import (
	"strconv"

	"github.com/amlfix/amlfix/runtime/plan"
)

// indexVariable is the variable in which Kubernetes gives each pod of an Indexed Job its index, from 0; indexAnnotation
// holds it in the pod object.
const (
	indexVariable   = "JOB_COMPLETION_INDEX"
	indexAnnotation = "batch.kubernetes.io/job-completion-index"
)

// alone is the exit code of a container whose job failed while no amlfix process was following the run. The cluster
// then ends the other pods.
const alone = 75

// Pods returns the number of the job's pods.
func (s Spec) Pods() int { return max(1, s.Nodes.Value) }

func (s Spec) noun() string {
	if s.Pods() > 1 {
		return "pods"
	}
	return "pod"
}

// Index returns the pod's index in an Indexed Job; 0 for any other pod.
func (p Pod) Index() int {
	n, _ := strconv.Atoi(p.Metadata.Annotations[indexAnnotation])
	return max(n, 0)
}

// replacements is how many pods the cluster creates to replace one.
const replacements = 10

// indexed adds the fields that say how many pods there are and what happens when one fails. The others continue until
// amlfix ends them, or until the cluster does after an hour without amlfix. Only a pod can wait for that hour: the one
// that replaces a deleted pod does.
func (s Spec) indexed(list *fields) {
	if s.Pods() == 1 {
		list.add(0, always, "spec", "backoffLimit")
		return
	}
	list.add("Indexed", s.Nodes.Origin, "spec", "completionMode")
	list.add(s.Pods(), s.Nodes.Origin, "spec", "completions")
	list.add(s.Pods(), s.Nodes.Origin, "spec", "parallelism")
	list.add(replacements, plan.Origin{Note: "a pod that replaces another one runs no job, and amlfix ends the others; Kubernetes 1.29 or later"}, "spec", "backoffLimitPerIndex")
	list.add([]any{map[string]any{"action": "FailJob", "onExitCodes": map[string]any{"containerName": Container, "operator": "In", "values": []int{alone}}}},
		plan.Origin{Note: "an hour after a pod has failed or is gone, and no amlfix process has seen it, the cluster ends the others"}, "spec", "podFailurePolicy", "rules")
	list.add(JobName(s.RunID), plan.Origin{Note: "pods find each other by the names from this Service"}, "spec", "template", "spec", "subdomain")
}

// Service returns the headless Service of a job with several pods, field by field. It belongs to the Job with this uid
// and is removed with it; an empty uid is not known yet.
func (s Spec) Service(uid string) []Set {
	name, list := JobName(s.RunID), fields{}
	list.add("v1", always, "apiVersion")
	list.add("Service", plan.Origin{Note: "gives the pods names"}, "kind")
	list.add(name, ofRun, "metadata", "name")
	list.label(Managed)
	list.add(s.RunID.String(), ofRun, "metadata", "labels", RunLabel)
	if uid != "" {
		list.add([]any{map[string]any{"apiVersion": "batch/v1", "kind": "Job", "name": name, "uid": uid}}, always, "metadata", "ownerReferences")
	}
	list.add("None", plan.Origin{Note: "the names are those of the pods"}, "spec", "clusterIP")
	list.add(true, plan.Origin{Note: "as soon as a pod starts"}, "spec", "publishNotReadyAddresses")
	list.add(s.RunID.String(), ofRun, "spec", "selector", RunLabel)
	return list
}
