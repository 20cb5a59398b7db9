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

// assetVersion is a version of an asset that several files define.
type assetVersion struct {
	asset   assetName
	version string
}

// indexAssets records which files define which names.
func (p *Project) indexAssets() {
	p.assets, p.versions = nil, nil
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
	for name, files := range p.assets {
		if len(files) == 1 {
			continue
		}
		slices.SortFunc(files, func(a, b *File) int { return cmp.Compare(a.Rel, b.Rel) })
		if p.versions == nil {
			p.versions = map[assetVersion][]*File{}
		}
		for _, f := range files {
			key := assetVersion{name, versionIn(f)}
			p.versions[key] = append(p.versions[key], f)
		}
	}
}

func versionIn(f *File) string { return f.Root().Get("version").Text() }

// Named returns the files of a kind that define a name, in any version, sorted by path.
func (p *Project) Named(kind V2Kind, name string) []*File { return p.assets[assetName{kind, name}] }

// Versioned returns those of the files that Named returns whose version is the given one.
func (p *Project) Versioned(kind V2Kind, name, version string) []*File {
	files := p.Named(kind, name)
	if len(files) > 1 {
		return p.versions[assetVersion{assetName{kind, name}, version}]
	}
	if len(files) == 1 && versionIn(files[0]) != version {
		return nil
	}
	return files
}

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
func (p *Project) defining(kind V2Kind, r reference.Reference) *File {
	files := p.assets[assetName{kind, r.Name}]
	if r.Label != "" && r.Label != "latest" {
		return nil // whoever sets a label decides which version has it
	}
	if len(files) == 1 {
		version := versionIn(files[0])
		if r.Version == "" || version == "" || version == r.Version || template.In(version) {
			return files[0]
		}
	}
	if r.Version == "" {
		return nil
	}
	if found := p.Versioned(kind, r.Name, r.Version); len(found) == 1 {
		return found[0]
	}
	return nil
}
