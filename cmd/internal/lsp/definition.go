package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/source"
)

// thing is something named at a position: defined in one place, and used in others.
type thing struct {
	kind string     // "target", "input", "asset" or "file"
	home location   // where it is defined
	uses []location // where it is named, except the definition
}

// location is a span in a file; an empty span at 0 is the file.
type location struct {
	path string
	at   source.Span
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

// thingsAt is like things, for a position in an open document; the buffer is nil for any other document.
func (s *Server) thingsAt(at protocol.PositionParams) (d *buffer, list []thing) {
	if d = s.buffer(at.TextDocument.URI); d != nil {
		list = s.things(d, s.grid(d.path, d.text).offset(at.Position))
	}
	return d, list
}

// target returns the compute target that a run configuration names.
func (p place) target() (t thing, ok bool) {
	project := p.project.result.Project
	for _, job := range project.RunConfigurations() {
		if job.TargetName.Node != p.node || p.isKey || job.Target == nil || job.Target.Dialect != schema.Workbench {
			continue
		}
		return targetThing(project, job.Target), true
	}
	return t, false
}

func targetThing(project *schema.Project, target *schema.Target) thing {
	t := thing{kind: "target", home: location{path: target.File.Path}}
	for _, job := range project.RunConfigurations() {
		if job.Target == target && job.TargetName.Node != nil {
			t.uses = append(t.uses, location{job.File.Path, inner(job.File.Source, job.TargetName.Node.Span)})
		}
	}
	return t
}

// inner returns a scalar's span without its quotes.
func inner(src *source.Source, at source.Span) source.Span {
	if text := src.Slice(at); len(text) > 1 && (text[0] == '"' || text[0] == '\'') {
		return source.Span{Start: at.Start + 1, End: at.End - 1}
	}
	return at
}

// bound returns the input or output that an expression at a byte offset names, or that is declared there.
func (p place) bound(offset int) (t thing, ok bool) {
	for _, b := range flow.Read(p.project.result.Project) {
		if b.File != p.file {
			continue
		}
		for _, group := range []struct {
			prefix string
			names  flow.Names
		}{{"inputs.", b.Inputs}, {"outputs.", b.Outputs}, {"search_space.", b.Space}} {
			if group.names.Node.Resolve() == nil {
				continue
			}
			for _, e := range group.names.Node.Resolve().Entries {
				one := declared(b, group.prefix, e)
				if e.Key == p.node || slices.ContainsFunc(one.uses, func(l location) bool { return l.path == p.file.Path && holds(l.at, offset) }) {
					return one, true
				}
			}
		}
	}
	return t, false
}

// declared returns an input or output with all expressions that name it.
func declared(b *flow.Body, prefix string, e document.Entry) thing {
	t := thing{kind: "input", home: location{b.File.Path, inner(b.File.Source, e.Key.Span)}}
	take := func(of *flow.Body, full string) {
		for _, use := range of.Uses {
			if use.Name == full {
				text := of.File.Source.Text[use.At.Start:use.At.End]
				if i := strings.LastIndex(string(text), e.Key.Value); i >= 0 {
					start := use.At.Start + i
					t.uses = append(t.uses, location{of.File.Path, source.Span{Start: start, End: start + len(e.Key.Value)}})
				}
			}
		}
	}
	take(b, prefix+e.Key.Value)
	for _, child := range b.Jobs {
		take(child, "parent."+prefix+e.Key.Value)
	}
	return t
}

// asset returns what an "azureml:" reference names in the project, or what the file itself defines if its name is here:
// a component, an environment, a compute and so on.
func (p place) asset() (t thing, ok bool) {
	if p.isKey || !p.value.IsString() {
		return t, false
	}
	name := ""
	if r := reference.Parse(p.value.Value); r.Inside() {
		name = r.Name
	} else if isAsset(p.file) && p.file.Root().Get("name") == p.value {
		name = p.value.Value
	}
	for _, f := range p.project.result.Project.Files {
		if at := f.Root().Get("name"); isAsset(f) && name != "" && at.Text() == name {
			return thing{kind: "asset", home: location{f.Path, inner(f.Source, at.Span)}, uses: p.project.referring(name)}, true
		}
	}
	return t, false
}

func isAsset(f *schema.File) bool { return f.V2 != "" && f.V2 != "job" && f.Root().IsMapping() }

// referring returns where v2 files name something in the project.
func (p *project) referring(name string) (uses []location) {
	for _, f := range p.result.Project.Files {
		if f.V2 == "" || f.Stream == nil {
			continue
		}
		for _, root := range f.Stream.Documents {
			scalars(root, func(n *document.Node) {
				if r := reference.Parse(n.Value); r.Inside() && r.Name == name {
					if i := strings.Index(string(f.Source.Slice(n.Span)), ":"+name); i >= 0 {
						start := n.Span.Start + i + 1
						uses = append(uses, location{f.Path, source.Span{Start: start, End: start + len(name)}})
					}
				}
			})
		}
	}
	return uses
}

// path returns the file that a value names, relative to the file's folder or the project's root, or that a word of a
// job's command or the name of its script names in its code folder.
func (p place) path(offset int) (t thing, ok bool) {
	if p.isKey || !p.value.IsString() {
		return t, false
	}
	name := p.value.Value
	path, ok := p.project.leadsTo(name, filepath.Dir(p.file.Path), p.project.result.Project.Root)
	for _, j := range p.project.result.Project.Jobs {
		code, local := j.Code.Path()
		if ok || !local || j.Script.Node != p.value && j.Command.Node != p.value {
			continue
		}
		name = wordAt(string(p.file.Source.Slice(p.value.Span)), offset-p.value.Span.Start)
		path, ok = p.project.leadsTo(name, filepath.Join(p.project.result.Project.Root, filepath.FromSlash(code)))
	}
	return thing{kind: "file", home: location{path: path}}, ok
}

// wordAt returns the word of a command at a byte offset.
func wordAt(text string, offset int) string {
	const ends = " \t\r\n\"'=;&|()"
	start := strings.LastIndexAny(text[:offset], ends) + 1
	if i := strings.IndexAny(text[start:], ends); i >= 0 {
		return text[start : start+i]
	}
	return text[start:]
}

// leadsTo returns the file in the project that a text names, relative to one of the folders.
func (p *project) leadsTo(text string, folders ...string) (path string, ok bool) {
	text = schema.Slashes(text)
	if text == "" || text == "." || len(text) > 300 || strings.ContainsAny(text, "\n:*?\"<>|${}") || !strings.ContainsAny(text, "./") {
		return "", false
	}
	project := p.result.Project
	for _, dir := range folders {
		path := filepath.Join(dir, filepath.FromSlash(text))
		if !schema.Below(p.root.Boundary, path) {
			continue
		}
		if rel, err := filepath.Rel(project.Root, path); err == nil && project.Exists(filepath.ToSlash(rel)) && !project.Folder(filepath.ToSlash(rel)) {
			return path, true
		}
	}
	return "", false
}

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
		if p.result.Project == nil {
			continue
		}
		for _, t := range p.result.Project.Targets {
			if t.File.Path == d.path && t.Dialect == schema.Workbench {
				return []thing{targetThing(p.result.Project, t)}
			}
		}
	}
	return nil
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
	for _, e := range n.Entries {
		scalars(e.Value, visit)
	}
	for _, item := range n.Items {
		scalars(item, visit)
	}
}
