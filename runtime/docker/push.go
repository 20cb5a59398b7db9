package docker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

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
	if auth == "" {
		auth = "e30=" // {}: engines require a value
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
