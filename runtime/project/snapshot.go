// Package project carries a project folder to where its job runs, and the job's outputs back. Scan lists once what
// belongs to a run; it is then copied to a folder or written as a tar stream. Nothing follows a link out of the
// project.
package project

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/reserved"
	"github.com/amlfix/amlfix/schema/source"
)

// OutputsDir is the folder in the project's root whose content is copied back after a run. Its content is never sent.
const OutputsDir = "outputs"

// SizeLimit is the size in bytes that Azure ML Workbench allowed for a project; a larger one causes a warning.
const SizeLimit = 25_000_000

// Entry is one file, folder or link that belongs to a run.
type Entry struct {
	Path    string // slash-separated, relative to the project's root
	Mode    fs.FileMode
	Size    int64 // regular files only
	ModTime time.Time
	Link    string // the target of a link, relative
	same    string // see identity; regular files only
}

// Warning is something about a path that the user should know.
type Warning struct {
	Path string // slash-separated, relative to the project's root; empty: the whole project
	Text string
}

func (w Warning) String() string {
	if w.Path == "" {
		return w.Text
	}
	return w.Path + ": " + w.Text
}

// Omitted is a path that is excluded by an ignore file.
type Omitted struct {
	Path string // slash-separated; everything below it is excluded as well
	By   string // "file:line"
}

// dull are names that nobody misses, because tools create them again.
var dull = []string{"__pycache__", ".venv", "venv", "env", ".env", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", ".idea", ".vscode", "build", "dist", ".eggs",
	".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".cache", "node_modules"}

// Implied reports whether a path is excluded only because git ignores it, not because of the job; names that tools
// create again do not count.
func (o Omitted) Implied() bool {
	base := path.Base(o.Path)
	return strings.HasPrefix(o.By, ".gitignore:") && !slices.Contains(dull, base) && !strings.HasSuffix(base, ".pyc") && !strings.HasSuffix(base, ".egg-info") && !strings.HasSuffix(base, ".log")
}

// Snapshot is the list of what belongs to a run. The files themselves are read later, when they are copied.
type Snapshot struct {
	Root     string  // absolute, links resolved
	Entries  []Entry // a folder comes before its contents
	Bytes    int64   // the sum of the sizes of the regular files
	Warnings []Warning
	Omitted  []Omitted

	added  []added
	joined []joined
}

// added is a file that is not in the project.
type added struct {
	path    string
	content []byte
}

// Add sends a file that is not in the project with it. name is slash-separated and relative, and must not be that of an
// Entry; names below .amlfix never are. Bytes does not include it.
func (s *Snapshot) Add(name string, content []byte) {
	s.added = append(s.added, added{name, content})
}

// Scan lists the project below root. It omits .git and .amlfix anywhere, the content of outputs/ in the root, what
// .amlignore (or, without one, .gitignore) excludes, links that leave the project, and anything that is not a file,
// folder or link. The error names the path that cannot be read.
func Scan(root string) (Snapshot, error) { return scanTree(root, true) }

// ScanCode lists a code folder as Scan does a project, or a single file. No outputs are copied back into it, and its
// size is not limited.
func ScanCode(root string) (Snapshot, error) {
	if info, err := os.Stat(root); err == nil && info.Mode().IsRegular() {
		var file Snapshot
		if err := file.Join(".", root); err != nil {
			return file, err
		}
		return Snapshot{Root: file.joined[0].root, Entries: file.joined[0].list, Bytes: file.Bytes}, nil
	}
	return scanTree(root, false)
}

// Canonical returns the name of a project's folder under which its runs are recorded: absolute and without links.
func Canonical(root string) (string, error) {
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fmt.Errorf("%s: the project folder cannot be read: %w", root, plain.Cause(err))
	}
	return abs, nil
}

func scanTree(root string, whole bool) (Snapshot, error) {
	abs, err := Canonical(root)
	if err != nil {
		return Snapshot{}, err
	}
	dir, err := os.OpenRoot(abs)
	if err != nil {
		return Snapshot{}, fmt.Errorf("%s: the project folder cannot be read: %w", root, plain.Cause(err))
	}
	defer func() { _ = dir.Close() }()
	if whole {
		if err := checkOutputs(dir); err != nil {
			return Snapshot{}, err
		}
	}
	ig, err := readIgnore(dir)
	if err != nil {
		return Snapshot{}, err
	}
	s := &scan{dir: dir, what: "the code folder", ignore: ig, snap: Snapshot{Root: abs}}
	if whole {
		s.what = "the project"
	}
	if err := walk(dir, ".", s.visit); err != nil {
		return Snapshot{}, advised(err, ignoreIt)
	}
	if whole && s.snap.Bytes > SizeLimit {
		s.snap.Warnings = append(s.snap.Warnings, Warning{Text: fmt.Sprintf(
			"the project is %s in size, but Azure ML Workbench accepted at most %s: list data and models in .amlignore and share them through nativeSharedDirectory",
			progress.Bytes(s.snap.Bytes), progress.Bytes(SizeLimit))})
	}
	return s.snap, nil
}

