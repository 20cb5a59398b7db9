package rules

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

var jobLimit = Rule{
	ID:       "job/limit",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "A number is outside the range that Azure ML accepts.",
	Why: `The Azure ML client does not check the limits of sweeps, parallel jobs and deployments, so the file looks right
until the service rejects it: a sweep has 1 to 1,000 trials, and a request to a managed deployment may take three
minutes. Limits that Microsoft raises on request, such as the number of machines, are not checked.`,
	Facts: []string{"limits"},
	Bad:   limitedDeployment + "  request_timeout_ms: 200000\n",
	Good:  limitedDeployment + "  request_timeout_ms: 180000\n",
	Check: func(p *Pass) {
		for _, b := range p.shared.bodies {
			if b.Space.Node != nil {
				limited(p, b.File, b.Node, "sweep")
			}
			if parallel(b) {
				limited(p, b.File, b.Node, "parallel")
			}
		}
		for _, f := range p.shared.v2 {
			if f.V2 == "online-deployment" {
				root := f.Root().Resolve()
				limited(p, f, root, "deployment")
				limited(p, f, root, hostOf(f, root))
			}
		}
	},
}

// hostOf says whose limits on requests an online deployment has: those of flows, of Kubernetes, or of a managed
// endpoint.
func hostOf(f *schema.File, root *document.Node) string {
	switch {
	case bytes.Contains(bytes.ToLower(f.Source.Text), []byte("promptflow")):
		return "flow"
	case strings.EqualFold(root.Get("type").Text(), "kubernetes"):
		return "kubernetes"
	}
	return "managed"
}

// limited reports the numbers in a mapping that are outside of the limits of its kind.
func limited(p *Pass, f *schema.File, n *document.Node, kind string) {
	for _, l := range catalog.LimitsOf(kind) {
		at := n
		for key := range strings.SplitSeq(l.Key, ".") {
			at = at.Get(key).Resolve()
		}
		number, err := strconv.Atoi(at.Text())
		if err != nil || number >= l.Least && (l.Most == 0 || number <= l.Most) {
			continue
		}
		accepted := fmt.Sprintf("between %d and %d", l.Least, l.Most)
		switch l.Most {
		case 0:
			accepted = fmt.Sprintf("at least %d", l.Least)
		case l.Least:
			accepted = strconv.Itoa(l.Least)
		}
		if strings.HasSuffix(l.Unit, "seconds") {
			accepted += " " + l.Unit
		}
		if l.Least == 1 && l.Most == 0 {
			accepted = strings.TrimSuffix(accepted, "s") // at least 1 second
		}
		key := l.Key[strings.LastIndexByte(l.Key, '.')+1:]
		p.report(finding.Location{Source: f.Source, Span: at.Span, Message: fmt.Sprintf("%q must be %s, not %d: Azure ML rejects other numbers", key, accepted, number)}, nil)
	}
}

const limitedDeployment = `
-- blue.yml --
$schema: https://azuremlschemas.azureedge.net/latest/managedOnlineDeployment.schema.json
name: blue
endpoint_name: digits
model: azureml:digits:1
instance_type: Standard_D2as_v4
instance_count: 1
request_settings:
`
