//go:build unix

package runtime

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/mlflow"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestMLflowServerAway checks that a server that refuses connections, or accepts them and never answers, neither harms
// nor slows the job.
func TestMLflowServerAway(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	defer func() { _ = silent.Close() }()
	const most = 15 * time.Second // the wait for an answer is longer
	for _, tt := range []struct{ name, address string }{{"refuses", "127.0.0.1:1"}, {"never answers", silent.Addr().String()}} {
		t.Run(tt.name, func(t *testing.T) {
			client, err := mlflow.New(func(name string) string {
				return map[string]string{"MLFLOW_TRACKING_URI": "http://" + tt.address}[name]
			})
			testkit.OK(t, err)
			plan := planned(t, "print('done')\n", nil, Options{})
			var said strings.Builder
			begin := time.Now()
			res, err := Run(t.Context(), plan, RunOptions{MLflow: client, Progress: progress.Lines(&said)})
			ended := time.Now()
			if err != nil || res.Outcome != Succeeded || res.Code != 0 {
				t.Errorf("%+v, %v", res, err)
			}
			for phase, took := range map[string]time.Duration{"the start": res.Started.Sub(begin), "the job": res.Duration(), "the end": ended.Sub(res.Ended)} {
				if took > most {
					t.Errorf("%s took %v", phase, took)
				}
			}
			if !strings.Contains(said.String(), "cannot be reached") || !strings.Contains(said.String(), "amlfix runs push "+plan.RunID.String()) {
				t.Errorf("said %q", said.String())
			}
			e, err := record.ReadDir(res.Record)
			if err != nil || e.MLflow == nil || e.MLflow.Error == "" || e.MLflow.Run != "" || !e.Over() {
				t.Errorf("%+v, %v", e.MLflow, err)
			}
		})
	}
}
