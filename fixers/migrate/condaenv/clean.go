package condaenv

import (
	"path"
	"slices"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/requirement"
)

// cleaner cleans one conda environment.
type cleaner struct {
	in   Input
	out  Result
	base Base // the image's, or that of CNTK's old system
	said comments

	python  string // the Python version to install; "" with Spark
	changed bool   // python differs from the source
	added   bool   // the source has no Python
	chosen  bool   // the user chose python although the old one could stay
	cntk    bool   // CNTK is kept, and with it the Python version
	pins    string // loosen or keep
	bare    bool   // the image has no CUDA
	// needsDefaults means that a package is only in Anaconda's own channel.
	needsDefaults bool
	// needsForge means the same for conda-forge.
	needsForge bool

	packages   []schema.Package // the source's, and the program's
	conda, pip yamlout.List
	seen       map[string]bool // names in the lists
	pending    []string        // comments that wait for the next item
}

// Clean returns the environment without what is gone; see Input and Result.
func Clean(in Input) Result {
	k := &cleaner{in: in, base: in.Base, seen: map[string]bool{}, packages: in.Source.Packages}
	if in.Source.File.Kind == schema.CondaFile { // the comments of a run configuration or a program do not belong here
		k.said = commentsOf(in.Source.File.Stream)
	}
	root := in.Source.Node
	k.merge()
	k.askCNTK()
	k.askPython()
	for _, p := range k.packages {
		k.pending = append(k.pending, k.said.apart[p.Node]...)
		if p.Err == nil && !k.known(p) {
			k.item(p)
		}
	}
	k.rest(root)
	k.complete()
	k.out.Text, k.out.Python = k.render(root), k.python
	k.out.Items = append(required(requirement.Conda, k.conda), required(requirement.Pip, k.pip)...)
	return k.out
}

// required returns the requirements of a list.
func required(manager requirement.Manager, list yamlout.List) (items []requirement.Requirement) {
	for _, value := range list {
		text, ok := valueOf(value).(string)
		if r, err := manager.Parse(text); ok && err == nil {
			items = append(items, r)
		}
	}
	return items
}

// valueOf returns an item of a list without its comments.
func valueOf(item any) any {
	if i, ok := item.(yamlout.Item); ok {
		return i.Value
	}
	return item
}

// note records what happened to an item, for the ledger.
func (k *cleaner) note(disposition account.Disposition, n *document.Node, result, why string) {
	k.out.Notes = append(k.out.Notes, NodeNote{n, account.Note{Disposition: disposition, Result: result, Why: why}})
}

// place returns the position of a package as file:line.
func (k *cleaner) place(p schema.Package) string {
	f := k.in.Source.File
	if k.in.Program != nil && slices.ContainsFunc(k.in.Program.Packages, func(o schema.Package) bool { return o.Node == p.Node }) {
		f = k.in.Program.File
	}
	return account.Place(schema.Field{File: f, Node: p.Node})
}

// scope returns the environment's name in decisions: that of its source, because its new name is not known yet.
func (k *cleaner) scope() string { return path.Base(account.Rel(k.in.Source.File)) }
