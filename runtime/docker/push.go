package docker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/docker/docker/api/types/image"
)

// Push names an image and pushes it under that name, "HOST/REPOSITORY:TAG", to its registry. The name is gone from the
// engine afterwards. The digest is that of the image there.
func (e *engine) Push(ctx context.Context, name, as string, login *Login) (digest string, err error) {
	if err := e.api.ImageTag(ctx, name, as); err != nil {
		return "", e.explain(ctx, name, err)
	}
	defer func() { // what is left is a second name
		_, _ = e.api.ImageRemove(context.WithoutCancel(ctx), as, image.RemoveOptions{})
	}()
	auth, err := login.header()
	if err != nil {
		return "", err
	}
	if auth == "" {
		auth = "e30=" // {}: engines want some
	}
	stream, err := e.api.ImagePush(ctx, as, image.PushOptions{RegistryAuth: auth})
	if err != nil {
		return "", e.explain(ctx, as, err)
	}
	defer func() { _ = stream.Close() }()
	for messages := json.NewDecoder(stream); ; {
		var m struct {
			Error string                  `json:"error"`
			Aux   struct{ Digest string } `json:"aux"`
		}
		err := messages.Decode(&m)
		switch {
		case errors.Is(err, io.EOF) && digest != "":
			return digest, nil
		case errors.Is(err, io.EOF):
			return "", fmt.Errorf("image %s: the Docker engine does not say what it has pushed", as)
		case err != nil:
			return "", e.explain(ctx, as, err)
		case m.Error != "":
			return "", e.explain(ctx, as, errors.New(m.Error))
		}
		if m.Aux.Digest != "" {
			digest = m.Aux.Digest
		}
	}
}
