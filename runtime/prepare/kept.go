package prepare

import (
	"context"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
)

// BuiltRepository and BuiltLabel are those of images that are built from Dockerfiles.
const (
	BuiltRepository = "amlfix/build"
	BuiltLabel      = "io.amlfix.build"
)

// Kept is an environment kept by an engine.
type Kept struct {
	Image string // its name
	Base  string // the name of the base image; empty: the image was built from a Dockerfile
	Size  int64  // bytes, including the base image
	// Own is the number of bytes that removing it frees; equal to Size if the base image no longer exists, and 0 for an
	// image that was built from a Dockerfile.
	Own int64
}

// List lists the environments that an engine keeps, newest first, and the images that it has built from Dockerfiles. It
// omits images that someone else has derived from them.
func List(ctx context.Context, eng docker.Engine) (list []Kept, err error) {
	names, err := eng.Images(ctx, Label)
	if err != nil {
		return nil, err
	}
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
		k := Kept{Image: name, Base: img.Labels[baseLabel], Size: img.Size, Own: img.Size}
		if base, err := eng.Image(ctx, img.Labels[idLabel]); err == nil && base.Size <= img.Size {
			k.Own = img.Size - base.Size
		}
		list = append(list, k)
	}
	built, err := eng.Images(ctx, BuiltLabel) // environments on such an image have the label as well
	for _, name := range built {
		if img, err := eng.Image(ctx, name); err == nil && strings.HasPrefix(name, BuiltRepository+":") {
			list = append(list, Kept{Image: name, Size: img.Size})
		}
	}
	return list, err
}
