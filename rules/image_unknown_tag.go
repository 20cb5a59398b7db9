package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
)

var imageUnknownTag = Rule{
	ID:       "image/unknown-tag",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "The base image has a tag that its repository never had, or the name of a known repository with a wrong letter.",
	Why: `Docker cannot pull an image that was never published. Only repositories whose releases are all on record are
checked; images that someone built and tagged on their own machine are not reported. A repository that is not on record
is reported if its name differs by one letter from one that has the tag.`,
	Remedy: "With --unsafe, corrects the name of the repository. It does not choose a tag.",
	Facts:  []string{"images", "repositories"},
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
			if right := misspeltRepository(u); right != "" {
				var fix *finding.Fix
				if image.Written() == image.Name() {
					whole := strings.Replace(u.Image.Text, image.Name(), right, 1)
					fix = u.Image.Fix(finding.Text(whole), finding.Unsafe, "use "+whole)
				}
				p.report(u.Image.Location(fmt.Sprintf("amlfix does not know the repository %q; did you mean %q?", image.Name(), right)), fix)
				return
			}
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

// misspeltRepository returns the repository that has an unknown image's tag and from whose name that of the image
// differs by one letter, or "". Names with different numbers, or "cpu" for "gpu", are of different images.
func misspeltRepository(u *imageUse) string {
	if u.found || u.ref.Digest != "" {
		return ""
	}
	name := u.ref.Name()
	for repo := range catalog.Repositories() {
		if plain.DistanceWithin(name, repo, 1) != 1 || digits(name) != digits(repo) || withoutGPU(name) == withoutGPU(repo) {
			continue
		}
		if _, ok := catalog.LookupImage(repo, u.ref.Tag); ok {
			return repo
		}
	}
	return ""
}

func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

func withoutGPU(name string) string { return strings.ReplaceAll(name, "gpu", "cpu") }
