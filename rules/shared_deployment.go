package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/template"
)

// unaccepted reports values that the schemas allow, and that the Azure ML client or the service then rejects, in
// deployments, endpoints, computes and others.
func unaccepted(p *Pass) {
	for _, f := range p.shared.v2 {
		root := f.Root().Resolve()
		switch {
		case slices.Contains([]schema.V2Kind{"job", "environment", "data", "model"}, f.V2):
			name := schema.FieldAt(f, root, "name")
			ofResources.rejected(p, name, name.Text, nil)
		case f.V2 == "compute":
			emptyRange(p, f, root)
			instanceName(p, f, root)
			identified(p, f, root)
		case f.V2 == "datastore":
			storageNames(p, f, root)
		case f.V2 == "workspace":
			workspaceName(p, f, root)
			firewall(p, f, root)
		case f.V2 == "schedule":
			serverlessSize(p, f, root.Get("create_monitor").Resolve().Get("compute").Resolve())
		case f.V2 == "feature-set":
			serverlessSize(p, f, root.Get("materialization_settings").Resolve().Get("resource").Resolve())
		case f.V2 == "batch-endpoint":
			batchLogin(p, f, root)
		case f.V2 == "online-endpoint":
			identified(p, f, root)
			traffic(p, f, root)
		case f.V2 == "online-deployment":
			emptyRange(p, f, root.Get("scale_settings").Resolve())
			requested(p, f, root)
			scale, rate := schema.FieldAt(f, root.Get("scale_settings"), "type"), schema.FieldAt(f, root.Get("data_collector"), "sampling_rate")
			if !strings.EqualFold(root.Get("type").Text(), "kubernetes") && strings.EqualFold(scale.Text, "target_utilization") {
				p.report(scale.Location("only a Kubernetes deployment can scale itself, so Azure ML rejects this one: remove scale_settings, and scale it with Azure Monitor"), nil)
			}
			if share, err := strconv.ParseFloat(rate.Text, 64); rate.Explicit && err == nil && (share < 0 || share > 1) {
				p.report(rate.Location(`"sampling_rate" is the share of requests that is kept, and Azure ML accepts only 0 to 1: write 1 to keep all`), nil)
			}
		case f.V2 == "batch-deployment", f.V2 == "model-batch-deployment":
			if f.V2 == "model-batch-deployment" {
				root = root.Get("settings").Resolve()
			}
			action, file := schema.FieldAt(f, root, "output_action"), schema.FieldAt(f, root, "output_file_name")
			if strings.EqualFold(action.Text, "summary_only") && file.Explicit {
				p.report(file.Location(`"output_action: summary_only" writes no such file, so Azure ML rejects the deployment: remove the line, or write output_action: append_row`), nil,
					action.Location("the action"))
			}
			level, threshold := schema.FieldAt(f, root, "logging_level"), schema.FieldAt(f, root, "error_threshold")
			if level.Explicit && level.Node.IsString() && !template.In(level.Text) && !slices.Contains([]string{"warning", "info", "debug"}, strings.ToLower(level.Text)) {
				p.report(level.Location(fmt.Sprintf(`"logging_level" cannot be %q, so Azure ML rejects the deployment: write warning, info or debug`, shown(level.Text))), nil)
			}
			if n, ok := countOf(threshold); ok && n < -1 {
				p.report(threshold.Location(`"error_threshold" is a number of failures, and Azure ML rejects numbers below -1: write -1 to ignore all failures`), nil)
			}
		}
	}
}

// emptyRange reports a min_instances that is greater than max_instances.
func emptyRange(p *Pass, f *schema.File, n *document.Node) {
	least, most := n.Get("min_instances").Resolve(), n.Get("max_instances").Resolve()
	low, err := strconv.Atoi(least.Text())
	high, err2 := strconv.Atoi(most.Text())
	if err == nil && err2 == nil && low > high {
		p.report(finding.Location{Source: f.Source, Span: least.Span, Message: fmt.Sprintf(
			"min_instances is greater than max_instances (%d), so Azure ML rejects the file: swap them, or correct one", high)}, nil,
			finding.Location{Source: f.Source, Span: most.Span, Message: "max_instances is less"})
	}
}
