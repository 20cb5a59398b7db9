package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/template"
)

// together makes the additional checks that the schema of a v2 mapping names. Their sources are the checks of
// azure-ai-ml 1.35.2: Environment's constructor, the schemas' own hooks and spark_helpers.py.
func (v *validation) together(s *literal.Schema, n *document.Node) {
	if named := s.Properties["type"]; named != nil && !slices.Contains(s.Required, "type") && (!n.Has("type") || slices.Contains(named.Types, "null") && n.Get("type").IsNull()) && !child(n) && (annotationOf(s).Unknown == "dropped" || !misspelt(n, "type")) {
		if kind := meant(n); kind != "" && slices.Equal(enumOf(named).sorted, []string{kind}) {
			f := v.report(RuleMissingKey, finding.Error, firstKey(n), `"type" is missing, so Azure ML reads this as a command and rejects it: write type: `+kind)
			if n == v.root && !n.Merges() {
				f.Fix = finding.NewFix(finding.Safe, "add type: "+kind, finding.Change{Op: finding.InsertEntry, File: v.src.Path, Key: "type", After: n.Entries()[0].Key.Value, Value: finding.Text(kind)})
			}
		}
	}
	switch annotationOf(s).Check {
	case "environment":
		v.environment(n)
	case "task":
		v.task(n)
	case "spark":
		v.spark(n)
	case "pipeline":
		if jobs, ok := n.Entry("jobs"); ok && n.Get("component").IsString() && len(jobs.Value.Resolve().Entries()) > 0 {
			v.report(RuleValue, finding.Error, jobs.Key.Span, `"jobs" and "component" exclude each other: a pipeline lists its jobs, or is a component`)
		}
	case "counted":
		if count, ok := n.Entry("instance_count"); ok && n.Has("resources") {
			v.report(RuleValue, finding.Error, count.Key.Span, `"instance_count" and "resources" exclude each other: write it under "resources", indented`)
		}
	case "output":
		v.needs(n, "version", "name", "rejects the job: write the name under which to register the output, or remove the version")
	case "network":
		v.needs(n, "vnet_name", "subnet", "rejects the compute: write the name of a subnet of that network")
	case "endpoint":
		if list := n.Get("identity").Resolve().Get("user_assigned_identities"); len(list.List()) > 1 {
			v.report(RuleValue, finding.Error, list.Span, fmt.Sprintf("an endpoint has at most one user-assigned identity, not %d: keep one", len(list.List())))
		}
	case "settings":
		if count, ok := n.Get("settings").Resolve().Entry("instance_count"); ok && n.Get("resources").Resolve().IsMapping() {
			v.report(RuleValue, finding.Error, count.Key.Span, `"instance_count" and "resources" exclude each other: write it under "resources", next to "settings"`)
		}
	case "kubernetes":
		v.unregistered(n)
	case "one", "sample":
		v.table(s, n)
	default: // the others have no keys that exclude each other
	}
}

// child reports whether a mapping is a job of a pipeline, whose type the client finds out if it is not given.
func child(n *document.Node) bool {
	return n.Parent != nil && n.Parent.Parent != nil && n.Parent.Parent.Get("jobs") == n.Parent
}

// name reports a key whose name the client does not accept, or that it does not read as text.
func (v *validation) name(p *place, e entry) {
	a := annotationOf(p.schema)
	if a.names != nil && !a.names.Get().MatchString(e.name) && !template.In(e.name) {
		v.report(RuleValue, finding.Error, e.key.Span, fmt.Sprintf("%s cannot be named %s: write %s", a.named.Title, quote(e.name), a.named.Description))
		return
	}
	if !v.kind.v2() || !textKeys(p.schema) {
		return
	}
	if reading := keyReadAs(e.key); reading != "" && e.name == "" {
		v.report(RuleType, finding.Error, e.key.Span, "the name is missing here: write one before the colon")
	} else if reading != "" {
		f := v.report(RuleType, finding.Error, e.key.Span, fmt.Sprintf("the name %s must be text, but without quotes it is read as %s: put it in quotes", e.name, reading))
		if v.rename(f, p, e, e.name); f.Fix != nil {
			f.Fix.Title = "put it in quotes"
		}
	}
}

// textKeys reports whether the keys of a mapping are names that a user chooses, and that the client accepts only as
// text.
func textKeys(s *literal.Schema) bool {
	return slices.Contains(s.Types, "object") && !slices.Contains(s.Types, "string") && len(s.Properties) == 0 &&
		!s.Closed && !annotationOf(s).AnyKeys
}

// keyReadAs returns what the client reads a key as, or "" if it is text.
func keyReadAs(key *document.Node) string {
	if key.Style != document.Plain || key.Properties != key.Span.Start {
		return ""
	}
	switch r := document.PyYAML.Read(key.Value); r.Type {
	case document.AsBoolean:
		return strings.ToLower(r.Text)
	case document.AsInteger, document.AsFloat:
		return "a number"
	case document.AsDateTime:
		return "a date"
	case document.AsNull:
		return "nothing"
	default: // a date without a time prints as it is written
		if key.Tag() == "!!timestamp" && !key.IsPyYAMLText() { // 2024-1-1 is text
			return "a date"
		}
		return ""
	}
}

