package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// facts are what every channel says about amlfix.
var facts = map[string]string{
	"name":        "amlfix",
	"summary":     "Check, repair, migrate and run Azure ML job configuration",
	"homepage":    ui.Homepage,
	"license":     "MIT",
	"identifier":  "amlfix.amlfix", // in winget's repository: publisher and name
	"scope":       "@amlfix",       // of the npm packages
	"maintainers": "amlfix",        // of the conda recipe: an account at GitHub
}

// release identifies a release: its version, and the SHA-256 of its files.
type release struct {
	Version string
	sums    map[string]string
}

var archive = regexp.MustCompile(`^amlfix_(.+)_linux_amd64\.tar\.gz$`)

// readRelease reads checksums.txt in goreleaser's folder.
func readRelease(dist string) (release, error) {
	path := filepath.Join(dist, "checksums.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return release{}, err
	}
	r := release{sums: map[string]string{}}
	for line := range strings.Lines(string(text)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || len(sum) != 64 {
			return release{}, fmt.Errorf("%s: %q is not a SHA-256, two spaces and a name", path, line)
		}
		r.sums[name] = sum
		if m := archive.FindStringSubmatch(name); m != nil {
			r.Version = m[1]
		}
	}
	if r.Version == "" {
		return release{}, fmt.Errorf("%s names no amlfix_VERSION_linux_amd64.tar.gz", path)
	}
	return r, nil
}

// file is one of a release's files.
type file struct{ Name, URL, Sum string }

// Archive returns the archive for a platform, in Go's terms.
func (r release) Archive(goos, goarch string) (file, error) {
	ending := ".tar.gz"
	if goos == "windows" {
		ending = ".zip"
	}
	return r.file(fmt.Sprintf("amlfix_%s_%s_%s%s", r.Version, goos, goarch, ending))
}

// Source returns the source archive.
func (r release) Source() (file, error) { return r.file("amlfix-" + r.Version + ".tar.gz") }

func (r release) file(name string) (file, error) {
	sum, ok := r.sums[name]
	if !ok {
		return file{}, fmt.Errorf("checksums.txt names no %s", name)
	}
	return file{name, ui.Homepage + "/releases/download/v" + r.Version + "/" + name, sum}, nil
}
