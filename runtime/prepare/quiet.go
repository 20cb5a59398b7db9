package prepare

import (
	"context"
	"io"

	"github.com/amlfix/amlfix/runtime/process"
)

// untilStopped passes on the tools' output until ctx is cancelled: what they print about that, such as pip's traceback,
// helps nobody. finish ends an unfinished line.
func untilStopped(ctx context.Context, out process.Streams) (quiet process.Streams, finish func()) {
	begun := new(io.Writer)
	quiet = process.Streams{Stdout: stoppable{ctx, out.Stdout, begun}, Stderr: stoppable{ctx, out.Stderr, begun}}.Shared()
	return quiet, func() {
		if ctx.Err() != nil && *begun != nil {
			_, _ = io.WriteString(*begun, "\n")
		}
	}
}

type stoppable struct {
	ctx   context.Context
	w     io.Writer
	begun *io.Writer // the stream with an unfinished line; nil: none
}

func (s stoppable) Write(p []byte) (int, error) {
	if s.w == nil || len(p) == 0 || s.ctx.Err() != nil {
		return len(p), nil
	}
	if *s.begun = s.w; p[len(p)-1] == '\n' {
		*s.begun = nil
	}
	return s.w.Write(p)
}
