package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

// A curated environment is checked by its recorded contents, not by its name: acpt-pytorch-2.2-cuda12.1 contains
// PyTorch 2.8.

// curated is a curated environment that a v2 job uses on a known machine.
type curated struct {
	catalog.CuratedEnvironment
	job  *schema.Job
	at   schema.Field
	gpus int // of each machine
}

// curatedJobs returns the v2 jobs with curated environments, one for each machine and environment.
func curatedJobs(p *Pass) (list []curated) {
	type key struct {
		target *schema.Target
		text   string
	}
	seen := map[key]bool{}
	for _, j := range p.Project.Jobs {
		if j.Dialect != schema.V2 || j.V2.Environment != nil || !j.V2.EnvironmentName.Explicit || j.Target.Requested() || j.V2.EnvironmentName.File.Broken() {
			continue
		}
		n, known := j.Target.GPUs()
		e, ok := catalog.CuratedByName(j.V2.EnvironmentName.Text)
		if k := (key{j.Target, j.V2.EnvironmentName.Text}); ok && known && !seen[k] {
			seen[k] = true
			list = append(list, curated{e, j, j.V2.EnvironmentName, n})
		}
	}
	return list
}

// framework returns the deep learning framework in the environment and its version, or "" if none is recorded.
func (c curated) framework() (name, version string) {
	for _, name := range []string{"torch", "tensorflow"} {
		if version = c.Version(name); version != "" {
			return name, version
		}
	}
	return "", ""
}

// curatedOnGPU reports curated environments without CUDA on GPU machines if they contain TensorFlow, which loads CUDA
// from the image, or a CPU build of PyTorch. Other PyTorch wheels include CUDA.
func curatedOnGPU(p *Pass) {
	for _, c := range curatedJobs(p) {
		name, version := c.framework()
		if c.gpus > 0 && !c.GPU && (name == "tensorflow" || strings.HasSuffix(version, "+cpu")) && !installs(c.job) && !p.full(c.at.File.Source) {
			curatedForGPU(p, c.job, c.at, c.CuratedEnvironment)
		}
	}
}

// curatedIdle reports GPU machines of jobs whose curated environment contains nothing that uses a GPU.
func curatedIdle(p *Pass) {
	for _, c := range curatedJobs(p) {
		if c.gpus == 0 || c.GPU || len(c.Packages) == 0 || installs(c.job) {
			continue
		}
		idle := true
		for _, p := range c.Packages {
			name, _, _ := strings.Cut(p, "=")
			idle = idle && catalog.UsesNoGPU(name)
		}
		if idle {
			p.report(c.job.Target.VMSize.Location(fmt.Sprintf("machines of size %s have GPUs, but nothing in the curated environment %s uses one: a size without GPUs costs less", c.job.Target.VMSize.Text, c.Name)),
				nil, runsOn(c.job), c.at.Location("the environment"))
		}
	}
}

// curatedOnCPU reports, as a note, curated environments with CUDA on machines without a GPU, where their frameworks run
// on the CPU.
func curatedOnCPU(p *Pass) {
	for _, c := range curatedJobs(p) {
		if c.gpus == 0 && c.GPU {
			p.reportAs(finding.Info, c.job.Target.VMSize.Location(fmt.Sprintf("machines of size %s have no GPU, but the curated environment %s is made for one", c.job.Target.VMSize.Text, c.Name)),
				nil, runsOn(c.job), c.at.Location("the environment contains CUDA "+c.CUDA))
		}
	}
}

// curatedKernels reports curated environments whose framework, or CUDA, has no code for the machine's GPUs. The
// framework is known only for the latest version of an environment.
func curatedKernels(p *Pass) {
	for _, c := range curatedJobs(p) {
		vm, _ := c.job.Target.Machine()
		if c.gpus == 0 || !c.GPU || vm.Capability == "" || p.full(c.at.File.Source) {
			continue
		}
		what := ""
		first, last, known := catalog.CUDAFor(vm.Capability)
		major, _, _ := strings.Cut(c.CUDA, ".")
		if known && c.CUDA != "" && (catalog.CompareVersions(c.CUDA, first) < 0 || last != 0 && catalog.CompareVersions(major, strconv.Itoa(last)) > 0) {
			what = "CUDA " + c.CUDA
		}
		if name, version := c.framework(); what == "" && strings.HasSuffix(c.at.Text, "latest") && version != "" {
			if b, ok := catalog.FrameworkBuild(name, version); ok && b.Runs(vm.Capability) == catalog.ReachNone {
				what = fmt.Sprintf("%s %s for CUDA %s", name, version, b.CUDA)
			}
		}
		if what == "" {
			continue
		}
		p.reportAs(finding.Warning, c.at.Location(fmt.Sprintf("the curated environment %s contains %s, which has no code for the machine's GPU, %s (compute capability %s): use another environment, or another size",
			c.Name, what, vm.GPU, vm.Capability)), nil, runsOn(c.job), c.job.Target.VMSize.Location("machines with that GPU"))
	}
}
