//go:build linux

// Package kubetest runs amlfix in tests against a Kubernetes cluster of one node: API server, controller manager,
// scheduler, kubelet, containerd and CoreDNS, all of them real. build.sh builds its programs; node.sh starts and stops
// it. There is no GPU and no device plugin: StandIn makes the node claim GPUs.
//
// AMLFIX_TEST_KUBERNETES names the cluster's folder; without it, the tests are skipped.
package kubetest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// Names of images on the node: one with Python and a shell, and one with neither.
const (
	Image = "localhost/amlfix-job:1"
	Bare  = "localhost/amlfix-bare:1"
)

// Node is the cluster.
type Node struct{ dir string }

var started sync.Once

// Start returns the node. The first test that needs it starts it, and Main stops it.
func Start(t *testing.T) *Node {
	t.Helper()
	dir := folder()
	if dir == "" {
		t.Skip("part of the set Kubernetes: set AMLFIX_TEST_KUBERNETES=FOLDER to run it, see docs/testing.md")
	}
	n := &Node{dir}
	started.Do(func() {
		if _, err := n.kubectl("get", "--raw", "/readyz"); err == nil {
			others = true
			return
		}
		if out, err := script("node.sh", "start"); err != nil {
			t.Fatalf("the node does not start: %v\n%s", err, out)
		}
	})
	return n
}

func folder() string { return os.Getenv("AMLFIX_TEST_KUBERNETES") }

// script runs one of this package's scripts on the folder.
func script(name string, args ...string) (string, error) {
	_, file, err := here()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(filepath.Join(file, name), append(args, folder())...)
	out := new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = time.Second // the node's programs hold the pipe open
	err = cmd.Run()
	if cmd.ProcessState != nil && cmd.ProcessState.Success() {
		err = nil
	}
	return out.String(), err
}

// here returns the root of the repository and this package's folder, the working directory of its tests.
func here() (root, dir string, err error) {
	dir, err = os.Getwd()
	return filepath.Join(dir, "..", "..", ".."), dir, err
}

// Main runs the tests of a package and stops the node.
func Main(m *testing.M) int {
	code := enginetest.Main(m)
	started.Do(func() { others = true })
	if folder() != "" && !others {
		if out, err := script("node.sh", "stop"); err != nil {
			fmt.Fprintln(os.Stderr, "the node does not stop:", err, out)
			code = 1
		}
	}
	if built != "" {
		_ = os.RemoveAll(built)
	}
	return code
}

// others means that the node was already running, or was never started: Main does not stop it.
var others bool

// Kubectl runs kubectl on the cluster and fails the test if that fails.
func (n *Node) Kubectl(t *testing.T, args ...string) string {
	t.Helper()
	out, err := n.kubectl(args...)
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (n *Node) kubectl(args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(n.dir, "bin/kubectl"), args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(n.dir, "kubeconfig"))
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// Apply creates the objects of a manifest and removes them at the end of the test.
func (n *Node) Apply(t *testing.T, manifest string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "manifest.yaml")
	testkit.OK(t, os.WriteFile(file, []byte(manifest), 0o644))
	n.Kubectl(t, "apply", "-f", file)
	t.Cleanup(func() { _, _ = n.kubectl("delete", "-f", file, "--wait=false", "--ignore-not-found") })
}

// Namespace creates a namespace for a single test.
func (n *Node) Namespace(t *testing.T) string {
	t.Helper()
	name := "t" + strconv.FormatInt(time.Now().UnixNano(), 36)
	n.Kubectl(t, "create", "namespace", name)
	t.Cleanup(func() { _, _ = n.kubectl("delete", "namespace", name, "--wait=false") })
	eventually(t, "the namespace's account", func() bool {
		_, err := n.kubectl("-n", name, "get", "serviceaccount", "default")
		return err == nil
	})
	return name
}

// StandIn makes the node claim GPUs, which it does not have, until the end of the test.
func (n *Node) StandIn(t *testing.T, gpus int) {
	t.Helper()
	patch := func(value string) {
		n.Kubectl(t, "patch", "node", "node1", "--subresource=status", "--type=merge", "-p", `{"status":{"capacity":{"nvidia.com/gpu":`+value+`},"allocatable":{"nvidia.com/gpu":`+value+`}}}`)
	}
	patch(`"` + strconv.Itoa(gpus) + `"`)
	t.Cleanup(func() { patch("null") })
}

// Pid returns the process ID of one of the node's programs, by its name in node.sh.
func (n *Node) Pid(t *testing.T, name string) int {
	t.Helper()
	text := testkit.Read(t, n.dir, "pid", name)
	pid, err := strconv.Atoi(strings.TrimSpace(text))
	testkit.OK(t, err)
	return pid
}

// Kill sends SIGKILL to one of the node's programs, "kubelet" or "api"; the returned function starts it again.
func (n *Node) Kill(t *testing.T, name string) (again func()) {
	t.Helper()
	testkit.OK(t, syscall.Kill(n.Pid(t, name), syscall.SIGKILL))
	return sync.OnceFunc(func() {
		if out, err := script("node.sh", name); err != nil {
			t.Errorf("%s does not start: %v\n%s", name, err, out)
		}
	})
}

// NothingLeft fails the test if the namespace still holds objects of amlfix.
func (n *Node) NothingLeft(t *testing.T, namespace string) {
	t.Helper()
	if out := n.Kubectl(t, "-n", namespace, "get", "jobs,pods,services,secrets,configmaps", "-l", "app.kubernetes.io/managed-by=amlfix", "-o", "name"); out != "" {
		t.Errorf("left behind: %s", out)
	}
}

// eventually waits for up to a minute.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !is() {
		select {
		case <-ctx.Done():
			t.Fatalf("waited in vain for %s", what)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// built is the folder with the program.
var built string

// program builds amlfix as its users get it.
var program = sync.OnceValues(func() (string, error) {
	root, _, err := here()
	if err != nil {
		return "", err
	}
	if built, err = os.MkdirTemp("", "amlfix-kubetest-"); err != nil {
		return "", err
	}
	path := filepath.Join(built, "amlfix")
	build := exec.Command("go", "build", "-trimpath", "-o", path, "./cmd/amlfix")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("amlfix could not be built: %w\n%s", err, out)
	}
	return path, nil
})

// Command returns a command that runs amlfix in a folder, with the test's own home and cache.
func (n *Node) Command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := program()
	testkit.OK(t, err)
	temp := t.TempDir()
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+temp, "TMPDIR="+temp, "XDG_CACHE_HOME="+filepath.Join(dir, ".cache-of-test"), "MLFLOW_TRACKING_URI=",
		"KUBECONFIG="+filepath.Join(n.dir, "kubeconfig"), "PATH="+filepath.Join(n.dir, "bin")+":"+os.Getenv("PATH"))
	return cmd
}
