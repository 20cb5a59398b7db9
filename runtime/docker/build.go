package docker

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/docker/docker/api/types/build"
)

// Build describes an image to build from a Dockerfile.
type Build struct {
	Name       string // of the image
	Dockerfile string // its path within the context
	Labels     map[string]string
}

// BuildError reports that a Dockerfile failed to build. Its text is the engine's.
type BuildError struct{ Said string }

func (e *BuildError) Error() string { return e.Said }

func (e *engine) Build(ctx context.Context, b Build, files io.Reader, out io.Writer) error {
	answer, err := e.api.ImageBuild(ctx, files, build.ImageBuildOptions{Tags: []string{b.Name}, Dockerfile: b.Dockerfile, Labels: b.Labels, Remove: true, ForceRemove: true})
	if err != nil {
		return e.explain(ctx, b.Name, err)
	}
	defer func() { _ = answer.Body.Close() }()
	for messages := json.NewDecoder(answer.Body); ; {
		var m struct {
			Stream string `json:"stream"`
			Error  string `json:"error"`
		}
		err := messages.Decode(&m)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return e.explain(ctx, b.Name, err)
		case m.Error != "":
			return &BuildError{Said: strings.TrimSpace(m.Error)}
		}
		_, _ = io.WriteString(out, m.Stream) // the reader may be gone
	}
}
