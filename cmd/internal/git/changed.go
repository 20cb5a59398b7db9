// Package git asks the installed git what has changed.
package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema"
)

// Changed returns the absolute paths of the files in the repository around dir that differ from a revision: changed,
// new, renamed and deleted ones, whether committed or not, including untracked files that are not ignored. A submodule
// at another commit counts with all of its files, edits in it do not. It resolves links in the repository's path. The
// repository is the one with ".git" in it: neither a bare one among its files, whose settings can name programs, nor
// the one of the hook that amlfix runs in. The error says, in words for people, why the files are not known.
func Changed(ctx context.Context, dir, revision string) ([]string, error) {
	repository := schema.Repository(dir)
	if repository == "" && os.Getenv("GIT_DIR") == "" {
		return nil, errors.New("this folder is not in a git repository")
	}
	top, err := output(ctx, cmp.Or(repository, dir), "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	folder := strings.TrimRight(string(top), "\r\n")
	// Without a separate check, a word that is not a revision could be taken for a path.
	if _, err := output(ctx, folder, "rev-parse", "--quiet", "--verify", "--end-of-options", strings.SplitN(revision, "..", 2)[0]+"^{commit}"); err != nil {
		return nil, fmt.Errorf("git does not find the revision %q here; in a shallow clone, fetch it first", revision)
	}
	differing, err := output(ctx, folder, "diff", "--name-only", "--no-renames", "--ignore-submodules=dirty", "-z", "--end-of-options", revision, "--")
	if err != nil {
		return nil, err
	}
	unknown, err := output(ctx, folder, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	return files(ctx, folder, append(differing, unknown...)), nil
}

// files returns the paths of what git lists in a folder. A submodule, or a repository that git does not track, stands
// for all of its files, if git lists them.
func files(ctx context.Context, folder string, names []byte) (paths []string) {
	for name := range bytes.SplitSeq(names, []byte{0}) {
		if len(name) == 0 {
			continue
		}
		path := filepath.Join(folder, filepath.FromSlash(string(name)))
		paths = append(paths, path)
		if info, err := os.Lstat(path); err != nil || !info.IsDir() || schema.Repository(path) != path {
			continue
		}
		inside, err := output(ctx, path, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
		if err == nil { // git refuses, for example, a repository of another user
			paths = append(paths, files(ctx, path, inside)...)
		}
	}
	return paths
}

// command returns a command of git about a folder. It starts no program that a repository's configuration names.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := record.Git(ctx, dir, args...)
	env := os.Environ()
	if schema.Repository(dir) != "" {
		env = slices.DeleteFunc(env, func(v string) bool {
			name, _, _ := strings.Cut(v, "=")
			return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX"}, name)
		})
	}
	cmd.Env = slices.Concat(env, []string{record.NoFetch})
	return cmd
}

// output runs git in a folder.
func output(ctx context.Context, dir string, args ...string) ([]byte, error) {
	git := func(args ...string) *exec.Cmd { return command(ctx, dir, args...) }
	cmd := git(args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if args[0] == "diff" { // it compares files
		if err := record.WithoutFilters(cmd, git); err != nil {
			return nil, fmt.Errorf("the filters in git's settings cannot be read: %w", err)
		}
	}
	out, err := cmd.Output()
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("this needs git, which is not installed")
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	line, _, _ := strings.Cut(stderr.String(), "\n")
	return nil, fmt.Errorf("git says: %s", strings.TrimPrefix(line, "fatal: "))
}
