package prepare

import (
	"context"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
)

// Kept is an environment kept by an engine.
type Kept struct {
	Image string // its name
	Base  string // the name of the base image
	Way   Way
	Size  int64 // bytes, including the base image
	// Own is the number of bytes that removing it frees; equal to Size if the base image no longer exists.
	Own int64
}

// List lists the environments that an engine keeps, newest first. It omits images that someone else has derived from
// them.
func List(ctx context.Context, eng docker.Engine) (list []Kept, err error) {
	names, err := eng.Images(ctx, Label)
	for _, name := range names {
		key, ours := strings.CutPrefix(name, Repository+":")
		if !ours {
			continue
		}
		img, err := eng.Image(ctx, name)
		if docker.Is(err, docker.ImageNotFound) { // removed in the meantime
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
