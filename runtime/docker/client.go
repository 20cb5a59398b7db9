package docker

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"
	"github.com/docker/docker/client"

	"github.com/amlfix/amlfix/runtime/lease"
	"github.com/amlfix/amlfix/runtime/process"
)

// engine is the real Engine. Only this file, clientimage.go and inspect.go use the client library.
type engine struct {
	api  *client.Client
	host string // as shown to people
	over *dialler
	root atomic.Value // a string: the engine's folder, once known
}

// Connect prepares a connection to the engine that DOCKER_HOST names, using DOCKER_TLS_VERIFY and DOCKER_CERT_PATH, or
// to this machine's engine. It sends nothing yet and does not read the docker command's contexts.
func Connect() (Engine, error) { return ConnectTo(os.Getenv(client.EnvOverrideHost)) }

// Address returns the address of the engine that Connect connects to, written as in DOCKER_HOST and in Info.Host.
func Address() (string, error) {
	eng, err := engineAt(os.Getenv(client.EnvOverrideHost))
	if err != nil {
		return "", err
	}
	defer func() { _ = eng.Close() }()
	return eng.host, nil
}

// ConnectTo is like Connect but for the engine at host, written as in DOCKER_HOST; the certificates are those of the
// environment. An empty host means this machine's engine.
func ConnectTo(host string) (Engine, error) {
	eng, err := engineAt(host)
	if err != nil {
		return nil, err // never an Engine that holds a nil pointer
	}
	return eng, nil
}

// engineAt prepares the connection for ConnectTo.
func engineAt(host string) (*engine, error) {
	if strings.HasPrefix(host, "ssh://") {
		return nil, &Error{Problem: HostUnsupported, Subject: host}
	}
	options := []client.Opt{client.WithTLSClientConfigFromEnv(), client.WithVersionFromEnv(), client.WithAPIVersionNegotiation(), client.WithUserAgent("amlfix")}
	if host != "" {
		options = append(options, client.WithHost(host))
	}
	api, err := client.NewClientWithOpts(append(options, readMuch)...)
	if err != nil {
		return nil, &Error{Problem: HostInvalid, Subject: host, Err: err}
	}
	return &engine{api: api, host: api.DaemonHost()}, nil
}

// readMuch makes a connection read as much at once as copyFrames accepts, because logs are long.
func readMuch(api *client.Client) error {
	if t, ok := api.HTTPClient().Transport.(*http.Transport); ok {
		t.ReadBufferSize = frameBuffer
	}
	return nil
}

// Dial opens a connection to an engine.
type Dial func(context.Context) (net.Conn, error)

// ConnectOver prepares a connection to an engine on another machine. host is the name shown to people; dial opens each
// connection. When dial fails, requests fail with Problem NoConnection, which wraps its error.
func ConnectOver(host string, dial Dial) (Engine, error) {
	d := &dialler{dial: dial}
	api, err := client.NewClientWithOpts(client.WithHost("http://docker.invalid"), client.WithDialContext(d.connect), client.WithAPIVersionNegotiation(), client.WithUserAgent("amlfix"), readMuch)
	if err != nil {
		return nil, &Error{Problem: HostInvalid, Subject: host, Err: err}
	}
	return &engine{api: api, host: host, over: d}, nil
}

// dialler remembers why the last connection failed: the library may replace the error with its own text.
type dialler struct {
	dial   Dial
	failed atomic.Pointer[error]
}

func (d *dialler) connect(ctx context.Context, _, _ string) (net.Conn, error) {
	conn, err := d.dial(ctx)
	if err != nil {
		d.failed.Store(&err)
		return nil, err
	}
	d.failed.Store(nil)
	return conn, nil
}

// failure returns why there is no connection, or nil if there is one or the reason is not known.
func (d *dialler) failure() error {
	if d == nil {
		return nil
	}
	if err := d.failed.Load(); err != nil {
		return *err
	}
	return nil
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
			config.Env = append(slices.DeleteFunc(slices.Clone(config.Env), func(v string) bool { return strings.HasPrefix(v, visibleDevices+"=") }), visibleDevices+"="+strings.Join(ids, ","))
		}
	case NoGPU:
	}
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

// attached is output read over its own connection; log is output read from an ordinary response.
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
