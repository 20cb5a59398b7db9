package rules

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var gpuFramework = Rule{
	ID:       "gpu/framework",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A GPU target's run configuration starts PySpark instead of Python.",
	Why: `"az ml computetarget attach" wrote "Framework: PySpark", and a run configuration without the key means PySpark
too. A deep learning script on a GPU needs plain Python; with PySpark it is started by spark-submit.`,
	Remedy: "Sets Framework to Python; only with --unsafe if the script imports pyspark.",
	Bad: `
-- aml_config/vm.runconfig --
ArgumentVector: ["$file"]
Target: vm
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Good: `
-- aml_config/vm.runconfig --
ArgumentVector: ["$file"]
Target: vm
Framework: Python
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Check: func(p *Pass) {
		for _, job := range p.Project.RunConfigurations() {
			if job.Dialect != schema.Workbench || !job.Target.GPU() || !job.Target.Container() || job.File.Broken() ||
				!strings.EqualFold(job.Framework.Text, "PySpark") || misspelt(job.Framework, "Framework") {
				continue
			}
			checkFramework(p, job)
		}
	},
}

func checkFramework(p *Pass, job *schema.Job) {
	message := `PySpark starts this job in Spark, but it runs on a GPU target: write Framework: "Python"`
	if !job.Framework.Explicit {
		message = `Framework is not given, which means PySpark, but this job runs on a GPU target: write Framework: "Python"`
	}
	if python := p.shared.sibling(job); python != nil {
		// A Spark job and a Python job on one target look deliberate.
		p.reportAs(finding.Info, job.Framework.Location(`this job starts in Spark on a GPU target; if that is not intended, write Framework: "Python"`),
			nil, append([]finding.Location{python.Framework.Location("this run configuration uses Python on the same target")}, job.Target.Evidence...)...)
		return
	}
	var fix *finding.Fix
	if change, ok := job.Framework.Set(finding.Text("Python")); ok {
		fix = &finding.Fix{Title: "set Framework to Python", Applicability: finding.Safe, Changes: []finding.Change{change}}
		if p.Project.ImportsSpark(job) {
			fix.Applicability = finding.Unsafe
			message += "; the script imports pyspark, so check it first"
		}
	}
	p.report(job.Framework.Location(message), fix, job.Target.Evidence...)
}

// sibling returns another job of the same target that runs in Python; job itself does not.
func (s *shared) sibling(job *schema.Job) *schema.Job {
	return s.python.of(job.Target, func() *schema.Job {
		if i := slices.IndexFunc(job.Target.Jobs, func(j *schema.Job) bool { return j.Framework.Text == "Python" }); i >= 0 {
			return job.Target.Jobs[i]
		}
		return nil
	})
}
