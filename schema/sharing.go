package schema

import (
	"cmp"
	"path/filepath"
	"slices"
	"sync"

	"github.com/amlfix/amlfix/schema/plain"
)

// Sharing knows which projects may use a file: those that name it, and the one whose configuration folder it is in. It
// examines the projects of one call, and, if the call is about a part of a repository, the repository's others. It does
// so at the first query, which is when a repair would change a file in place. It is safe for concurrent use; files that
// appear later are not seen.
type Sharing struct {
	roots []Root
	seen  []string
	needs []func(*Target) bool

	once sync.Once

	reading sync.Mutex
	loaded  map[string]bool              // by the folder of the project, nil once all were read; guarded by reading
	texts   map[string]map[string][]byte // by folder and Path, see Take; guarded by reading

	mu     sync.Mutex
	all    []Root             // of the call and its repositories, sorted by folder
	users  map[string][]*Root // those that may use a file outside their folder, by its identity
	looked map[string]bool    // by the folder of the project
	uses   map[need][2]use    // the first two, since one may be by the project that asks
}

// need is one question about a file.
type need struct {
	file string
	of   int
}

// use is a run configuration that has a need.
type use struct{ root, runConfig string }

// NewSharing returns the sharing among projects. seen are the identities of the folders that were searched for them;
// needs are the questions that UsedElsewhere will be asked, given in advance so that no project is kept after it was
// examined.
func NewSharing(roots []Root, seen []string, needs []func(*Target) bool) *Sharing {
	return &Sharing{roots: slices.Clone(roots), seen: seen, needs: needs, loaded: map[string]bool{}, texts: map[string]map[string][]byte{}, looked: map[string]bool{}, uses: map[need][2]use{}}
}

// UsedElsewhere returns the run configuration, as a slash-separated path from the root, of a job of another project for
// which the service builds an environment of this one, on a target of one of the needs given to NewSharing; or the file
// of a v2 environment, even of this project, with such a need; or "".
func (p *Project) UsedElsewhere(e *Environment, of int) string {
	s := p.opts.Sharing
	if s == nil {
		return ""
	}
	if f := p.v2User(e, s.needs[of]); f != nil {
		return relative(p.Root, f.Path)
	}
	s.once.Do(s.find)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look(e.File.Path, p)
	for _, u := range s.uses[need{e.File.Path, of}] {
		if u.root != "" && u.root != p.Root {
			return relative(p.Root, u.runConfig)
		}
	}
	return ""
}

// look loads the projects that may use a file, except the one that asks.
func (s *Sharing) look(file string, asking *Project) {
	opts := asking.opts
	opts.Sharing = nil
	look := func(root *Root) {
		if root.Dir != asking.Root && !s.looked[root.Dir] {
			s.looked[root.Dir] = true
			s.note(Load(*root, opts))
		}
	}
	s.users[file] = slices.DeleteFunc(s.users[file], func(root *Root) bool { // thousands may share a file
		look(root)
		return root.Dir != asking.Root
	})
	for dir := file; above(dir) != dir; {
		dir = above(dir)
		i, found := slices.BinarySearchFunc(s.all, dir, func(root Root, dir string) int { return cmp.Compare(root.Dir, dir) })
		if found && s.all[i].Files.Contain(file) {
			look(&s.all[i])
		}
	}
}

// note records which needs the jobs of a project have of which files.
func (s *Sharing) note(p *Project) {
	for _, e := range p.Environments {
		for of, want := range s.needs {
			by := p.v2User(e, want)
			if jobs := e.UsedBy(want); len(jobs) > 0 {
				by = jobs[0].File
			}
			if by != nil {
				key := need{e.File.Path, of}
				s.uses[key] = firstTwo(s.uses[key], use{p.Root, by.Path})
			}
		}
	}
}

// v2User returns the file of a v2 environment that uses a conda file, has a need, and is used by no job of this
// project. Its machines are unknown, so its image decides.
func (p *Project) v2User(e *Environment, want func(*Target) bool) *File {
	for _, env := range e.assets {
		if env.File == e.File || len(env.Jobs) > 0 {
			continue
		}
		t := &Target{Image: env.Image}
		if env.Image.Explicit && IsGPUImage(env.Image.Text) {
			t.Evidence = append(t.Evidence, env.Image.Location("this is a GPU image"))
		}
		if want(t) {
			return env.File
		}
	}
	return nil
}

