package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/setup"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/source"
)

func (c *Command) initCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "make a repository use amlfix: settings, pre-commit, workflow",
		ArgsUsage: "[FOLDER]",
		Description: `Writes .amlfix.yaml, an entry in .pre-commit-config.yaml and the workflow
.github/workflows/amlfix.yml at the top of the repository that FOLDER, or this
folder, is in. There is no workflow where git knows that the repository is
elsewhere than on GitHub; outside of a repository only .amlfix.yaml is written. No
file is replaced: an entry is added to the list in .pre-commit-config.yaml without
a change to what is there, and what uses amlfix already is left alone.`,
		UsageText: `amlfix init
amlfix init projects/digits`,
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 1 {
				return usage("init", "one folder is enough: what is %q?", ctx.Args().Get(1))
			}
			return c.initialize(ctx.Args().First())
		},
	}
}

// initialize writes what is not there. Files are named as they are shown.
func (c *Command) initialize(folder string) error {
	dir := c.path(".")
	if folder != "" {
		dir = c.path(folder)
	}
	if info, err := os.Stat(dir); err != nil {
		return &schema.PathError{Path: c.rel(dir), Err: err}
	} else if !info.IsDir() {
		return usage("init", "%s is no folder", c.rel(dir))
	}
	repository := schema.Repository(dir)
	top := dir
	if repository != "" {
		top = repository
	}
	if path := schema.SettingsFinder().Find(dir); path != "" {
		c.done(path, "is there already")
	} else if err := c.create(filepath.Join(top, ".amlfix.yaml"), setup.Settings()); err != nil {
		return err
	}
	if repository == "" {
		c.say("%s is not in a git repository, so nothing is set up for pre-commit and GitHub", c.rel(dir))
		return nil
	}
	if err := c.initPreCommit(filepath.Join(top, ".pre-commit-config.yaml")); err != nil {
		return err
	}
	return c.initWorkflow(top)
}

// revision returns the revision of amlfix that others are to use: that of this
// build where it is a release.
func revision() string {
	if ok, _ := regexp.MatchString(`^\d+\.\d+\.\d+$`, version()); ok {
		return "v" + version()
	}
	return "main"
}

func (c *Command) initPreCommit(path string) error {
	old, err := schema.ReadOwn("", path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: cannot be read: %w", c.rel(path), plainError(err))
	}
	if len(old) > source.MaxSize {
		return fmt.Errorf("%s: is larger than %d KiB, so no entry is added", c.rel(path), source.MaxSize>>10)
	}
	text, refused := setup.PreCommit(old, revision())
	switch {
	case errors.Is(refused, setup.ErrPresent):
		c.done(path, refused.Error())
		return nil
	case refused != nil:
		entry, _ := setup.PreCommit(nil, revision())
		c.say("%s %v; add this to its repos:\n%s", c.rel(path), refused, strings.TrimSpace(strings.TrimPrefix(string(entry), "repos:\n")))
		return nil
	case err != nil:
		return c.create(path, text)
	}
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		err = writeWhole(real, text)
	}
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", c.rel(path), plainError(err))
	}
	c.done(path, "an entry is added")
	return nil
}

// initWorkflow writes the workflow where GitHub is to run it.
func (c *Command) initWorkflow(top string) error {
	folder := filepath.Join(top, ".github", "workflows")
	names, _ := filepath.Glob(filepath.Join(folder, "*.y*ml"))
	for _, name := range names {
		if text, err := schema.ReadOwn("", name); err == nil && strings.Contains(string(text), "amlfix") {
			c.done(name, setup.ErrPresent.Error())
			return nil
		}
	}
	head, host := gitFacts(top)
	if _, err := os.Stat(filepath.Join(top, ".github")); err != nil && host != "" && !strings.Contains(host, "github") {
		c.say("the repository is at %s, not on GitHub, so no workflow is written", host)
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("%s: cannot be made: %w", c.rel(folder), plainError(err))
	}
	return c.create(filepath.Join(folder, "amlfix.yml"), setup.Workflow(revision(), head))
}

// branchBytes are the characters of a branch's name that need no quotes anywhere.
const branchBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-"

// gitFacts returns the branch to check, which is the default one of the remote
// called origin, or else that at hand, and the remote's host, "" for none.
func gitFacts(top string) (branch, host string) {
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(top, ".git", filepath.FromSlash(name)))
		return string(text)
	}
	branch = "main"
	for _, name := range []string{"refs/remotes/origin/HEAD", "HEAD"} {
		if _, ref, ok := strings.Cut(strings.TrimSpace(read(name)), "ref: refs/"); ok {
			ref = strings.TrimPrefix(strings.TrimPrefix(ref, "heads/"), "remotes/origin/")
			if strings.Trim(ref, branchBytes) == "" && ref != "" {
				branch = ref
				break
			}
		}
	}
	_, origin, _ := strings.Cut(read("config"), `[remote "origin"]`)
	origin, _, _ = strings.Cut(origin, "\n[")
	if m := regexp.MustCompile(`(?m)^\s*url\s*=\s*(?:[a-z+]+://)?(?:[^@\s/]*@)?([A-Za-z0-9.-]+)[:/]`).FindStringSubmatch(origin); m != nil {
		host = m[1]
	}
	return branch, host
}

// create writes a file that must not be there.
func (c *Command) create(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		_, err = f.Write(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", c.rel(path), plainError(err))
	}
	c.done(path, "written")
	return nil
}

// done says what has become of a file.
func (c *Command) done(path, what string) {
	_, _ = fmt.Fprintf(c.out, "%s: %s\n", ui.Printable(c.rel(path)), ui.Printable(what))
}
