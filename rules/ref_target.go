package rules

import (
	"fmt"
	"path"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var refTarget = Rule{
	ID:       "ref/target",
	Severity: finding.Error,
	Doc:      "A run configuration names a compute target that does not exist.",
	Why: `"Target: name" stands for the file name.compute beside the run configuration. Without it the job cannot
start. The usual cause is a renamed or copied run configuration.`,
	Remedy: "When exactly one .compute file is not named by any run configuration, --unsafe points to it.",
	Bad: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker-python
Framework: Python
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Good: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: Python
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Check: func(p *Pass) {
		for _, job := range p.Project.Jobs {
			if job.Dialect != schema.Workbench || job.Target != nil || !job.TargetName.Explicit || !job.TargetName.Node.IsString() {
				continue
			}
			missing := path.Join(job.File.Dir(), job.TargetName.Text+".compute")
			message := fmt.Sprintf("the compute target %q does not exist: there is no %s", job.TargetName.Text, missing)
			var fix *finding.Fix
			if orphans := untargeted(p, job.File.Dir()); len(orphans) == 1 {
				message += fmt.Sprintf("; %q is there and no run configuration uses it", orphans[0])
				if change, ok := job.TargetName.Set(finding.Text(orphans[0])); ok {
					fix = &finding.Fix{Title: fmt.Sprintf("use the target %q", orphans[0]), Applicability: finding.Unsafe, Changes: []finding.Change{change}}
				}
			} else if names := targetsBeside(p, job.File.Dir()); len(names) > 0 {
				message += "; there are " + quotedList(names)
			}
			p.report(job.TargetName.Location(message), fix)
		}
	},
}

// untargeted returns the compute targets of a folder that no job runs on.
func untargeted(p *Pass, dir string) (names []string) {
	for _, t := range p.Project.Targets {
		if t.File.Kind == schema.Compute && t.File.Dir() == dir && len(t.Jobs) == 0 {
			names = append(names, t.Name)
		}
	}
	return names
}

func targetsBeside(p *Pass, dir string) (names []string) {
	for _, t := range p.Project.Targets {
		if t.File.Kind == schema.Compute && t.File.Dir() == dir {
			names = append(names, t.Name)
		}
	}
	return names
}
