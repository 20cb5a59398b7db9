package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// The maximum sums of the shares of an endpoint's deployments, in percent. The service's API (2024-04-01) also says
// that those of traffic add up to 100; the reference of endpoints allows 0.
const (
	mostTraffic  = 100
	mostMirrored = 50
)

// identified reports an identity of an endpoint or compute that names none of those assigned by the user.
func identified(p *Pass, f *schema.File, root *document.Node) {
	identity := root.Get("identity").Resolve()
	kind := schema.FieldAt(f, identity, "type")
	if strings.EqualFold(kind.Text, "user_assigned") && !identity.Merges() && identity.Get("user_assigned_identities") == nil {
		p.report(kind.Location("user-assigned identities are given as a list: add user_assigned_identities, or write system_assigned"), nil)
	}
}

// traffic reports shares of an endpoint's traffic that Azure ML rejects.
func traffic(p *Pass, f *schema.File, root *document.Node) {
	if at, sum, _ := shares(root, "traffic"); sum > mostTraffic {
		p.report(finding.Location{Source: f.Source, Span: at.Span, Message: fmt.Sprintf(
			"the shares add up to %d%%, so Azure ML rejects the endpoint: make them add up to at most %d", sum, mostTraffic)}, nil)
	} else if sum > 0 && sum < mostTraffic {
		p.reportAs(finding.Warning, finding.Location{Source: f.Source, Span: at.Span, Message: fmt.Sprintf(
			"the shares add up to %d%%, but Azure ML requires all of the traffic or none: make them add up to %d or 0", sum, mostTraffic)}, nil)
	}
	at, sum, deployments := shares(root, "mirror_traffic")
	switch {
	case deployments > 1:
		p.report(finding.Location{Source: f.Source, Span: at.Span, Message: fmt.Sprintf("Azure ML mirrors traffic to one deployment only, not to %d: remove the others", deployments)}, nil)
	case sum > mostMirrored:
		p.report(finding.Location{Source: f.Source, Span: at.Span, Message: fmt.Sprintf("Azure ML mirrors at most %d%% of the traffic, not %d%%: reduce it", mostMirrored, sum)}, nil)
	}
}

// shares returns the key of an endpoint that gives its deployments shares of the traffic, their sum, and the number of
// deployments; no sum if some of them are not known.
func shares(root *document.Node, name string) (key *document.Node, sum, deployments int) {
	entry, ok := root.Entry(name)
	list := entry.Value.Resolve()
	if !ok || !list.IsMapping() || list.Merges() {
		return nil, 0, 0
	}
	for _, e := range list.Entries() {
		n, err := strconv.Atoi(e.Value.Text())
		if err != nil || n < 0 || n > 1000 {
			return entry.Key, 0, 0
		}
		if n > 0 {
			sum, deployments = sum+n, deployments+1
		}
	}
	return entry.Key, sum, deployments
}
