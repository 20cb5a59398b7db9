package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var clusterSSHSuffix = Rule{
	ID:       "cluster/ssh-suffix",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "The address of an HDInsight cluster is that of its web endpoint, not of its SSH endpoint.",
	Why: `name.azurehdinsight.net answers only HTTPS. Jobs are submitted over SSH, at name-ssh.azurehdinsight.net; the
other address refuses SSH connections.`,
	Remedy: "Adds -ssh to the cluster's name.",
	Bad: `
-- aml_config/hdi.compute --
type: cluster
address: mycluster.azurehdinsight.net
username: sshuser
`,
	Good: `
-- aml_config/hdi.compute --
type: cluster
address: mycluster-ssh.azurehdinsight.net
username: sshuser
`,
	Check: func(p *Pass) {
		for _, t := range p.Project.Targets {
			at := t.Address()
			if t.File.Kind != schema.Compute || !at.Explicit || !at.Node.IsString() {
				continue
			}
			right, plain, ok := sshAddress(at.Text)
			if !ok {
				continue
			}
			var fix *finding.Fix
			if plain && !t.File.Stream.Repaired {
				fix = at.Fix(finding.Text(right), finding.Safe, "use "+right)
			}
			p.report(at.Location("HDInsight accepts SSH at a different address: write "+right), fix)
		}
	},
}

// clusterDomain is the domain of HDInsight clusters.
const clusterDomain = ".azurehdinsight.net"

// sshAddress returns the SSH address of a cluster from another address of it. plain is false if more than the suffix is
// wrong, as in an https:// address; ok is false if there is nothing to correct.
func sshAddress(address string) (right string, plain, ok bool) {
	host := strings.TrimSpace(address)
	_, rest, web := strings.Cut(host, "://")
	if web {
		host, _, _ = strings.Cut(rest, "/")
	}
	at := strings.Index(strings.ToLower(host), clusterDomain)
	if at < 1 {
		return "", false, false
	}
	name, tail := host[:at], host[at+len(clusterDomain):]
	if tail != "" && tail[0] != ':' && tail[0] != '/' || strings.ContainsAny(name, " /@") {
		return "", false, false
	}
	// NAME-int is the private address inside a virtual network
	if lower := strings.ToLower(name); strings.HasSuffix(lower, "-int") || strings.HasSuffix(lower, "-ssh") && !web {
		return "", false, false
	}
	if tail != "" && (web || tail[0] == '/') {
		tail, web = "", true
	}
	if !strings.HasSuffix(strings.ToLower(name), "-ssh") {
		name += "-ssh"
	}
	return name + host[at:at+len(clusterDomain)] + tail, !web && strings.TrimSpace(address) == address, true
}
