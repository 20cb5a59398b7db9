package docker

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"

	"github.com/amlfix/amlfix/runtime/lease"
)

func (e *engine) Create(ctx context.Context, c Container) (string, error) {
	config, host := settings(c)
	made, err := e.api.ContainerCreate(ctx, config, host, nil, nil, c.Name)
	if err != nil && c.ExactLog && strings.Contains(err.Error(), "max-buffer-size") { // the engine's own settings name one, which mode blocking refuses
		host.LogConfig.Config["mode"], host.LogConfig.Config["max-buffer-size"] = "non-blocking", "1g"
		made, err = e.api.ContainerCreate(ctx, config, host, nil, nil, c.Name)
	}
	return made.ID, e.explain(ctx, c.Image, err)
}

// settings converts a Container to the library's types.
func settings(c Container) (*container.Config, *container.HostConfig) {
	withInit := true // without it, PID 1 ignores SIGTERM, and a job that kills itself with a signal looks like a success
	config := &container.Config{
		Image: c.Image, Entrypoint: c.Argv[:1], Cmd: c.Argv[1:], Env: c.Env, User: c.User, WorkingDir: cmp.Or(c.Dir, WorkDir),
		Labels: map[string]string{cmp.Or(c.Label, Label): c.RunID},
	}
	if c.Project != "" {
		config.Labels[ProjectLabel] = c.Project
	}
	host := &container.HostConfig{Init: &withInit, ShmSize: c.Shm, IpcMode: container.IpcMode(c.IPC)}
	if c.ExactLog { // one unlimited file and nothing dropped: otherwise the log could not be read again from its first byte
		host.LogConfig = container.LogConfig{Type: exactLog, Config: map[string]string{"max-size": "1024g", "max-file": "1", "compress": "false", "mode": "blocking"}}
	}
	host.Memory, host.MemorySwap, host.NanoCPUs = c.Memory, c.Memory, int64(c.CPUs*1e9)
	if c.Probe {
		config.WorkingDir, host.NetworkMode = "/", "none"
	}
	for _, m := range c.Mounts {
		kind := mount.TypeBind
		if m.Volume {
			kind = mount.TypeVolume
		}
		as := mount.Mount{Type: kind, Source: m.Source, Target: m.Target}
		if m.Owner != "" {
			as.VolumeOptions = &mount.VolumeOptions{NoCopy: true, Labels: map[string]string{StoreLabel: m.Owner, ProjectLabel: c.Project}}
		}
		host.Mounts = append(host.Mounts, as)
	}
	giveGPUs(c, config, host)
	return config, host
}

// giveGPUs requests the GPUs of a container: all, or those of Devices.
func giveGPUs(c Container, config *container.Config, host *container.HostConfig) {
	var ids []string
	for _, n := range c.Devices {
		ids = append(ids, strconv.Itoa(n))
	}
	if len(ids) > 0 {
		config.Labels[GPULabel] = lease.Numbers(c.Devices)
	}
	switch c.GPU {
	case ByCDI:
		devices := []string{cdiAll}
		if len(ids) > 0 {
			devices = nil
			for _, id := range ids {
				devices = append(devices, cdiKind+id)
			}
		}
		host.DeviceRequests = []container.DeviceRequest{{Driver: "cdi", DeviceIDs: devices}}
	case ByRequest: // with an empty Driver, engines 20.10 and 29 report failures in different words
		ask := container.DeviceRequest{Driver: "nvidia", Count: -1, Capabilities: [][]string{{"gpu"}}}
		if len(ids) > 0 {
			ask.Count, ask.DeviceIDs = 0, ids
		}
		host.DeviceRequests = []container.DeviceRequest{ask}
	case ByRuntime:
		host.Runtime = nvidiaRuntime
		if len(ids) > 0 {
			config.Env = append(slices.DeleteFunc(slices.Clone(config.Env), func(v string) bool { return strings.HasPrefix(v, VisibleDevices+"=") }), VisibleDevices+"="+strings.Join(ids, ","))
		}
	case NoGPU:
	}
}
