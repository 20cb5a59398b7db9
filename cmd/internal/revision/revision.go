// Package revision builds amlfix from a git revision, for programs that compare builds.
package revision

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program returns the absolute path of a program. If what is a file, it is the program; otherwise what is a git
// revision of the repository around the working directory, which Program builds from a clone in the folder work.
func Program(ctx context.Context, work, what string) (string, error) {
	if info, err := os.Stat(what); err == nil && info.Mode().IsRegular() {
		return filepath.Abs(what)
	}
	// Resolved here, because the clone below has different branches.
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
		{"go", "-C", tree, "run", "-trimpath", "-exec", "cp", "./cmd/amlfix", bin}, // linked once: the go command keeps it
	} {
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s cannot be built: %q: %w\n%s", what, argv, err, out)
		}
	}
	return bin, nil
}
