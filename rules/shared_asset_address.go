package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/template"
)

// addressKinds are the first parts of azureml:// addresses.
var addressKinds = []string{"datastores", "registries", "subscriptions", "locations", "jobs", "runs"}

// wrongAddress reports an azureml:// address whose first part is misspelt, or that has no paths after the name of a
// datastore. The client passes such an address on, and the service finds nothing there.
func wrongAddress(p *Pass, at schema.Field) {
	rest, ok := strings.CutPrefix(at.Text, "azureml://")
	if !ok || strings.Contains(rest, "${{") || template.In(at.Text) || p.full(at.File.Source) {
		return
	}
	parts := strings.Split(rest, "/")
	i, wrong, right := 0, parts[0], meant(parts[0], addressKinds)
	if strings.EqualFold(wrong, "datastores") && len(parts) > 2 && parts[2] != "" && !strings.EqualFold(parts[2], "paths") {
		i, wrong, right = 2, parts[2], meant(parts[2], []string{"paths"})
		if right == "" {
			right, parts = "paths", slices.Insert(parts, 2, "")
		}
	}
	if right == "" {
		return
	}
	parts[i] = right
	address := "azureml://" + strings.Join(parts, "/")
	p.report(at.Location(fmt.Sprintf("no address of Azure ML has %q in this place: did you mean %s?", shown(wrong), shown(address))), at.Fix(finding.Text(address), finding.Unsafe, "write "+right))
}

// meant returns the name that a word is a misspelling of, or "" if it is one of the names or resembles none.
func meant(word string, names []string) string {
	near := format.Nearest(word, names)
	if slices.Contains(names, strings.ToLower(word)) || len(near) != 1 {
		return ""
	}
	return near[0]
}
