package migrate_test

import "testing"

// TestNumbers checks that an answer that is not a number is an error wherever a number is asked for.
func TestNumbers(t *testing.T) {
	uneven := sdk("nodeCount: 2\nframework: PyTorch\ncommunicator: Nccl\npytorch: {processCount: 3}")
	larger := on(image("mcr.microsoft.com/azureml/base-gpu:0.2.4", "communicator: OpenMpi\nmpi: {processCountPerNode: 4}\namlcompute: {vmSize: STANDARD_NC6}"), "target: cpu", "target: amlcompute")
	cluster := builder + "ComputeTarget.create(ws, 'c', AmlCompute.provisioning_configuration(vm_size='STANDARD_D2_V2', max_nodes=f()))\n"
	checkWorked(t, []worked{
		{name: "uneven", project: uneven, open: "processes"},
		{name: "uneven, answered", project: uneven, answers: "processes=2", has: []string{"job-job.yml: process_count_per_instance: 2\n"}},
		{name: "uneven, a word", project: uneven, answers: "processes=two", fails: "processes=two: the answer must be a whole number, at least 1"},
		{name: "uneven, for Compose", to: "compose", project: uneven, answers: "processes=0", fails: "processes=0: the answer"},
		{name: "more than GPUs", project: larger, open: "processes"},
		{name: "more than GPUs, a word", project: larger, answers: "processes=one", fails: "processes=one: the answer"},
		{name: "a cluster", project: cluster, has: []string{"compute-c.yml: max_instances: 4\n"}},
		{name: "a cluster, answered", project: cluster, answers: "max-nodes=9", has: []string{"compute-c.yml: max_instances: 9\n"}},
		{name: "a cluster, a word", project: cluster, answers: "max-nodes=9x", fails: "max-nodes=9x: the answer"},
		{name: "a step", project: parallel("node_count=f()"), answers: "nodes=3", has: []string{"job-pipe.yml: instance_count: 3\n"}},
		{name: "a step, a word", project: parallel("node_count=f()"), answers: "nodes=-1", fails: "nodes=-1: the answer"},
		{name: "a job, a word", project: sdk("nodeCount: 4"), answers: "nodes=many", fails: "nodes=many: the answer"},
		{name: "work", project: sdk("communicator: ParallelTask"), answers: "parallel=two", fails: "the answer must be one of job"},
	})
}
