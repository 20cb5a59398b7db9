package record

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/reserved"
)

// gitTime is how long git may take to list what it tracks.
const gitTime = 30 * time.Second

// tracked are the records of a project that came with its repository.
type tracked struct {
	all bool // the folders of all records
	ids []string
}

// askGit asks git which records of a project it tracks. Outside of a repository there are none. When git cannot tell, the
// error is a *RefusedError: nobody then knows who has written the records.
func askGit(project string) (tracked, error) {
	abs, err := filepath.Abs(project)
	if err != nil || !InRepository(abs) {
		return tracked{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	// Programs that the repository's settings name are not started, and another repository that the environment names is
	// not asked. The patterns find every spelling of the folder's name that is left to be judged by reserved.
	cmd := exec.CommandContext(ctx, "git", "-C", abs, "-c", "core.fsmonitor=false", "--no-optional-locks", "ls-files", "-z", "--", ":(icase).amlfix*", ":(icase)amlfix~*")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	at := filepath.Join(project, Folder)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return tracked{}, &RefusedError{at, "git is not installed, so amlfix cannot tell whether these records came with the repository and does not trust them: install git"}
	case err != nil:
		return tracked{}, &RefusedError{at, "git does not say whether these records came with the repository, so they are not trusted (" + escape.Said(said.String(), 300) + ")"}
	}
	return trackedIn(out), nil
}

// InRepository reports whether a folder or one above it has a ".git", which every
// repository of git has. Looking for it is faster than starting git.
func InRepository(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// trackedIn reads a list of paths from the project's root, each ended by a NUL.
func trackedIn(list []byte) (t tracked) {
	for name := range strings.SplitSeq(string(list), "\x00") {
		parts := strings.Split(name, "/")
		switch {
		case !reserved.Is(parts[0]) || len(parts) > 1 && reserved.Fold(parts[1]) != runsName: // such as .amlfix.yaml and .amlfix/.gitignore
		case len(parts) < 3: // a link, or another repository, in the folder's place
			t.all = true
		default:
			t.ids = append(t.ids, reserved.Fold(parts[2]))
		}
	}
	return t
}

// refuse returns an error for a record that git tracks.
func (t tracked) refuse(dir string) error {
	if !t.all && !slices.Contains(t.ids, reserved.Fold(filepath.Base(dir))) {
		return nil
	}
	return &RefusedError{dir, "git tracks this record, so it came with the repository and is not trusted: remove it with `git rm -r` and commit that"}
}
