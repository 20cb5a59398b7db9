package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// batchLogin reports another login than the only one of batch endpoints: the service stops with "AuthMode must be
// 'AADToken'" (Azure/azure-sdk-for-python issue 31809), although the client accepts those of online endpoints.
func batchLogin(p *Pass, f *schema.File, root *document.Node) {
	mode := schema.FieldAt(f, root, "auth_mode")
	if slices.Contains([]string{"key", "aml_token"}, plain.SnakeCase(mode.Text)) || strings.EqualFold(mode.Text, "amltoken") {
		p.report(mode.Location(fmt.Sprintf("a batch endpoint has only logins with Microsoft Entra, and Azure ML rejects %q: write aad_token", shown(mode.Text))),
			mode.Fix(finding.Text("aad_token"), finding.Unsafe, "write aad_token"))
	}
}

// workspaceName reports the name of a workspace that the client's own pattern refuses: azure-ai-ml 1.35.2, _restclient.
func workspaceName(p *Pass, f *schema.File, root *document.Node) {
	name := schema.FieldAt(f, root, "name")
	if isLiteral(name) && !workspaceNames.Get().MatchString(name.Text) {
		p.report(name.Location("the name of a workspace is 3 to 33 letters, digits, hyphens and underscores, and begins with a letter or a digit: Azure ML rejects others"), nil)
	}
}

var workspaceNames = plain.Regexp{Text: `^[a-zA-Z0-9][a-zA-Z0-9_-]{2,32}$`}

// storageNames reports the names of an account or container in a datastore that Azure Storage cannot have.
func storageNames(p *Pass, f *schema.File, root *document.Node) {
	for _, name := range []struct {
		key, is string
		valid   *plain.Regexp
	}{
		{"account_name", "an account of Azure Storage has 3 to 24 lowercase letters and digits", &storageAccounts},
		{"container_name", "a container has 3 to 63 lowercase letters, digits and hyphens", &storageContainers},
		{"filesystem", "a file system has 3 to 63 lowercase letters, digits and hyphens", &storageContainers},
		{"file_share_name", "a file share has 3 to 63 lowercase letters, digits and hyphens", &storageContainers},
	} {
		at := schema.FieldAt(f, root, name.key)
		if at.Text == "" || !isLiteral(at) || name.valid.Get().MatchString(at.Text) {
			continue
		}
		advice := name.is + ": none has this name"
		if account := accountOf.Get().FindStringSubmatch(at.Text); name.key == "account_name" && account != nil {
			advice = "only the account's name goes here, and not its address: write " + account[1]
		}
		p.report(at.Location(advice), nil)
	}
}

// As Azure's rules for the names of resources say; containers may also have the names of three special ones.
var (
	storageAccounts   = plain.Regexp{Text: `^[a-z0-9]{3,24}$`}
	storageContainers = plain.Regexp{Text: `^(?:[a-z0-9][a-z0-9-]{2,62}|\$root|\$web|\$logs)$`}
	accountOf         = plain.Regexp{Text: `^(?:https?://)?([a-z0-9]{3,24})\.(?:blob|dfs|file)\.`}
)

// requested reports resources of a Kubernetes deployment of which it requests more than their limit: Kubernetes rejects
// its pods.
func requested(p *Pass, f *schema.File, root *document.Node) {
	resources := root.Get("resources").Resolve()
	for _, key := range []string{"cpu", "memory"} {
		least, most := schema.FieldAt(f, resources.Get("requests"), key), schema.FieldAt(f, resources.Get("limits"), key)
		low, ok := plain.Quantity(least.Text)
		high, ok2 := plain.Quantity(most.Text)
		if ok && ok2 && low > high {
			p.report(least.Location(fmt.Sprintf("the request is greater than the limit, %s, and Kubernetes rejects that: reduce it, or raise the limit", shown(most.Text))), nil, most.Location("the limit"))
		}
	}
}

