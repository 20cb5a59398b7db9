package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/template"
)

var refTarget = Rule{
	ID:       "ref/target",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A run configuration names a compute target that does not exist, or another's.",
	Why: `"Target: name" refers to the file name.compute next to the run configuration. Without that file the job cannot
start. The usual cause is a renamed or copied run configuration. A copied one runs on the target of the first, while the
target with its own name has no run configuration: that is a warning. SDK v1 looks in the workspace for the name, where
none begins with "azureml:".`,
	Remedy: "Removes azureml: before the name in SDK v1. With --unsafe, refers to the only .compute file with a similar name, or to the only one that no run configuration uses.",
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
		for _, job := range p.Project.RunConfigurations() {
			switch {
			case job.Dialect == schema.Workbench && job.Target != nil:
				checkCopied(p, job)
			case job.Dialect == schema.SDKv1:
				prefixed(p, job)
			}
			if job.Dialect != schema.Workbench || job.Target != nil || !job.TargetName.Explicit || !job.TargetName.Node.IsString() || template.ByProgram(job.TargetName.Text) {
				continue
			}
			missing := path.Join(job.File.Dir(), job.TargetName.Text+".compute")
			if p.Project.Exists(missing) {
				continue // a link that leaves the project, which is not read
			}
			message := fmt.Sprintf("the compute target %q does not exist: there is no %s", job.TargetName.Text, missing)
			if hint := longer(p, missing); hint != "" {
				p.report(job.TargetName.Location(message+hint), nil)
				continue
			}
			names, orphans := targetsBeside(p, job.File.Dir())
			var fix *finding.Fix
			switch near := p.nearest(job.TargetName.Text, names); {
			case len(near) == 1:
				message += fmt.Sprintf("; did you mean %q?", near[0])
				fix = targetFix(job, near[0])
			case len(orphans) == 1:
				message += fmt.Sprintf("; %q exists, and no run configuration uses it", orphans[0])
				fix = targetFix(job, orphans[0])
			case len(names) > 0:
				message += "; the folder has " + quotedList(names)
			default:
				message += "; create it with amlfix attach, or write the name of another target"
			}
			p.report(job.TargetName.Location(message), fix)
		}
	},
}

// prefixed reports a target of SDK v1 with the prefix of v2, which azureml-core takes for a part of the name.
func prefixed(p *Pass, job *schema.Job) {
	name, ok := strings.CutPrefix(job.TargetName.Text, "azureml:")
	if !ok || !job.TargetName.Explicit || name == "" || ofComputes.why(name) != "" {
		return
	}
	p.report(job.TargetName.Location("azureml: belongs to Azure ML v2, and SDK v1 looks for a compute target of that whole name: write "+name),
		job.TargetName.Fix(finding.Text(name), finding.Safe, "write "+name))
}

// checkCopied warns of a run configuration that runs on another's target, while nothing runs on the one with its name:
// attaching a target writes both files.
func checkCopied(p *Pass, job *schema.Job) {
	own := strings.TrimSuffix(path.Base(job.File.Rel), ".runconfig")
	if own == job.TargetName.Text || !job.TargetName.Explicit {
		return
	}
	if _, unused := targetsBeside(p, job.File.Dir()); !slices.Contains(unused, own) {
		return
	}
	p.reportAs(finding.Warning, job.TargetName.Location(fmt.Sprintf(
		"this job runs on %q, but %q, which is named like this file, has no run configuration: write that if this file is a copy", job.TargetName.Text, own)), targetFix(job, own))
}

func targetFix(job *schema.Job, name string) *finding.Fix {
	return job.TargetName.Fix(finding.Text(name), finding.Unsafe, fmt.Sprintf("use the target %q", name))
}

// targetsBeside returns the compute targets of a folder, and those of them that no job runs on.
func targetsBeside(p *Pass, dir string) (names, unused []string) {
	for _, t := range p.Project.Targets {
		if t.File.Kind != schema.Compute || t.File.Dir() != dir {
			continue
		}
		names = append(names, t.Name)
		if len(t.Jobs) == 0 {
			unused = append(unused, t.Name)
		}
	}
	return names, unused
}
