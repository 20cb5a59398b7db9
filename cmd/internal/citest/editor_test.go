package citest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/testkit"
)

// block returns the first code block of a language in a document.
func block(t *testing.T, document, language string) string {
	t.Helper()
	_, rest, ok := strings.Cut(testkit.Read(t, top(t), document), "```"+language+"\n")
	if !ok {
		t.Fatalf("%s has no %s", document, language)
	}
	text, _, _ := strings.Cut(rest, "```")
	return text
}

// server is a language server connected by two pipes.
type server struct {
	t        *testing.T
	in       io.Writer
	out      *bufio.Reader
	settings any // VS Code's settings under "yaml"
}

// message is a request, response or notification of the protocol.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
}

func (s *server) send(m message) {
	m.JSONRPC = "2.0"
	text, err := json.Marshal(m)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(text), text); err != nil {
		s.t.Fatal(err)
	}
}

// received contains the parts of a received message that the test uses.
type received struct {
	ID     json.RawMessage
	Method string
	Params struct {
		URI   string
		Items []struct{ Section string }

		Diagnostics []struct {
			Range   struct{ Start struct{ Line, Character int } }
			Message string
		}
	}
}

// receive returns the next message; it first answers requests for settings.
func (s *server) receive() received {
	for {
		r := s.next()
		if r.ID == nil || r.Method == "" {
			return r
		}
		answers := make([]any, len(r.Params.Items))
		for i, item := range r.Params.Items {
			if item.Section == "yaml" {
				answers[i] = s.settings
			}
		}
		s.send(message{ID: r.ID, Result: answers})
	}
}

func (s *server) next() (r received) {
	length := 0
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			s.t.Fatalf("the server has left: %v", err)
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		_, _ = fmt.Sscanf(line, "Content-Length: %d", &length)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(s.out, text); err != nil {
		s.t.Fatal(err)
	}
	_ = json.Unmarshal(text, &r) // other kinds of messages are ignored
	return r
}

// TestEditor follows docs/editors.md with the language server behind VS Code's YAML extension, and checks what it
// underlines.
func TestEditor(t *testing.T) {
	t.Parallel()
	modules := tooltest.Node(t)
	dir := t.TempDir()
	for _, kind := range format.Kinds() {
		text, _ := format.Text(kind)
		testkit.Write(t, dir, ".vscode/amlfix-"+kind+".schema.json", string(text))
	}
	var settings struct {
		Schemas map[string][]string `json:"yaml.schemas"`
	}
	testkit.OK(t, json.Unmarshal([]byte(block(t, "docs/editors.md", "json")), &settings))
	schemas := map[string][]string{} // as the extension passes them on
	for name, globs := range settings.Schemas {
		testkit.Read(t, dir, name) // the loop in the document writes it
		schemas[address(filepath.Join(dir, name))] = globs
		kind := strings.TrimSuffix(strings.TrimPrefix(name, ".vscode/amlfix-"), ".schema.json")
		if !strings.Contains(block(t, "docs/editors.md", "sh"), " "+kind) {
			t.Errorf("docs/editors.md does not write %s", name)
		}
	}
	s := start(t, modules, schemas)
	for name, tt := range map[string]struct{ text, want string }{
		"p/aml_config/vm.compute":             {"type: localdocker\nnvidiaDocker: yes please\n", "2:15 Incorrect type"},
		"p/aml_config/ok.compute":             {scratch["jobs/aml_config/vm.compute"], ""},
		"p/aml_config/vm.runconfig":           {"Target: x\nFramework: Pyton\n", `2:12 Value is not accepted. Valid values: "Python", "PySpark"`},
		"p/.azureml/sdk.runconfig":            {"script: train.py\ntarget: local\nframework: Pyton\n", "3:12 Value is not accepted"},
		"p/aml_config/conda_dependencies.yml": {"dependencies:\n  - 1\n", "2:5 Incorrect type"},
		".amlfix.yaml":                        {"fail-on: sometimes\n", "1:10 Value is not accepted"},
		"elsewhere.yml":                       {"anything: goes\n", ""},
	} {
		got := s.diagnostics(filepath.Join(dir, name), tt.text)
		if tt.want == "" && got != "" || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: underlined %q, want %q", name, got, tt.want)
		}
	}
}

func address(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// start starts the server and waits until it is ready.
func start(t *testing.T, modules string, schemas map[string][]string) *server {
	t.Helper()
	cmd := exec.Command("node", filepath.Join(modules, "yaml-language-server", "bin", "yaml-language-server"), "--stdio")
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	testkit.OK(t, errors.Join(err1, err2, cmd.Start()))
	watch := time.AfterFunc(testkit.Patience, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() { watch.Stop(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	s := &server{t: t, in: in, out: bufio.NewReader(out), settings: map[string]any{
		"validate": true, "schemas": schemas, "schemaStore": map[string]any{"enable": false},
	}}
	s.send(message{ID: json.RawMessage("1"), Method: "initialize", Params: map[string]any{"processId": nil, "rootUri": nil, "capabilities": map[string]any{}}})
	for r := s.receive(); string(r.ID) != "1"; r = s.receive() {
		continue
	}
	s.send(message{Method: "initialized", Params: map[string]any{}})
	return s
}

// diagnostics opens a document and returns what is first underlined, as "line:column message".
func (s *server) diagnostics(path, text string) string {
	s.send(message{Method: "textDocument/didOpen", Params: map[string]any{"textDocument": map[string]any{
		"uri": address(path), "languageId": "yaml", "version": 1, "text": text,
	}}})
	for {
		r := s.receive()
		if r.Method != "textDocument/publishDiagnostics" || r.Params.URI != address(path) {
			continue
		}
		if len(r.Params.Diagnostics) == 0 {
			return ""
		}
		first := r.Params.Diagnostics[0]
		return fmt.Sprintf("%d:%d %s", first.Range.Start.Line+1, first.Range.Start.Character+1, first.Message)
	}
}
