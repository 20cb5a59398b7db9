package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

var gpuVisibleDevices = Rule{
	ID:       "gpu/visible-devices",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An environment variable hides the GPUs of the machine from the job.",
	Why: `CUDA_VISIBLE_DEVICES lists the GPUs that a program may use, by their numbers from 0. CUDA reads the list up to
the first number that has no GPU (CUDA C++ Programming Guide, environment variables): with "1" on a machine with one
GPU, with "-1" or with an empty value, no GPU is visible, and the job runs on the CPU. Without the variable all GPUs are
visible. NVIDIA_VISIBLE_DEVICES does the same for the whole container.`,
	Remedy: "Replaces a number that the machine's only GPU does not have with 0.",
	Facts:  []string{"vm_sizes"},
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:training:3
environment_variables:
  CUDA_VISIBLE_DEVICES: "1"
resources:
  instance_type: Standard_NC24ads_A100_v4
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:training:3
environment_variables:
  CUDA_VISIBLE_DEVICES: "0"
resources:
  instance_type: Standard_NC24ads_A100_v4
`,
	Check: func(p *Pass) {
		for _, j := range p.Project.Jobs {
			gpus, known := j.Target.GPUs()
			if !known || gpus == 0 {
				continue
			}
			for _, v := range p.variablesOf(j) {
				switch v.Name {
				case "CUDA_VISIBLE_DEVICES":
					checkVisible(p, j, v.Value, v.Value.Text, gpus)
				case "NVIDIA_VISIBLE_DEVICES":
					if text := strings.ToLower(v.Value.Text); v.Value.Explicit && (text == "none" || text == "void") {
						p.reportAs(finding.Warning, v.Value.Location("this hides the machine's GPUs from the container: remove it"), nil, j.Target.VMSize.Location("machines with a GPU"))
					}
				}
			}
			if m := visible.Get().FindStringSubmatch(commandOf(j)); m != nil {
				checkVisible(p, j, j.Command, m[1]+m[2]+m[3], gpus)
			}
		}
	},
}

// checkVisible compares the GPUs that CUDA may use with those of the machine.
func checkVisible(p *Pass, j *schema.Job, at schema.Field, text string, gpus int) {
	if at.Node == nil || at.File.Broken() || at.Node.IsNull() && at.Text == "" && !at.Explicit {
		return
	}
	machine := j.Target.VMSize.Location("this is the machine")
	size, has := j.Target.VMSize.Text, plain.Count(gpus, "GPU")
	seen, wrong, ok := visibleGPUs(text, gpus)
	switch {
	case !ok:
	case seen == 0 && wrong == "":
		p.reportAs(finding.Warning, at.Location(fmt.Sprintf("CUDA_VISIBLE_DEVICES hides the machine's GPUs (%s), so the job runs on the CPU: remove it, or use a machine without a GPU", size)), nil, machine)
	case seen == 0:
		advice := fmt.Sprintf("use numbers from 0 to %d", gpus-1)
		if gpus == 1 {
			advice = "its only GPU is 0"
		}
		p.reportAs(ofDialect(finding.Error, j), at.Location(fmt.Sprintf("a %s has no GPU %s, so CUDA sees no GPU at all and the job runs on the CPU: %s", size, wrong, advice)), onlyGPU(j, at, text, gpus), machine)
	case wrong != "":
		p.reportAs(finding.Info, at.Location(fmt.Sprintf("a %s has no GPU %s, so CUDA sees only those listed before it (%d)", size, wrong, seen)), nil, machine)
	default:
		processes, counted := countOf(j.Processes)
		if counted && processes > seen && processes <= gpus {
			p.reportAs(finding.Warning, at.Location(fmt.Sprintf("%s start, but CUDA_VISIBLE_DEVICES shows them %s: remove it", plain.Count(processes, "process"), plain.Count(seen, "GPU"))), nil, j.Processes.Location("the processes"))
		} else if seen < gpus {
			p.reportAs(finding.Info, at.Location(fmt.Sprintf("a %s has %s, but CUDA_VISIBLE_DEVICES shows %d: the others stay idle", size, has, seen)), nil, machine)
		}
	}
}

// visibleGPUs returns how many of a machine's GPUs CUDA sees, and the first number that no GPU has; ok is false if GPUs
// are not named by numbers.
func visibleGPUs(text string, gpus int) (seen int, wrong string, ok bool) {
	if strings.TrimSpace(text) == "" {
		return 0, "", true
	}
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		n, err := strconv.Atoi(name)
		switch {
		case err != nil:
			return 0, "", false
		case n < 0:
			return seen, "", true
		case n >= gpus:
			return seen, name, true
		}
		seen++
	}
	return seen, "", true
}

// onlyGPU returns the fix that names the only GPU of a machine, or nil if jobs on other machines may share the setting.
func onlyGPU(j *schema.Job, at schema.Field, text string, gpus int) *finding.Fix {
	if _, err := strconv.Atoi(strings.TrimSpace(text)); err != nil || gpus != 1 || at.Node != nil && at.Node == j.Command.Node || at.File != j.File || j.Kind == schema.Component {
		return nil
	}
	return at.Fix(finding.Text("0"), finding.Safe, "write 0")
}
