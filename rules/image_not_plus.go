package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

var imageNotPlus = Rule{
	ID:       "image/not-plus",
	Severity: finding.Info,
	Since:    "2026-11-20",
	Doc:      "A Workbench target uses an mmlspark image that is not one of its plus images.",
	Why: `Azure ML Workbench supports only the plus images of mmlspark, which contain the libraries that its data
preparation needs. A job may run in the plain images until it reads data with Workbench's own tools.`,
	Facts: []string{"images"},
	Bad: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:0.7.91
`,
	Good: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.7.91
`,
	Check: func(p *Pass) {
		images(p, func(u *imageUse) {
			if !u.notPlus() {
				return
			}
			image := &u.ref
			message := "Azure ML Workbench supports the plus images of " + image.Name() + ", and this is not one of them"
			switch plus, ok := catalog.PlusVariant(image.Name(), image.Tag); {
			case !ok:
				message += "; no plus image of this version was published"
			case plus.Moving:
				message += `: use one whose tag begins with "plus-"`
			default:
				message += fmt.Sprintf(": use %q", withTag(*image, plus.Tag))
			}
			p.report(u.Image.Location(message+u.alsoRemoved()), nil)
		})
	},
}

// notPlus reports whether a Workbench target has a known image that is not a plus image, from a repository that has
// plus images.
func (u *imageUse) notPlus() bool {
	if !u.found || u.plus || u.Dialect != schema.Workbench || u.ref.Digest != "" {
		return false
	}
	_, ok := catalog.PlusVariant(u.ref.Name(), "")
	return ok
}
