package schema

import (
	"cmp"
	"maps"
	"slices"

	"github.com/amlfix/amlfix/schema/document"
)

// reading is the source of files: the disk, or the disk overlaid with changes.
type reading struct {
	boundary string
	changed  map[string][]byte           // by Path; nil content means removed
	parsed   map[string]*document.Stream // those of changed that are parsed
	loaded   map[string]*File
	*looks
}

// unread returns the project without its files, but with the changes that are to be read instead of the disk.
func (p *Project) unread() *Project {
	return &Project{Root: p.Root, opts: p.opts, names: p.names, disk: reading{
		boundary: p.disk.boundary, changed: p.disk.changed, loaded: map[string]*File{}, looks: p.disk.looks,
	}}
}

// Load reads the project of root. It never fails: a file that cannot be read is part of the project with its Err set.
func Load(root Root, opts Options) *Project {
	p := &Project{Root: root.Dir, opts: opts, names: root.Names, disk: reading{boundary: cmp.Or(root.Boundary, root.Dir), looks: new(looks)}}
	p.Files = make([]*File, 0, root.Files.Len())
	for _, f := range root.Files.All() {
		p.Files = append(p.Files, p.readAs(f, func(name string) ([]byte, error) { return readOf(root, name) }))
	}
	return p.linked()
}

// With returns the project as if the files named by the keys (as in File.Path) held the given bytes. Files that do not
// exist yet are added; no other file is read again. A file that was read because another named it stays, even if
// nothing names it any more.
func (p *Project) With(changed map[string][]byte) *Project { return p.WithParsed(changed, nil) }

// WithParsed is With for bytes some of which have been parsed, each as the Source of its file's Path.
func (p *Project) WithParsed(changed map[string][]byte, parsed map[string]*document.Stream) *Project {
	return p.version(changed, parsed).linked()
}

// version is WithParsed without links.
func (p *Project) version(changed map[string][]byte, parsed map[string]*document.Stream) *Project {
	q := p.unread()
	q.disk.changed, q.disk.parsed = map[string][]byte{}, parsed
	maps.Copy(q.disk.changed, p.disk.changed)
	maps.Copy(q.disk.changed, changed)
	q.Files = make([]*File, 0, len(p.Files)+len(changed))
	for _, f := range p.Files {
		if _, ok := changed[f.Path]; ok {
			q.Files = append(q.Files, q.read(f.Path))
			continue
		}
		q.disk.loaded[f.Path] = f
		q.Files = append(q.Files, f.again())
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) { // linking depends on their order
		if p.File(name) == nil {
			q.Files = append(q.Files, q.read(name))
		}
	}
	return q
}

// Holding is With for files that belong to the project only if something in it names them.
func (p *Project) Holding(made map[string][]byte) *Project {
	q := p.version(nil, nil)
	maps.Copy(q.disk.changed, made)
	return q.linked()
}

// Rooted returns the project as if dir, a folder above its own, were its root: the paths of its files, and those that
// they name, start there.
func (p *Project) Rooted(dir string) *Project {
	q := p.unread()
	q.Root, q.names = dir, map[string][]string{}
	for name, list := range p.names {
		for _, rel := range list {
			q.names[name] = append(q.names[name], relative(dir, p.join(rel)))
		}
	}
	for _, f := range p.Files {
		q.Files = append(q.Files, q.read(f.Path))
	}
	return q.linked()
}

// Adding returns the project with files that do not exist on disk (see File.Of).
func (p *Project) Adding(files []*File) *Project {
	q := p.unread()
	for _, f := range p.Files {
		if f.Of == "" {
			q.disk.loaded[f.Path] = f
			f = q.read(f.Path)
		}
		q.Files = append(q.Files, f)
	}
	q.Files = append(q.Files, files...)
	q.link() // once: in another version, these would be other files
	return q
}

// read returns the file at a path: a changed one, one read before, or from disk.
func (p *Project) read(name string) *File { return p.readAs(name, readFile) }

// readAs is read with a function that reads a file from disk.
func (p *Project) readAs(name string, fromDisk func(name string) ([]byte, error)) *File {
	if text, ok := p.disk.changed[name]; ok && p.disk.loaded[name] == nil {
		if read := p.disk.parsed[name]; read != nil {
			return newFile(name, p.namesOf(name), read, nil, nil)
		}
		return parseFile(name, p.namesOf(name), text, nil)
	}
	if f := p.disk.loaded[name]; f != nil {
		return f.again()
	}
	if p.opts.Text != nil {
		if text, ok := p.opts.Text(name); ok {
			return parseFile(name, p.namesOf(name), text, nil)
		}
	}
	if IsSettings(name) {
		text, err := ReadOwn(p.disk.boundary, name)
		return parseFile(name, p.namesOf(name), text, err)
	}
	text, err := fromDisk(name)
	if err != nil {
		return parseFile(name, p.namesOf(name), text, err)
	}
	stream, same := p.parse(name, text)
	return newFile(name, p.namesOf(name), stream, same, nil)
}

// refer returns the file a run configuration refers to, reading it when it lies outside the configuration folders. It
// is nil if it does not exist, or if it must not be read because it is outside the tree.
func (p *Project) refer(rel string, kind Kind) *File {
	f := p.FileAt(rel)
	if f == nil {
		name, ok := p.reach(rel)
		if !ok {
			return nil
		}
		if f = p.File(name); f == nil {
			f = p.read(name)
			p.Files = append(p.Files, f)
			p.late = p.late || f.Kind == Compute || f.Kind == RunConfig || f.V2 != ""
		}
	}
	if f.doubtful() {
		f.Kind = kind
	}
	return f
}

// reach returns the identity of a file that something in the project names, if it exists and may be read.
func (p *Project) reach(rel string) (string, bool) {
	name := p.join(rel)
	if _, changed := p.disk.changed[name]; changed {
		return name, true
	}
	what := p.disk.at(name)
	if what == absent && len(p.disk.changed) == 0 || what == folder {
		return "", false
	}
	name = p.identity(name)
	if _, changed := p.disk.changed[name]; changed {
		return name, true
	}
	return name, what == present && readableIn(p.disk.boundary, name)
}
