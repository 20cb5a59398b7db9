//go:build linux

package docker

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/docker/docker/client"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) {
	if os.Getenv(asUser) != "" {
		os.Exit(askEngine())
	}
	os.Exit(enginetest.Main(m))
}

// asUser makes the test program query the engine's state and print the explanation. See TestUserWithoutPermission.
const asUser = "AMLFIX_TEST_ASK_ENGINE"

func askEngine() int {
	eng, err := Connect()
	if err == nil {
		_, err = eng.Info(context.Background())
	}
	fmt.Fprintln(os.Stdout, Explain(err))
	if !Is(err, NoPermission) {
		return 1
	}
	return 0
}

// TestUserWithoutPermission runs this program as a user who lacks permission to use the engine's socket.
func TestUserWithoutPermission(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	program := filepath.Join(t.TempDir(), "program")
	text, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(program, text, 0o755)
	}
	testkit.OK(t, err)
	for p := filepath.Dir(program); p != os.TempDir() && p != "/"; p = filepath.Dir(p) {
		testkit.OK(t, os.Chmod(p, 0o755))
	}
	testkit.OK(t, os.Chmod(e.Dir, 0o755))
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), asUser+"=1", "DOCKER_HOST="+e.Host)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), e.Host+": this user may not use the Docker engine: add yourself to its group") {
		t.Errorf("%v: %s", err, out)
	}
}

// connect returns the adapter to a test's own engine. It ignores DOCKER_HOST, because tests run in parallel.
func connect(t *testing.T, e *enginetest.Engine) Engine {
	t.Helper()
	api, err := client.NewClientWithOpts(client.WithHost(e.Host), client.WithAPIVersionNegotiation())
	testkit.OK(t, err)
	eng := &engine{api: api, host: e.Host}
	t.Cleanup(func() { _ = eng.Close() })
	return eng
}

// job is a run watched by a test.
type job struct {
	out, err *testkit.Buffer
	said     *testkit.Buffer
	result   Result
	failure  error
	done     chan struct{}
}

func runID(t *testing.T) string {
	return strings.NewReplacer("/", "-", ":", "-", ",", "-").Replace(t.Name())
}

// launch starts a run of testjob steps.
func launch(ctx context.Context, t *testing.T, eng Engine, image string, control process.Control, change func(*Spec), steps ...string) *job {
	t.Helper()
	j := &job{out: new(testkit.Buffer), err: new(testkit.Buffer), said: new(testkit.Buffer), done: make(chan struct{})}
	s := Spec{RunID: runID(t), Image: image, Argv: append([]string{"/testjob"}, steps...)}
	if change != nil {
		change(&s)
	}
	go func() {
		defer close(j.done)
		j.result, j.failure = Run(ctx, eng, s, process.Streams{Stdout: j.out, Stderr: j.err}, control, progress.Lines(j.said))
	}()
	return j
}

func (j *job) wait(t *testing.T) {
	t.Helper()
	select {
	case <-j.done:
	case <-time.After(testkit.Patience):
		t.Fatalf("the run did not end; out %q, said %q", j.out, j.said)
	}
}
