package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

var imageUnknownTag = Rule{
	ID:       "image/unknown-tag",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "The base image has a tag that its repository never had.",
	Why: `Docker cannot pull an image that was never published. Only repositories whose releases are all on record are
checked; images that someone built and tagged on their own machine are not reported.`,
	Facts: []string{"images", "repositories"},
	Bad: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.99
`,
	Good: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Check: func(p *Pass) {
		images(p, func(u *imageUse) {
			image := &u.ref
			if image.Tag == "" || image.Digest != "" || !catalog.NeverPublished(image.Name(), image.Tag) {
				return
			}
			message := fmt.Sprintf("%s never had the tag %q", image.Name(), image.Tag)
			switch near := format.Nearest(image.Tag, catalog.Tags(image.Name())); {
			case len(near) == 1:
				message += fmt.Sprintf(": did you mean %q?", near[0])
			case len(near) > 1:
				message += "; the closest existing tags are " + quotedList(near)
			}
			p.report(u.Image.Location(message), nil)
		})
	},
}
