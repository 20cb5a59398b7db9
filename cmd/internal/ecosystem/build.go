package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program returns the path of a program: what is a file is one, and everything else
// is a git revision, which is built from a clone.
func program(ctx context.Context, work, what string) (string, error) {
	if info, err := os.Stat(what); err == nil && info.Mode().IsRegular() {
		return filepath.Abs(what)
	}
	// Resolved here: the clone below has other branches.
	commit, err := exec.CommandContext(ctx, "git", "rev-parse", "--verify", "--quiet", what+"^{commit}").Output()
	if err != nil {
		return "", fmt.Errorf("%s is neither a program nor a git revision", what)
	}
	dir, err := os.MkdirTemp(work, "build-")
	if err != nil {
		return "", err
	}
	tree, bin := filepath.Join(dir, "tree"), filepath.Join(dir, "amlfix")
	for _, argv := range [][]string{
		{"git", "clone", "--quiet", "--shared", "--no-checkout", ".", tree},
		{"git", "-C", tree, "checkout", "--quiet", "--detach", strings.TrimSpace(string(commit))},
		{"go", "-C", tree, "build", "-trimpath", "-o", bin, "./cmd/amlfix"},
	} {
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s cannot be built: %q: %w\n%s", what, argv, err, out)
		}
	}
	return bin, nil
}

// projects lists the folders in dir.
func projects(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds no folders: name the folder above the projects", dir)
	}
	return names, nil
}
