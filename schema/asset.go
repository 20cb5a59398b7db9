package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/template"
)

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

// Linked returns the file that defines what a field names: by a path from the file's folder, or by the name that a file
// of the project defines. If several files define the name, the version decides; if it does not, or if the only file
// has another version, Linked returns nil. It never guesses.
func (p *Project) Linked(kind V2Kind, at Field) *File {
	if !at.Explicit || !at.Node.IsString() {
		return nil
	}
	switch r := reference.Parse(at.Text); {
	case r.Inside() && r.Type == "datastores":
		return p.defining("datastore", r)
	case r.Inside():
		return p.defining(kind, r)
	case r.Kind == reference.Path && slices.Contains(plainNames, kind):
		return p.defining(kind, reference.Reference{Name: at.Text})
	case r.Kind == reference.Path && (kind != "environment" || strings.HasPrefix(at.Text, "file:")):
		if rel, ok := at.Path(); ok {
			return p.FileAt(rel)
		}
	}
	return nil
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
