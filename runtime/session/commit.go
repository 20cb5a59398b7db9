package session

import (
	"context"
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
	out, err := git(dir, "status", "--porcelain=v2", "--branch", "--untracked-files=no", "--", ".")
	if err != nil { // it may have taken too long
		id, err := git(dir, "rev-parse", "HEAD")
		if err != nil {
			return nil
		}
		return &record.Commit{ID: strings.TrimSpace(id), Changed: true}
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

func git(dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	out, err := record.Git(ctx, dir, args...).Output()
	return string(out), err
}
