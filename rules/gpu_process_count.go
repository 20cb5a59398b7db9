package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

var gpuProcessCount = Rule{
	ID:       "gpu/process-count",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "More or fewer processes start on each machine than it has GPUs.",
	Why: `Each process of a distributed training job uses one GPU, the one whose number is the process's number on the
machine (LOCAL_RANK). A process whose number has no GPU stops with "invalid device ordinal"; processes that share a GPU
are rejected by NCCL ("Duplicate GPU detected"). With fewer processes than GPUs, some GPUs that you pay for stay idle,
unless the command or the script starts more processes, so this is at most a note. For PyTorch,
process_count_per_instance is 1 by default (see the reference of the command job).`,
	Remedy: "With --unsafe, and for a job named by --gpu, starts one process for each GPU if there are more processes than GPUs.",
	Facts:  []string{"vm_sizes"},
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:training:3
resources:
  instance_type: Standard_NC24ads_A100_v4
distribution:
  type: pytorch
  process_count_per_instance: 4
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:training:3
resources:
  instance_type: Standard_NC96ads_A100_v4
distribution:
  type: pytorch
  process_count_per_instance: 4
`,
	Check: func(p *Pass) {
		for _, j := range p.Project.Jobs {
			if gpus, known := j.Target.GPUs(); known && gpus > 0 && startedTwice(j) == "" {
				checkProcesses(p, j, gpus)
			}
		}
	},
}

// ofGPUs are the distributions that count processes per machine and use a GPU for each.
var ofGPUs = []string{"pytorch", "mpi", "openmpi", "intelmpi", "nccl"}

func checkProcesses(p *Pass, j *schema.Job, gpus int) {
	command := commandOf(j)
	at := j.Processes
	var count int
	switch kind := strings.ToLower(j.Communicator.Text); {
	case !j.Communicator.Explicit:
		m := perNode.Get().FindStringSubmatch(command)
		if m == nil {
			return
		}
		count, _ = strconv.Atoi(m[1])
		at = j.Command
	case !slices.Contains(ofGPUs, kind):
		return
	case at.Explicit:
		n, given := countOf(at)
		if !given {
			return
		}
		count = n
	case kind == "pytorch":
		at, count = j.Communicator, 1
	default:
		return
	}
	switch {
	case count > gpus:
		p.reportAs(finding.Warning, at.Location(fmt.Sprintf("%s on each machine, but a %s has %s: start one for each GPU",
			plain.Count(count, "process"), j.Target.VMSize.Text, plain.Count(gpus, "GPU"))), p.fewerProcesses(j, at, gpus), j.Target.VMSize.Location("this is the machine"))
	case count > 0 && count < gpus && (!launches(command) || !j.Communicator.Explicit):
		p.reportAs(finding.Info, at.Location(fmt.Sprintf("%s on each machine, but a %s has %s: unless the script starts more processes, the other GPUs stay idle",
			plain.Count(count, "process"), j.Target.VMSize.Text, plain.Count(gpus, "GPU"))), nil, j.Target.VMSize.Location("this is the machine"))
	}
}

// fewerProcesses returns the fix that starts one process per GPU, or nil if the job does not set the number itself or
// shares it with other jobs. Asking for the GPU with --gpu includes this fix.
func (p *Pass) fewerProcesses(j *schema.Job, at schema.Field, gpus int) *finding.Fix {
	if j.Dialect != schema.V2 || at.Node != j.Processes.Node || !at.Explicit || at.File != j.File {
		return nil
	}
	how := finding.Unsafe
	if j.Target.Requested() {
		how = finding.Safe
	}
	return at.Fix(finding.Scalar{Kind: finding.Int, Text: strconv.Itoa(gpus)}, how, "start "+plain.Count(gpus, "process"))
}
