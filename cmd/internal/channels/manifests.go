package main

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// files are the templates, named by the path of the resulting file.
//
//go:embed files
var files embed.FS

// manifests are the files of individual channels. winget requires its own in a folder for each version.
var manifests = map[string]string{
	"homebrew.rb":       "homebrew/amlfix.rb",
	"scoop.json":        "scoop/amlfix.json",
	"winget.yaml":       "winget/manifests/a/amlfix/amlfix/{version}/amlfix.amlfix.yaml",
	"winget-en.yaml":    "winget/manifests/a/amlfix/amlfix/{version}/amlfix.amlfix.locale.en-US.yaml",
	"winget-setup.yaml": "winget/manifests/a/amlfix/amlfix/{version}/amlfix.amlfix.installer.yaml",
	"conda.yaml":        "conda/recipe.yaml",
	"flake.nix":         "nix/flake.nix",
	"npm/package.json":  "npm/amlfix/package.json",
	"npm/amlfix.js":     "npm/amlfix/bin/amlfix.js",
	"npm/README.md":     "npm/amlfix/README.md",
}

// writeManifests writes the files that hold only text.
func writeManifests(r release, out string) error {
	for from, to := range manifests {
		text, err := render(from, r)
		if err != nil {
			return err
		}
		if err := save(filepath.Join(out, strings.ReplaceAll(to, "{version}", r.Version)), text); err != nil {
			return err
		}
	}
	return nil
}

// render fills in a template. Its delimiters do not occur in any channel's format.
func render(name string, data any) ([]byte, error) {
	funcs := template.FuncMap{"platforms": func() []platform { return platforms }}
	for fact, text := range facts {
		funcs[fact] = func() string { return text }
	}
	t, err := template.New(filepath.Base(name)).Delims("<<", ">>").Funcs(funcs).ParseFS(files, "files/"+name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("files/%s: %w", name, err)
	}
	return b.Bytes(), nil
}

func save(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
