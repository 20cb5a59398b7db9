package docker

import (
	"context"
	"io"
	"strings"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/build"
)

// Build describes an image to build from a Dockerfile.
type Build struct {
	Name       string // of the image
	Dockerfile string // its path within the context
	Labels     map[string]string
}

// NoBuildKit follows what a Dockerfile has that only BuildKit understands.
const NoBuildKit = " requires BuildKit, which amlfix does not use: build the image yourself (docker build), and give its name with --image"

// BuildError reports that a Dockerfile failed to build. Its text is the engine's, or what to do instead.
type BuildError struct{ Said string }

func (e *BuildError) Error() string { return e.Said }

func (e *engine) Build(ctx context.Context, b Build, files io.Reader, out io.Writer) error {
	answer, err := e.api.ImageBuild(ctx, files, build.ImageBuildOptions{Tags: []string{b.Name}, Dockerfile: b.Dockerfile, Labels: b.Labels, Remove: true, ForceRemove: true})
	if errdefs.IsInvalidArgument(err) { // the engine does not understand the Dockerfile
		return &BuildError{Said: said(err.Error())}
	}
	if err != nil {
		return e.explain(ctx, b.Name, err)
	}
	failed, err := e.messages(ctx, b.Name, answer.Body, func(m message) {
		_, _ = io.WriteString(out, m.Stream) // the reader may be gone
	})
	if what, _, modern := strings.Cut(failed, " requires BuildKit"); modern {
		return &BuildError{Said: what + NoBuildKit}
	}
	if failed != "" {
		return &BuildError{Said: strings.TrimSpace(failed)}
	}
	return err
}
