package kubernetes

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestEnvironment(t *testing.T) {
	const name = "amlfix-20261122-101112-abcdef"
	first := name + "-0." + name
	nodes := "AMLFIX_NODE=1 NODE_RANK=1 GROUP_RANK=1 AMLFIX_NODES=3 AZUREML_NODE_COUNT=3 "
	meeting := nodes + "MASTER_ADDR=" + first + " MASTER_PORT=29500 "
	mpi := meeting + "AMLFIX_MPI=1 AZ_BATCHAI_MPI_MASTER_NODE=" + first + " AZ_BATCH_MASTER_NODE=" + first + ":29500 "
	torch := "WORLD_SIZE=3 RANK=1 LOCAL_RANK=0 LOCAL_WORLD_SIZE=1 "
	ompi := "OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_LOCAL_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=1 "
	tf := func(ps, worker, task string) string {
		at := strings.NewReplacer("0", `"`+name+"-0."+name+`:2222"`, "1", `"`+name+"-1."+name+`:2222"`, "2", `"`+name+"-2."+name+`:2222"`)
		return nodes + `TF_CONFIG={"cluster":{` + at.Replace(ps) + `"worker":[` + at.Replace(worker) + `]},"environment":"cloud","task":` + task + `} `
	}
	for _, test := range []struct {
		name   string
		pods   int
		spread Spread
		want   string
	}{
		{"one pod", 0, Spread{Kind: schema.PyTorch, PerPod: 1}, ""},
		{"pytorch", 3, Spread{Kind: schema.PyTorch, PerPod: 1}, meeting + torch},
		{"several processes", 3, Spread{Kind: schema.PyTorch, PerPod: 2}, meeting},
		{"no distribution", 3, Spread{PerPod: 1}, meeting + torch},
		{"mpi", 3, Spread{Kind: schema.MPI, PerPod: 1}, mpi + torch + ompi},
		{"workers", 3, Spread{Kind: schema.TensorFlow, PerPod: 1, Workers: 3}, tf("", "0,1,2", `{"index":1,"type":"worker"}`)},
		{"parameter servers", 3, Spread{Kind: schema.TensorFlow, PerPod: 1, Workers: 1}, tf(`"ps":[1,2],`, "0", `{"index":0,"type":"ps"}`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			part := &Part{Spread: test.spread, Spec: kubernetes.Spec{RunID: runid.MustParse(name[7:]), Nodes: plan.From(test.pods, plan.Origin{})}}
			got := ""
			for _, v := range part.environment(1) {
				got += v + " "
			}
			testkit.Same(t, test.want, got)
		})
	}
}

func TestTooOld(t *testing.T) {
	for server, want := range map[string]bool{"v1.28.9": true, "v1.29.0-eks-1": false, "v1.34.4": false, "v2.0": false, "": false, "unknown": false} {
		if tooOld(server) != want {
			t.Error(server)
		}
	}
}