// condaInEnvironment reports whether a key that a v2 environment does not have is a key of conda files, which is the
// most common mistake there.
func (v *validation) condaInEnvironment(p *place, key string) bool {
	return annotationOf(p.schema).Check == "environment" && (key == "channels" || key == "dependencies")
}

// environment checks an environment in its own file or in a job.
func (v *validation) environment(n *document.Node) {
	_, image := n.Entry("image")
	build, built := n.Entry("build")
	conda, packages := n.Entry("conda_file")
	switch {
	case image && built:
		v.report(RuleValue, finding.Error, build.Key.Span, `"image" and "build" exclude each other: use an existing image, or build one from a folder`)
	case built && packages:
		v.report(RuleValue, finding.Error, conda.Key.Span, `"conda_file" needs "image"; with "build" the Dockerfile itself installs the packages`)
	case image || built || n.Has("docker") || misspelt(n, "image", "build"): // the previews' keys, which are reported there
	case n.Has("dockerfile") || n.Has("dockerfile_path") || n.Has("context"): // those of a build, reported as well
	case n.Parent == v.root && v.kind == v2Any+"component" && onlyKeys(n, "description"): // a program completes it
	case n.Parent != nil && registered(n) != "":
		right := registered(n)
		f := v.report(RuleMissingKey, finding.Error, firstKey(n), `"image" is missing, so this is a new environment with nothing to run in: for the registered one, write environment: `+shorten(right))
		v.flatten(f, n, right, finding.Unsafe)
	default:
		v.report(RuleMissingKey, finding.Error, firstKey(n), `"image" is missing, so the environment has nothing to run in: write image and a Docker image, or build and a folder`)
	}
}

// onlyKeys reports whether a mapping has no keys but these.
func onlyKeys(n *document.Node, names ...string) bool {
	return !n.Merges() && !slices.ContainsFunc(n.Entries(), func(e document.Entry) bool { return !slices.Contains(names, e.Key.Value) })
}

// misspelt reports whether a mapping has a key that is nearly one of those that it may need, and is reported itself.
func misspelt(n *document.Node, needed ...string) bool {
	return slices.ContainsFunc(n.Entries(), func(e document.Entry) bool { return suggest(e.Key.Value, needed).word != "" })
}

// task reports a parallel task that names no script, not even under a misspelt key. Only the service notices.
func (v *validation) task(n *document.Node) {
	if !strings.EqualFold(n.Get("type").Text(), "run_function") || n.Merges() || n.Has("entry_script") || misspelt(n, "entry_script") {
		return
	}
	at := firstKey(n)
	if e, ok := n.Entry("script"); ok {
		at = e.Key.Span
	}
	v.report(RuleMissingKey, finding.Error, at, `"entry_script" is missing, so the task has nothing to run: write entry_script and the path of a script in the code folder`)
}

// needs reports a key that the client accepts only beside another.
func (v *validation) needs(n *document.Node, key, other, otherwise string) {
	if e, ok := n.Entry(key); ok && !e.Value.IsNull() && !n.Merges() && n.Get(other).IsNull() && !misspelt(n, other) {
		v.report(RuleMissingKey, finding.Error, e.Key.Span, fmt.Sprintf("%q is missing next to %q, so Azure ML %s", other, key, otherwise))
	}
}

// unregistered reports what a Kubernetes deployment takes from a registry, which only managed ones may.
func (v *validation) unregistered(n *document.Node) {
	for _, key := range []string{"environment", "model"} {
		if value := n.Get(key); strings.HasPrefix(value.Text(), "azureml://registries/") {
			v.report(RuleValue, finding.Error, value.Span, fmt.Sprintf("a Kubernetes deployment takes no %s from a registry, and Azure ML rejects it: register it in the workspace, and write azureml:NAME:VERSION", key))
		}
	}
}

// The settings that a Spark job requires, and those for dynamic allocation.
var (
	sparkNeeds  = []string{"spark.driver.cores", "spark.driver.memory", "spark.executor.cores", "spark.executor.memory"}
	sparkGrowth = []string{"spark.dynamicAllocation.minExecutors", "spark.dynamicAllocation.maxExecutors"}
)

const sparkInstances = "spark.executor.instances"

func (v *validation) spark(job *document.Node) {
	compute, onCompute := job.Entry("compute")
	_, serverless := job.Entry("resources")
	switch {
	case onCompute && serverless:
		v.report(RuleValue, finding.Error, compute.Key.Span, `"compute" and "resources" exclude each other: a Spark job runs either on an attached pool or on serverless machines`)
	case !onCompute && !serverless && !misspelt(job, "compute", "resources"):
		v.report(RuleMissingKey, finding.Error, firstKey(job), `"resources" is missing, so Azure ML does not know where the job runs: write resources with instance_type and runtime_version, or compute`)
	}
	v.sparkConf(job)
	for _, list := range []string{"py_files", "jars", "files", "archives"} {
		v.twice(job.Get(list))
	}
	for _, io := range []string{"inputs", "outputs"} {
		if all := job.Get(io).Resolve(); all.IsMapping() {
			for _, e := range all.Entries() {
				v.direct(e)
			}
		}
	}
}

