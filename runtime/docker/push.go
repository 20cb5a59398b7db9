package docker

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/docker/docker/api/types/image"
)

// Push pushes the image called name to its registry under another name, as, in the form "HOST/REPOSITORY:TAG". It then
// removes the second name from the engine. The digest is the image's digest in the registry.
func (e *engine) Push(ctx context.Context, name, as string, login *Login) (digest string, err error) {
	if err := e.api.ImageTag(ctx, name, as); err != nil {
		return "", e.explain(ctx, name, err)
	}
	defer func() { // all that would remain is a second name
		_, _ = e.api.ImageRemove(context.WithoutCancel(ctx), as, image.RemoveOptions{})
	}()
	auth, err := login.header()
	if err != nil {
		return "", err
	}
	stream, err := e.api.ImagePush(ctx, as, image.PushOptions{RegistryAuth: cmp.Or(auth, "e30=")}) // {}: engines require a value
	if err != nil {
		return "", e.explain(ctx, as, err)
	}
	failed, err := e.messages(ctx, as, stream, func(m message) { digest = cmp.Or(m.Aux.Digest, digest) })
	switch {
	case err != nil:
		return "", err
	case failed != "":
		return "", e.explain(ctx, as, errors.New(failed))
	case digest == "":
		return "", fmt.Errorf("image %s: the Docker engine does not say what it has pushed", as)
	}
	return digest, nil
}
