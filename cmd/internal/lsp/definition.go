package lsp

import (
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

func (s *Server) definition(params *protocol.PositionParams) ([]protocol.Location, error) {
	list := []protocol.Location{}
	_, found := s.thingsAt(*params)
	for _, t := range found {
		list = s.addLocation(list, t.home)
	}
	return list, nil
}

func (s *Server) references(params *protocol.ReferenceParams) ([]protocol.Location, error) {
	list := []protocol.Location{}
	for _, t := range s.named(params.PositionParams) {
		if params.Context.IncludeDeclaration {
			list = s.addLocation(list, t.home)
		}
		for _, use := range t.uses {
			list = s.addLocation(list, use)
		}
	}
	return list, nil
}

// named is like thingsAt, and in a compute target's file also returns that target.
func (s *Server) named(at protocol.PositionParams) []thing {
	d, list := s.thingsAt(at)
	if d == nil || len(list) > 0 {
		return list
	}
	for _, p := range s.projects() {
		for _, t := range p.result.Project.Targets {
			if t.File.Path == d.path && t.Dialect == schema.Workbench {
				return []thing{targetThing(p.result.Project, t)}
			}
		}
	}
	return nil
}

// thingsAt is like things, for a position in an open document; the buffer is nil for any other document.
func (s *Server) thingsAt(at protocol.PositionParams) (d *buffer, list []thing) {
	if d = s.buffer(at.TextDocument.URI); d != nil {
		list = s.things(d, s.grid(d.path, d.text).offset(at.Position))
	}
	return d, list
}

// things returns what is named at a byte offset in a document.
func (s *Server) things(d *buffer, offset int) (list []thing) {
	for _, p := range s.places(d, offset) {
		if t, ok := p.target(); ok {
			list = append(list, t)
		} else if t, ok := p.bound(offset); ok {
			list = append(list, t)
		} else if t, ok := p.asset(); ok {
			list = append(list, t)
		} else if t, ok := p.path(offset); ok {
			list = append(list, t)
		}
	}
	return list
}

func (s *Server) addLocation(list []protocol.Location, l location) []protocol.Location {
	one := protocol.Location{URI: s.uriOf(l.path)}
	if l.at.End > 0 {
		one.Range = s.gridOf(l.path).ranged(l.at)
	}
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}

// gridOf returns the grid of a file that the projects have read.
func (s *Server) gridOf(path string) *grid {
	if _, f := s.fileOf(path); f != nil {
		return s.grid(path, f.Source.Text)
	}
	return s.grid(path, nil)
}

// documentLink returns links for the files that a document names.
func (s *Server) documentLink(params *protocol.DocumentParams) ([]protocol.DocumentLink, error) {
	list := []protocol.DocumentLink{}
	d, p, f := s.opened(params.TextDocument.URI)
	if f == nil || f.Stream == nil {
		return list, nil
	}
	grid := s.grid(d.path, d.text)
	for _, root := range f.Stream.Documents {
		scalars(root, func(n *document.Node) {
			if path, ok := p.leadsTo(n.Value, filepath.Dir(f.Path), p.result.Project.Root); ok && len(list) < mostItems {
				list = append(list, protocol.DocumentLink{Range: grid.ranged(n.Span), Target: s.uriOf(path)})
			}
		})
	}
	return list, nil
}

// scalars visits the texts below a node that are not keys.
func scalars(n *document.Node, visit func(*document.Node)) {
	if n == nil {
		return
	}
	if n.Kind == document.Scalar && n.IsString() {
		visit(n)
	}
	for _, e := range n.Entries() {
		scalars(e.Value, visit)
	}
	for _, item := range n.Items() {
		scalars(item, visit)
	}
}
