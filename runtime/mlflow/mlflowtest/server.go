//go:build linux

// Package mlflowtest starts real MLflow servers for tests.
package mlflowtest

import (
	"embed"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/daemon"
)

// Bin returns the bin folder of a virtual environment with a real MLflow, which is kept between test runs.
func Bin(t testing.TB) string {
	t.Helper()
	testkit.Program(t, "python3")
	dir, err := environment()
	if err != nil {
		testkit.Unavailable(t, err.Error())
	}
	return filepath.Join(dir, "venv", "bin")
}

//go:embed requirements.txt
var requirements embed.FS

var environment = sync.OnceValues(func() (string, error) {
	return testkit.Cached("mlflow", testkit.Venv("--no-deps -r requirements.txt"), requirements, "requirements.txt")
})

// Start starts a real `mlflow server` with its own database and returns its address.
func Start(t testing.TB, more ...string) string {
	t.Helper()
	bin, dir := Bin(t), t.TempDir()
	port := strconv.Itoa(daemon.FreePort())
	cmd := exec.Command(filepath.Join(bin, "mlflow"), append([]string{"server", "--host", "127.0.0.1", "--port", port, "--workers", "1",
		"--backend-store-uri", "sqlite:///" + filepath.Join(dir, "runs.db")}, more...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "MLFLOW_SERVER_ENABLE_JOB_EXECUTION=false", "PATH="+bin+":"+os.Getenv("PATH"))
	server, err := daemon.Start(cmd, filepath.Join(dir, "server.log"))
	testkit.OK(t, err)
	server.EndWith(t)
	address := "http://127.0.0.1:" + port
	testkit.OK(t, server.Await("mlflow server", func() bool {
		r, err := http.Get(address + "/health")
		if err != nil {
			return false
		}
		_ = r.Body.Close()
		return r.StatusCode == http.StatusOK
	}))
	return address
}
