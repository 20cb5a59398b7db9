package session

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/record"
)

// gitTime is how long git may take to describe a project.
const gitTime = 5 * time.Second

// commit asks git what is checked out in dir. It returns nil if git is not installed or dir is not in a repository.
func commit(dir string) *record.Commit {
	if !record.InRepository(dir) {
		return nil
	}
	out, err := status(dir)
	if err != nil { // it may have taken too long
		ctx, cancel := context.WithTimeout(context.Background(), gitTime)
		defer cancel()
		id, err := record.Git(ctx, dir, "rev-parse", "HEAD").Output()
		if err != nil {
			return nil
		}
		return &record.Commit{ID: strings.TrimSpace(string(id)), Changed: true}
	}
	c := new(record.Commit)
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if id, ok := strings.CutPrefix(line, "# branch.oid "); ok {
			c.ID = id
		} else if name, ok := strings.CutPrefix(line, "# branch.head "); ok && name != "(detached)" {
			c.Branch = name
		} else if !strings.HasPrefix(line, "# ") {
			c.Changed = true
		}
	}
	if c.ID == "(initial)" {
		return nil
	}
	return c
}

// status returns what git reports about dir. It does not look into submodules, which have settings of their own.
func status(dir string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	git := func(args ...string) *exec.Cmd { return record.Git(ctx, dir, args...) }
	cmd := git("status", "--porcelain=v2", "--branch", "--untracked-files=no", "--ignore-submodules=dirty", "--no-renames", "--", ".")
	if err := record.WithoutFilters(cmd, git); err != nil {
		return "", err
	}
	out, err := cmd.Output()
	return string(out), err
}
