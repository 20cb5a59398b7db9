package lsp

import (
	"path/filepath"
	"strings"

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
