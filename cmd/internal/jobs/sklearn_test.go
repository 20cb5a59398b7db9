//go:build linux

package jobs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestScikitLearnModel runs a rewritten script that registers a scikit-learn model, with scikit-learn itself: the model
// is in the registry of a real MLflow server, is linked to the job's run, and makes the predictions for which it was
// trained.
func TestScikitLearnModel(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
	address, python := mlflowServer(t)
	dir, err := testkit.Cached("sklearn", testkit.Venv("--no-deps --target site -r sklearn.txt")+"\nrm -r venv", os.DirFS("testdata"), "sklearn.txt")
	if err != nil {
		testkit.Unavailable(t, err.Error())
	}
	t.Setenv("PYTHONPATH", filepath.Join(dir, "site"))
	script := []byte(testkit.Read(t, "testdata", "tracked", "sklearn.py"))
	r := tracking.Rewrite(script, tracking.Options{})
	if len(r.Skipped) > 0 || !strings.Contains(string(r.Text), "mlflow.sklearn.log_model(") || strings.Contains(string(r.Text), "azureml") {
		t.Fatalf("not rewritten: %v\n%s", r.Skipped, r.Text)
	}
	client := newMLflowClient(t, address, python)
	run := client.newRun(t, "")
	runScript(t, t.TempDir(), python, r.Text, append(os.Environ(), "MLFLOW_TRACKING_URI="+address, "MLFLOW_RUN_ID="+run), nil)
	if got := client.readBack(t, run).Metrics["slope"]; !slices.Equal(got, []float64{2}) {
		t.Errorf("slope is %v", got)
	}
	cmd := exec.Command(python, "-c", `
import sys, mlflow.sklearn
mlflow.set_tracking_uri(sys.argv[1])
print([v.run_id for v in mlflow.MlflowClient().search_model_versions("name='lines'")])
print([round(float(y), 6) for y in mlflow.sklearn.load_model("models:/lines/1").predict([[4.0]])])`, address)
	cmd.Dir = t.TempDir()
	found, err := cmd.Output()
	testkit.OK(t, err)
	testkit.Same(t, "['"+run+"']\n[9.0]\n", string(found))
}
