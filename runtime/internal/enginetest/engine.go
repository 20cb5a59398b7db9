//go:build linux

// Package enginetest provides tests with a private Docker engine: a real dockerd with its own socket, data and network
// off the machine's firewall, and with containerd as a separate daemon, as on users' machines. It never talks to
// another engine. It needs root and an installed dockerd (Debian and Ubuntu: apt-get install docker.io); without them,
// tests are skipped, or fail if the variable CI is "true".
//
// AMLFIX_TEST_DOCKERD names a folder with a dockerd of another version, and optionally containerd,
// containerd-shim-runc-v2 and runc, which otherwise are the machine's; a file daemon.json there is added to the
// daemon's settings. docs/testing.md explains how to build some.
package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/daemon"
)

// Label is the label that no container may have after a test.
const Label = "io.amlfix.run"

// Engine is a private Docker engine.
type Engine struct {
	Host string // for DOCKER_HOST
	Dir  string // holds all its files
	env  []string
	path string
	// inside is as in options.
	inside []string
	http   *http.Client

	mu                 sync.Mutex
	docker, containerd *daemon.Daemon
}

var shared struct {
	sync.Mutex
	engines map[string]*Engine
}

// atOnce is how many parallel tests run at a time; they wait for engines and for processes there. With more of them, a
// busy machine's delays would look like losses.
const atOnce = 8

// Main runs the tests of a package and stops the engines that they started: func TestMain(m) { os.Exit(Main(m)) }.
func Main(m *testing.M) int {
	testkit.AtOnce(atOnce)
	testkit.Shortcut()
	return testkit.Shared(func() int {
		code := m.Run()
		shared.Lock()
		defer shared.Unlock()
		for _, e := range shared.engines {
			if err := e.shutdown(); err != nil {
				fmt.Fprintln(os.Stderr, "enginetest:", err)
				code = max(code, 1)
			}
		}
		return code
	})
}

// Start returns the engine of this package's tests, and starts it if it is not running.
func Start(t testing.TB) *Engine {
	t.Helper()
	return start(t, "plain", func(string) (options, error) { return options{}, nil })
}

// StartOwn returns an engine reserved for tests that use this name.
func StartOwn(t testing.TB, name string) *Engine {
	t.Helper()
	return start(t, name, func(string) (options, error) { return options{}, nil })
}

// options describes how engines differ.
type options struct {
	config map[string]any // added to daemon.json
	env    []string
	path   string // a folder to put first on dockerd's PATH; empty: none
	// inside is a program that starts dockerd, which then starts containerd itself; empty: none.
	inside []string
}

func start(t testing.TB, name string, prepare func(dir string) (options, error)) *Engine {
	t.Helper()
	if _, err := exec.LookPath(program("dockerd")); err != nil {
		if folder := os.Getenv(otherEngine); folder != "" {
			t.Fatalf("%s=%s: %v", otherEngine, folder, err)
		}
		testkit.Unavailable(t, "dockerd is not installed (apt-get install docker.io)")
	}
	if os.Getuid() != 0 {
		testkit.Unavailable(t, "a private dockerd needs root: run the tests as root")
	}
	shared.Lock()
	defer shared.Unlock()
	if e := shared.engines[name]; e != nil {
		return e
	}
	dir, err := os.MkdirTemp("", "amlfix-engine-")
	testkit.OK(t, err)
	o, err := prepare(dir)
	if err != nil {
		_ = os.RemoveAll(dir)
		testkit.Unavailable(t, err.Error())
	}
	e := newEngine(dir, o)
	testkit.OK(t, e.Launch(o.config))
	if shared.engines == nil {
		shared.engines = map[string]*Engine{}
	}
	shared.engines[name] = e
	return e
}

func newEngine(dir string, o options) *Engine {
	socket := filepath.Join(dir, "docker.sock")
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	return &Engine{Host: "unix://" + socket, Dir: dir, env: o.env, path: o.path, inside: o.inside, http: &http.Client{Transport: &http.Transport{DialContext: dial}}}
}

