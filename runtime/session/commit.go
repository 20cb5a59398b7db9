package session

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/record"
)

// gitTime is how long git may take to tell about a project.
const gitTime = 5 * time.Second

// commit asks git what is checked out in dir. It returns nil when git is not there, or dir is not in a repository.
func commit(dir string) *record.Commit {
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	git := func(args ...string) (string, bool) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "core.fsmonitor=false", "--no-optional-locks"}, args...)...)
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err == nil
	}
	id, ok := git("rev-parse", "HEAD")
	if !ok {
		return nil
	}
	c := &record.Commit{ID: id}
	if branch, ok := git("symbolic-ref", "--short", "HEAD"); ok {
		c.Branch = branch
	}
	changed, ok := git("status", "--porcelain", "--untracked-files=no", "--", ".")
	c.Changed = !ok || changed != ""
	return c
}
