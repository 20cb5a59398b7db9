package docker

import (
	"context"
	"io"

	"github.com/docker/docker/api/types/container"

	"github.com/amlfix/amlfix/runtime/process"
)

// attached is the Output of a container: a connection of its own, or an ordinary response.
type attached struct {
	read  io.Reader
	close func()
}

func (a *attached) CopyTo(s process.Streams) error {
	return copyFrames(a.read, s)
}

func (a *attached) Close() { a.close() }

func (e *engine) Attach(ctx context.Context, id string) (Output, error) {
	return e.attach(ctx, id, container.AttachOptions{Stream: true})
}

func (e *engine) Printed(ctx context.Context, id string) (Output, error) {
	return e.attach(ctx, id, container.AttachOptions{Logs: true})
}

func (e *engine) attach(ctx context.Context, id string, o container.AttachOptions) (Output, error) {
	o.Stdout, o.Stderr = true, true
	conn, err := e.api.ContainerAttach(ctx, id, o)
	if err != nil {
		return nil, e.explain(ctx, "", err)
	}
	return &attached{read: conn.Reader, close: conn.Close}, nil
}

func (e *engine) Logs(ctx context.Context, id string) (Output, error) {
	stream, err := e.api.ContainerLogs(ctx, id, container.LogsOptions{ShowStdout: true, ShowStderr: true, Follow: true})
	if err != nil {
		return nil, e.explain(ctx, "", err)
	}
	return &attached{read: stream, close: func() { _ = stream.Close() }}, nil
}
