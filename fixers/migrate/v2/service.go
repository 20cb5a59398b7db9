package v2

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
)

// service writes a web service as a managed online endpoint with one deployment.
func (e *emission) service(s *migrate.WebService) {
	w := &serviceWriter{jobWriter: &jobWriter{emission: e, j: s.Job}, s: s}
	head := []string{"Written by amlfix from " + s.File.Rel + "."}
	name := w.endpointName()
	endpoint := append(schemaOf("managedOnlineEndpoint"), name)
	w.m.Write("endpoint-"+s.Name+".yml", yamlout.Bytes(head, append(endpoint, w.auth())))
	body := append(schemaOf("managedOnlineDeployment").Set("name", "blue"), yamlout.Entry{Key: "endpoint_name", Value: name.Value, Above: name.Above})
	body = append(body, w.about()...)
	body = append(body, w.model(), w.code(), w.environmentEntry())
	if v := s.Job.Source.Variables; len(v) > 0 {
		body = w.withVariables(body)
	}
	size, _ := w.sizeOf(s.Name, schema.Field{}, s.Job.GPU)
	body = body.Set("instance_type", size)
	w.m.Ledger.Map(s.Name, "`instance_type: "+size+"`", "a VM size replaces the numbers for cores and memory", account.Given(s.Deploy("containerResourceRequirements", "cpu"), s.Deploy("containerResourceRequirements", "memoryInGB"), s.Deploy("containerResourceRequirements", "gpu"))...)
	body = body.Set("instance_count", w.instances())
	body = body.Fill("request_settings", w.integers(s.Name, "request_settings.", func(name string) schema.Field { return s.Deploy(name) },
		[2]string{"scoringTimeoutMs", "request_timeout_ms"}, [2]string{"maxConcurrentRequestsPerContainer", "max_concurrent_requests_per_instance"}, [2]string{"maxQueueWaitMs", "max_queue_wait_ms"}))
	if f := s.Deploy("appInsightsEnabled"); f.Explicit && f.Node.Tag() != built.Open {
		body = body.Set("app_insights_enabled", strings.EqualFold(f.Text, "true"))
		w.m.Ledger.Map(s.Name, "`app_insights_enabled`", "", f)
	}
	w.m.Write("deployment-"+s.Name+".yml", yamlout.Bytes(head, body))
	w.rest()
}

// serviceWriter writes one service.
type serviceWriter struct {
	*jobWriter
	s *migrate.WebService
}

// about copies the service's description and tags.
func (w *serviceWriter) about() (body yamlout.Map) {
	for _, f := range account.Given(w.s.Deploy("description"), w.s.Field("description")) {
		if f.Node.IsString() {
			w.m.Ledger.Map(w.s.Name, "`description`", "", f)
			body = yamlout.Map{{Key: "description", Value: f.Text}}
		}
	}
	return body.Fill("tags", w.labels(w.s.Name, "tags", w.s.Deploy("tags").Node))
}

// endpointName asks for the name of the endpoint, which is part of its URL and must be unique in a region.
func (w *serviceWriter) endpointName() yamlout.Entry {
	f := w.s.Field("name")
	project := w.m.Name() // of which only as much as there is space for beside the service
	byDefault, why := strings.TrimLeft(strings.TrimRight(project[:max(0, min(len(project), longestEndpoint-1-len(w.s.Name)))], "-")+"-"+w.s.Name, "-"), "its name is part of its address and must be unique in the region: 3 to 32 letters, digits and dashes"
	if f.Explicit {
		byDefault = account.Slug(f.Text)
		why = account.Place(f) + " is the name of the service; " + why
	}
	if byDefault = strings.TrimRight(byDefault[:min(len(byDefault), longestEndpoint)], "-"); !isEndpointName(byDefault) {
		byDefault = "endpoint-" + byDefault // it is too short
	}
	answer, _ := w.m.Decide(&account.Question{ID: "endpoint", Scope: w.s.Name, Ask: "What is the endpoint called?", Default: byDefault, Example: byDefault, Why: why})
	if !isEndpointName(answer) {
		w.m.Refuse("endpoint", answer, "the name must have 3 to 32 letters, digits and dashes, and begin with a letter")
	}
	w.m.Ledger.Decide(w.s.Name, "`"+answer+"`", "endpoint", f)
	return yamlout.Entry{Key: "name", Value: answer}
}

// isEndpointName reports whether an endpoint may have a name.
func isEndpointName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return len(name) >= 3 && len(name) <= longestEndpoint && strings.IndexByte(letters, name[0]) >= 0 && strings.Trim(name, letters+"0123456789-") == "" && !strings.HasSuffix(name, "-")
}

// longestEndpoint is the maximum length of an endpoint's name, in characters. Source: azure-ai-docs
// concept-endpoints-online.md.
const longestEndpoint = 32

