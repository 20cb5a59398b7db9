//go:build linux

package mlflow

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// cache is read before a test can set another home.
var cache, _ = os.UserCacheDir()

// python returns the bin folder of a virtual environment with a real MLflow, which is kept between test runs.
var python = sync.OnceValues(func() (string, error) {
	list, err := os.ReadFile("testdata/requirements.txt")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(list)
	dir := filepath.Join(cache, "amlfix-test", "mlflow-"+hex.EncodeToString(sum[:6]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "requirements.txt"), list, 0o644); err != nil {
		return "", err
	}
	cmd := exec.Command("flock", filepath.Join(dir, "lock"), "sh", "-c",
		"[ -e done ] || { set -e; rm -rf venv; python3 -m venv venv; venv/bin/pip install --quiet --disable-pip-version-check --no-deps -r requirements.txt; touch done; }")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("MLflow cannot be installed: %w: %.500s", err, strings.TrimSpace(string(out)))
	}
	return filepath.Join(dir, "venv", "bin"), nil
})

// bin is python, or ends the test.
func bin(t *testing.T) string {
	t.Helper()
	dir, err := python()
	switch {
	case err == nil:
		return dir
	case os.Getenv("CI") == "true":
		t.Fatalf("not tested, and this is CI: %v", err)
	}
	t.Skipf("SKIPPED, SO NOT TESTED: %v", err)
	return ""
}

// server starts a real `mlflow server` with a database of its own and returns its address.
func server(t *testing.T, more ...string) string {
	t.Helper()
	program, dir := filepath.Join(bin(t), "mlflow"), t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
	_ = l.Close()
	log, err := os.Create(filepath.Join(dir, "server.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(program, append([]string{"server", "--host", "127.0.0.1", "--port", port, "--workers", "1",
		"--backend-store-uri", "sqlite:///" + filepath.Join(dir, "runs.db")}, more...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	cmd.Env = append(os.Environ(), "MLFLOW_SERVER_ENABLE_JOB_EXECUTION=false", "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
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
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end) && !isClosed(ended); time.Sleep(100 * time.Millisecond) {
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
