package schema

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Sharing knows which projects name a file that is not in their own configuration
// folder. It looks at the projects of one call, and at those of their repositories
// where the call is about a part of one. All of that happens when it is first
// asked, which is when a repair would change a file in place. It is safe for
// concurrent use; files that appear later are not seen.
type Sharing struct {
	roots []Root
	seen  []string

	once  sync.Once
	users map[string][]Root // by the identity of the file

	mu     sync.Mutex
	loaded map[string]*Project
}

// NewSharing returns the sharing among projects. seen are the identities of the
// folders that were searched for them.
func NewSharing(roots []Root, seen []string) *Sharing {
	return &Sharing{roots: slices.Clone(roots), seen: seen, loaded: map[string]*Project{}}
}

// UsedElsewhere returns a job of another project for which the service builds an
// environment of this one, on a target that satisfies want; nil when there is none.
func (p *Project) UsedElsewhere(e *Environment, want func(*Target) bool) *Job {
	s := p.opts.Sharing
	if s == nil {
		return nil
	}
	s.once.Do(s.find)
	for _, root := range s.users[e.File.Path] { // may be thousands: the first that counts is enough
		if root.Dir == p.Root {
			continue
		}
		for _, theirs := range s.load(root, p.opts).Environments {
			if theirs.File.Path != e.File.Path {
				continue
			}
			if jobs := theirs.UsedBy(want); len(jobs) > 0 {
				return jobs[0]
			}
		}
	}
	return nil
}

// RelOf returns the slash-separated path from the project's root to a job's run
// configuration, which may be another project's.
func (p *Project) RelOf(j *Job) string { return relative(p.Root, j.File.Path) }

func (s *Sharing) load(root Root, opts Options) *Project {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded[root.Dir] == nil {
		opts.Sharing = nil
		s.loaded[root.Dir] = Load(root, opts)
	}
	return s.loaded[root.Dir]
}

func (s *Sharing) find() {
	s.users = map[string][]Root{}
	r := &resolver{}
	for _, root := range s.all() {
		files := map[string]bool{}
		for id := range root.Names {
			files[id] = true
		}
		for _, name := range root.Files {
			if strings.HasSuffix(name, ".runconfig") {
				named(r, root, name, files)
			}
		}
		for id := range files {
			s.users[id] = append(s.users[id], root)
		}
	}
}

// all returns the projects of the call and of the repositories it has seen a part of.
func (s *Sharing) all() []Root {
	roots, known, searched := s.roots, map[string]bool{}, map[string]bool{}
	for _, r := range roots {
		known[r.Dir] = true
	}
	for _, r := range s.roots {
		tree := Repository(r.Dir)
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

// named adds the identities of the YAML files that a run configuration names
// outside its own folder. Its text is looked through, not parsed: a word too many
// costs a look at a project that turns out not to use the file.
func named(r *resolver, root Root, name string, files map[string]bool) {
	text, err := readFile(name)
	if err != nil || !bytes.Contains(text, []byte(".y")) && !bytes.Contains(text, []byte(".Y")) {
		return
	}
	folder := filepath.Dir(name)
	for word := range bytes.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(" \t\r\n\"',:[]{}", c) }) {
		rel := string(word)
		if lower := strings.ToLower(rel); !strings.HasSuffix(lower, ".yml") && !strings.HasSuffix(lower, ".yaml") {
			continue
		}
		rel = filepath.FromSlash(Slashes(rel))
		places := []string{rel}
		if !filepath.IsAbs(rel) {
			places = []string{filepath.Join(root.Dir, rel), filepath.Join(folder, rel), filepath.Join(folder, "..", rel)}
		}
		for _, at := range places {
			if filepath.Dir(at) != folder {
				files[r.identity(at)] = true
			}
		}
	}
}

// EnvironmentAt returns the conda environment of a file that no job of the project
// names yet; nil when there is none, or when it cannot be read.
func (p *Project) EnvironmentAt(rel string) *Environment {
	if f := p.FileAt(rel); f != nil {
		return nil
	}
	name, ok := p.reach(rel)
	if !ok {
		return nil
	}
	f := p.read(name)
	if f.Broken() || f.Root().Get("dependencies") == nil {
		return nil
	}
	return readEnvironment(f, f.Root())
}
