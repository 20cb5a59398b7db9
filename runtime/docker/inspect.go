package docker

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/pkg/stdcopy"

	"github.com/amlfix/amlfix/runtime/process"
)

// execLimit is how many bytes of a program's output Exec keeps: nvidia-smi writes a few hundred per GPU.
const execLimit = 1 << 20

func (e *engine) Exec(ctx context.Context, id, user string, argv ...string) ([]byte, int, error) {
	made, err := e.api.ContainerExecCreate(ctx, id, container.ExecOptions{User: user, Cmd: argv, AttachStdout: true, AttachStderr: true})
	if err != nil {
		return nil, 0, e.explain(ctx, argv[0], err)
	}
	conn, err := e.api.ContainerExecAttach(ctx, made.ID, container.ExecAttachOptions{})
	if err != nil {
		return nil, 0, e.explain(ctx, argv[0], err)
	}
	stop := context.AfterFunc(ctx, conn.Close) // the connection itself ignores ctx
	out := process.First{Limit: execLimit}
	_, err = stdcopy.StdCopy(&out, io.Discard, conn.Reader)
	stop()
	conn.Close()
	if err != nil {
		return nil, 0, e.explain(ctx, argv[0], err)
	}
	ended, err := e.api.ContainerExecInspect(ctx, made.ID)
	return out.Bytes(), ended.ExitCode, e.explain(ctx, argv[0], err)
}

func (e *engine) Processes(ctx context.Context, id string) (pids []int, err error) {
	top, err := e.api.ContainerTop(ctx, id, nil)
	if err != nil {
		return nil, e.explain(ctx, "", err)
	}
	column := slices.Index(top.Titles, "PID")
	for _, row := range top.Processes {
		if column >= 0 && column < len(row) {
			if pid, err := strconv.Atoi(row[column]); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids, nil
}

func (e *engine) Changes(ctx context.Context, id string) (paths []string, err error) {
	list, err := e.api.ContainerDiff(ctx, id)
	for _, c := range list {
		if c.Kind != container.ChangeDelete {
			paths = append(paths, c.Path)
		}
	}
	return paths, e.explain(ctx, "", err)
}

func (e *engine) Containers(ctx context.Context) (list []Labelled, err error) {
	found, err := e.api.ContainerList(ctx, container.ListOptions{All: true, Filters: filters.NewArgs(filters.Arg("label", Label))})
	if err != nil {
		return nil, e.explain(ctx, "", err)
	}
	for _, c := range found {
		l := Labelled{RunID: c.Labels[Label], Project: c.Labels[ProjectLabel], GPUs: c.Labels[GPULabel], Made: time.Unix(c.Created, 0), Running: c.State == container.StateRunning, Ended: c.State == container.StateExited || c.State == container.StateDead}
		if len(c.Names) > 0 {
			l.Name = strings.TrimPrefix(c.Names[0], "/")
		}
		list = append(list, l)
	}
	return list, nil
}
