package prepare

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
)

// File is a file, folder or link of the project that pip reads when making the environment.
type File struct {
	Path string // slash-separated, relative to the project's root
	Mode fs.FileMode
	Size int64
	Sum  [sha256.Size]byte // of a file's content
	Link string            // a link's target
	// Text is the content of a requirements file, which may contain secrets; other files are read when they are sent.
	Text []byte
}

// NamedError reports that something named in the conda file cannot be sent to where the environment is made.
type NamedError struct {
	Node *document.Node // the item that names it
	Text string
}

func (e *NamedError) Error() string { return e.Text }

// listLimit is the maximum size in bytes of a file that is read as a requirements file: some 20,000 lines. A wheel that
// is named by mistake is larger.
const listLimit = 1 << 20

// Gather adds the files that the pip items name by path inside the project at root: requirements and constraints files,
// with the files these name in turn, wheels, and whole folders, except what is never sent with a project. folders are
// the items that name folders. As in conda, paths are relative to the conda file's folder. The error is a *NamedError,
// or one about the project as a whole.
func (r *Recipe) Gather(env *schema.Environment, root string) (folders []*document.Node, err error) {
	g := &gatherer{root: root, base: path.Dir(env.File.Rel), found: map[string]File{}}
	defer g.close()
	for _, p := range env.Packages {
		if p.Manager != requirement.Pip || p.Err != nil {
			continue
		}
		g.folder = false
		if err := g.requirement(*p.Requirement, g.base); err != nil {
			if text, ok := errors.AsType[namedText](err); ok {
				return nil, &NamedError{Node: p.Node, Text: string(text)}
			}
			return nil, err
		}
		if g.folder {
			folders = append(folders, p.Node)
		}
	}
	for _, f := range g.found {
		r.Files = append(r.Files, f)
	}
	if len(r.Files) > 0 {
		r.Root, r.Dir = root, g.base
		plain.SortFunc(r.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	}
	return folders, nil
}

// namedText explains why something that is named cannot be sent.
type namedText string

func (t namedText) Error() string { return string(t) }

type gatherer struct {
	root, base string
	dir        *os.Root
	snapshot   *project.Snapshot
	found      map[string]File
	folder     bool // the current item names a folder
}

// requirement adds what an item names. Requirements files are relative to the folder at, everything else to the conda
// file's folder.
func (g *gatherer) requirement(q requirement.Requirement, at string) error {
	switch {
	case q.Kind == requirement.Option && slices.Contains([]string{"-r", "--requirement", "-c", "--constraint"}, q.Option):
		return g.add(at, q.OptionValue, true)
	case q.Kind == requirement.Option && slices.Contains([]string{"-f", "--find-links"}, q.Option):
		return g.add(g.base, q.OptionValue, false)
	case q.Kind == requirement.Path:
		return g.add(g.base, q.Path, false)
	case q.Kind == requirement.URL && q.Name == "":
		return g.add(g.base, q.URL, false)
	}
	return nil
}

func (g *gatherer) close() {
	if g.dir != nil {
		_ = g.dir.Close()
	}
}

// add adds what is at a path relative to the folder at. It ignores URLs, and absolute paths, which refer to the image.
func (g *gatherer) add(at, named string, list bool) error {
	named = strings.TrimPrefix(named, "file:")
	named, _, _ = strings.Cut(named, "#")
	if strings.Contains(named, "://") || path.IsAbs(named) || strings.HasPrefix(named, "~") || strings.Contains(named, "$") || named == "" {
		return nil
	}
	name := path.Join(at, named)
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return namedText(named + " is outside the project, so the environment cannot be built with it: copy it into the project")
	}
	if _, seen := g.found[name]; seen {
		return nil
	}
	if g.dir == nil {
		dir, err := os.OpenRoot(g.root)
		if err != nil {
			return fmt.Errorf("%s: the project folder cannot be read: check its permissions", g.root)
		}
		g.dir = dir
	}
	info, err := g.dir.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return g.missing(name, named)
	case err != nil:
		return namedText(name + " cannot be read, or is a link out of the project, so the environment cannot be built with it")
	case info.IsDir():
		return g.tree(name)
	case !info.Mode().IsRegular():
		return namedText(name + " is neither a file nor a folder, so the environment cannot be built with it")
	case list && info.Size() <= listLimit:
		return g.list(name, info)
	}
	return g.file(File{Path: name, Mode: info.Mode(), Size: info.Size()})
}

func (g *gatherer) missing(name, named string) error {
	text := fmt.Sprintf("there is no %s in the project, so the environment cannot be built", name)
	if _, err := g.dir.Stat(path.Clean(named)); err == nil && filepath.IsLocal(filepath.FromSlash(named)) {
		if rel, err := filepath.Rel(filepath.FromSlash(g.base), filepath.FromSlash(named)); err == nil {
			text += ": paths are relative to the folder of the conda file, write " + filepath.ToSlash(rel)
		}
	} else {
		text += ": add it, or correct its name"
	}
	return namedText(text)
}

// list adds a requirements file and what it names.
func (g *gatherer) list(name string, info fs.FileInfo) error {
	text, err := fs.ReadFile(g.dir.FS(), name)
	if err != nil {
		return namedText(name + " cannot be read, so the environment cannot be built")
	}
	g.found[name] = File{Path: name, Mode: info.Mode(), Size: int64(len(text)), Sum: sha256.Sum256(text), Text: text}
	joined := strings.NewReplacer("\\\r\n", "", "\\\n", "").Replace(string(bytes.TrimPrefix(text, []byte("\ufeff"))))
	for line := range strings.Lines(joined) {
		if i := strings.Index(" "+line, " #"); i >= 0 {
			line = line[:i]
		}
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		q, err := requirement.ParsePip(line)
		if err != nil {
			continue // pip will report it
		}
		if err := g.requirement(q, path.Dir(name)); err != nil {
			if in, ok := errors.AsType[namedText](err); ok {
				return namedText(name + ": " + string(in))
			}
			return err
		}
	}
	return nil
}

// tree adds a folder with everything in it that is sent with a job.
func (g *gatherer) tree(name string) error {
	g.folder = true
	if g.snapshot == nil {
		snap, err := project.Scan(g.root)
		if err != nil {
			return err
		}
		g.snapshot = &snap
	}
	for _, e := range g.snapshot.Entries {
		if name != "." && e.Path != name && !strings.HasPrefix(e.Path, name+"/") {
			continue
		}
		if err := g.file(File{Path: e.Path, Mode: e.Mode, Size: e.Size, Link: e.Link}); err != nil {
			return err
		}
	}
	return nil
}

func (g *gatherer) file(f File) error {
	if _, seen := g.found[f.Path]; seen {
		return nil
	}
	if f.Mode.IsRegular() {
		content, err := source.OpenListed(g.dir, f.Path)
		if err != nil {
			return namedText(f.Path + " cannot be read, so the environment cannot be built")
		}
		defer func() { _ = content.Close() }()
		h := sha256.New()
		if f.Size, err = io.Copy(h, content); err != nil {
			return namedText(f.Path + " cannot be read, so the environment cannot be built")
		}
		f.Sum = [sha256.Size]byte(h.Sum(nil))
	}
	g.found[f.Path] = f
	return nil
}
