package mlflow_test

import (
	"strings"
	"testing"
	"testing/fstest"

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
	testkit.Same(t, want, got)
	for name, text := range map[string]string{
		"0/def/metrics/loss": "1700000002000 9 0\n", "0/def/tags/mlflow.runName": "child", "0/def/tags/mlflow.parentRunId": "abc",
		"0/0123456789/params/lr": "1", "0/0123456789/tags/mlflow.runName": "fold", "0/0123456789/tags/mlflow.parentRunId": "abc",
		"0/9876543210/params/lr": "2", "0/9876543210/tags/mlflow.runName": "fold", "0/9876543210/tags/mlflow.parentRunId": "abc",
	} {
		store[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, want := range []string{`"name":"lr","t":1700000000.25,"value":"0.1"`, `"name":"loss","t":1700000001,"value":0.25`, `"name":"child/loss","t":1700000002,"value":9`,
		`"name":"fold-01234567/lr","t":1700000000.25,"value":"1"`, `"name":"fold-98765432/lr","t":1700000000.25,"value":"2"`} {
		if text := string(mlflow.ReadStore(store)); !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if text := mlflow.ReadStore(fstest.MapFS{}); len(text) > 0 {
		t.Errorf("%s", text)
	}
}
