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

// tracked lists the records of a project that came with its repository.
type tracked struct {
	all bool // all folders that hold records
	ids []string
}

// askGit returns which records of a project git tracks. Outside a repository there are none. If git fails, the error is
// a *RefusedError, because it is then not known who wrote the records.
func askGit(project string) (tracked, error) {
	abs, err := filepath.Abs(project)
	if err != nil || !InRepository(abs) {
		return tracked{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	// The patterns match every spelling of the folder's name; reserved decides about the matches.
	cmd := Git(ctx, abs, "ls-files", "-z", "--", ":(icase).amlfix*", ":(icase)amlfix~*")
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

// InRepository reports whether a folder or one of its parents contains ".git", which every git repository has. Looking
// for it is faster than starting git.
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

// trackedIn parses a list of NUL-terminated paths relative to the project's root.
func trackedIn(list []byte) (t tracked) {
	for name := range strings.SplitSeq(string(list), "\x00") {
		parts := strings.Split(name, "/")
		switch {
		case !reserved.Is(parts[0]) || len(parts) > 1 && reserved.Fold(parts[1]) != runsName: // such as .amlfix.yaml and .amlfix/.gitignore
		case len(parts) < 3: // a link, or another repository, in place of the folder
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