func (v *validation) sparkConf(job *document.Node) {
	at := firstKey(job)
	entry, ok := job.Entry("conf")
	if ok {
		at = entry.Key.Span
	}
	conf := entry.Value.Resolve()
	if ok && !conf.IsMapping() {
		return // the schema reports it
	}
	grows := strings.EqualFold(conf.Get("spark.dynamicAllocation.enabled").Text(), "true")
	needs := slices.Clone(sparkNeeds)
	if grows {
		needs = append(needs, sparkGrowth...)
	} else {
		needs = append(needs, sparkInstances)
	}
	for _, name := range needs {
		value, where, how := conf.Get(name).Resolve(), at, "missing from conf, but Azure ML starts no Spark job without it: add it with a value"
		if !value.IsNull() {
			where, how = value.Span, "0 or empty, which Azure ML takes for missing: write a value"
		}
		if value.IsNull() || value.Kind == document.Scalar && (value.Value == "" || value.Value == "0" && !value.IsString() && !strings.HasSuffix(name, "memory")) {
			v.report(RuleMissingKey, finding.Error, where, fmt.Sprintf("%q is %s, such as %s", name, how, sparkExample(name)))
		}
	}
	for _, name := range sparkGrowth {
		if e, ok := conf.Entry(name); ok && !grows {
			v.report(RuleValue, finding.Error, e.Key.Span, fmt.Sprintf("%q is for spark.dynamicAllocation.enabled: true, which is not set", name))
		}
	}
	if grows {
		v.sparkBounds(conf)
	}
}

// sparkBounds reports numbers of executors that the client rejects where Spark allocates them. It compares them as they
// are, so text ends in a TypeError.
func (v *validation) sparkBounds(conf *document.Node) {
	for _, name := range sparkGrowth {
		if n := conf.Get(name); n.IsString() && !isTemplate(n) && !strings.Contains(n.Text(), "${{") {
			v.report(RuleType, finding.Error, n.Span, fmt.Sprintf("%q must be a whole number, not text: write digits only, without quotes", name))
			return
		}
	}
	at := conf.Get(sparkGrowth[0])
	least, err := strconv.Atoi(at.Text())
	most, err2 := strconv.Atoi(conf.Get(sparkGrowth[1]).Text())
	if err != nil || err2 != nil || least == 0 || most == 0 { // 0 is reported as missing
		return
	}
	instances := conf.Get(sparkInstances)
	switch count, err := strconv.Atoi(instances.Text()); {
	case least < 1:
		v.report(RuleValue, finding.Error, at.Span, "minExecutors must be at least 1, so Azure ML rejects the job: write 1 or more")
	case least > most:
		v.report(RuleValue, finding.Error, at.Span, fmt.Sprintf("minExecutors is greater than maxExecutors (%d), so Azure ML rejects the job: swap them, or correct one", most))
	case err == nil && count != 0 && (count < least || count > most):
		v.report(RuleValue, finding.Error, instances.Span, fmt.Sprintf("this is not between minExecutors (%d) and maxExecutors (%d), so Azure ML rejects the job: correct it, or remove it", least, most))
	}
}

func sparkExample(name string) string {
	if strings.HasSuffix(name, ".memory") {
		return "2g"
	}
	return "1"
}

// twice reports duplicate items in a list.
func (v *validation) twice(list *document.Node) {
	seen := map[string]bool{}
	for _, item := range list.List() {
		if text := item.Text(); item.IsString() && seen[text] {
			v.report(RuleValue, finding.Error, item.Span, quote(text)+" is in the list twice: remove one of them")
		} else {
			seen[text] = true
		}
	}
}

// direct reports an input or output of a Spark job with a mode other than the only one that Spark supports.
func (v *validation) direct(e document.Entry) {
	n := e.Value.Resolve()
	if !n.IsMapping() || n.Get("value") != nil {
		return
	}
	mode, ok := n.Entry("mode")
	switch {
	case !ok:
		v.report(RuleMissingKey, finding.Error, e.Key.Span, quote(e.Key.Value)+` has no "mode", and a Spark job accepts only data in direct mode: write mode: direct`)
	case mode.Value.IsString() && !directish(mode.Value):
		v.report(RuleValue, finding.Error, mode.Value.Span, fmt.Sprintf(`a Spark job accepts only data in direct mode, not %s: write direct`, quote(mode.Value.Text())))
	}
}

// directish reports whether a text is "direct", or a slip for it, which is reported as such.
func directish(mode *document.Node) bool {
	return suggest(mode.Text(), []string{"direct"}).word != ""
}
