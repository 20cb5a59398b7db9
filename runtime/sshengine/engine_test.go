//go:build linux

package sshengine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// machine is another machine: a real sshd in front of a real engine.
type machine struct {
	ssh    *sshtest.Server
	engine *enginetest.Engine
	line   *ssh.Line
	docker docker.Engine
	said   *[]string
}

// start logs in to the machine. DOCKER_HOST there names the engine's socket, unless o says otherwise.
func start(t *testing.T, user string, o sshtest.Options) machine {
	t.Helper()
	e := enginetest.Start(t)
	socket := strings.TrimPrefix(e.Host, "unix://")
	testkit.OK(t, os.Chmod(e.Dir, 0o711))
	group := 0
	for _, id := range o.Groups {
		group = id
	}
	testkit.OK(t, os.Chown(socket, 0, group))
	if o.Env == nil {
		o.Env = map[string]string{}
	}
	if o.Env["DOCKER_HOST"] == "" {
		o.Env["DOCKER_HOST"] = e.Host
	}
	m := machine{engine: e, ssh: sshtest.Start(t, o), said: new([]string)}
	var err error
	m.line, err = ssh.Dial(t.Context(), ssh.Host{Address: m.ssh.Address(), User: user}, ssh.Options{Home: m.ssh.Home, KeepAlive: 2 * time.Second})
	if err != nil {
		t.Fatalf("%v\n%s", err, m.ssh.Log())
	}
	notice := func(f string, a ...any) { *m.said = append(*m.said, fmt.Sprintf(f, a...)) }
	m.docker, err = Connect(m.line, notice)
	testkit.OK(t, err)
	t.Cleanup(func() {
		_ = m.docker.Close()
		_ = m.line.Close()
	})
	return m
}

// without returns a PATH with every program but this one.
func without(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	for _, from := range filepath.SplitList("/usr/bin:/bin:/usr/sbin:/sbin") {
		entries, err := os.ReadDir(from)
		testkit.OK(t, err)
		for _, e := range entries {
			if e.Name() != program {
				_ = os.Symlink(filepath.Join(from, e.Name()), filepath.Join(dir, e.Name()))
			}
		}
	}
	return dir
}

const sudoers = "Defaults env_keep += DOCKER_HOST\nDefaults !syslog\nroot ALL=(ALL:ALL) ALL\nworker ALL=(root) NOPASSWD: ALL\n"

func TestWays(t *testing.T) {
	noForwarding := []string{"AllowStreamLocalForwarding no"}
	for _, tt := range []struct {
		name, user string
		options    sshtest.Options
		way        way
		said       string
	}{
		{"socket", sshtest.Root, sshtest.Options{}, bySocket, ""},
		{"socket, by the docker group", sshtest.Worker, sshtest.Options{Groups: map[string]int{"docker": 61999}}, bySocket, ""},
		{"no forwarding", sshtest.Root, sshtest.Options{Config: noForwarding}, byStdio, "is reached by `docker system dial-stdio`, because sshd there does not forward "},
		{"not in the group, but with sudo", sshtest.Worker, sshtest.Options{Files: map[string]string{"/etc/sudoers": sudoers}}, bySudo, "is reached by `sudo -n docker system dial-stdio`, because this user may not use "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := exec.LookPath("sudo"); err != nil && tt.way == bySudo {
				testkit.Unavailable(t, "sudo is not installed (apt-get install sudo)")
			}
			m := start(t, tt.user, tt.options)
			info, err := m.docker.Info(t.Context())
			if err != nil {
				t.Fatalf("%v\n%s", err, m.ssh.Log())
			}
			if info.Local || info.Host != "ssh://"+m.line.Name() || info.OS != "linux" {
				t.Errorf("%+v", info)
			}
			said := strings.Join(*m.said, "\n")
			if !strings.Contains(said, tt.said) || tt.said == "" && said != "" {
				t.Errorf("it said %q", said)
			}
			id := "way-" + strings.ReplaceAll(strings.ReplaceAll(tt.name, ",", ""), " ", "-")
			run(t, m, id, "out:hello", "exit:3")
		})
	}
}

// run runs testjob in a container there.
func run(t *testing.T, m machine, id string, steps ...string) {
	t.Helper()
	var out bytes.Buffer
	spec := docker.Spec{RunID: id, Image: m.engine.Job(t), Argv: append([]string{"/testjob"}, steps...),
		Upload: func(_ context.Context, w io.Writer, _ bool) error { _, err := w.Write(make([]byte, 1024)); return err }}
	res, err := docker.Run(t.Context(), m.docker, spec, process.Streams{Stdout: &out, Stderr: &out}, process.Control{}, nil)
	if err != nil || res.Code != 3 || out.String() != "hello" {
		t.Errorf("%+v, %v, %q", res, err, out.String())
	}
	m.engine.NothingLeft(t, id)
}

