package rules

import (
	"fmt"
	"path"
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

var refCondaFile = Rule{
	ID:       "ref/conda-file",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A run configuration refers to a conda file, or an SDK v1 environment file, that does not exist or is something else.",
	Why: `The job's packages come from this file; without it the environment cannot be built. Paths are relative to the
project folder, which is the parent of aml_config, not to aml_config itself.`,
	Remedy: `Removes "file:" before the path. With --unsafe, refers to the only conda file of the project that has a similar path,
or the same name elsewhere.`,
	Bad: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: Python
CondaDependenciesFile: conda_dependencies.yml
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
CondaDependenciesFile: aml_config/conda_dependencies.yml
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Check: func(p *Pass) {
		for _, job := range p.Project.RunConfigurations() { // v2Missing handles the others
			if named := job.EnvironmentPath; named.Explicit && job.EnvironmentFile == nil {
				if !isPath(named) {
					continue
				}
				dangling(p, named, "environment file", named.Text,
					slices.Concat(filesOf(p, schema.EnvironmentFile), p.Project.LooseEnvironments()))
				continue
			}
			if e := job.Environment; e != nil && e.File != job.File && job.CondaPath.Explicit && !mayBeConda(e.File) {
				p.report(job.CondaPath.Location(fmt.Sprintf("%q is a %s, but a conda file is needed here", job.CondaPath.Text, e.File.Kind)), nil)
				continue
			}
			unused := job.Target != nil && !job.UsesConda() && job.Dialect != schema.SDKv1 // whose SDK reads it all the same
			if job.Environment != nil || job.CondaPath.File.Broken() || unused || !isPath(job.CondaPath) {
				continue
			}
			if job.Target == nil && !job.CondaPath.Explicit || job.Dialect == schema.SDKv1 && !job.CondaPath.Explicit {
				continue
			}
			candidates := job.CondaCandidates()
			if i := slices.IndexFunc(candidates, p.Project.Exists); i >= 0 {
				if p.Project.IsFolder(candidates[i]) {
					p.report(job.CondaPath.Location(fmt.Sprintf("%q is a folder, but a conda file is needed here: write the path of a file", candidates[i])), nil)
				}
				continue
			}
			if schema.HasDrive(job.CondaPath.Text) && p.Project.Host() != "windows" {
				continue // the path is only valid on its author's computer
			}
			dangling(p, job.CondaPath, "conda file", candidates[0], condaNames(p, candidates[0]))
		}
		v2Missing(p, "conda file", isConda)
	},
}

// condaNames returns the paths that may have been meant by the path of a missing conda file: those of the project's
// conda files, and similar ones in its folder, which nothing names now.
func condaNames(p *Pass, missing string) []string {
	names, folder := filesOf(p, schema.CondaFile), path.Dir(missing)
	for _, at := range p.nearest(missing, slices.Concat(p.Project.Below(folder, ".yml"), p.Project.Below(folder, ".yaml"))) {
		if path.Dir(at) == folder && !slices.Contains(names, at) {
			names = append(names, at)
		}
	}
	return names
}

// isConda reports whether a path is of an environment's conda file.
func isConda(at v2Path) bool { return at.file == string(format.Conda) }

// mayBeConda reports whether a file that a run configuration names as its conda file is not certainly something else.
func mayBeConda(f *schema.File) bool {
	return f.Broken() || f.Kind == schema.CondaFile || f.Kind == schema.Unknown || f.Kind == schema.EnvironmentFile
}
