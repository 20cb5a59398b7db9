package lsp

import (
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// project is a project with open documents, as last checked.
type project struct {
	root   check.Root
	result check.Result
	reads  map[string]bool // the files from which it was read, or would be
	stale  bool
}

// rediscover requests a new search for projects: files were added or removed, or it is not known what changed.
func (s *Server) rediscover() {
	s.stale = true
	s.check()
}

// changed requests a new check of the projects that contain a file with a new text.
func (s *Server) changed(path string) {
	if schema.IsSettings(path) || filepath.Base(path) == baseline.Name || s.belongs(path) != schema.Discovers(path, s.engine.Texts[path]) {
		s.stale = true
	}
	for _, p := range s.open {
		if p.reads[path] || schema.Below(p.root.Dir, path) {
			p.stale = true
		}
	}
	s.check()
}

// belongs reports whether a file belongs to a known project.
func (s *Server) belongs(path string) bool {
	return slices.ContainsFunc(s.found.Roots, func(r check.Root) bool {
		return r.Files.Contain(path)
	})
}

// check requests that findings be published as soon as possible.
func (s *Server) check() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// projects returns the projects with open documents, checked with the current state of their files.
func (s *Server) projects() []*project {
	if s.stale {
		s.discover()
	}
	var list []*project
	for _, r := range s.found.Roots {
		p := s.open[r.Dir]
		if p == nil {
			continue
		}
		if p.stale {
			p.root = s.engine.Again(p.root, s.found)
			s.examine(p)
		}
		if p.result.Project != nil { // else amlfix failed on it
			list = append(list, p)
		}
	}
	return list
}

// discover finds all projects in the workspace, and opens those with open documents.
func (s *Server) discover() {
	s.stale = false
	paths := make([]string, 0, len(s.folders)+len(s.buffers))
	for _, f := range s.folders {
		paths = append(paths, f.identity)
	}
	for path := range s.buffers {
		if !s.inside(path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	s.found, s.open = check.Found{}, map[string]*project{}
	if len(paths) == 0 {
		return
	}
	s.found = s.engine.Discover(paths)
	at := s.opening()
	for _, r := range s.found.Roots {
		p := &project{root: r}
		if !at.mayConcern(r) {
			continue
		}
		s.examine(p)
		if at.concerns(p) {
			s.open[r.Dir] = p
		}
	}
}

// inside reports whether a file is in the workspace.
func (s *Server) inside(path string) bool {
	return slices.ContainsFunc(s.folders, func(f folder) bool { return schema.Below(f.identity, path) })
}

// opening is where the open documents are. Each project is compared with the folders, not with each document.
type opening struct {
	documents map[string]*buffer
	holds     map[string]bool // the folders above documents
	lacks     map[string]bool // the folders above documents that no project has among its files
}

// opening returns where the open documents are, beside the projects that were found.
func (s *Server) opening() opening {
	at := opening{s.buffers, map[string]bool{}, map[string]bool{}}
	known := map[string]bool{}
	for _, r := range s.found.Roots {
		for _, path := range r.Files.All() {
			known[path] = true
		}
	}
	for path := range s.buffers {
		for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
			at.holds[dir] = true
			if !known[path] {
				at.lacks[dir] = true
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return at
}

// mayConcern reports whether an open document may belong to a project that has not been read yet: it is one of its
// files, or in the tree from which it reads.
func (at opening) mayConcern(r check.Root) bool {
	return at.holds[r.Dir] || at.lacks[r.Boundary] || slices.ContainsFunc(r.Files.All(), at.has)
}

// concerns reports whether an open document belongs to a project.
func (at opening) concerns(p *project) bool {
	for path := range p.reads {
		if at.has(path) {
			return true
		}
	}
	return at.holds[p.root.Dir]
}

func (at opening) has(path string) bool { return at.documents[path] != nil }

// examine checks a project.
func (s *Server) examine(p *project) {
	p.result = s.engine.Checker(check.Options{}).Check(p.root)
	p.stale = false
	p.reads = map[string]bool{}
	for _, path := range p.root.Files.All() {
		p.reads[path] = true
	}
	if p.result.Project == nil {
		return
	}
	for _, path := range p.root.Mentioned(p.result.Project) {
		p.reads[path] = true
	}
}

// findings returns the findings of a project that are shown.
func (p *project) findings() []finding.Finding { return check.Unsuppressed(p.result.Findings) }