func TestNoWay(t *testing.T) {
	t.Run("no permission", func(t *testing.T) {
		m := start(t, sshtest.Worker, sshtest.Options{Files: nil})
		_, err := m.docker.Info(t.Context())
		wants(t, err, NoPermission, m.line.Name()+": this user may not use the Docker engine ("+strings.TrimPrefix(m.engine.Host, "unix://")+" is srw-rw---- root root, the user is in worker): add it to the group there (sudo usermod -aG docker worker)")
	})
	t.Run("a folder that is shut", func(t *testing.T) {
		dir, err := os.MkdirTemp("", "shut") //nolint:usetesting // TempDir is accessible to everyone; this has mode 0700 and belongs to root
		testkit.OK(t, err)
		defer func() { _ = os.RemoveAll(dir) }()
		m := start(t, sshtest.Worker, sshtest.Options{Env: map[string]string{"DOCKER_HOST": "unix://" + dir + "/docker.sock"}})
		_, err = m.docker.Info(t.Context())
		wants(t, err, NoPermission, dir+"/docker.sock is in a folder that the user may not enter, who is in worker")
	})
	t.Run("no Docker", func(t *testing.T) {
		m := start(t, sshtest.Root, sshtest.Options{Env: map[string]string{"DOCKER_HOST": "unix:///nonexistent/docker.sock", "PATH": without(t, "docker")}})
		_, err := m.docker.Info(t.Context())
		wants(t, err, NoDocker, "there is no Docker on this machine: no socket /nonexistent/docker.sock and no docker command: install it")
	})
	t.Run("the engine does not run", func(t *testing.T) {
		socket := filepath.Join(t.TempDir(), "docker.sock")
		l, err := net.Listen("unix", socket)
		testkit.OK(t, err)
		l.(*net.UnixListener).SetUnlinkOnClose(false)
		_ = l.Close()
		m := start(t, sshtest.Root, sshtest.Options{Env: map[string]string{"DOCKER_HOST": "unix://" + socket}})
		_, err = m.docker.Info(t.Context())
		wants(t, err, EngineDown, "no Docker engine answers there ("+socket+"): start it")
		if !strings.HasSuffix(err.Error(), "start it (sudo systemctl start docker)") {
			t.Errorf("it says more than is of use: %v", err)
		}
	})
	t.Run("no forwarding and no docker command", func(t *testing.T) {
		m := start(t, sshtest.Root, sshtest.Options{Config: []string{"AllowStreamLocalForwarding no"}, Env: map[string]string{"PATH": without(t, "docker")}})
		_, err := m.docker.Info(t.Context())
		wants(t, err, NoForwarding, "set AllowStreamLocalForwarding yes in its sshd_config")
	})
	t.Run("the line is lost for good", func(t *testing.T) {
		m := start(t, sshtest.Root, sshtest.Options{})
		if _, err := m.docker.Info(t.Context()); err != nil {
			t.Fatal(err)
		}
		m.ssh.Stop(t)
		_, _ = m.docker.Info(t.Context()) // over what is left of the connection
		if _, err := m.docker.Info(t.Context()); !docker.Is(err, docker.NoConnection) || !ssh.Is(err, ssh.Unreachable) || !strings.Contains(err.Error(), "check that the machine is running") {
			t.Error(err)
		}
	})
}

// TestRelay checks that a message from the docker command is not repeated if it is known, and quoted if it is not.
func TestRelay(t *testing.T) {
	for said, want := range map[string]string{
		"": "", noAnswer: "",
		"Got permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get \"http://%2Fvar%2Frun%2Fdocker.sock/v1.24/info\": dial unix /var/run/docker.sock: connect: permission denied": "",
		"error during connect: Get \"http://docker.example.com\": dial tcp: connection refused": "",
		"docker: 'system' is not a docker command. See 'docker --help'.":                        "; the docker command there is older than 18.09, and cannot relay",
		"sudo: a password is required":                                                          "; sudo asks for a password there",
		"context \"x\": not found":                                                              `; the docker command there says: "context \"x\": not found"`,
	} {
		testkit.Same(t, want, relay(said), said)
	}
}

func wants(t *testing.T, err error, p Problem, text string) {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Problem != p || !docker.Is(err, docker.NoConnection) || !strings.Contains(err.Error(), text) {
		t.Errorf("%v", err)
	}
}

// TestLostLine kills and freezes the connection while a container writes, and compares everything that arrives.
func TestLostLine(t *testing.T) {
	m := start(t, sshtest.Root, sshtest.Options{})
	const ticks = 30
	steps := []string{"/testjob"}
	want := ""
	for i := range ticks {
		line := fmt.Sprintf("tick %d\n", i)
		steps, want = append(steps, "out:"+line, "sleep:100ms"), want+line
	}
	out := testkit.Doing(map[string]func(){"tick 5\n": func() { m.ssh.Cut() }, "tick 15\n": func() { m.ssh.Freeze(t) }})
	spec := docker.Spec{RunID: "lost-line", Image: m.engine.Job(t), Argv: append(steps, "exit:4"),
		Upload: func(_ context.Context, w io.Writer, _ bool) error { _, err := w.Write(make([]byte, 1024)); return err }}
	res, err := docker.Run(t.Context(), m.docker, spec, process.Streams{Stdout: out, Stderr: out}, process.Control{}, nil)
	if err != nil || res.Code != 4 {
		t.Errorf("%+v, %v", res, err)
	}
	testkit.Same(t, want, out.String())
	m.engine.NothingLeft(t, spec.RunID)
}