// firstTwo returns the uses by the first two projects, in the order of their folders: which one is named must not
// depend on who asks first.
func firstTwo(list [2]use, u use) [2]use {
	for i, other := range list {
		if other.root == u.root {
			return list
		}
		if other.root == "" || u.root < other.root {
			list[i], u = u, other
		}
	}
	return list
}

// maxKept is the maximum size, in bytes, of the texts that are kept for Take, less perRoot for each project: what is
// known of many projects takes memory itself.
const (
	maxKept = 7 << 20
	perRoot = 400
)

// Take returns, by Path, texts of a project that is about to be loaded: those that were read to find what they name. It
// does so once, and not if the project was loaded before they were read. They may be out of date by the time that the
// projects before took: before anything is written that is based on them, they have to be compared with the files.
func (s *Sharing) Take(dir string) map[string][]byte {
	if s == nil {
		return nil
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	texts := s.texts[dir]
	delete(s.texts, dir)
	if s.loaded != nil {
		s.loaded[dir] = true
	}
	return texts
}

// keep keeps texts for Take.
func (s *Sharing) keep(dir string, texts map[string][]byte) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if !s.loaded[dir] {
		s.texts[dir] = texts
	}
}

func (s *Sharing) find() {
	s.users = map[string][]*Root{}
	around := &resolver{}
	s.all = s.withRepositories()
	plain.SortFunc(s.all, func(a, b Root) int { return cmp.Compare(a.Dir, b.Dir) })
	room := maxKept - perRoot*len(s.all)
	if len(s.all) > len(s.roots) {
		room = 0 // most are not loaded
	}
	for i := range s.all {
		root, texts := &s.all[i], map[string][]byte{}
		r := &identities{around: around, dir: root.Dir, own: resolver{folders: map[string]string{root.Dir: root.Dir}}}
		files, met := map[string]bool{}, new(words)
		for id := range root.Names {
			files[id] = true
		}
		for _, rest := range root.Files.rest {
			switch filepath.Ext(rest) {
			case ".runconfig", "":
				name := root.Files.path(rest)
				text := named(r, *root, name, files, met)
				if room -= len(text); text != nil && room > 0 {
					texts[name] = text
				}
			case ".yml", ".yaml": // v2 files name each other
				if base := filepath.Base(rest); base != "conda_dependencies.yml" && base != "spark_dependencies.yml" {
					named(r, *root, root.Files.path(rest), files, met)
				}
			}
		}
		for id := range files {
			s.users[id] = append(s.users[id], root)
		}
		if len(texts) > 0 {
			s.keep(root.Dir, texts)
		}
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	s.loaded = nil
}

// withRepositories returns the projects of the call and of the repositories of which it saw a part.
func (s *Sharing) withRepositories() []Root {
	roots, known, searched := s.roots, map[string]bool{}, map[string]bool{}
	for _, r := range roots {
		known[r.Dir] = true
	}
	trees := trees{}
	for _, r := range s.roots {
		dir := r.Dir
		if r.Bare {
			dir = above(dir)
		}
		tree := trees.of(dir)
		if tree == "" || searched[tree] || slices.ContainsFunc(s.seen, func(dir string) bool { return within(dir, tree) }) {
			continue
		}
		searched[tree] = true
		more, _ := Discover([]string{tree}) // what cannot be read there names nothing
		for _, m := range more {
			if !known[m.Dir] {
				known[m.Dir], roots = true, append(roots, m)
			}
		}
	}
	return roots
}

// trees knows the repositories of folders, "" for none.
type trees map[string]string

func (t trees) of(dir string) string {
	tree, known := t[dir]
	switch {
	case known:
	case exists(filepath.Join(dir, ".git")):
		tree = dir
	case !isRoot(dir):
		tree = t.of(filepath.Dir(dir))
	}
	t[dir] = tree
	return tree
}
