package lsp

import (
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// project is one that open documents belong to, as it was checked last.
type project struct {
	root   check.Root
	result check.Result
	reads  map[string]bool // the files that it was read from, or would be
	stale  bool
}

// rediscover has the projects looked for again: files came or went, or it is not known
// what changed.
func (s *Server) rediscover() {
	s.stale = true
	s.check()
}

// changed has the projects checked again that a file with another text is part of.
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

// belongs reports whether a file is one of a project that is known.
func (s *Server) belongs(path string) bool {
	return slices.ContainsFunc(s.found.Roots, func(r check.Root) bool {
		return r.Files.Contain(path)
	})
}

// check has findings published as soon as there is time.
func (s *Server) check() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// projects returns the projects that open documents belong to, checked as their files
// are now.
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
		list = append(list, p)
	}
	return list
}

// discover finds all projects of the workspace, and opens those of open documents.
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
	for _, r := range s.found.Roots {
		p := &project{root: r}
		if !s.mayConcern(p) {
			continue
		}
		s.examine(p)
		if s.concerns(p) {
			s.open[r.Dir] = p
		}
	}
}

// inside reports whether a file is in the workspace.
func (s *Server) inside(path string) bool {
	return slices.ContainsFunc(s.folders, func(f folder) bool { return schema.Below(f.identity, path) })
}

// mayConcern reports whether an open document may be part of a project that is not
// read yet: it is one of its files, or somewhere in the tree that it reads from.
func (s *Server) mayConcern(p *project) bool {
	for path := range s.buffers {
		if p.root.Files.Contain(path) || schema.Below(p.root.Dir, path) {
			return true
		}
		if !s.belongs(path) && schema.Below(p.root.Boundary, path) {
			return true
		}
	}
	return false
}

// concerns reports whether an open document is part of a project.
func (s *Server) concerns(p *project) bool {
	for path := range s.buffers {
		if p.reads[path] || schema.Below(p.root.Dir, path) {
			return true
		}
	}
	return false
}

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

// findings returns those of a project that are shown.
func (p *project) findings() []finding.Finding { return check.Unsuppressed(p.result.Findings) }
