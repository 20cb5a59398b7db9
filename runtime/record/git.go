package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// gitLeft is how long programs that git has started may hold its output open after git has ended.
const gitLeft = time.Second

// NoFetch in git's environment keeps it from fetching what a partial clone lacks (git 2.39.4, 2.45 or later).
const NoFetch = "GIT_NO_LAZY_FETCH=1"

// Git returns a command of git about a folder. It starts no program that the repository's settings name, fetches
// nothing, and queries neither another repository that the environment names nor a bare one among the repository's
// files. If the command compares files, it needs WithoutFilters as well.
func Git(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "safe.bareRepository=explicit", "--no-optional-locks"}, args...)...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }), NoFetch)
	cmd.WaitDelay = gitLeft // git may be a script
	return cmd
}

// WithoutFilters makes a command of git read files as they are: otherwise it starts the programs that the repository's
// own settings name as filters. git returns another command about the same folder.
func WithoutFilters(cmd *exec.Cmd, git func(args ...string) *exec.Cmd) error {
	for _, scope := range []string{"--local", "--worktree"} {
		out, err := git("config", scope, "--includes", "--null", "--name-only", "--get-regexp", `^filter\.`).Output()
		exit, failed := errors.AsType[*exec.ExitError](err)
		switch {
		case failed && (exit.ExitCode() == 1 || scope == "--worktree"): // there are none; or linked work trees have no settings of their own
			continue
		case err != nil:
			return err
		}
		for setting := range strings.SplitSeq(string(out), "\x00") {
			name := setting[:strings.LastIndexByte(setting, '.')+1]
			if strings.Contains(name, "=") {
				return fmt.Errorf("the name of %s= is not supported", name)
			}
			for _, key := range []string{"clean", "process", "required"} {
				if name != "" {
					cmd.Args = slices.Insert(cmd.Args, 1, "-c", name+key+"=")
				}
			}
		}
	}
	return nil
}
