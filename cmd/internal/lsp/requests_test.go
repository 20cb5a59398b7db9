package lsp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestCancelled cancels a request while it waits for its turn: the answer says so.
func TestCancelled(t *testing.T) {
	t.Parallel()
	files := article()
	e := edit(t, testkit.Lay(t, files), sees)
	e.open("aml_config/vm.compute", gpuTarget)
	last, err := e.conn.Call(context.Background(), "textDocument/hover", at(e, "aml_config/vm.compute", 0, 1), nil)
	testkit.OK(t, err)
	n, _ := last.Number()
	e.server.mu.Lock()
	failed := make(chan error)
	go func() {
		_, err := e.conn.Call(context.Background(), "textDocument/hover", at(e, "aml_config/vm.compute", 0, 1), nil)
		failed <- err
	}()
	testkit.Until(t, "the request to wait", func() bool {
		waits := false
		e.server.waiting.Range(func(any, any) bool { waits = true; return false })
		return waits
	})
	e.tell("$/cancelRequest", map[string]any{"id": n + 1})
	testkit.Until(t, "the wish to arrive", func() bool {
		cancelled := false
		e.server.waiting.Range(func(_, value any) bool { cancelled = cancelled || value == true; return true })
		return cancelled
	})
	e.server.mu.Unlock()
	answer := new(jsonrpc2.Error)
	if err := testkit.Receive(t, "an answer", failed); !errors.As(err, &answer) || int(answer.Code) != int(protocol.LSPErrorCodesRequestCancelled) {
		t.Errorf("%v", err)
	}
}

// TestFolders adds a folder to a server that has none, and removes it: edits are offered only in folders of the
// workspace.
func TestFolders(t *testing.T) {
	t.Parallel()
	files := article()
	dir := testkit.Lay(t, files)
	e := edit(t, dir, sees)
	conda := "aml_config/conda_dependencies.yml"
	e.open(conda, files[conda])
	here, elsewhere := map[string]any{"uri": e.uri(""), "name": "here"}, map[string]any{"uri": e.uri("elsewhere"), "name": "elsewhere"}
	e.tell("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": []any{elsewhere}, "removed": []any{here}}})
	testkit.Same(t, 0, len(e.actions(conda)))
	e.tell("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": []any{here}, "removed": []any{}}})
	testkit.Same(t, 3, len(e.actions(conda)))
}

// TestShownAs compares severities, links and tags with those of the finding.
func TestShownAs(t *testing.T) {
	t.Parallel()
	files := article()
	files["aml_config/vm.compute"] = strings.Replace(gpuTarget, "remotedocker", "virtualmachine", 1)
	e := edit(t, testkit.Lay(t, files), sees)
	e.open("aml_config/vm.compute", files["aml_config/vm.compute"])
	names := []string{"aml_config/vm.compute", "aml_config/conda_dependencies.yml"}
	e.await("findings in both files", func(shown map[string]published) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return len(shown[name].list) == 0 })
	})
	got := map[string][]any{}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, name := range names {
		for _, d := range e.shown[name].list {
			code, _ := d.Code.(protocol.String)
			got[string(code)] = []any{int(d.Severity), d.Tags.Slice(), strings.HasPrefix(string(d.CodeDescription.Href), "https://")}
		}
	}
	for rule, want := range map[string][]any{
		"schema/deprecated": {3, []protocol.DiagnosticTag{protocol.DiagnosticTagDeprecated}, true},
		"image/removed":     {3, []protocol.DiagnosticTag(nil), true},
		"gpu/cpu-package":   {1, []protocol.DiagnosticTag(nil), true},
	} {
		testkit.Same(t, want, got[rule], rule)
	}
}
