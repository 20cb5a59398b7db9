package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"

	"github.com/amlfix/amlfix/cmd/internal/setup"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

func (c *call) initCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "set up amlfix in a repository: settings, pre-commit, workflow",
		ArgsUsage: "[FOLDER]",
		Description: `Writes .amlfix.yaml, an entry in .pre-commit-config.yaml and the workflow
.github/workflows/amlfix.yml at the top of the repository that FOLDER, or this
folder, is in. The workflow is left out if git shows that the repository is not on
GitHub; outside a repository only .amlfix.yaml is written. No file is replaced: an
entry is added to the list in .pre-commit-config.yaml without changing anything
else, and a file that already uses amlfix is not changed.`,
		UsageText: `amlfix init
amlfix init projects/digits`,
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 1 {
				return cli.Usage("init", "unexpected argument %q: give one folder only", ctx.Args().Get(1))
			}
			return c.initialize(ctx.Args().First())
		},
	}
}

// initialize writes the files that do not exist. It reports files as they are shown to the user.
func (c *call) initialize(folder string) error {
	dir := c.Dir
	if folder != "" {
		dir = c.Path(folder)
	}
	if info, err := os.Stat(dir); err != nil {
		return &schema.PathError{Path: c.Rel(dir), Err: err}
	} else if !info.IsDir() {
		return cli.Usage("init", "%s is not a folder", c.Rel(dir))
	}
	repository := schema.Repository(dir)
	top := dir
	if repository != "" {
		top = repository
	}
	d, err := disk.Open(top)
	if err != nil {
		return err
	}
	defer d.Close()
	in := initializing{c, d, top}
	if found := schema.SettingsFinder().Find(dir); found != "" {
		c.done(found, "already exists")
	} else if err := in.create(".amlfix.yaml", setup.Settings()); err != nil {
		return err
	}
	if repository == "" {
		c.Say("%s is not in a git repository, so pre-commit and GitHub are not set up", c.Rel(dir))
		return nil
	}
	if err := in.preCommit(".pre-commit-config.yaml"); err != nil {
		return err
	}
	return in.workflow()
}

// initializing is the work of init in the folder that receives all files.
type initializing struct {
	*call
	disk *disk.Dir
	top  string
}

// shown returns the path of a file below the folder, as shown to the user.
func (c *initializing) shown(name string) string {
	return c.Rel(filepath.Join(c.top, filepath.FromSlash(name)))
}

// revision returns the revision of amlfix for others to use: this build's if it is a release, or else the commit from
// which it was built. A moving name such as main is the last resort: pre-commit warns about it.
func revision() string {
	if ok, _ := regexp.MatchString(`^\d+\.\d+\.\d+$`, version()); ok {
		return "v" + version()
	}
	set := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
	}
	if set["vcs.modified"] == "false" && set["vcs.revision"] != "" {
		return set["vcs.revision"]
	}
	return "main"
}

func (c *initializing) preCommit(name string) error {
	old, err := c.disk.ReadInside(name, source.MaxSize)
	if err != nil && (!errors.Is(err, fs.ErrNotExist) || c.disk.Exists(name)) {
		return fmt.Errorf("%s: cannot be read: %w", c.shown(name), err)
	}
	text, refused := setup.PreCommit(old, revision())
	if err == nil && refused == nil {
		err = c.disk.Update(name, old, text)
	} else if refused == nil {
		return c.create(name, text)
	}
	switch link := new(disk.LinkError); {
	case errors.Is(refused, setup.ErrPresent):
		c.done(filepath.Join(c.top, name), refused.Error())
	case refused != nil:
		c.sayEntry(name, refused.Error())
	case errors.As(err, &link):
		c.sayEntry(name, "is a link, and amlfix does not write through links")
	case errors.Is(err, disk.ErrChanged):
		return &transaction.ChangedError{Path: c.shown(name)}
	case err != nil:
		return fmt.Errorf("%s: cannot be written: %w", c.shown(name), err)
	default:
		c.done(filepath.Join(c.top, name), "entry added")
	}
	return nil
}

// sayEntry shows an entry to add by hand, and why.
func (c *initializing) sayEntry(name, why string) {
	entry, _ := setup.PreCommit(nil, revision())
	c.Say("%s %s; add this to its repos:\n%s", c.shown(name), why, strings.TrimSpace(strings.TrimPrefix(string(entry), "repos:\n")))
}

// workflows is where GitHub looks for workflows.
const workflows = ".github/workflows"

func (c *initializing) workflow() error {
	list, _ := c.disk.ReadDir(workflows) // what cannot be listed cannot be written either
	for _, e := range list {
		name := path.Join(workflows, e.Name())
		if isYAML, _ := path.Match("*.y*ml", e.Name()); !isYAML {
			continue
		}
		if text, err := c.disk.ReadInside(name, source.MaxSize); err == nil && strings.Contains(string(text), "amlfix") {
			c.done(filepath.Join(c.top, name), setup.ErrPresent.Error())
			return nil
		}
	}
	head, host := c.gitFacts()
	if !c.disk.Exists(".github") && host != "" && !strings.Contains(host, "github") {
		c.Say("the repository is at %s, not on GitHub, so no workflow is written", host)
		return nil
	}
	return c.create(path.Join(workflows, "amlfix.yml"), setup.Workflow(revision(), head))
}

// branchBytes are the characters in branch names that never need quotes.
const branchBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-"

// gitFacts returns the branch to check, which is the default branch of the remote origin or else the current one, and
// the remote's host, "" if there is none.
func (c *initializing) gitFacts() (branch, host string) {
	read := func(name string) string {
		text, _ := c.disk.ReadInside(path.Join(".git", name), source.MaxSize)
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

// create writes a file, which must not exist, and creates its parent folders.
func (c *initializing) create(name string, text []byte) error {
	if err := c.disk.MakeAll([]disk.File{{Name: name, Text: text}}); err != nil {
		return fmt.Errorf("%s: cannot be written: %w", c.shown(name), plain.Cause(err))
	}
	c.done(filepath.Join(c.top, filepath.FromSlash(name)), "written")
	return nil
}

// done reports what was done with a file.
func (c *call) done(path, what string) {
	_, _ = fmt.Fprintf(c.Out, "%s: %s\n", ui.Printable(c.Rel(path)), ui.Printable(what))
}
