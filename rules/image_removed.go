package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

var imageRemoved = Rule{
	ID:       "image/removed",
	Severity: finding.Info,
	Since:    "2026-11-20",
	Doc:      "The base image was removed from its registry, or gets no more updates.",
	Why: `If the owner removed the repository, the image is only available where it was pulled in time, or from a copy
in another registry; the files themselves are correct. A tag that was removed from a repository that is still there is a
warning. Images that Microsoft no longer builds, and those whose Ubuntu release is out of standard support, can still be
pulled and still run, but get no security updates, and newer packages and drivers stop working with them. That is a
warning in v2, and an info if the support has not ended yet or only a later image is known. --as-of DATE checks as of
another day.`,
	Remedy: "Writes the successor of a CPU image without a tag, or with the tag latest, next to a conda file; only with --unsafe.",
	Facts:  []string{"images", "repositories", "systems", "removed_tags"},
	Bad: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Good: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: registry.example.com/mmlspark:plus-0.9.9
`,
	Check: func(p *Pass) {
		images(p, func(u *imageUse) {
			if why := u.tagRemoved(); why != "" {
				p.reportAs(finding.Warning, u.Image.Location(why), nil)
				return
			}
			if u.notPlus() || u.unpinned() || !u.removed {
				return
			}
			p.report(u.Image.Location(u.ref.Name()+" "+TakenOff+", so this image is only available where it was pulled in time, or from a copy"), nil)
		})
		for _, u := range imageUses(p) {
			if u.Dialect != schema.Workbench {
				reportSupport(p, u.Target)
			}
		}
	},
}

// TakenOff is what messages say about an image that can no longer be pulled.
const TakenOff = "was removed from its registry"

// tagRemoved returns why an image cannot be pulled although its repository exists, or "".
func (u *imageUse) tagRemoved() string {
	if u.ref.Digest != "" {
		return ""
	}
	return catalog.RemovedTag(u.ref.Name(), u.ref.Tag)
}

// alsoRemoved returns what another finding about an image adds, so that there is one finding per place.
func (u *imageUse) alsoRemoved() string {
	if !u.removed {
		return ""
	}
	return "; also, the repository " + TakenOff
}
