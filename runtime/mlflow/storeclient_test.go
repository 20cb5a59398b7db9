//go:build linux

package mlflow

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/runtime/mlflow/mlflowtest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestStoreOfClient reads what MLflow's own client has written.
func TestStoreOfClient(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a store")
	cmd := exec.Command(filepath.Join(mlflowtest.Bin(t), "python"), "-c", "import mlflow; mlflow.log_param('lr', 0.1); mlflow.log_metric('val/loss', 0.25, step=1)")
	cmd.Env = append(os.Environ(), "MLFLOW_TRACKING_URI="+dir, "MLFLOW_ALLOW_FILE_STORE=true", "MLFLOW_DISABLE_TELEMETRY=true")
	testkit.Output(t, cmd)
	lines := ReadStore(os.DirFS(dir))
	if !bytes.Contains(lines, []byte(`"name":"val/loss"`)) || !bytes.Contains(lines, []byte(`"value":0.25`)) || !bytes.Contains(lines, []byte(`"name":"lr"`)) {
		t.Errorf("%s", lines)
	}
	testkit.OK(t, os.RemoveAll(dir))
}
