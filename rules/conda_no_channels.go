package rules

import (
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaNoChannels = Rule{
	ID:       "conda/no-channels",
	Severity: finding.Info,
	Since:    "2026-11-22",
	Doc:      "A conda file names no channels.",
	Why: `conda then uses the channels that are configured on the machine that builds the environment, usually
"defaults", which has fewer packages than conda-forge and needs a paid license in larger companies. Other machines may
find other builds.`,
	Bad:  sdkProject + sdkDependencies,
	Good: sdkConda,
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			channels := e.Node.Get("channels").Resolve()
			if ofWorkbench(p, e) || channels.IsSequence() && len(channels.Items()) > 0 || channels != nil && !channels.IsSequence() && !channels.IsNull() {
				continue
			}
			for _, pkg := range e.Packages {
				if pkg.Manager == requirement.Conda && pkg.Requirement.Channel == "" {
					list, _ := e.Node.Entry("dependencies")
					p.report(itemAt(e, list.Key, `no channels are listed, so conda uses those configured on the machine that builds the environment, usually "defaults": list them, as in channels: [conda-forge]`), nil)
					break
				}
			}
		}
	},
}