// Launch starts dockerd, which must not be running, and waits until it answers.
func (e *Engine) Launch(more map[string]any) error {
	other, err := otherSettings()
	if err != nil {
		return err
	}
	config := map[string]any{
		"data-root": filepath.Join(e.Dir, "data"), "exec-root": filepath.Join(e.Dir, "exec"), "pidfile": filepath.Join(e.Dir, "docker.pid"),
		"containerd": filepath.Join(e.Dir, "containerd.sock"),
		"hosts":      []string{e.Host}, "iptables": false, "ip6tables": false, "bridge": "none", "live-restore": true,
		"max-download-attempts": 1, // otherwise an interrupted download is retried for a minute
	}
	if len(e.inside) > 0 {
		delete(config, "containerd")
	}
	for _, settings := range []map[string]any{other, more} {
		maps.Copy(config, settings)
	}
	text, err := json.Marshal(config)
	if err != nil {
		return err
	}
	file := filepath.Join(e.Dir, "daemon.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	return e.Relaunch()
}

// Relaunch starts dockerd again with the same settings.
func (e *Engine) Relaunch() error {
	if err := e.startContainerd(); err != nil {
		return err
	}
	docker, err := e.start("dockerd", "--config-file", filepath.Join(e.Dir, "daemon.json"))
	if err != nil {
		return err
	}
	e.mu.Lock()
	e.docker = docker
	e.mu.Unlock()
	return docker.Await("dockerd", func() bool {
		r, err := e.http.Get("http://engine/_ping")
		if err != nil {
			return false
		}
		_ = r.Body.Close()
		return r.StatusCode == http.StatusOK
	})
}

// startContainerd starts containerd, unless it is running. As on a machine where systemd starts it, it continues when
// dockerd ends.
func (e *Engine) startContainerd() error {
	if e.containerd != nil || len(e.inside) > 0 {
		return nil
	}
	file := filepath.Join(e.Dir, "containerd.toml")
	if err := os.WriteFile(file, fmt.Appendf(nil, containerdText, e.Dir), 0o600); err != nil {
		return err
	}
	var err error
	if e.containerd, err = e.start("containerd", "--config", file); err != nil {
		return err
	}
	return e.containerd.Await("containerd", func() bool {
		conn, err := net.Dial("unix", filepath.Join(e.Dir, "containerd.sock"))
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
}

// containerdText is what dockerd would write for its own containerd. By default containerd collects garbage in 2 % of
// the time, which in memory is hundreds of times a second.
const containerdText = `version = 2
root = "%[1]s/data/containerd"
state = "%[1]s/exec/containerd"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
address = "%[1]s/containerd.sock"
[plugins."io.containerd.gc.v1.scheduler"]
pause_threshold = 0.001
`

// Crash ends only dockerd; containers continue, because the engine has live-restore.
func (e *Engine) Crash(sig syscall.Signal) error {
	e.mu.Lock()
	docker := e.docker
	e.mu.Unlock()
	return docker.End(sig)
}

// CrashContainerd ends only containerd, after dockerd; containers continue. Relaunch starts it again.
func (e *Engine) CrashContainerd(sig syscall.Signal) error {
	err := e.containerd.End(sig)
	e.containerd = nil
	return err
}

// GoOn lets a job that waits for the file /go in its container end while the engine is away. pid is that of the
// container's first process. If forget is true, it also kills the process that watches the container, which makes
// containerd forget it.
func (e *Engine) GoOn(t testing.TB, pid int, forget bool) {
	t.Helper()
	proc := fmt.Sprint("/proc/", pid)
	stat := testkit.Read(t, proc, "stat")
	shim, err := strconv.Atoi(strings.Fields(stat[strings.LastIndex(stat, ")"):])[2])
	testkit.OK(t, err)
	testkit.OK(t, os.WriteFile(proc+"/root/go", nil, 0o600))
	gone := func(path string) bool {
		_, err := os.Stat(path)
		return err != nil
	}
	testkit.Until(t, "the job ends", func() bool { return gone(proc + "/root/go") })
	if !forget {
		return
	}
	cwd, err := os.Readlink(fmt.Sprint("/proc/", shim, "/cwd")) // containerd's folder of the container
	testkit.OK(t, err)
	testkit.OK(t, syscall.Kill(shim, syscall.SIGKILL))
	testkit.Until(t, "containerd forgets the container", func() bool { return gone(cwd) })
}

// shutdown ends the engine with its containers and removes its files.
func (e *Engine) shutdown() error {
	var left []string
	if list, err := e.list(""); err == nil {
		for _, c := range list {
			left = append(left, strings.Join(c.Names, " "))
			_, _ = e.do(http.MethodDelete, "/containers/"+c.ID+"?force=1", nil)
		}
	}
	if err := e.Crash(syscall.SIGTERM); err != nil {
		_ = e.Crash(syscall.SIGKILL)
	}
	if e.containerd != nil {
		_ = e.containerd.End(syscall.SIGTERM)
	}
	e.unmount()
	err := os.RemoveAll(e.Dir)
	if len(left) > 0 {
		err = errors.Join(fmt.Errorf("containers were left behind: %v", left), err)
	}
	return err
}

// unmount undoes the mounts that an engine with live-restore leaves behind, innermost first.
func (e *Engine) unmount() {
	text, _ := os.ReadFile("/proc/self/mountinfo")
	var points []string
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 4 && strings.HasPrefix(f[4], e.Dir+"/") {
			points = append(points, f[4])
		}
	}
	for _, p := range slices.Backward(points) {
		_ = syscall.Unmount(p, syscall.MNT_FORCE)
	}
}

type listed struct {
	ID     string `json:"Id"`
	Names  []string
	Labels map[string]string
	State  string
}

func (e *Engine) list(label string) ([]listed, error) {
	path := "/containers/json?all=1"
	if label != "" {
		path += "&filters=" + url.QueryEscape(`{"label":["`+label+`"]}`)
	}
	text, err := e.do(http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	var list []listed
	return list, json.Unmarshal(text, &list)
}

// do sends a request to the engine without the client library under test.
func (e *Engine) do(method, path string, body io.Reader) ([]byte, error) {
	req, err := http.NewRequest(method, "http://engine"+path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json") // required to create a container
	r, err := e.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s", method, path, text)
	}
	return text, err
}

// Containers lists the names of the containers of one run, or of all runs if runID is empty.
func (e *Engine) Containers(t testing.TB, runID string) []string {
	t.Helper()
	label := Label
	if runID != "" {
		label += "=" + runID
	}
	return e.Labelled(t, label)
}

// Labelled lists the names of the containers that have a label.
func (e *Engine) Labelled(t testing.TB, label string) (names []string) {
	t.Helper()
	list, err := e.list(label)
	testkit.OK(t, err)
	for _, c := range list {
		names = append(names, strings.TrimPrefix(strings.Join(c.Names, " "), "/"))
	}
	return names
}

// NothingLeft fails the test if a run has left a container.
func (e *Engine) NothingLeft(t testing.TB, runID string) {
	t.Helper()
	if left := e.Containers(t, runID); len(left) > 0 {
		t.Errorf("containers were left behind: %v", left)
	}
}

// OverTCP forwards a TCP port to the engine's socket until the test ends, and returns it for DOCKER_HOST.
func (e *Engine) OverTCP(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			engine, err := net.Dial("unix", strings.TrimPrefix(e.Host, "unix://"))
			if err != nil {
				_ = client.Close()
				continue
			}
			forward := func(to, from net.Conn) {
				_, _ = io.Copy(to, from)
				_ = to.(interface{ CloseWrite() error }).CloseWrite()
			}
			go forward(engine, client)
			go forward(client, engine)
		}
	}()
	return "tcp://" + l.Addr().String()
}

// Do sends a request to the engine's API, to act on a container as another user might.
func (e *Engine) Do(t testing.TB, method, path string, body ...string) []byte {
	t.Helper()
	text, err := e.do(method, path, strings.NewReader(strings.Join(body, "")))
	testkit.OK(t, err)
	return text
}
