// Command site makes the documentation's site from docs/, with mkdocs-material:
//
//	go run ./cmd/internal/site [FOLDER]
//
// It runs at the top of the repository and needs Python 3; the packages of requirements.txt are installed once, in the
// user's cache folder. FOLDER is build/site if none is given. Any web server can serve it; the pages ask no other one.
// It fails if a link or an anchor leads nowhere, or a page is not in the navigation.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/amlfix/amlfix/schema/testkit"
)

//go:embed requirements.txt mkdocs.yml site.css
var own embed.FS

func main() {
	out := filepath.Join("build", "site")
	if len(os.Args) > 1 {
		out = os.Args[1]
	}
	if err := build(".", out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// build makes the site of the repository with the root folder top.
func build(top, out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := replaceable(out); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "site-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := prepare(top, work); err != nil {
		return err
	}
	play := exec.Command("go", "run", "./cmd/playground", filepath.Join(work, "docs", "playground", "page"))
	play.Dir = top
	if text, err := play.CombinedOutput(); err != nil {
		return fmt.Errorf("go run ./cmd/playground: %w\n%s", err, text)
	}
	return generate(work, out)
}

// replaceable returns an error unless a folder is new, empty or an earlier site: mkdocs removes everything in it.
func replaceable(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(out, "search", "search_index.json")); err != nil && len(entries) > 0 {
		return fmt.Errorf("%s holds something other than a site: name another folder", out)
	}
	return nil
}

// generate has mkdocs build the site from a prepared folder. A warning is an error.
func generate(work, out string) error {
	tools, err := tools()
	if err != nil {
		return err
	}
	mkdocs := exec.Command(filepath.Join(tools, "venv", "bin", "mkdocs"), "build", "--strict", "--site-dir", out)
	mkdocs.Dir, mkdocs.Env = work, append(os.Environ(), "NO_MKDOCS_2_WARNING=1")
	if text, err := mkdocs.CombinedOutput(); err != nil {
		return fmt.Errorf("mkdocs build --strict: %w\n%s", err, text)
	}
	return nil
}

// tools returns the folder in which mkdocs is installed.
func tools() (string, error) {
	return testkit.Cached("site", testkit.Venv("--no-deps -r requirements.txt"), own, "requirements.txt")
}
