package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// serverlessSize reports machines of a monitor, or of the materialization of a feature set, that serverless Spark does
// not have. The client checks those of Spark jobs only.
func serverlessSize(p *Pass, f *schema.File, in *document.Node) {
	at := schema.FieldAt(f, in, "instance_type")
	if at.Text == "" || !isLiteral(at) {
		return
	}
	var sizes []string
	for _, size := range catalog.SparkSizes() {
		sizes = append(sizes, size.Size)
	}
	if !slices.ContainsFunc(sizes, func(size string) bool { return strings.EqualFold(size, at.Text) }) {
		p.report(at.Location(fmt.Sprintf("serverless Spark has no machines of size %s: write %s", shown(at.Text), plain.List(sizes, "or"))), nil)
	}
}

// firewall reports rules of a workspace's network that the client refuses: the action is compared with capitals, and
// denying needs addresses that are allowed.
func firewall(p *Pass, f *schema.File, root *document.Node) {
	rules := root.Get("network_acls").Resolve()
	action := schema.FieldAt(f, rules, "default_action")
	if !action.Node.IsString() || template.In(action.Text) || rules.Merges() {
		return
	}
	list := rules.Get("ip_rules").Resolve()
	if strings.EqualFold(action.Text, "Deny") && (list.IsNull() || list.IsSequence() && len(list.Items()) == 0) {
		p.report(action.Location("Azure ML rejects Deny without ip_rules: add the addresses that may use the workspace, or write Allow"), nil)
		return
	}
	for _, right := range []string{"Allow", "Deny"} {
		if strings.EqualFold(right, action.Text) && right != action.Text {
			p.report(action.Location(fmt.Sprintf("Azure ML compares this word with its capital, and rejects %q: write %s", action.Text, right)),
				action.Fix(finding.Text(right), finding.Safe, "write "+right))
			return
		}
	}
	if action.Text != "Allow" && action.Text != "Deny" {
		p.report(action.Location(fmt.Sprintf(`"default_action" cannot be %q, and Azure ML rejects it: write Allow or Deny`, shown(action.Text))), nil)
	}
}
