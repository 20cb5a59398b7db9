package docker

import (
	"context"
	"fmt"
	"io"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/schema/plain"
)

// Limits of Linux, in bytes. An engine calls everything by its full path, and leaves out, without an error, what has a
// longer one; a job can make such a folder step by step.
const (
	longestPath = 4095
	longestName = 255
)

// collector returns how a run stores its outputs from a container.
func collector(s *session.Session) func(context.Context, io.Reader) error {
	return func(ctx context.Context, tar io.Reader) error {
		err := s.CollectTar(ctx, tar)
		out := &s.Result.Outputs
		if len(engine.WorkDir+"/")+len(out.Deepest)+len("/")+longestName > longestPath {
			out.Warnings = append(out.Warnings, project.Warning{Path: plain.Cut(out.Deepest, 60),
				Text: fmt.Sprintf("left out: the Docker engine does not copy what has a path of more than %d bytes; there may be such files below this folder", longestPath)})
		}
		return err
	}
}
