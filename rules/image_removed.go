package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var imageRemoved = Rule{
	ID:       "image/removed",
	Severity: finding.Info,
	Since:    "2026-11-20",
	Doc:      "The base image was removed from its registry, or gets no more updates.",
	Why: `If the owner removed the repository, the image is only available where it was pulled in time, or from a copy
in another registry; the files themselves are correct. Images that Microsoft no longer builds, and those whose Ubuntu
release is out of standard support, can still be pulled and still run, but get no security updates, and newer packages
and drivers stop working with them. That is a warning in v2, and an info if the support has not ended yet or only a
later image is known. --as-of DATE checks as of another day than today.`,
	Facts: []string{"images", "repositories", "systems"},
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
		images(p, func(t *schema.Target, image requirement.Image) {
			if notPlus(t, image) || unpinned(image) || !removed(image) {
				return
			}
			p.report(t.Image.Location(image.Name()+" "+TakenOff+", so this image is only available where it was pulled in time, or from a copy"), nil)
		})
		for _, t := range imageTargets(p) {
			if t.Dialect != schema.Workbench {
				reportSupport(p, t)
			}
		}
	},
}

// TakenOff is what messages say about an image that can no longer be pulled.
const TakenOff = "was removed from its registry"

// removed reports whether an image is known and its repository was removed.
func removed(image requirement.Image) bool {
	known, ok := catalog.LookupImage(image.Name(), image.Tag)
	return ok && known.Removed
}

// alsoRemoved returns what another finding about an image adds, so that there is one finding per place.
func alsoRemoved(image requirement.Image) string {
	if !removed(image) {
		return ""
	}
	return "; also, the repository " + TakenOff
}
