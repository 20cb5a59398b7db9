package kubernetes

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema"
)

// portOf is the port of TensorFlow's tasks, as in Azure ML.
const portOf = ":2222"

// environment returns the variables of a pod.
func (part *Part) environment(pod int) []string {
	sp, n := part.Spread, part.Spec.Pods()
	if n == 1 {
		return nil
	}
	name := func(i int) string {
		return schema.PodName(kubernetes.JobName(part.Spec.RunID), strconv.Itoa(i))
	}
	var list []string
	set := func(value any, names ...string) {
		for _, name := range names {
			list = append(list, fmt.Sprintf("%s=%v", name, value))
		}
	}
	set(pod, plan.NodeVariable, "NODE_RANK", "GROUP_RANK")
	set(n, plan.NodesVariable, "AZUREML_NODE_COUNT")
	if sp.Kind == schema.TensorFlow {
		set(sp.tfConfig(pod, n, name), "TF_CONFIG")
		return list
	}
	set(name(0), "MASTER_ADDR")
	set(schema.MeetingPort, "MASTER_PORT")
	if sp.Kind == schema.MPI {
		set(1, plan.MPIVariable)
		set(name(0), "AZ_BATCHAI_MPI_MASTER_NODE")
		set(fmt.Sprintf("%s:%d", name(0), schema.MeetingPort), "AZ_BATCH_MASTER_NODE")
	}
	if sp.PerPod > 1 {
		return list // the other variables differ between processes
	}
	set(n, "WORLD_SIZE")
	set(pod, "RANK")
	set(0, "LOCAL_RANK")
	set(1, "LOCAL_WORLD_SIZE")
	if sp.Kind == schema.MPI {
		set(n, "OMPI_COMM_WORLD_SIZE")
		set(pod, "OMPI_COMM_WORLD_RANK")
		set(0, "OMPI_COMM_WORLD_LOCAL_RANK")
		set(1, "OMPI_COMM_WORLD_LOCAL_SIZE")
	}
	return list
}

// tfConfig returns the value that TensorFlow reads from TF_CONFIG.
func (sp Spread) tfConfig(pod, pods int, name func(int) string) string {
	cluster, kind, index := map[string][]string{}, "worker", pod
	for i := range pods {
		of := "worker"
		if i >= sp.Workers {
			of = "ps"
		}
		cluster[of] = append(cluster[of], name(i)+portOf)
	}
	if pod >= sp.Workers {
		kind, index = "ps", pod-sp.Workers
	}
	text, _ := json.Marshal(map[string]any{"cluster": cluster, "task": map[string]any{"type": kind, "index": index}, "environment": "cloud"}) // consists of strings and numbers
	return string(text)
}

// helper reports whether a pod is a parameter server: it runs until the workers have ended, and needs no GPU.
func (sp Spread) helper(pod int) bool { return sp.Kind == schema.TensorFlow && pod >= sp.Workers }