// auth returns how callers authenticate, which a managed endpoint always requires.
func (w *serviceWriter) auth() yamlout.Entry {
	mode := "key"
	if f := w.s.Deploy("tokenAuthEnabled"); strings.EqualFold(f.Text, "true") {
		mode = "aml_token"
	}
	why := ""
	if f := w.s.Deploy("authEnabled"); strings.EqualFold(f.Text, "false") {
		why = "a managed endpoint always requires a key or a token"
	}
	w.m.Ledger.Map(w.s.Name, "`auth_mode: "+mode+"`", why, account.Given(w.s.Deploy("authEnabled"), w.s.Deploy("tokenAuthEnabled"))...)
	return yamlout.Entry{Key: "auth_mode", Value: mode}
}

// model returns the model, which v1 named at deployment.
func (w *serviceWriter) model() yamlout.Entry {
	f, version := w.s.Field("model"), w.s.Field("modelVersion")
	if f.Explicit {
		reference := migrate.RegisteredAs(f.Text, version)
		w.m.Ledger.Map(w.s.Name, "`model: "+reference+"`", "", account.Given(f, version)...)
		return yamlout.Entry{Key: "model", Value: reference}
	}
	answer, open := w.m.Decide(&account.Question{ID: "model", Scope: w.s.Name, Ask: "Which model does the service use?", Example: "azureml:NAME@latest",
		Why: "it was chosen when the service was deployed; AZUREML_MODEL_DIR is the folder that contains it"})
	w.m.Ledger.Decide(w.s.Name, answer, "model", schema.FieldAt(w.s.File, w.s.Inference, "model"+built.NotLiteral))
	if open {
		return yamlout.Entry{Key: "model", Value: "azureml:" + account.Marker + "@latest", Above: []string{account.Marker + ": the model was chosen at deployment; see " + account.Report}}
	}
	return yamlout.Entry{Key: "model", Value: answer}
}

// code returns the folder and the entry script.
func (w *serviceWriter) code() yamlout.Entry {
	script := w.s.Script
	entry := yamlout.Entry{Key: "code_configuration"}
	f := w.s.Field("entryScript")
	if script == "" || !w.m.Project.Exists(strings.TrimPrefix(w.s.Code+"/"+script, "./")) {
		why := "no readable file contains it"
		lost := schema.FieldAt(w.s.File, w.s.Inference, "entryScript"+built.NotLiteral)
		if lost.Explicit {
			why, f = account.Place(lost)+" computes it", lost
		} else if f.Explicit {
			why = account.Place(f) + " names " + account.Name(script) + ", which does not exist"
		}
		answer, open := w.m.Decide(&account.Question{ID: "entry-script", Scope: w.s.Name, Ask: "Which entry script does the service use?", Example: "score.py", Why: why})
		w.m.Ledger.Decide(w.s.Name, answer, "entry-script", f)
		if script = answer; open {
			script, entry.Above = account.Marker+".py", []string{account.Marker + ": the entry script does not exist; see " + account.Report}
		}
	}
	if w.s.Fails {
		entry.Above = append(entry.Above, account.FailsMark)
	}
	w.m.Ledger.Map(w.s.Name, "`code_configuration`", "", account.Given(f, w.s.Field("sourceDirectory"))...)
	entry.Value = yamlout.Map{{Key: "code", Value: w.m.Up(w.s.Code)}, {Key: "scoring_script", Value: script}}
	return entry
}

// instances returns the number of machines.
func (w *serviceWriter) instances() int {
	n := 1
	for _, f := range account.Given(w.s.Deploy("autoScaler", "minReplicas"), w.s.Deploy("numReplicas")) {
		if f.Node.Tag() == "!!int" {
			n = max(n, number(f.Text))
			w.m.Ledger.Map(w.s.Name, "`instance_count`", "", f)
		}
	}
	w.m.Ledger.Drop(w.s.Name, "Azure Monitor's autoscale rules replace it", account.Given(w.s.Deploy("autoScaler", "maxReplicas"), w.s.Deploy("autoScaler", "autoscaleEnabled"), w.s.Deploy("autoScaler", "targetUtilization"), w.s.Deploy("autoScaler", "refreshPeriodInSeconds"))...)
	return n
}

// rest records why the other keys are dropped.
func (w *serviceWriter) rest() {
	drop := func(why string, fields ...schema.Field) {
		w.m.Ledger.DropRest(w.s.Name, why, account.Given(fields...)...)
	}
	s := w.s
	if f := s.Field("environment"); f.Explicit && f.Node.IsString() {
		w.m.Ledger.Map(s.Name, "the environment; see its own keys", "", f)
	}
	const cluster = "deployment.deployment_target" + built.NotLiteral
	drop("the service is deployed to a managed endpoint", s.Deploy("computeType"), s.Deploy("deployment_target"), s.Field(cluster))
	drop("entry scripts are written in Python", s.Field("runtime"))
	drop("build an image that contains them, and use it in the environment", s.Field("extraDockerfileSteps"))
	drop("the image contains CUDA", s.Field("cudaVersion"))
	drop("a managed endpoint always uses TLS, and has an address of its own", s.Deploy("sslEnabled"), s.Deploy("dnsNameLabel"))
	drop("an endpoint is in the region of its workspace", s.Deploy("location"))
	if f := s.Deploy("dataCollection", "storageEnabled"); strings.EqualFold(f.Text, "true") {
		drop("`data_collector` of the deployment replaces it, with calls of azureml-ai-monitoring in the entry script", f)
	}
}
