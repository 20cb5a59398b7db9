package format

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// v2ComputeTypes returns the types of compute that v2 knows.
func v2ComputeTypes() []string {
	return slices.DeleteFunc(slices.Collect(maps.Keys(annotationOf(v2ComputeSchema()).Variants)), func(name string) bool { return name == "" })
}

// together reports what a file of v2 asks of several keys at once. The sources
// are the checks of azure-ai-ml 1.35.2: Environment's constructor, the schemas'
// own hooks and spark_helpers.py.
func (v *validation) together() {
	if v.kind == V2Command || v.kind == V2Spark || v.kind == V2Pipeline {
		v.jobType()
	}
	switch v.kind {
	case V2Environment:
		v.environment(v.root)
	case V2Command:
		v.environment(v.root.Get("environment"))
	case V2Spark:
		v.environment(v.root.Get("environment"))
		v.spark()
	case V2Pipeline:
		if jobs, ok := v.root.Entry("jobs"); ok && v.root.Get("component").IsString() && len(jobs.Value.Resolve().Entries) > 0 {
			v.report(RuleValue, finding.Error, jobs.Key.Span, `"jobs" and "component" exclude each other: a pipeline lists its jobs, or is a component`)
		}
	default: // the others have no keys that exclude each other
	}
}

// jobType reports a job's type in capitals: other names are compared without
// regard to case, this one is not.
func (v *validation) jobType() {
	entry, ok := v.root.Entry("type")
	name := strings.TrimPrefix(string(v.kind), "v2-")
	if given := entry.Value.Text(); ok && given != name && strings.EqualFold(given, name) {
		p := &place{parent: &place{}, name: "type", key: entry.Key, value: entry.Value}
		f := v.report(RuleValue, finding.Error, spanOf(entry.Key, entry.Value), "the type of a job is lower case: write "+name)
		v.set(f, p, finding.Text(name), finding.Safe)
	}
}

// condaInEnvironment reports whether a key that an environment of v2 does not
// have is one of a conda file's: the commonest mistake there.
func (v *validation) condaInEnvironment(p *place, key string) bool {
	environment := v.kind == V2Environment && p.parent == nil || v.kind.v2() && p.path() == "environment"
	return environment && (key == "channels" || key == "dependencies")
}

// environment checks an environment, a file's or a job's own.
func (v *validation) environment(n *document.Node) {
	if n = n.Resolve(); !n.IsMapping() {
		return
	}
	_, image := n.Entry("image")
	build, built := n.Entry("build")
	conda, packages := n.Entry("conda_file")
	switch {
	case image && built:
		v.report(RuleValue, finding.Error, build.Key.Span, `"image" and "build" exclude each other: an image is named, or built from a folder`)
	case built && packages:
		v.report(RuleValue, finding.Error, conda.Key.Span, `"conda_file" needs "image"; with "build" the Dockerfile itself installs the packages`)
	case !image && !built:
		v.report(RuleMissingKey, finding.Error, firstKey(n), `"image" is missing, so the environment has nothing to run in: write image and a Docker image, or build and a folder`)
	}
}

// The settings that a Spark job cannot do without, and those of its growth.
var (
	sparkNeeds  = []string{"spark.driver.cores", "spark.driver.memory", "spark.executor.cores", "spark.executor.memory"}
	sparkGrowth = []string{"spark.dynamicAllocation.minExecutors", "spark.dynamicAllocation.maxExecutors"}
)

const sparkInstances = "spark.executor.instances"

func (v *validation) spark() {
	compute, onCompute := v.root.Entry("compute")
	_, serverless := v.root.Entry("resources")
	switch {
	case onCompute && serverless:
		v.report(RuleValue, finding.Error, compute.Key.Span, `"compute" and "resources" exclude each other: a Spark job runs on an attached pool, or on serverless machines`)
	case !onCompute && !serverless:
		v.report(RuleMissingKey, finding.Error, firstKey(v.root), `"resources" is missing, so it is not known where the job runs: write resources with instance_type and runtime_version, or compute`)
	}
	v.sparkConf()
	for _, list := range []string{"py_files", "jars", "files", "archives"} {
		v.twice(v.root.Get(list))
	}
	for _, io := range []string{"inputs", "outputs"} {
		if all := v.root.Get(io).Resolve(); all.IsMapping() {
			for _, e := range all.Entries {
				v.direct(e)
			}
		}
	}
}

func (v *validation) sparkConf() {
	at := firstKey(v.root)
	entry, ok := v.root.Entry("conf")
	if ok {
		at = entry.Key.Span
	}
	conf := entry.Value.Resolve()
	if ok && !conf.IsMapping() {
		return // the schema has said so
	}
	grows := strings.EqualFold(conf.Get("spark.dynamicAllocation.enabled").Text(), "true")
	needs := slices.Clone(sparkNeeds)
	if grows {
		needs = append(needs, sparkGrowth...)
	} else {
		needs = append(needs, sparkInstances)
	}
	for _, name := range needs {
		if value := conf.Get(name); value.IsNull() {
			v.report(RuleMissingKey, finding.Error, at, fmt.Sprintf("%q is missing from conf, and Azure ML starts no Spark job without it: add it with a value, such as %s", name, sparkExample(name)))
		}
	}
	for _, name := range sparkGrowth {
		if e, ok := conf.Entry(name); ok && !grows {
			v.report(RuleValue, finding.Error, e.Key.Span, fmt.Sprintf("%q is for spark.dynamicAllocation.enabled: true, which is not set", name))
		}
	}
}

func sparkExample(name string) string {
	if strings.HasSuffix(name, ".memory") {
		return "2g"
	}
	return "1"
}

// twice reports items that are twice in a list.
func (v *validation) twice(list *document.Node) {
	if list = list.Resolve(); !list.IsSequence() {
		return
	}
	seen := map[string]bool{}
	for _, item := range list.Items {
		if text := item.Text(); item.IsString() && seen[text] {
			v.report(RuleValue, finding.Error, item.Span, quote(text)+" is in the list twice: remove one of them")
		} else {
			seen[text] = true
		}
	}
}

// direct reports an input or output of a Spark job in any mode but the one that
// Spark has.
func (v *validation) direct(e document.Entry) {
	n := e.Value.Resolve()
	if !n.IsMapping() || n.Get("value") != nil {
		return
	}
	mode, ok := n.Entry("mode")
	switch {
	case !ok:
		v.report(RuleMissingKey, finding.Error, e.Key.Span, quote(e.Key.Value)+` has no "mode", and a Spark job accepts only data in direct mode: write mode: direct`)
	case mode.Value.IsString() && !strings.EqualFold(mode.Value.Text(), "direct"):
		v.report(RuleValue, finding.Error, mode.Value.Span, fmt.Sprintf(`a Spark job accepts only data in direct mode, not %s: write direct`, quote(mode.Value.Text())))
	}
}
