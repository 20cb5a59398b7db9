package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/template"
)

var gpuNCCL = Rule{
	ID:       "gpu/nccl",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "An NCCL setting keeps machines or GPUs from finding each other, or slows them down.",
	Why: `NCCL transfers data between the GPUs of a training job. Its environment variables are copied from job to job,
and what helps on one kind of machine hurts on another: without InfiniBand, transfers between machines take many times
as long; the network interface "lo" does not lead to other machines, so the job waits until it times out. The catalog's
table "nccl" describes the variables, from NVIDIA's user guide.`,
	Remedy: "Removes the variable, where the message says so; only with --unsafe.",
	Facts:  []string{"nccl", "infiniband", "vm_sizes"},
	Bad:    ncclJob + "lo\n", Good: ncclJob + "eth0\n",
	Check: func(p *Pass) {
		for _, j := range p.Project.Jobs {
			vm, known := j.Target.Machine()
			for _, v := range p.variablesOf(j) {
				if !strings.HasPrefix(v.Name, "NCCL_") || !v.Value.Explicit || v.Value.File.Broken() || template.In(v.Value.Text) || strings.Contains(v.Value.Text, "${{") {
					continue
				}
				setting, ok := catalog.NCCL(v.Name, strings.TrimSpace(v.Value.Text))
				if !ok || setting.Nodes && !severalNodes(j) || setting.InfiniBand && (!known || !catalog.HasInfiniBand(vm.Size)) {
					continue
				}
				if setting.GPUs && vm.Count() < 2 {
					continue
				}
				severity := finding.Info
				if setting.Severity == "warning" {
					severity = finding.Warning
				}
				var fix *finding.Fix
				if v.Value.Node != nil && strings.Contains(setting.Why, ": remove it") {
					fix = finding.NewFix(finding.Unsafe, "remove "+v.Name, finding.Change{Op: finding.RemoveEntry, File: v.Value.File.Path, Pointer: v.Value.Node.Pointer()})
				}
				p.reportAs(severity, v.Value.Location(setting.Why), fix)
			}
		}
	},
}

const ncclJob = `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:training:3
compute: azureml:gpu-cluster
resources:
  instance_count: 2
distribution:
  type: pytorch
  process_count_per_instance: 4
environment_variables:
  NCCL_SOCKET_IFNAME: `

func severalNodes(j *schema.Job) bool {
	n, ok := countOf(j.Nodes)
	return ok && n > 1
}