type scan struct {
	dir    *os.Root
	what   string // what it is, for people
	ignore ignore
	data   bool // a data folder: all of it is sent with the job
	snap   Snapshot
}

func (s *scan) visit(name string, info fs.FileInfo) error {
	if reserved.Is(path.Base(name)) {
		return fs.SkipDir
	}
	if name != OutputsDir {
		if line, out := s.ignore.excludes(name, info.IsDir()); out {
			s.snap.Omitted = append(s.snap.Omitted, Omitted{Path: name, By: fmt.Sprintf("%s:%d", s.ignore.name, line)})
			return fs.SkipDir
		}
	}
	e := Entry{Path: name, Mode: info.Mode(), ModTime: info.ModTime()}
	switch {
	case info.IsDir():
		s.snap.Entries = append(s.snap.Entries, e)
		if name == OutputsDir && !s.data {
			return fs.SkipDir
		}
	case info.Mode().IsRegular():
		e.Size, e.same = info.Size(), identity(info)
		s.snap.Bytes += e.Size
		s.snap.Entries = append(s.snap.Entries, e)
	case info.Mode()&fs.ModeSymlink != 0:
		s.link(e)
	default:
		s.warn(name, "left out: neither a file, a folder nor a link")
	}
	return nil
}

// link keeps a link that stays inside the project, as a relative one.
func (s *scan) link(e Entry) {
	target, err := s.dir.Readlink(e.Path)
	if err != nil {
		s.warn(e.Path, "left out: the link cannot be read")
		return
	}
	if filepath.IsAbs(target) {
		rel, err := filepath.Rel(filepath.Join(s.snap.Root, filepath.FromSlash(path.Dir(e.Path))), target)
		if err != nil {
			rel = ".."
		}
		target = rel
	}
	e.Link = filepath.ToSlash(target)
	if !stays(e.Path, e.Link) {
		s.warn(e.Path, "left out: the link leaves "+s.what+", so its target does not exist when the job runs")
		return
	}
	s.snap.Entries = append(s.snap.Entries, e)
}

func (s *scan) warn(name, text string) {
	s.snap.Warnings = append(s.snap.Warnings, Warning{Path: name, Text: text})
}

// stays reports whether a link at name to a relative target is certain to stay inside the tree: ".." may occur only at
// the start of the target, because after a name it could leave through another link.
func stays(name, target string) bool {
	if target == "" || path.IsAbs(target) || strings.Contains(target, `\`) || filepath.VolumeName(target) != "" {
		return false
	}
	named := false
	for part := range strings.SplitSeq(target, "/") {
		if part == ".." && named {
			return false
		}
		named = named || (part != ".." && part != "." && part != "")
	}
	return filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(name), target)))
}

// checkOutputs rejects, before anything is started, a project into which outputs could not be copied back.
func checkOutputs(dir *os.Root) error {
	info, err := dir.Lstat(OutputsDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s: cannot be read: %w", OutputsDir, plain.Cause(err))
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s: is a link, and results are not copied back through links: make it a folder", OutputsDir)
	case !info.IsDir():
		return fmt.Errorf("%s: is not a folder, so results could not be copied back into it: rename it", OutputsDir)
	}
	return nil
}

func readIgnore(dir *os.Root) (ignore, error) {
	for _, name := range ignoreFiles {
		f, err := source.Open(dir, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var text []byte
		if err == nil {
			text, err = io.ReadAll(io.LimitReader(f, ignoreLimit))
			_ = f.Close()
		}
		if err != nil {
			return ignore{}, fmt.Errorf("%s: cannot be read: %w", name, plain.Cause(err))
		}
		return parseIgnore(name, string(text)), nil
	}
	return ignore{}, nil
}

// Find reports whether the file at name (slash-separated, relative) belongs to the snapshot and, if not, which line of
// an ignore file excluded it; by is empty if the file does not exist.
func (s Snapshot) Find(name string) (found bool, by string) {
	name = path.Clean(name)
	for _, e := range s.Entries {
		if e.Path == name && !e.Mode.IsDir() {
			return true, ""
		}
	}
	for _, o := range s.Omitted {
		if name == o.Path || strings.HasPrefix(name, o.Path+"/") {
			return false, o.By
		}
	}
	return false, ""
}
