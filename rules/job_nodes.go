package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

var jobNodes = Rule{
	ID:       "job/nodes",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "A job uses several machines, but nothing distributes it over them, or it asks for no machine at all.",
	Why: `instance_count (nodeCount in SDK v1) reserves machines. The distribution turns them into one training job: it
starts the processes on each machine, and gives them their rank and the address of the first machine. Without it, every
machine that runs the command does all the work and writes to the same outputs. Commands that find the other machines
themselves (torchrun --nnodes, ray, dask, or anything that reads MASTER_ADDR or AZ_BATCH_HOST_LIST) are not reported.`,
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:training:3
compute: azureml:gpu-cluster
resources:
  instance_count: 4
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:training:3
compute: azureml:gpu-cluster
resources:
  instance_count: 4
distribution:
  type: pytorch
  process_count_per_instance: 1
`,
	Check: func(p *Pass) {
		for _, j := range p.Project.Jobs {
			n, ok := countOf(j.Nodes)
			switch {
			case ok && j.Kind == schema.Deployment && n < 0:
				p.report(j.Nodes.Location("a number of machines cannot be negative: write 1 or more"), nil)
			case ok && j.Kind != schema.Deployment && n < 1:
				p.report(j.Nodes.Location("a job needs at least one machine: write 1 or more"), nil)
			}
			if most, limit := mostMachines(j.Target); ok && limit.Node != nil && n > most {
				advice := "raise max_instances, or use fewer machines"
				if strings.EqualFold(limit.Text, instanceType) {
					advice = "a compute instance is a single machine; use a cluster"
				}
				p.report(j.Nodes.Location(fmt.Sprintf("the job needs %d machines, but its compute has at most %d, so it cannot start: %s", n, most, advice)), nil, limit.Location("the limit of the compute"))
			}
			if ok && n > 1 && undistributed(j) {
				p.report(j.Nodes.Location(fmt.Sprintf("the job uses %d machines but has no %s, so each machine does the whole work: add it, or use one machine", n, distributionKey(j))), nil)
			}
		}
	},
}

// mostMachines returns the most machines that a target can have, if a file of the project says that of its compute.
func mostMachines(t *schema.Target) (most int, limit schema.Field) {
	if t == nil || t.VMSize.File == nil || t.VMSize.File.V2 != "compute" {
		return 0, schema.Field{}
	}
	if kind := schema.FieldAt(t.VMSize.File, t.VMSize.File.Root().Resolve(), "type"); strings.EqualFold(kind.Text, instanceType) {
		return 1, kind
	}
	limit = schema.FieldAt(t.VMSize.File, t.VMSize.File.Root().Resolve(), "max_instances")
	if most, ok := countOf(limit); ok {
		return most, limit
	}
	return 0, schema.Field{}
}

const instanceType = "computeinstance"

func distributionKey(j *schema.Job) string {
	if j.Dialect == schema.V2 {
		return "distribution"
	}
	return "communicator"
}

// undistributed reports whether all machines of a job run the same command.
func undistributed(j *schema.Job) bool {
	if j.Dialect == schema.V2 {
		return !distributes(j) && j.Kind != schema.Deployment && (j.Type == "" || j.Type == "command" || j.Type == "sweep") && commandOf(j) != "" && !findsOthers.Get().MatchString(commandOf(j))
	}
	if j.Dialect == schema.SDKv1 {
		none := !j.Communicator.Explicit || strings.EqualFold(j.Communicator.Text, "none")
		return none && j.Communicator.Key != nil && strings.EqualFold(j.Framework.Text, "python") && !findsOthers.Get().MatchString(commandOf(j))
	}
	return false
}

// distributes reports whether a v2 job has a distribution, even one that Azure ML does not accept.
func distributes(j *schema.Job) bool {
	for own := j; own != nil; own = own.Runs {
		for _, at := range []*document.Node{own.Node, own.Node.Get("trial").Resolve()} {
			if n := at.Get("distribution").Resolve(); n != nil && !n.IsNull() {
				return true
			}
		}
	}
	return false
}

// findsOthers matches parts of commands that find the other machines themselves.
var findsOthers = plain.Regexp{Text: `(?i)nnodes|num[-_]?nodes|node[-_]?rank|num[-_]machines|machine[-_]rank|\bray\b|\bdask|hostfile|deepspeed|mpirun|mpiexec|AZ_BATCH|AZUREML_NODE|MASTER_ADDR|\bINDEX\b`}
