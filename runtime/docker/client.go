package docker

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/client"
)

// engine is the real Engine. Only inspect.go and files whose names begin with client use the client library.
type engine struct {
	api  *client.Client
	host string // as shown to people
	over *dialler
	root atomic.Value // a string: the engine's folder, once known
}

func (e *engine) Close() error { return e.api.Close() }

// explain converts an error of the library to one of this package. subject is what the request was about.
func (e *engine) explain(ctx context.Context, subject string, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if failure := e.over.failure(); failure != nil {
		return &Error{Problem: NoConnection, Subject: e.host, Err: failure}
	}
	facts := facts{text: err.Error(), notFound: errdefs.IsNotFound(err), unreachable: client.IsErrConnectionFailed(err), forbidden: errors.Is(err, os.ErrPermission)}
	problem := facts.problem()
	switch problem {
	case NoEngine, NoPermission:
		subject = e.host
	case NoSpace:
		subject = e.disk()
	default: // it is what the caller asked for
	}
	return &Error{Problem: problem, Subject: subject, Said: said(facts.text), Err: err}
}

// disk returns the folder where the engine keeps images and containers.
func (e *engine) disk() string {
	if root, _ := e.root.Load().(string); root != "" {
		return e.host + ", " + root + ","
	}
	return e.host
}

func (e *engine) Info(ctx context.Context) (Info, error) {
	i, err := e.api.Info(ctx)
	if err != nil {
		return Info{}, e.explain(ctx, "", err)
	}
	e.root.Store(i.DockerRootDir)
	info := Info{Host: e.host, API: e.api.ClientVersion(), OS: i.OSType, Arch: i.Architecture, DefaultRuntime: i.DefaultRuntime, Root: i.DockerRootDir,
		LogDrivers: i.Plugins.Log, Local: strings.HasPrefix(e.host, "unix://") || strings.HasPrefix(e.host, "npipe://")}
	if info.Now = moment(i.SystemTime); info.Now.IsZero() {
		info.Now = time.Now()
	}
	for name := range i.Runtimes {
		info.Runtimes = append(info.Runtimes, name)
	}
	for _, d := range i.DiscoveredDevices {
		if d.Source == "cdi" {
			info.CDIDevices = append(info.CDIDevices, d.ID)
		}
	}
	return info, nil
}

func (e *engine) CopyIn(ctx context.Context, id string, tar io.Reader) error {
	return e.explain(ctx, "", e.api.CopyToContainer(ctx, id, "/", tar, container.CopyToContainerOptions{}))
}

func (e *engine) CopyOut(ctx context.Context, id, path string) (io.ReadCloser, error) {
	stream, _, err := e.api.CopyFromContainer(ctx, id, path)
	if err != nil {
		return nil, e.explain(ctx, path, err)
	}
	return stream, nil
}

func (e *engine) Stat(ctx context.Context, id, path string) (Stat, error) {
	stat, err := e.api.ContainerStatPath(ctx, id, path)
	if errdefs.IsNotFound(err) { // a response without text
		return Stat{}, &Error{Problem: PathNotFound, Subject: path, Err: err}
	}
	return Stat{Size: stat.Size, Mode: stat.Mode, ModTime: stat.Mtime}, e.explain(ctx, path, err)
}

func (e *engine) Start(ctx context.Context, id string) error {
	return e.explain(ctx, "", e.api.ContainerStart(ctx, id, container.StartOptions{}))
}

func (e *engine) Wait(ctx context.Context, id string, next bool) <-chan Waited {
	condition := container.WaitConditionNotRunning
	if next {
		condition = container.WaitConditionNextExit
	}
	status, failed := e.api.ContainerWait(ctx, id, condition)
	ended := make(chan Waited, 1)
	go func() {
		select {
		case s := <-status:
			ended <- Waited{Code: int(s.StatusCode)}
		case err := <-failed:
			ended <- Waited{Err: e.explain(ctx, "", err)}
		}
	}()
	return ended
}

func (e *engine) State(ctx context.Context, id string) (State, error) {
	c, err := e.api.ContainerInspect(ctx, id)
	if err != nil {
		return State{}, e.explain(ctx, "", err)
	}
	s := State{Running: c.State.Running, Code: c.State.ExitCode, OOMKilled: c.State.OOMKilled, Error: c.State.Error,
		Started: moment(c.State.StartedAt), Ended: moment(c.State.FinishedAt)}
	if c.Config != nil {
		s.RunID = c.Config.Labels[Label]
	}
	if c.HostConfig != nil {
		s.Memory, s.LogDriver = c.HostConfig.Memory, c.HostConfig.LogConfig.Type
	}
	return s, nil
}

// moment parses a time as the engine writes it, where the year 1 means "never".
func moment(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.Year() <= 1 {
		return time.Time{}
	}
	return t
}

func (e *engine) Stop(ctx context.Context, id string, grace time.Duration) error {
	seconds := int((grace + time.Second - 1) / time.Second)
	return e.explain(ctx, "", e.api.ContainerStop(ctx, id, container.StopOptions{Timeout: &seconds}))
}

func (e *engine) Interrupt(ctx context.Context, id string) error {
	return e.explain(ctx, "", e.api.ContainerKill(ctx, id, "INT"))
}

func (e *engine) Kill(ctx context.Context, id string) error {
	return e.explain(ctx, "", e.api.ContainerKill(ctx, id, "KILL"))
}

func (e *engine) Remove(ctx context.Context, idOrName string) error {
	err := e.api.ContainerRemove(ctx, idOrName, container.RemoveOptions{Force: true, RemoveVolumes: true})
	if errdefs.IsNotFound(err) || err != nil && strings.Contains(err.Error(), "is already in progress") {
		return nil
	}
	return e.explain(ctx, idOrName, err)
}
