package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// addressKinds are the first parts of azureml:// addresses.
var addressKinds = []string{"datastores", "registries", "subscriptions", "locations", "jobs", "runs"}

// wrongAddresses reports the addresses of assets, of their content, and of outputs that wrongAddress finds.
func wrongAddresses(p *Pass) {
	for _, at := range p.shared.assets {
		wrongAddress(p, at.Field)
	}
	for _, f := range p.shared.v2 {
		if strings.HasSuffix(string(f.V2), "batch-deployment") || f.V2 == "online-endpoint" {
			computeName(p, schema.FieldAt(f, f.Root(), "compute"))
		}
		if at := schema.FieldAt(f, f.Root(), "path"); (f.V2 == "data" || f.V2 == "model") && at.Explicit && at.Node.IsString() {
			wrongAddress(p, at)
		}
	}
	for _, b := range p.shared.bodies {
		computeName(p, schema.FieldAt(b.File, b.Node, "compute"))
		for _, e := range b.Outputs.Node.Resolve().Own() {
			if at := schema.FieldAt(b.File, e.Value, "path"); at.Explicit && at.Node.IsString() {
				wrongAddress(p, at)
			}
		}
	}
}

// computeName reports a compute whose azureml: is misspelt: the client takes all of it for a name.
func computeName(p *Pass, at schema.Field) {
	if !at.Explicit || !at.Node.IsString() || template.In(at.Text) || strings.Contains(at.Text, "${{") {
		return
	}
	colon := strings.Replace(at.Text, "/", ":", 1)
	right, ok := misspeltPrefix(colon)
	if colon != at.Text && strings.HasPrefix(colon, "azureml:") && !strings.HasPrefix(at.Text, "azureml:") {
		right, ok = colon, true
	}
	if ok && !p.full(at.File.Source) {
		p.report(at.Location(fmt.Sprintf("%q is not a compute: write %s", shown(at.Text), shown(right))), at.Fix(finding.Text(right), finding.Unsafe, "write "+shown(right)))
	}
}

// wrongAddress reports an azureml:// address that lacks one or both slashes, whose first part is misspelt, which has
// something other than paths after the name of a datastore, or which is only a name. The client passes such an address
// on, and the service finds nothing there.
func wrongAddress(p *Pass, at schema.Field) {
	rest, ok := strings.CutPrefix(at.Text, "azureml:")
	if !ok || strings.Contains(rest, "${{") || template.In(at.Text) || p.full(at.File.Source) {
		return
	}
	bare := strings.TrimLeft(rest, "/")
	slashes := len(rest) - len(bare)
	parts := strings.Split(bare, "/")
	if slashes < 2 { // the id of a resource also has one slash
		if address := "azureml://" + bare; slices.Contains(addressKinds, parts[0]) && parts[0] != "subscriptions" && len(parts) > 1 {
			lacks := [...]string{"its slashes", "a slash"}[slashes]
			p.report(at.Location("this address lacks "+lacks+": write "+shown(address)), at.Fix(finding.Text(address), finding.Unsafe, "write "+shown(address)))
		}
		return
	}
	if len(parts) == 1 && nameOnly.Get().MatchString(parts[0]) {
		p.report(at.Location("azureml:// begins an address, but this is a name: write azureml:"+shown(parts[0])), at.Fix(finding.Text("azureml:"+parts[0]), finding.Unsafe, "write azureml:"+shown(parts[0])))
		return
	}
	i, right := 0, meant(parts[0], addressKinds)
	if right == "" && len(parts) > 2 && parts[2] != "" && strings.EqualFold(parts[0], "datastores") && !strings.EqualFold(parts[2], "paths") {
		if i, right = 2, "paths"; meant(parts[2], []string{"paths"}) == "" {
			right += "/" + parts[2]
		}
	}
	if right == "" {
		return
	}
	wrong := parts[i]
	parts[i] = right
	address := "azureml://" + strings.Join(parts, "/")
	p.report(at.Location(fmt.Sprintf("no address of Azure ML has %q in this place: did you mean %s?", shown(wrong), shown(address))), at.Fix(finding.Text(address), finding.Unsafe, "write "+right))
}

// nameOnly matches a name, with or without a version or a label.
var nameOnly = plain.Regexp{Text: `^[A-Za-z0-9][A-Za-z0-9_.-]*([:@][A-Za-z0-9_.-]+)?$`}

// meant returns the name that a word is a misspelling of, or "" if it is one of the names or resembles none.
func meant(word string, names []string) string {
	near := format.Nearest(word, names)
	if slices.Contains(names, strings.ToLower(word)) || len(near) != 1 {
		return ""
	}
	return near[0]
}