// servingLacks reports what a deployment needs for a model that is not MLflow's or Triton's, which alone run without a
// script. If neither a script nor the image of the environment serves it, the service stops with MissingDriverProgram,
// "Could not find driver program in the request" (Microsoft's page about prompt flow's problems in production, and
// Azure/azure-cli-extensions issue 5583).
func servingLacks(p *Pass, f *schema.File, root *document.Node) {
	if !slices.Contains(deployments, f.V2) || root.Merges() || p.full(f.Source) {
		return
	}
	code, at := root.Get("code_configuration").Resolve(), schema.FieldAt(f, root, "environment")
	if code.IsMapping() && len(code.Entries()) == 1 && !code.Get("code").IsNull() {
		p.report(finding.Location{Source: f.Source, Span: code.Entries()[0].Key.Span, Message: `"scoring_script" is missing next to "code", so Azure ML rejects the deployment: write the path of the script in that folder`}, nil)
	}
	model, environment := p.written("model", schema.FieldAt(f, root, "model")), p.written("environment", at)
	kind := schema.FieldAt(f, model, "type")
	if !code.IsNull() || kind.Explicit && !strings.EqualFold(kind.Text, "custom_model") || nearly(root, []string{"code_configuration", "environment"}) {
		return
	}
	online := f.V2 == "online-deployment" && root.Get("with_package").IsNull() && !strings.EqualFold(root.Get("type").Text(), "kubernetes")
	own := environment.Has("image") || environment.Has("build")
	switch {
	case at.Node.IsNull() && kind.Explicit && kind.Node.Parent == root.Get("model").Resolve():
		p.report(kind.Location("only models of MLflow and Triton are served without a script: add code_configuration and environment, or write the model's own type"), nil)
	case online && own && !model.Get("path").IsNull() && environment.Get("inference_config").IsNull() && !nearly(environment, []string{"inference_config"}):
		advice := "code_configuration, with code and scoring_script, or inference_config in the environment of an image with a server"
		if !kind.Explicit && p.Project.Exists(path.Join(f.Dir(), model.Get("path").Text(), "MLmodel")) {
			advice = "type: mlflow_model under model, because the folder is a model of MLflow"
		}
		p.report(at.Location("nothing serves the model, so the service stops with MissingDriverProgram: write "+advice), nil)
	}
}

// written returns the mapping that a field has, or that of the file of the project that it names; nil if it is not
// known as a whole.
func (p *Pass) written(kind schema.V2Kind, at schema.Field) *document.Node {
	n := at.Node.Resolve()
	if file := p.Project.Linked(kind, at); file != nil && !file.Broken() {
		n = file.Root().Resolve()
	}
	if !n.IsMapping() || n.Merges() {
		return nil
	}
	return n
}

// jobLacks reports a key without which a job certainly fails although the client accepts it: the reference of the
// forecasting job says that the experiment ends with an error, that of the parallel job that the key is required.
func jobLacks(p *Pass, b *flow.Body) {
	kind := strings.ToLower(b.Node.Get("type").Text())
	if b.Node.Merges() || p.full(b.File.Source) {
		return
	}
	const column, data = "time_column_name", "input_data"
	switch task := b.Node.Get("task").Resolve(); {
	case kind == "automl" && strings.EqualFold(task.Text(), "forecasting"):
		settings := b.Node.Get("forecasting").Resolve()
		switch {
		case !settings.IsNull() && !settings.IsMapping(): // the schema says more, or a program fills it in
		case settings.IsMapping() && (settings.Merges() || !settings.Get(column).IsNull() || nearly(settings, []string{column})), nearly(b.Node, []string{"forecasting"}) && settings == nil:
		case settings.IsMapping() && len(settings.Entries()) > 0:
			p.report(atFirstKey(b.File, settings, fmt.Sprintf("%q is missing, and a forecast fails without it: write the name of the column with the times", column)), nil)
		default:
			p.report(finding.Location{Source: b.File.Source, Span: task.Span, Message: fmt.Sprintf("%q is missing, and a forecast fails without it: write forecasting, with %s below it", column, column)}, nil)
		}
	case kind == "parallel" && task.IsMapping() && b.Node.Get(data) == nil && !nearly(b.Node, []string{data}):
		p.report(atFirstKey(b.File, b.Node, fmt.Sprintf("%q is missing, so there is nothing to divide into batches: write ${{inputs.NAME}}, with one of the inputs", data)), nil)
	}
}

// sameNames reports inputs of a component whose names differ only in case, which the client refuses.
func sameNames(p *Pass, b *flow.Body) {
	if !b.Declared || b.File.V2 != "component" {
		return
	}
	seen := map[string]*document.Node{}
	for _, e := range b.Inputs.Node.Resolve().Own() {
		name := strings.ToLower(e.Key.Value)
		if other := seen[name]; other != nil && other.Value != e.Key.Value && !p.full(b.File.Source) {
			p.report(finding.Location{Source: b.File.Source, Span: e.Key.Span, Message: fmt.Sprintf("the names of two inputs, %q and %q, differ only in case, so Azure ML rejects the component: rename one", shown(other.Value), shown(e.Key.Value))}, nil,
				finding.Location{Source: b.File.Source, Span: other.Span, Message: "the other one"})
		}
		seen[name] = e.Key
	}
}

// gitCode reports code in a Git repository, which the client refuses unless its private features are enabled.
func gitCode(p *Pass, b *flow.Body) {
	if at := schema.FieldAt(b.File, b.Node, "code"); strings.HasPrefix(strings.ToLower(at.Text), "git+") && !p.full(b.File.Source) {
		p.report(at.Location("the Azure ML client takes no code from a Git repository: clone it, and write the path of the folder"), nil)
	}
}
