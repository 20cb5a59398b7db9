//go:build linux

package mlflow

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/daemon"
	"github.com/amlfix/amlfix/schema/testkit"
)

// python returns the bin folder of a virtual environment with a real MLflow, which is kept between test runs.
var python = sync.OnceValues(func() (string, error) {
	dir, err := testkit.Cached("mlflow", "python3 -m venv venv; venv/bin/pip install --quiet --disable-pip-version-check --no-deps -r requirements.txt", os.DirFS("testdata"), "requirements.txt")
	return filepath.Join(dir, "venv", "bin"), err
})

// bin returns python, or fails the test.
func bin(t *testing.T) string {
	t.Helper()
	dir, err := python()
	if err != nil {
		testkit.Unavailable(t, err.Error())
	}
	return dir
}

// server starts a real `mlflow server` with its own database and returns its address.
func server(t *testing.T, more ...string) string {
	t.Helper()
	program, dir := filepath.Join(bin(t), "mlflow"), t.TempDir()
	port := fmt.Sprint(daemon.FreePort())
	log, err := os.Create(filepath.Join(dir, "server.log"))
	testkit.OK(t, err)
	defer log.Close()
	cmd := exec.Command(program, append([]string{"server", "--host", "127.0.0.1", "--port", port, "--workers", "1",
		"--backend-store-uri", "sqlite:///" + filepath.Join(dir, "runs.db")}, more...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	cmd.Env = append(os.Environ(), "MLFLOW_SERVER_ENABLE_JOB_EXECUTION=false", "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	testkit.OK(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	})
	address := "http://127.0.0.1:" + port
	for end := time.Now().Add(testkit.Patience); time.Now().Before(end) && !isClosed(ended); time.Sleep(100 * time.Millisecond) {
		if r, err := http.Get(address + "/health"); err == nil {
			_ = r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return address
			}
		}
	}
	text, _ := os.ReadFile(log.Name())
	t.Fatalf("the server does not answer:\n%s", text)
	return ""
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
