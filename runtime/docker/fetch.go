package docker

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"path"
	"strings"
)

// Fetch reads the outputs of a container that was kept because they could not be copied back, and removes the container
// once collect has read them all. It returns an error with Problem ContainerGone if there is no such container.
func Fetch(ctx context.Context, eng Engine, runID string, collect func(context.Context, io.Reader) error) error {
	name := ContainerName(runID)
	state, err := eng.State(ctx, name)
	switch {
	case err != nil:
		return err
	case state.RunID != runID: // someone else has given their container this name
		return &Error{Problem: ContainerGone, Subject: name}
	case state.Running:
		return errors.New("its container " + name + " is running again, because someone has started it: stop it first")
	}
	stream, err := eng.CopyOut(ctx, name, outputsDir)
	if Is(err, PathNotFound) {
		stream, err = io.NopCloser(strings.NewReader("")), nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }()
	if err := collect(ctx, stream); err != nil {
		return err
	}
	return eng.Remove(ctx, name)
}

// Keeps reports whether a container that has ended holds outputs that a run has not copied back completely. When in
// doubt, it returns true.
func Keeps(ctx context.Context, eng Engine, name string) bool {
	stream, err := eng.CopyOut(ctx, name, outputsDir)
	if Is(err, PathNotFound) || Is(err, ContainerGone) {
		return false
	}
	if err != nil {
		return true
	}
	defer func() { _ = stream.Close() }()
	for archive := tar.NewReader(stream); ; {
		h, err := archive.Next()
		if err != nil {
			return !errors.Is(err, io.EOF)
		}
		if h.Typeflag != tar.TypeDir {
			return true
		}
	}
}

// Files lists the files in a container's working directory, as paths in the container. It fails if the engine would
// send more than limit bytes.
func Files(ctx context.Context, eng Engine, id string, limit int64) (paths []string, err error) {
	stream, err := eng.CopyOut(ctx, id, WorkDir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = stream.Close() }()
	for archive := tar.NewReader(io.LimitReader(stream, limit)); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return paths, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag != tar.TypeDir {
			paths = append(paths, path.Join("/", h.Name)) //nolint:gosec // only names are read; nothing is extracted
		}
	}
}
