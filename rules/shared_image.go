package rules

import (
	"slices"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// namesImage reports whether a target's file names a base image and its jobs run in it.
func namesImage(t *schema.Target) bool {
	used := t.Container() || t.Dialect == schema.SDKv1 && t.Type.Text == "managed"
	return used && t.Image.Explicit && t.Image.Node.IsString() && strings.TrimSpace(t.Image.Text) != ""
}

// imageUse is something that names a base image, with what its rules ask about the image: there are thousands, and a
// row of the catalog is long.
type imageUse struct {
	*schema.Target
	ref requirement.Image
	err error // of its parser

	found, plus, moving, removed bool // what the catalog says
}

// imageUses returns everything that names a base image: targets, v2 environments, and the Dockerfiles of both.
func imageUses(p *Pass) []imageUse {
	if p.shared.imageUses == nil {
		list := make([]imageUse, 0, len(p.Project.Targets)+len(p.Project.V2Environments))
		for _, t := range p.Project.Targets {
			switch base := t.Base(); {
			case fromDockerfile(base):
				list = append(list, use(&schema.Target{Dialect: t.Dialect, File: t.File, Image: base}))
			case namesImage(t):
				list = append(list, use(t))
			}
		}
		for _, t := range v2Images(p) {
			list = append(list, use(t))
		}
		p.shared.imageUses = list
	}
	return p.shared.imageUses
}

func use(t *schema.Target) imageUse {
	u := imageUse{Target: t}
	if u.ref, u.err = requirement.ParseImage(t.Image.Text); u.err == nil {
		known, found := catalog.LookupImage(u.ref.Name(), u.ref.Tag)
		u.found, u.plus, u.moving, u.removed = found, known.Plus, known.Moving, found && known.Removed
	}
	return u
}

// fromDockerfile reports whether an image is named in a Dockerfile, which has no keys.
func fromDockerfile(base schema.Field) bool { return base.Explicit && base.Key == nil }

// images calls check for everything whose base image can be parsed.
func images(p *Pass, check func(*imageUse)) {
	list := imageUses(p)
	for i := range list {
		if list[i].err == nil {
			check(&list[i])
		}
	}
}

// repairedImage returns an image reference without spaces and repeated colons. ok is false if the result is not a
// reference, or joins two words to an unknown name.
func repairedImage(text string) (repaired string, ok bool) {
	var b strings.Builder
	joins, space := false, false
	var last rune
	for _, r := range strings.TrimFunc(text, unicode.IsSpace) {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if r == ':' && last == ':' {
			continue
		}
		if space && !strings.ContainsRune("/:@", r) && !strings.ContainsRune("/:@", last) {
			joins = true
		}
		b.WriteRune(r)
		space, last = false, r
	}
	image, err := requirement.ParseImage(b.String())
	if err != nil {
		return "", false
	}
	if joins && !slices.Contains(catalog.Tags(image.Name()), image.Tag) {
		return "", false
	}
	return b.String(), true
}
