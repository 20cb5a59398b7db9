package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

var sparkRuntime = Rule{
	ID:       "spark/runtime",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "An Azure ML v2 Spark job, monitor or feature store uses a runtime that is disabled or out of support.",
	Why: `Azure ML offers a few versions of Spark. Support for each ends on a day that Microsoft announces; later it is
disabled, and new jobs are rejected. The Azure ML client accepts any version, so the job fails only after it was
submitted. It is only a warning, because components that Azure itself publishes still use such versions. --as-of DATE
checks as of another day.`,
	Remedy: "Writes the newest version, which the code has not been run with: only with --unsafe.",
	Facts:  []string{"spark_runtimes"},
	Bad:    sparkJob + "3.4" + counting,
	Good:   sparkJob + "3.5" + counting,
	Check: func(p *Pass) {
		for _, b := range p.shared.bodies {
			if resources := b.Node.Get("resources"); resources != nil && !b.File.Broken() {
				checkSparkRuntime(p, schema.FieldAt(b.File, resources, "runtime_version"))
			}
		}
		for _, f := range p.shared.v2 {
			root := f.Root().Resolve()
			at := schema.FieldAt(f, root.Get("create_monitor").Resolve().Get("compute"), "runtime_version")
			if f.V2 == "feature-store" {
				at = schema.FieldAt(f, root.Get("compute_runtime"), "spark_runtime_version")
			}
			// A number is an error here, which a warning must not hide.
			if (f.V2 == "schedule" || f.V2 == "feature-store") && at.Node.IsString() {
				checkSparkRuntime(p, at)
			}
		}
	},
}

const sparkJob = `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/sparkJob.schema.json
type: spark
code: src
entry:
  file: count.py
conf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 2, spark.executor.memory: 2g, spark.executor.instances: 2}
resources:
  instance_type: standard_e4s_v3
  runtime_version: "`

const counting = `"
-- src/count.py --
print("counting")
`

func checkSparkRuntime(p *Pass, version schema.Field) {
	runtime, ok := catalog.SparkRuntime(version.Text)
	phase := catalog.PhaseOf(runtime.EndedOn, p.Project.AsOf())
	if !ok || phase == catalog.Lasting {
		return
	}
	message := "has been out of support since " + runtime.EndedOn
	switch {
	case phase == catalog.Ending:
		message = "is supported until " + runtime.EndedOn
	case runtime.Status == "disabled":
		message = "has been disabled since " + runtime.EndedOn + ", so new jobs are likely to be refused"
	}
	p.report(version.Location(fmt.Sprintf("Spark runtime %s %s: use a later one, such as %q", runtime.Version, message, runtime.Successor)),
		version.Fix(finding.Text(runtime.Successor), finding.Unsafe, "use "+runtime.Successor))
}
