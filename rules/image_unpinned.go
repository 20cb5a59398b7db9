package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

var imageUnpinned = Rule{
	ID:       "image/unpinned",
	Severity: finding.Info,
	Since:    "2026-11-20",
	Doc:      "The base image has no tag, or a tag that was moved to newer images over time.",
	Why: `Without a tag, Docker uses "latest". The image behind it changes, and with it Python, Spark or CUDA: a job
that ran last month may fail today, and there is no record of what it ran in. Microsoft's page on troubleshooting
environments (how-to-troubleshoot-environments) lists images without a tag as an issue; in v2 that is a warning.`,
	Facts: []string{"images", "repositories"},
	Bad: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus
`,
	Good: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Check: func(p *Pass) {
		images(p, func(u *imageUse) {
			if u.notPlus() || !u.unpinned() || u.tagRemoved() != "" {
				return
			}
			image, _ := imageOf(u.Target)
			if u.Dialect != schema.Workbench && !image.Removed && frozenOn(image, p.Project.AsOf()) >= catalog.Ended {
				return // nothing moves the tag of an image that is no longer built, and image/removed reports it
			}
			severity := finding.Info
			message := fmt.Sprintf("the tag %q refers to different images over time: use a version tag", u.ref.Tag)
			if u.ref.Tag == "" {
				if u.Dialect == schema.V2 { // before what the file says: nobody chose that image
					severity = finding.Warning
				}
				message = `there is no tag, so Docker uses whatever "latest" is: add a version tag`
			}
			p.reportAs(severity, u.Image.Location(message+u.alsoRemoved()), nil)
		})
	},
}

// unpinned reports whether a reference can mean different images over time.
func (u *imageUse) unpinned() bool {
	return u.ref.Digest == "" && (u.ref.Tag == "" || u.ref.Tag == "latest" || u.moving)
}
