package mlflow

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestHostileServer checks that a server's error message becomes one short line without control characters.
func TestHostileServer(t *testing.T) {
	for _, text := range []string{"\x1b[2J\n::error::INJECTED", "##vso[task.x]y", "\u009b2J\u202e", strings.Repeat("\x1b", 100_000), strings.Repeat("long ", 20_000), "\xff"} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_ = json.NewEncoder(w).Encode(map[string]string{"error_code": text, "message": text})
		}))
		c, err := New(func(name string) string { return map[string]string{"MLFLOW_TRACKING_URI": s.URL}[name] })
		testkit.OK(t, err)
		_, err = c.experimentID(t.Context(), "x")
		if err == nil || escape.Terminal(err.Error()) != err.Error() || utf8.RuneCountInString(err.Error()) > textLimit+200 {
			t.Errorf("%.200q", err)
		}
		s.Close()
	}
}

// sent returns what a gullible server received; answers are its responses about runs.
func sent(t *testing.T, runID, tag string, r *record.Record, dir string) (paths []string, err error) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		text := new(strings.Builder)
		if req.Method == http.MethodPut {
			b := make([]byte, 1000)
			n, _ := req.Body.Read(b)
			text.Write(b[:n])
		}
		paths = append(paths, strings.TrimSpace(req.Method+" "+req.URL.Path+" "+text.String()))
		answer := map[string]any{"info": map[string]string{"run_id": runID, "artifact_uri": "mlflow-artifacts:/x"}, "data": map[string]any{"tags": []pair{{runTag, tag}}}}
		_ = json.NewEncoder(w).Encode(map[string]any{"experiment": map[string]string{"experiment_id": "1"}, "run": answer})
	}))
	defer s.Close()
	c, err := New(func(name string) string { return map[string]string{"MLFLOW_TRACKING_URI": s.URL}[name] })
	testkit.OK(t, err)
	if r.MLflow != nil {
		r.MLflow.Server = c.Name()
	}
	m := NewMirror(c, dir, r.MLflow, func(record.MLflow) {})
	return paths, m.Send(t.Context(), *r)
}

// TestForgedOutputs checks that a record that lists files outside the run does not make amlfix send them.
func TestForgedOutputs(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	at := filepath.Join(dir, ".amlfix", "runs", "20261122-101112-f0f0f0")
	testkit.OK(t, os.MkdirAll(filepath.Join(at, "outputs"), 0o700))
	for _, name := range []string{secret, filepath.Join(at, "record.json"), filepath.Join(at, "outputs", "good")} {
		testkit.OK(t, os.WriteFile(name, []byte("content of "+filepath.Base(name)), 0o600))
	}
	for _, name := range []string{filepath.Join(at, "outputs", "link"), filepath.Join(at, "log")} {
		if err := os.Symlink(secret, name); err != nil {
			t.Skipf("this system makes no links: %v", err)
		}
	}
	testkit.OK(t, os.Symlink(dir, filepath.Join(at, "outputs", "folder")))
	r := &record.Record{ID: runID, Project: dir, State: "done", Outputs: &record.Outputs{}}
	for _, name := range []string{"good", "link", "folder/secret", "../../../../secret", secret, "../record.json", "..", ".", "", `..\..\secret`} {
		r.Outputs.Files = append(r.Outputs.Files, project.File{Path: name})
	}
	paths, err := sent(t, "r1", runID.String(), r, at)
	all := strings.Join(paths, "\n")
	if err != nil || !strings.Contains(all, "content of good") || !strings.Contains(all, "content of record.json") || strings.Contains(all, "content of secret") {
		t.Errorf("%v\n%s", err, all)
	}
}

// TestForgedRun checks that a record that names someone else's run does not write to that run.
func TestForgedRun(t *testing.T) {
	for tag, want := range map[string]bool{runID.String(): true, "": false, "20261122-101112-000000": false} {
		r := &record.Record{ID: runID, Project: "/x", State: "running", MLflow: &record.MLflow{Run: "somebodys", Experiment: "theirs"}}
		paths, err := sent(t, "r1", tag, r, t.TempDir())
		wrote := strings.Contains(strings.Join(paths, "\n"), "POST")
		if wrote != want || (err == nil) != want {
			t.Errorf("%q: %v, %v", tag, err, paths)
		}
	}
	for _, id := range []string{"", "a/b", "../x", "\x1b[2J", strings.Repeat("x", 1000), "a b"} {
		r := &record.Record{ID: runID, Project: "/x", State: "running"}
		if paths, err := sent(t, id, "", r, t.TempDir()); err == nil || escape.Terminal(err.Error()) != err.Error() || strings.Contains(strings.Join(paths, "\n"), "log-batch") {
			t.Errorf("the server's id %.20q is taken: %v", id, err)
		}
	}
}

var runID = runid.MustParse("20261122-101112-f0f0f0")

// TestRedirects checks that a server that redirects without end is given up.
func TestRedirects(t *testing.T) {
	requests := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if requests++; requests > 100 {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		http.Redirect(w, req, req.URL.String(), http.StatusFound)
	}))
	defer s.Close()
	c, err := New(func(name string) string { return map[string]string{"MLFLOW_TRACKING_URI": s.URL}[name] })
	testkit.OK(t, err)
	if _, err = c.experimentID(t.Context(), "x"); err == nil || !strings.HasSuffix(err.Error(), "the server keeps redirecting") || requests > 20 {
		t.Errorf("%v after %d requests", err, requests)
	}
}

// TestExperimentMadeMeanwhile checks that an experiment that another program creates at the same moment is used.
func TestExperimentMadeMeanwhile(t *testing.T) {
	made := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch {
		case req.Method == http.MethodPost:
			made = true
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error_code": "RESOURCE_ALREADY_EXISTS"}`))
		case made:
			_, _ = w.Write([]byte(`{"experiment": {"experiment_id": "7"}}`))
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"error_code": "RESOURCE_DOES_NOT_EXIST"}`))
		}
	}))
	defer s.Close()
	c, err := New(func(name string) string { return map[string]string{"MLFLOW_TRACKING_URI": s.URL}[name] })
	testkit.OK(t, err)
	id, err := c.experimentID(t.Context(), "x")
	testkit.OK(t, err)
	testkit.Same(t, "7", id)
}
