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
	Doc:      "The base image was removed from its registry; or, in v2, its operating system is out of support.",
	Why: `The owner of the repository removed it from the registry. The image is only available where it was pulled in
time, or from a copy in another registry; the files themselves are right. An Azure ML image whose Ubuntu is
out of support still runs, but gets no security updates.`,
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
		retiredImages(p)
	},
}

// TakenOff is what a message says of an image that can no longer be pulled.
const TakenOff = "was removed from its registry"

// removed reports whether an image is known and its repository gone.
func removed(image requirement.Image) bool {
	known, ok := catalog.LookupImage(image.Name(), image.Tag)
	return ok && known.Removed
}

// alsoRemoved is what another finding about an image adds, so that one place
// has one finding.
func alsoRemoved(image requirement.Image) string {
	if !removed(image) {
		return ""
	}
	return "; besides, the repository " + TakenOff
}
