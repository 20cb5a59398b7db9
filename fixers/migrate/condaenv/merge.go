package condaenv

import (
	"slices"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/requirement"
)

// merge adds what a program adds, and omits what the user names otherwise.
func (k *cleaner) merge() {
	named := map[string]bool{}
	for _, text := range k.in.Named {
		if r, err := requirement.Pip.Parse(text); err == nil {
			named[r.Key] = r.Key != "" && !fromConda(r.Key)
		}
	}
	if k.in.Program == nil && len(named) == 0 {
		return
	}
	k.packages = slices.Clone(k.packages)
	at := map[[2]string]int{}
	for i, p := range k.packages {
		if p.Err == nil {
			at[[2]string{p.Manager.String(), p.Requirement.Key}] = i
		}
	}
	gone := map[*document.Node]bool{}
	if k.in.Program != nil {
		for _, p := range k.in.Program.Packages {
			k.replace(p, at, gone)
		}
	}
	k.packages = slices.DeleteFunc(k.packages, func(p schema.Package) bool {
		omitted := p.Err == nil && named[p.Requirement.Key]
		if omitted {
			k.note(account.Decided, p.Node, "replaced", "decision `packages`")
		}
		return omitted || gone[p.Node]
	})
}

// fromConda reports whether a package of a name has to be conda's, whatever pip installs over it.
func fromConda(name string) bool { return name == "pip" || name == "python" }

// replace adds a program's package in place of that of its name, as SDK v1 did, which removes that from the list of the
// package manager; pip, which runs last, replaces another version that conda has installed, which is then gone.
func (k *cleaner) replace(p schema.Package, at map[[2]string]int, gone map[*document.Node]bool) {
	if p.Err == nil && p.Requirement.Key != "" {
		own := [2]string{p.Manager.String(), p.Requirement.Key}
		i, listed := at[own]
		if p.Manager == requirement.Pip && !fromConda(p.Requirement.Key) && k.exact(*p.Requirement) {
			c, installed := at[[2]string{requirement.Conda.String(), p.Requirement.Key}]
			switch {
			case installed && !listed:
				i, listed = c, true
			case installed && c != i && !gone[k.packages[c].Node]:
				k.note(account.Dropped, k.packages[c].Node, "", k.place(p)+" replaces it")
				gone[k.packages[c].Node] = true
			}
		}
		if listed && k.packages[i].Requirement.Raw != p.Requirement.Raw {
			old := k.packages[i].Node
			k.note(account.Dropped, old, "", k.place(p)+" replaces it")
			for _, said := range []map[*document.Node][]string{k.said.above, k.said.apart} {
				if said[old] != nil {
					said[p.Node] = said[old]
				}
			}
			if k.said.beside[old] != "" {
				k.said.beside[p.Node] = k.said.beside[old]
			}
			k.packages[i], at[own] = p, i
			return
		}
		at[own] = len(k.packages)
	}
	k.packages = append(k.packages, p)
}

// isPython reports whether an item is the Python that conda installs.
func isPython(p schema.Package) bool {
	return p.Err == nil && p.Manager == requirement.Conda && p.Requirement.Key == "python"
}
