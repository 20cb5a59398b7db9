package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

var yamlTrailingMark = Rule{
	ID:       "yaml/trailing-mark",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "A value ends with a comma or semicolon, as in JSON or a program, or with a comment that has no space before it.",
	Why: `YAML takes the mark as part of the value. "size: Standard_NC6s_v3," names a VM size that does not exist, and
"environment: azureml:train:3," the version "3,". In the same way, "instance_count: 2#nodes" is text, because "#" begins a
comment only after a space. Where the value is free, such as an input of a job, the program gets the mark too, which is
a warning.`,
	Remedy: "Removes the mark, or puts spaces before the comment. Where the value is free, needs --unsafe.",
	Bad: `
-- cluster.yml --
$schema: https://azuremlschemas.azureedge.net/latest/amlCompute.schema.json
name: gpu-cluster
type: amlcompute
size: Standard_NC4as_T4_v3,
`,
	Good: `
-- cluster.yml --
$schema: https://azuremlschemas.azureedge.net/latest/amlCompute.schema.json
name: gpu-cluster
type: amlcompute
size: Standard_NC4as_T4_v3
`,
	Check: func(p *Pass) { p.perFile(noteMarks, checkMarks) },
}

func checkMarks(p *Pass, f *schema.File) {
	kind, ok := FormatOf(f)
	if !ok || kind == format.Settings || f.Broken() || !odditiesOf(f).marked {
		return
	}
	format.Walk(kind, f.Root(), func(key, n *document.Node, place *format.Place) {
		checkComment(p, f, key, n, place)
		text := unmarked(n)
		if text == "" || key == nil || !place.Text() || p.full(f.Source) {
			return
		}
		severity, how := finding.Error, finding.Safe
		if !strings.HasPrefix(text, "${{") && (!place.Parent().Knows(key.Value) || slices.Contains(forPeople, key.Value)) {
			severity, how = finding.Warning, finding.Unsafe
		}
		mark, right := strconv.Quote(n.Value[len(text):]), "write "+text
		if place.Secret() {
			right = "remove it"
		}
		p.reportAs(severity, finding.Location{Source: f.Source, Span: n.Span, Message: fmt.Sprintf(
			"YAML takes the %s at the end as part of the value: %s", mark, right)}, setFix(f, n, "remove the "+mark, finding.Text(text), how))
	})
}

// forPeople are keys of texts that nothing but people reads.
var forPeople = []string{"comment", "description", "display_name"}

// unmarked returns a plain word without the marks at its end, or "" if there are none, or others: those of a list
// belong to its value.
func unmarked(n *document.Node) string {
	if n.Kind != document.Scalar || n.Style != document.Plain || n.Value == "" || n.Value[len(n.Value)-1] != ',' && n.Value[len(n.Value)-1] != ';' {
		return ""
	}
	text := strings.TrimRight(n.Value, ",;")
	if strings.ContainsAny(text, ",; \t\n") && !strings.HasPrefix(text, "${{") {
		return ""
	}
	return text
}
