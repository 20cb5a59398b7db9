package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

var jobLauncher = Rule{
	ID:       "job/launcher",
	Severity: finding.Warning,
	Since:    "2026-11-26",
	Doc:      "A job starts its processes twice: by its distribution, and by a launcher in its command.",
	Why: `A distribution of type pytorch or mpi runs the command once for each process. torchrun and other launchers start
all processes of a machine themselves, so the processes multiply: they wait for the same port, or share the GPUs. With a
launcher, one process on each machine is right.`,
	Remedy: "With --unsafe, writes 1 for the number of processes on each machine.",
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: torchrun --nproc_per_node 4 train.py
environment: azureml:training:3
compute: azureml:gpu-cluster
distribution:
  type: pytorch
  process_count_per_instance: 4
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py
environment: azureml:training:3
compute: azureml:gpu-cluster
distribution:
  type: pytorch
  process_count_per_instance: 4
`,
	Check: func(p *Pass) {
		for _, j := range p.Project.Jobs {
			if name := startedTwice(j); name != "" {
				p.report(j.Processes.Location(fmt.Sprintf("each of the processes runs %s, which starts all processes of the machine again: write 1, or leave %s out of the command", name, name)),
					j.Processes.Fix(finding.Scalar{Kind: finding.Int, Text: "1"}, finding.Unsafe, "start 1 process"), j.Command.Location("the command"))
			}
		}
	},
}

// launcher matches the command of a program that starts a job's processes on a machine.
var launcher = plain.Regexp{Text: `(?:^|[;&|]\s*)(?:\w+=\S*\s+)*(torchrun|horovodrun|accelerate launch|deepspeed|python3? -m torch\.distributed\.(?:launch|run))\s`}

// startedTwice returns the launcher in the command of a job whose distribution starts several processes, or "".
func startedTwice(j *schema.Job) string {
	n, ok := countOf(j.Processes)
	if j.Dialect != schema.V2 || !ok || n < 2 || !slices.Contains(ofGPUs, strings.ToLower(j.Communicator.Text)) {
		return ""
	}
	if m := launcher.Get().FindStringSubmatch(commandOf(j)); m != nil {
		return m[1]
	}
	return ""
}
