package mlflow_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/mlflow"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestReadStore reads a store as written by MLflow's client, and skips files that do not belong to it.
func TestReadStore(t *testing.T) {
	t.Parallel()
	store := fstest.MapFS{}
	for name, text := range map[string]string{
		"0/meta.yaml":           "name: Default\n",
		"0/abc/meta.yaml":       "run_id: abc\n",
		"0/abc/metrics/loss":    "1700000000250 0.5 0\n1700000001000 0.25 1\nnonsense\n\n",
		"0/abc/metrics/val/acc": "1700000000500 nan 0\n1700000000625 inf 0\n-5 1 1\n",
		"0/abc/params/lr":       "0.1",
		"0/abc/tags/a":          "b",
		"0/abc/artifacts/x":     "1700000000250 1 0\n",
		"metrics":               "1 1 1\n",
	} {
		store[name] = &fstest.MapFile{Data: []byte(text)}
	}
	type row struct {
		At    string
		Name  string
		Value any
	}
	var got []row
	lines := mlflow.ReadStore(store)
	_, err := shim.ReadMetrics(strings.NewReader(string(lines)), func(m shim.Metric) {
		got = append(got, row{m.Time.Format("05.000"), m.Name, m.Value})
	})
	testkit.OK(t, err)
	want := []row{{"20.250", "lr", "0.1"}, {"20.250", "loss", 0.5}, {"20.500", "val/acc", "NaN"}, {"20.625", "val/acc", "Infinity"}, {"21.000", "loss", 0.25}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if text := mlflow.ReadStore(fstest.MapFS{}); len(text) > 0 {
		t.Errorf("%s", text)
	}
}
