package lsp

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/amlfix/amlfix/cmd/internal/check"
	own "github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/schema/testkit"
)

const gpuTarget = "type: remotedocker\naddress: vm.example.com\nusername: me\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\nnvidiaDocker: true\n"

// article returns the files of a project with one problem: a CPU build on a GPU target.
func article() map[string]string {
	return map[string]string{
		"aml_config/vm.compute":             gpuTarget,
		"aml_config/vm.runconfig":           "ArgumentVector: [train.py]\nTarget: vm\nFramework: Python\nCondaDependenciesFile: aml_config/conda_dependencies.yml\n",
		"aml_config/conda_dependencies.yml": "dependencies:\n  - python=3.5.2\n  - tensorflow=1.4.1\n",
		"train.py":                          "",
	}
}

// TestOtherFilesFollow changes one file of a project, and sees the findings of another appear and disappear.
func TestOtherFilesFollow(t *testing.T) {
	t.Parallel()
	files := article()
	e := edit(t, testkit.Lay(t, files), sees)
	conda, compute := "aml_config/conda_dependencies.yml", "aml_config/vm.compute"
	e.open(compute, files[compute])
	e.await("the finding in a file that is not open", func(shown map[string]published) bool {
		return len(shown[conda].list) == 1 && strings.HasSuffix(e.name(shown[conda].list[0].RelatedInformation[0].Location.URI), "vm.runconfig")
	})
	e.change(compute, 2, strings.ReplaceAll(strings.Replace(gpuTarget, "nvidiaDocker: true\n", "", 1), "plus-gpu-", "plus-"))
	e.await("the finding to go", func(shown map[string]published) bool {
		return shown[compute].version == 2 && len(shown[conda].list) == 0
	})
	e.change(compute, 3, gpuTarget)
	e.await("the finding to come back", func(shown map[string]published) bool { return len(shown[conda].list) == 1 })
	e.open(conda, strings.Replace(files[conda], "tensorflow=", "tensorflow-gpu=", 1))
	e.awaitCodes(conda, 1)
	e.tell("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.uri(conda)}})
	e.await("what is on disk to count again", func(shown map[string]published) bool { return len(shown[conda].list) == 1 })
	testkit.Write(t, e.dir, conda, strings.Replace(files[conda], "tensorflow=", "tensorflow-gpu=", 1))
	e.tell("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": e.uri(conda), "type": 2}}})
	e.await("a change on disk to count", func(shown map[string]published) bool { return len(shown[conda].list) == 0 })
}

// TestFixes makes each fix that is offered, and checks that the problem is gone.
func TestFixes(t *testing.T) {
	t.Parallel()
	files := article()
	e := edit(t, testkit.Lay(t, files), sees)
	conda := "aml_config/conda_dependencies.yml"
	e.open(conda, files[conda])
	want := map[string]string{
		`Use "tensorflow-gpu"`:                       "dependencies:\n  - python=3.5.2\n  - tensorflow-gpu=1.4.1\n",
		"Ignore gpu/cpu-package here, with a reason": "dependencies:\n  - python=3.5.2\n  # amlfix: ignore gpu/cpu-package -- TODO: say why\n  - tensorflow=1.4.1\n",
	}
	got := map[string]string{}
	for _, a := range e.actions(conda, "quickfix") {
		got[a.Title] = e.applied(files, a.Edit)[conda]
	}
	testkit.Same(t, want, got)
}

// TestEqualTitles selects two findings with the same fix, and one that two projects share.
func TestEqualTitles(t *testing.T) {
	t.Parallel()
	files := article()
	conda := "aml_config/conda_dependencies.yml"
	files[conda] = "dependencies:\n  - python=3.5.2\n  - pip:\n    - a=1.0\n    - b=1.0\n"
	files["other/aml_config/a.runconfig"] = "Target: local\nCondaDependenciesFile: ../aml_config/conda_dependencies.yml\n"
	e := edit(t, testkit.Lay(t, files), sees)
	e.open(conda, files[conda])
	var got []string
	for _, a := range e.actions(conda, "quickfix") {
		got = append(got, a.Title)
	}
	testkit.Same(t, []string{`Write "=="`, "Ignore conda/pip-equals here, with a reason", `Write "==" (line 5)`}, got)
}

// TestPull requests findings, as newer editors do: those of other files are included.
func TestPull(t *testing.T) {
	t.Parallel()
	files := article()
	e := edit(t, testkit.Lay(t, files), pull)
	e.open("aml_config/vm.compute", gpuTarget)
	var report protocol.RelatedFullDocumentDiagnosticReport
	e.ask("textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": e.uri("aml_config/vm.compute")}}, &report)
	related := report.RelatedDocuments[e.uri("aml_config/conda_dependencies.yml")].(*protocol.FullDocumentDiagnosticReport)
	testkit.Same(t, []any{[]string{"gpu/retired-hardware", "image/removed"}, []string{"gpu/cpu-package"}}, []any{codesOf(report.Items), codesOf(related.Items)})

	e.change("aml_config/vm.compute", 2, strings.ReplaceAll(strings.Replace(gpuTarget, "nvidiaDocker: true\n", "", 1), "plus-gpu-", "plus-"))
	report = protocol.RelatedFullDocumentDiagnosticReport{}
	e.ask("textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": e.uri("aml_config/vm.compute")}}, &report)
	related, known := report.RelatedDocuments[e.uri("aml_config/conda_dependencies.yml")].(*protocol.FullDocumentDiagnosticReport)
	if !known || len(related.Items) > 0 {
		t.Errorf("the editor does not learn that a finding of another file is gone: %+v", report)
	}
}

