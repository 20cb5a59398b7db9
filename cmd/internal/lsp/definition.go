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

	beside    []flow.Names // the names of an input's neighbours
	elsewhere bool         // no file of the project declares the input
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
			t.uses = append(t.uses, location{job.File.Path, job.TargetName.Node.Inner()})
		}
	}
	return t
}

// bound returns the input or output that an expression at a byte offset names, or that is declared there.
func (p place) bound(offset int) (t thing, ok bool) {
	all := flow.Read(p.project.result.Project)
	for _, b := range all {
		if b.File != p.file {
			continue
		}
		for _, group := range groups {
			if group.of(b).Node.Resolve() == nil {
				continue
			}
			for _, e := range group.of(b).Node.Resolve().Entries {
				one := group.named(all, b, e)
				if e.Key == p.node || slices.ContainsFunc(one.uses, func(l location) bool { return l.path == p.file.Path && holds(l.at, offset) }) {
					return one, true
				}
			}
		}
	}
	return t, false
}

// group is one of the lists of names in a job or component.
type group struct {
	prefix string // in expressions
	of     func(*flow.Body) flow.Names
}

var groups = []group{
	{"inputs.", func(b *flow.Body) flow.Names { return b.Inputs }},
	{"outputs.", func(b *flow.Body) flow.Names { return b.Outputs }},
	{"search_space.", func(b *flow.Body) flow.Names { return b.Space }},
}

// named returns an input or output with everything that names it: expressions, and the component that declares it with
// all pipelines that run the component.
func (g group) named(all []*flow.Body, b *flow.Body, e document.Entry) thing {
	name := e.Key.Value
	t := thing{kind: "input", home: location{b.File.Path, e.Key.Inner()}, elsewhere: b.Elsewhere}
	take := func(of *flow.Body, full string) {
		for _, use := range of.Uses {
			if use.Name == full {
				text := of.File.Source.Text[use.At.Start:use.At.End]
				if i := strings.LastIndex(string(text), name); i >= 0 {
					start := use.At.Start + i
					t.uses = append(t.uses, location{of.File.Path, source.Span{Start: start, End: start + len(name)}})
				}
			}
		}
	}
	if b.Runs != nil {
		b = b.Runs
	}
	for _, one := range all {
		if one != b && (one.Runs != b || one.Runs == nil) {
			continue
		}
		if other, ok := g.of(one).Node.Entry(name); ok && one != b {
			t.uses = append(t.uses, location{one.File.Path, other.Key.Inner()})
		} else if ok {
			t.home = location{one.File.Path, other.Key.Inner()}
		}
		t.beside = append(t.beside, g.of(one))
		take(one, g.prefix+name)
		for _, child := range one.Jobs {
			take(child, "parent."+g.prefix+name)
		}
		if one.Parent != nil {
			full := "parent.jobs." + one.Key.Value + "." + g.prefix + name
			take(one.Parent, full)
			for _, child := range one.Parent.Jobs {
				take(child, full)
			}
		}
	}
	return t
}

// asset returns what an "azureml:" reference names in the project, or what the file itself defines if its name is here:
// a component, an environment, a compute and so on.
func (p place) asset() (t thing, ok bool) {
	if p.isKey || !p.value.IsString() {
		return t, false
	}
	name, kind := "", referred(p.value)
	if r := reference.Parse(p.value.Value); r.Inside() {
		name = r.Name
	} else if isAsset(p.file) && p.file.Root().Get("name") == p.value {
		name, kind = p.value.Value, defined(p.file)
	}
	for _, f := range p.project.result.Project.Files {
		if at := f.Root().Get("name"); isAsset(f) && name != "" && at.Text() == name && defined(f) == kind {
			return thing{kind: "asset", home: location{f.Path, at.Inner()}, uses: p.project.referring(name, kind)}, true
		}
	}
	return t, false
}

// referred returns the kind of asset that a reference names, according to its key; "" for data, models and the like.
// Assets of different kinds may have the same name.
func referred(n *document.Node) string {
	switch key := keyOf(n); key {
	case "environment", "component", "compute":
		return key
	case "trial":
		return "component"
	case "default_compute", "target":
		return "compute"
	}
	return ""
}

// defined returns the kind of asset that a file defines, as referred does.
func defined(f *schema.File) string {
	if f.V2 == "environment" || f.V2 == "component" || f.V2 == "compute" {
		return string(f.V2)
	}
	return ""
}

func isAsset(f *schema.File) bool { return f.V2 != "" && f.V2 != "job" && f.Root().IsMapping() }

// referring returns where v2 files name an asset of a kind.
func (p *project) referring(name, kind string) (uses []location) {
	for _, f := range p.result.Project.Files {
		if f.V2 == "" || f.Stream == nil {
			continue
		}
		for _, root := range f.Stream.Documents {
			scalars(root, func(n *document.Node) {
				if r := reference.Parse(n.Value); r.Inside() && r.Name == name && referred(n) == kind {
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
