// Command playground writes a page that holds amlfix and needs nothing else: no server, no network, no other file. Run
// it at the top of the repository:
//
//	go run ./cmd/playground [FOLDER]
//
// It writes index.html into FOLDER, by default docs/playground.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// limit is the maximum size of the page in bytes.
const limit = 9 << 20

var (
	//go:embed page.html
	markup string
	//go:embed page.css
	style string
	//go:embed page.js
	script string

	//go:embed sample/aml_config/gpuvm.compute
	target string
	//go:embed sample/aml_config/gpuvm.runconfig
	job string
	//go:embed sample/aml_config/conda_dependencies.yml
	conda string
)

// sample is what the page shows first: a file for each of its tabs.
var sample = []struct {
	Tab  string `json:"tab"`
	Name string `json:"name"`
	Text string `json:"text"`
}{
	{"Target", "aml_config/gpuvm.compute", target},
	{"Run configuration", "aml_config/gpuvm.runconfig", job},
	{"Conda file", "aml_config/conda_dependencies.yml", conda},
}

func main() {
	folder := filepath.Join("docs", "playground")
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	if err := write(folder); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}

// write builds the program for browsers and writes the page into a folder.
func write(folder string) error {
	dir, err := os.MkdirTemp("", "amlfix-playground-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "core.wasm")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", program, "github.com/amlfix/amlfix/cmd/playground/core")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	start, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return fmt.Errorf("%w: this Go lacks the script that starts its programs in browsers", err)
	}
	code, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	text, err := page(code, string(start))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "index.html"), text, 0o644)
}

// page assembles the page. start is Go's own script that starts programs.
func page(code []byte, start string) ([]byte, error) {
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := zip.Write(code); err != nil {
		return nil, err
	}
	if err := zip.Close(); err != nil {
		return nil, err
	}
	files, err := json.Marshal(sample) // it writes < as an escape
	if err != nil {
		return nil, err
	}
	script := "\n" + start + script
	if strings.Contains(strings.ToLower(script), "</script") || strings.Contains(script, "<!--") {
		return nil, fmt.Errorf("a script holds %q or %q, at which browsers end it", "</script", "<!--")
	}
	text := []byte(strings.NewReplacer(
		"{{style}}", style, "{{style-hash}}", hash(style), "{{script}}", script, "{{script-hash}}", hash(script),
		"{{sample}}", string(files), "{{program}}", base64.StdEncoding.EncodeToString(packed.Bytes()),
	).Replace(markup))
	if len(text) > limit {
		return nil, fmt.Errorf("the page has %d bytes, more than %d: find what the program contains needlessly", len(text), limit)
	}
	return text, nil
}

// hash returns the hash by which a page's policy allows a style or script.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
