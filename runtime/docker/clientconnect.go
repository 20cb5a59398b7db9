package docker

import (
	"context"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"

	"github.com/docker/docker/client"
)

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
	return &engine{api: api, host: api.DaemonHost()}, limitAnswers(api)
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
	if err == nil {
		err = limitAnswers(api)
	}
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