// TestNothingOutside checks that no action writes outside the workspace.
func TestNothingOutside(t *testing.T) {
	t.Parallel()
	files := article()
	dir := testkit.Lay(t, files)
	e := edit(t, filepath.Join(dir, "elsewhere"), sees)
	text := files["aml_config/conda_dependencies.yml"]
	e.open("../aml_config/conda_dependencies.yml", text)
	e.await("the finding", func(shown map[string]published) bool {
		return len(shown["../aml_config/conda_dependencies.yml"].list) == 1
	})
	if list := e.actions("../aml_config/conda_dependencies.yml"); len(list) > 0 {
		t.Errorf("%d actions", len(list))
	}
}

// TestNoSecrets checks that no secret of a file is shown.
func TestNoSecrets(t *testing.T) {
	t.Parallel()
	files := article()
	files["aml_config/vm.compute"] = strings.Replace(gpuTarget, "nvidiaDocker: true", "password: hunter2-Xq81\nnvidiaDocker: hunter2-Xq81", 1)
	e := edit(t, testkit.Lay(t, files), sees)
	e.open("aml_config/vm.compute", files["aml_config/vm.compute"])
	e.await("findings", func(shown map[string]published) bool { return len(shown["aml_config/vm.compute"].list) > 1 })
	var out []any
	for line := range uint32(6) {
		var hover any
		e.ask("textDocument/hover", at(e, "aml_config/vm.compute", line, 12), &hover)
		out = append(out, hover)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	text, err := codec{}.Marshal([]any{out, e.shown["aml_config/vm.compute"].list})
	testkit.OK(t, err)
	if strings.Contains(string(text), "hunter2") {
		t.Errorf("%s", text)
	}
}

// at returns the parameters of a request about a position.
func at(e *editor, name string, line, character uint32) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}, "position": protocol.Position{Line: line, Character: character}}
}

// TestOddMessages sends messages that no editor should send: the server answers, and continues.
func TestOddMessages(t *testing.T) {
	t.Parallel()
	e := edit(t, testkit.Lay(t, article()), sees)
	for _, method := range []string{"textDocument/hover", "textDocument/codeAction", "textDocument/rename", "no/such", "textDocument/completion"} {
		for _, params := range []any{nil, []int{1}, map[string]any{"textDocument": 1}, map[string]any{"textDocument": map[string]any{"uri": "untitled:a"}}} {
			_, _ = e.conn.Call(context.Background(), method, params, nil) // an error, or nothing
		}
	}
	e.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": "file:///never/opened", "version": -1}, "contentChanges": []any{}})
	e.tell("textDocument/didOpen", []int{})
	e.tell("$/setTrace", map[string]any{"value": "off"})
	e.tell("$/cancelRequest", map[string]any{"id": "never sent"})
	for _, method := range []string{"no/such", "$/no/such"} { // the protocol demands this error for both
		if _, err := e.conn.Call(context.Background(), method, nil, nil); err == nil || !strings.Contains(err.Error(), "amlfix does not know "+method) {
			t.Errorf("%s: %v", method, err)
		}
	}
	e.open("aml_config/vm.compute", "type: [")
	e.awaitCodes("aml_config/vm.compute", 1, "yaml/syntax")
}

// TestServeEnds ends the input, and checks that Serve reports whether that was requested.
func TestServeEnds(t *testing.T) {
	t.Parallel()
	null, err := os.Open(os.DevNull)
	testkit.OK(t, err)
	defer null.Close()
	if New(check.Engine{}).Serve(t.Context(), null, io.Discard) {
		t.Error("nobody asked")
	}
}

// TestSignalEndsAtOnce checks that the server does not wait for a check or an answer when its context ends.
func TestSignalEndsAtOnce(t *testing.T) {
	s := New(check.Engine{})
	s.mu.Lock() // as a check does that takes long
	defer s.mu.Unlock()
	s.wake <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	defer out.Close() // ends the reading
	ended := make(chan bool)
	go func() { ended <- s.Serve(ctx, in, io.Discard) }()
	cancel()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the server waits")
	}
}

// TestEndsWhileChecking checks that the server does not wait for a check that takes long when its input ends, and that
// a document without a path starts none.
func TestEndsWhileChecking(t *testing.T) {
	s := New(check.Engine{})
	s.mu.Lock() // as a check does that takes long
	defer s.mu.Unlock()
	s.wake <- struct{}{}
	ended := make(chan bool, 1)
	go func() { ended <- s.Serve(t.Context(), strings.NewReader(""), io.Discard) }()
	testkit.Receive(t, "the end", ended)
	other, params := New(check.Engine{}), new(own.DidOpenParams)
	params.TextDocument.URI = "file:///"
	if _, err := other.didOpen(params); err != nil || len(other.buffers) != 0 {
		t.Errorf("%v, %v", err, other.buffers)
	}
}

// TestEmptyDocument deletes all text of a document: that on disk does not count again.
func TestEmptyDocument(t *testing.T) {
	t.Parallel()
	files := article()
	compute := "aml_config/vm.compute"
	files[compute] = "type: [\n"
	e := edit(t, testkit.Lay(t, files), sees)
	e.open(compute, files[compute])
	e.awaitCodes(compute, 1, "yaml/syntax")
	e.change(compute, 2, "")
	e.awaitCodes(compute, 2, "schema/type")
}

// TestBecomesV2 writes keys that only files of v2 have into a document that had none.
func TestBecomesV2(t *testing.T) {
	t.Parallel()
	e := edit(t, testkit.Lay(t, map[string]string{"a.yml": "a: 1\n"}), sees)
	e.open("a.yml", "a: 1\n")
	e.change("a.yml", 2, "type: command\ncommand:\techo\nenvironment: azureml:e:1\ncompute: azureml:c\n")
	e.awaitCodes("a.yml", 2, "v2/schema-missing", "yaml/tab-after-colon")
}
