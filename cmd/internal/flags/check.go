package flags

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/git"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/source"
)

// Check is a call of the command check.
type Check struct {
	*console.Terminal
	*check.Engine
	Flags Set
	// Args are the operands.
	Args []string
}

// Run checks projects. met, unless it is nil, receives the files that matter to the check.
func (c *Check) Run(ctx context.Context, met map[string]bool) error {
	k, err := c.review(ctx)
	if err != nil {
		return err
	}
	f, err := c.projects(ctx)
	if err != nil {
		return err
	}
	if c.Flags.Bool("no-baseline") {
		f.ForgetBaselines()
	}
	if err := KnownNames(ctx, "check", f.Roots, k.Answers); err != nil {
		return err
	}
	k.Met = met
	return k.Check(ctx, f)
}

// projects finds the projects to check.
func (c *Check) projects(ctx context.Context) (check.Found, error) {
	args, since := c.Args, c.Flags.String("since")
	name, err := stdinArgs(c.Flags.String("stdin-filename"), c.Flags.IsSet("stdin-filename"), args, since)
	switch {
	case err != nil:
		return check.Found{}, err
	case name != "":
		text, err := io.ReadAll(io.LimitReader(ui.Stoppable(ctx, c.Stdin), source.MaxSize+1))
		if err != nil {
			return check.Found{}, fmt.Errorf("standard input cannot be read: %w", err)
		}
		return c.FromText(name, text), nil
	}
	f := c.Discover(args)
	c.Narrow(f.Roots, args)
	if since != "" {
		f.Roots, err = c.touched(ctx, f.Roots, args, since)
	}
	return f, err
}

// touched returns the projects that have changed since a revision.
func (c *Check) touched(ctx context.Context, roots []check.Root, args []string, revision string) ([]check.Root, error) {
	var changed []string
	for _, dir := range c.Folders(args) {
		paths, err := git.Changed(ctx, dir, revision)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, console.Usage("check", "--since %s: %v", revision, err)
		}
		changed = append(changed, paths...)
	}
	return check.Touched(ctx, roots, changed)
}

// named returns the paths on a command line.
func (c *Check) named() []string {
	if c.Flags.IsSet("stdin-filename") {
		return []string{c.Flags.String("stdin-filename")}
	}
	return c.Args
}

// stdinArgs reads the arguments for standard input. It returns the name of the file that the text stands for, or "" if
// standard input is not read.
func stdinArgs(name string, named bool, args []string, since string) (string, error) {
	switch {
	case !slices.Contains(args, "-") && !named:
		return "", nil
	case !named:
		return "", console.Usage("check", `"-" is standard input: use --stdin-filename to say which file it contains`)
	case strings.TrimSpace(name) == "":
		return "", console.Usage("check", "--stdin-filename: the file name is missing")
	case len(args) > 1 || len(args) == 1 && args[0] != "-":
		return "", console.Usage("check", "--stdin-filename checks only standard input: give no other path")
	case since != "":
		return "", console.Usage("check", "--since compares files with git: leave --stdin-filename out")
	}
	return name, nil
}
