package schema

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// Project is one folder of job configuration: its files, and what they mean together. It is immutable after Load and
// safe for concurrent use.
type Project struct {
	// Root is the project's folder; paths in run configurations start here.
	Root string
	// Files are the files read, sorted by Rel.
	Files []*File
	// Targets are the compute targets of Workbench and SDK v1, sorted by file; Jobs the jobs of all dialects, sorted by
	// file and place; Environments the conda environments that jobs use or could use, sorted by file.
	Targets      []*Target
	Jobs         []*Job
	Environments []*Environment
	// V2Environments and V2Computes are what the files of Azure ML v2 define.
	V2Environments []*V2Environment
	V2Computes     []*V2Compute

	opts           Options
	disk           reading
	names          map[string][]string // as in Root
	files          fileIndex
	configurations []*Job
	assets         map[assetName][]*File    // those of v2 that others may name
	versions       map[assetVersion][]*File // the same, of names that several files define
	environments   map[inFile]*Environment
	installations  []*Environment // see Installations
	recipes        map[recipeKey]*recipe
	built          int                     // the number of packages in recipes
	unwritable     map[*source.Source]bool // see Unwritable
	inlined        []*Environment          // of Dockerfiles written into other files
	late           bool                    // a file was read for another, and defines something itself
}

// inFile is a mapping of a file, which may be nil if nothing could be read.
type inFile struct {
	file *File
	node *document.Node
}

// RunConfigurations returns the jobs of Workbench and SDK v1, sorted by file: those that amlfix runs and migrates, and
// that `-c` names. The list must not be changed.
func (p *Project) RunConfigurations() []*Job { return p.configurations }

// Options changes how a project is read.
type Options struct {
	// GPU names compute targets to be counted as GPU targets on the user's word.
	GPU []string
	// CPU names compute targets to be counted as CPU targets on the user's word, whatever their files say.
	CPU []string
	// Choices are answers to what fixes leave open, by question: "cuda" → "9.0".
	Choices map[string]string
	// Computes are the machine sizes of computes that only a workspace knows, by the name of the compute: "gpu-cluster"
	// → "Standard_NC24ads_A100_v4".
	Computes map[string]string
	// AsOf is the day (2006-01-02) by which retirement and support are judged; "" for the day on which the catalog was
	// last reviewed.
	AsOf string
	// NoComments makes comments have no effect: none suppresses a finding.
	NoComments bool
	// Sharing knows which other projects name files of this one; nil when there are none.
	Sharing *Sharing
	// Host is the operating system that the job is started from, as Go names it; "" for the one this program runs on.
	Host string
	// Text returns the text that replaces a file's content, by Path, such as one not yet saved; it returns false for
	// what is on disk. The files of a Root then need not exist, but others must. It may be nil.
	Text func(path string) ([]byte, bool)
}

// Boundary returns the folder that the user named, or the project's: nothing outside it is read through a link, and
// nothing is written there.
func (p *Project) Boundary() string { return cmp.Or(p.disk.boundary, p.Root) }

// Host returns the operating system that jobs are started from, as Go names it: "linux", "darwin", "windows". It is
// "js" in a browser, where it is unknown.
func (p *Project) Host() string { return cmp.Or(p.opts.Host, runtime.GOOS) }

// AsOf returns the day (2006-01-02) by which retirement and support are judged.
func (p *Project) AsOf() string { return cmp.Or(p.opts.AsOf, catalog.AsOf) }

// HonorsComments reports whether comments may suppress findings.
func (p *Project) HonorsComments() bool { return !p.opts.NoComments }

// Choice returns the user's answer to a question that fixes leave open, or "".
func (p *Project) Choice(question string) string { return p.opts.Choices[question] }

// File returns the file with this Path, or nil.
func (p *Project) File(name string) *File {
	return p.files.of(p.Files).path(name)
}

// FileAt returns the file at a slash-separated path from the root, or nil when it is not among the project's files.
func (p *Project) FileAt(rel string) *File {
	if f := p.fileAt(slashed(rel)); f != nil || rel == Slashes(rel) {
		return f
	}
	return p.fileAt(path.Clean(rel))
}

// fileAt is FileAt for a clean path.
func (p *Project) fileAt(rel string) *File { return p.files.of(p.Files).rel(rel) }

// Exists reports whether something is at a slash-separated path from the root.
func (p *Project) Exists(rel string) bool {
	if p.FileAt(rel) != nil {
		return true
	}
	if len(p.disk.changed) > 0 {
		if text, ok := p.disk.changed[p.PathOf(rel)]; ok {
			return text != nil
		}
	}
	return p.disk.at(p.join(rel)) != absent
}

// Folder reports whether a folder is at a slash-separated path from the root.
func (p *Project) Folder(rel string) bool {
	if p.files.of(p.Files).holds(path.Clean(slashed(rel))) || p.IsFolder(rel) {
		return true
	}
	for name, text := range p.disk.changed {
		if text != nil && strings.HasPrefix(name, p.join(rel)+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// PathOf returns the Path that a file at a slash-separated path from the root has, or would have if it were written.
func (p *Project) PathOf(rel string) string {
	if f := p.FileAt(rel); f != nil {
		return f.Path
	}
	return p.identity(p.join(rel))
}

// identity is Identity, but does not follow again what leads to the root, which is one, and remembers the result.
func (p *Project) identity(name string) string {
	return p.disk.identity(name, func() string { return IdentityFrom(p.Root, name) })
}

// targetNamed returns the compute target of that name beside a file, or nil.
func (p *Project) targetNamed(dir, name string) *Target {
	for _, t := range p.Targets {
		if t.File.Kind == Compute && t.File.is(func(rel string) bool { return bareName(rel) == name && folderOf(rel) == dir }) {
			return t
		}
	}
	return nil
}

func (p *Project) join(rel string) string {
	if other := Slashes(rel); other != rel {
		if name := filepath.Join(p.Root, filepath.FromSlash(rel)); p.disk.at(name) != absent {
			return name // the folder of a file may be called so
		}
		rel = other
	}
	if path.IsAbs(rel) {
		return filepath.FromSlash(rel)
	}
	return filepath.Join(p.Root, filepath.FromSlash(rel))
}

// namesOf returns the slash-separated paths from the root of a file; at least one.
func (p *Project) namesOf(name string) []string {
	if names := p.names[name]; names != nil {
		return names
	}
	return []string{relative(p.Root, name)}
}

// ReadError says in plain words why a file cannot be read.
func ReadError(err error) string {
	return fmt.Sprintf("the file cannot be read: %v", readCause(errors.Unwrap(err)))
}
