package setup

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// ErrNoFolder means that the folder to set up is a file.
var ErrNoFolder = errors.New("is not a folder")

// repository is the folder that receives all files.
type repository struct {
	*Setup
	disk *disk.Dir
	top  string
}

// Init writes the files that do not exist at the top of the repository around a folder. Outside a repository, it writes
// only the settings. The error is ErrNoFolder if the folder is a file.
func (s *Setup) Init(dir string) error {
	if info, err := os.Stat(dir); err != nil {
		return &schema.PathError{Path: s.Rel(dir), Err: err}
	} else if !info.IsDir() {
		return ErrNoFolder
	}
	within := schema.Repository(dir)
	in := repository{Setup: s, top: cmp.Or(within, dir)}
	d, err := disk.Open(in.top)
	if err != nil {
		return err
	}
	defer d.Close()
	in.disk = d
	if found := schema.SettingsFinder().Find(dir); found != "" {
		s.done(s.Rel(found), "already exists")
	} else if err := in.create(".amlfix.yaml", Settings()); err != nil {
		return err
	}
	if within == "" {
		where := s.Rel(dir)
		if where == "." {
			where = "this folder"
		}
		s.Say("%s is not in a git repository, so pre-commit and GitHub are not set up: run git init, then amlfix init again", where)
		return nil
	}
	const hooks = ".pre-commit-config.yaml"
	first := !d.Exists(hooks)
	if err := in.preCommit(hooks); err != nil {
		return err
	}
	if err := in.workflow(); err != nil {
		return err
	}
	if first {
		s.Say("next: run `pre-commit install` once in this repository, so that commits start amlfix")
	}
	return nil
}

func (r *repository) preCommit(name string) error {
	old, err := r.disk.ReadInside(name, source.MaxSize)
	missing := errors.Is(err, fs.ErrNotExist) && !r.disk.Exists(name)
	shown := r.shown(r.top, name)
	if info, _ := r.disk.Lstat(name); err != nil && info != nil && info.Mode()&fs.ModeSymlink != 0 {
		r.sayEntry(shown, "is a link to nothing, or to something outside the repository, which amlfix does not touch")
		return nil
	}
	if err != nil && !missing {
		return fmt.Errorf("%s: cannot be read: %s", shown, strings.TrimPrefix(err.Error(), name+": "))
	}
	text, refused := PreCommit(old, r.Revision)
	switch {
	case errors.Is(refused, ErrPresent):
		r.done(shown, refused.Error())
		return nil
	case refused != nil:
		r.sayEntry(shown, refused.Error())
		return nil
	case missing:
		return r.create(name, text)
	}
	switch err, link := r.disk.Update(name, old, text), new(disk.LinkError); {
	case errors.As(err, &link):
		r.sayEntry(shown, "is a link, and amlfix does not write through links")
	case errors.Is(err, disk.ErrChanged):
		return &transaction.ChangedError{Path: shown}
	case err != nil:
		return fmt.Errorf("%s: cannot be written: %w", shown, err)
	default:
		r.done(shown, "entry added")
	}
	return nil
}

// sayEntry shows an entry to add by hand to a file, and why.
func (r *repository) sayEntry(shown, why string) {
	entry, _ := PreCommit(nil, r.Revision)
	r.Say("%s %s; add this to its repos:\n%s", shown, why, strings.TrimSpace(strings.TrimPrefix(string(entry), "repos:\n")))
}

// workflows is where GitHub looks for workflows.
const workflows = ".github/workflows"

func (r *repository) workflow() error {
	list, _ := r.disk.ReadDir(workflows) // what cannot be listed cannot be written either
	for _, e := range list {
		name := path.Join(workflows, e.Name())
		if isYAML, _ := path.Match("*.y*ml", e.Name()); !isYAML {
			continue
		}
		if text, err := r.disk.ReadInside(name, source.MaxSize); err == nil && strings.Contains(string(text), "amlfix") {
			r.done(r.shown(r.top, name), ErrPresent.Error())
			return nil
		}
	}
	branch, host := r.git()
	if !r.disk.Exists(".github") && host != "" && !strings.Contains(host, "github") {
		r.Say("the repository is at %s, not on GitHub, so no workflow is written", host)
		return nil
	}
	return r.create(path.Join(workflows, "amlfix.yml"), Workflow(r.Revision, branch))
}

// create writes a file, which must not exist, and creates its parent folders.
func (r *repository) create(name string, text []byte) error {
	shown := r.shown(r.top, name)
	if err := r.disk.MakeAll([]disk.File{{Name: name, Text: text}}); err != nil {
		return fmt.Errorf("%s: cannot be written: %w", shown, plain.Cause(err))
	}
	r.done(shown, "written")
	return nil
}
