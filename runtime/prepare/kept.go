package prepare

import (
	"context"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
)

// Kept is an environment that an engine keeps.
type Kept struct {
	Image string // its name
	Base  string // the name of the base image
	Way   Way
	Size  int64 // bytes, with the base image
	// Own is what removing it sets free, in bytes; Size when the base image is not there any more.
	Own int64
}

// List lists the environments that an engine keeps, the newest first. Images that somebody has made of them are not
// among these.
func List(ctx context.Context, eng docker.Engine) (list []Kept, err error) {
	names, err := eng.Images(ctx, Label)
	for _, name := range names {
		key, ours := strings.CutPrefix(name, Repository+":")
		if !ours {
			continue
		}
		img, err := eng.Image(ctx, name)
		if docker.Is(err, docker.ImageNotFound) { // it was removed meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		if img.Labels[Label] != key {
			continue
		}
		k := Kept{Image: name, Base: img.Labels[baseLabel], Way: Way(img.Labels[wayLabel]), Size: img.Size, Own: img.Size}
		if base, err := eng.Image(ctx, img.Labels[idLabel]); err == nil && base.Size <= img.Size {
			k.Own = img.Size - base.Size
		}
		list = append(list, k)
	}
	return list, err
}
