package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var refSparkFile = Rule{
	ID:       "ref/spark-file",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A Spark job's run configuration refers to a Spark file that does not exist.",
	Why: `A PySpark job takes its Spark packages and settings from this file; without it, the job cannot be prepared.
Python jobs ignore the file, so nothing is reported for them.`,
	Remedy: "With --unsafe, refers to the only Spark file of the project.",
	Bad: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: PySpark
SparkDependenciesFile: aml_config/spark.yml
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
SparkDependenciesFile: aml_config/spark.yml
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Check: func(p *Pass) {
		for _, job := range p.Project.RunConfigurations() {
			if job.Dialect != schema.Workbench || job.Spark != nil || job.File.Broken() || !job.UsesSpark() || !isPath(job.SparkPath) {
				continue
			}
			if job.Target == nil || !job.SparkPath.Explicit && job.SparkPath.Key == nil || p.Project.Exists(job.SparkPath.Text) {
				if p.Project.IsFolder(job.SparkPath.Text) {
					p.report(job.SparkPath.Location(fmt.Sprintf("%q is a folder, but a Spark file is needed here: write the path of a file", job.SparkPath.Text)), nil)
				}
				continue
			}
			dangling(p, job.SparkPath, "Spark file", job.SparkPath.Text, filesOf(p, schema.SparkFile))
		}
	},
}
