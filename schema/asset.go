package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/template"
)

// Link is a place in a v2 file that names something another file defines: an environment, a compute, a component, a
// model or an endpoint.
type Link struct {
	Field
	// Kind is what is named.
	Kind V2Kind
	// Reference is how it is named. Its kind is reference.None if nothing is named, or if the value is written in
	// place.
	Reference reference.Reference
	// File is the project's file that defines it; nil if no file does, or if more than one may.
	File *File
}

// Outside reports whether something is named that no file of the project defines, so that only a workspace or a
// registry knows it. A path to a missing file is not outside.
func (l Link) Outside() bool {
	if l.File != nil || l.Reference.Kind == reference.None {
		return false
	}
	return l.Reference.Kind != reference.Path || slices.Contains(plainNames, l.Kind)
}

// plainNames are the kinds that may be named without "azureml:".
var plainNames = []V2Kind{"compute", "online-endpoint", "batch-endpoint"}

// assetName is what a name in a file refers to.
type assetName struct {
	kind V2Kind
	name string
}

// indexAssets records which files define which names.
func (p *Project) indexAssets() {
	p.assets = nil
	for _, f := range p.Files {
		name := f.Root().Get("name").Text()
		if f.V2 == "" || name == "" || template.In(name) {
			continue
		}
		if p.assets == nil {
			p.assets = map[assetName][]*File{}
		}
		key := assetName{f.V2, name}
		p.assets[key] = append(p.assets[key], f)
	}
	for _, files := range p.assets {
		slices.SortFunc(files, func(a, b *File) int { return cmp.Compare(a.Rel, b.Rel) })
	}
}

// Named returns the files of a kind that define a name, in any version, sorted by path.
func (p *Project) Named(kind V2Kind, name string) []*File { return p.assets[assetName{kind, name}] }

// Link resolves a field that names something of a kind: by a path from the file's folder, or by the name that a file of
// the project defines. If several files define the name, the version decides; if it does not, or if the only file has
// another version, nothing is linked. It never guesses.
func (p *Project) Link(kind V2Kind, at Field) Link {
	l := Link{Field: at, Kind: kind}
	if !at.Explicit || !at.Node.IsString() {
		return l
	}
	l.Reference = reference.Parse(at.Text)
	switch r := l.Reference; {
	case r.Inside() && r.Type == "datastores":
		l.Kind, l.File = "datastore", p.defining("datastore", r)
	case r.Inside():
		l.File = p.defining(kind, r)
	case r.Kind == reference.Path && slices.Contains(plainNames, kind):
		l.File = p.defining(kind, reference.Reference{Name: at.Text})
	case r.Kind == reference.Path && (kind != "environment" || strings.HasPrefix(at.Text, "file:")):
		if rel, ok := at.Path(); ok {
			l.File = p.FileAt(rel)
		}
	}
	return l
}

// defining returns the only file that a reference by name can mean, or nil.
func (p *Project) defining(kind V2Kind, r reference.Reference) (found *File) {
	files := p.assets[assetName{kind, r.Name}]
	if r.Label != "" && r.Label != "latest" {
		return nil // whoever sets a label decides which version has it
	}
	if len(files) == 1 {
		version := files[0].Root().Get("version").Text()
		if r.Version == "" || version == "" || version == r.Version || template.In(version) {
			return files[0]
		}
	}
	if r.Version == "" {
		return nil
	}
	for _, f := range files {
		if f.Root().Get("version").Text() == r.Version {
			if found != nil {
				return nil
			}
			found = f
		}
	}
	return found
}
