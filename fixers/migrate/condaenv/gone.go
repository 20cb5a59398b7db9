package condaenv

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

// onGoneIndex reports whether a URL is that of a package index that no longer exists.
func onGoneIndex(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(catalog.GoneIndexes.Items(), func(host string) bool { return strings.Contains(text, host) })
}

// unimported ends the reason for a question to which `none` is the likely answer. The question is still asked, because
// other packages or programs may need this one.
const unimported = "no script in the project imports it"

// gone decides about a package that pip no longer finds, or whose releases refuse to be installed. It returns false for
// any other package.
func (k *cleaner) gone(p schema.Package, name string, retired catalog.RetiredPackage) bool {
	r := p.Requirement
	if p.Manager != requirement.Pip || retired.Status != "absent" && retired.Status != "stub" && retired.Status != "renamed" || retired.Action == "replace" {
		return false
	}
	if retired.Action == "sdk" && retired.Status != "absent" || retired.Status == "absent" && k.searchesElsewhere() {
		return false
	}
	if _, misspelt := catalog.Misspelt(r.Manager.String(), r.Name); misspelt {
		return false // another row has the right name
	}
	if retired.Versions != "" && r.Kind == requirement.Package {
		allowed, err := r.Versions()
		meant, bad := requirement.ParseConstraint(requirement.Pip, retired.Versions)
		if err != nil || bad != nil || !allowed.Overlaps(meant) {
			return false
		}
	}
	if retired.Action == "sdk" {
		k.drop(p, retired.Why)
		return true
	}
	why := retired.Why
	if retired.Replacement == "" && !k.imports(name) && k.in.Scripts.Any() {
		why += ", and " + unimported
	}
	k.decideItem(p, "package-"+account.Slug(name), "What replaces "+cmp.Or(r.Name, name)+"?", why, k.renamed(*r, retired.Replacement))
	return true
}

// searchesElsewhere reports whether pip searches an index of the project's own, which may have what PyPI does not.
func (k *cleaner) searchesElsewhere() bool {
	return slices.ContainsFunc(k.packages, func(p schema.Package) bool {
		return p.Err == nil && p.Requirement.Kind == requirement.Option && strings.Contains(p.Requirement.Raw, "://") && !onGoneIndex(p.Requirement.Raw) && !onPyPI(p.Requirement.Raw)
	})
}

// renamed returns the requirement for a package's successor, which has its own versions.
func (k *cleaner) renamed(r requirement.Requirement, successor string) string {
	if successor != "" && len(r.Extras) == 0 && r.Marker != "" {
		return successor + "; " + r.Marker
	}
	return successor
}

// imports reports whether a script imports the module with a package's name, or one below it.
func (k *cleaner) imports(name string) bool {
	module := strings.ReplaceAll(name, "-", "_")
	if rest, ok := strings.CutPrefix(name, "azureml-"); ok {
		return k.in.Scripts.AnyImports("azureml."+strings.ReplaceAll(rest, "-", ".")) || k.in.Scripts.AnyImports("azureml."+strings.ReplaceAll(rest, "-", "_"))
	}
	return k.in.Scripts.AnyImports(module)
}

// ofWindows decides about a package for Windows.
func (k *cleaner) ofWindows(p schema.Package) bool {
	const why = "for Windows, but containers run Linux"
	r := p.Requirement
	name := plain.PackageName(r.Name) // the lists have one spelling for both managers
	switch {
	case r.Kind != requirement.Package || r.Marker != "":
		return false
	case catalog.WindowsModules.Has(name):
		k.decideItem(p, "package-"+account.Slug(name), "What replaces "+r.Name+"?", why, "")
		return true
	case p.Manager == requirement.Conda && (catalog.WindowsRuntime(name) || catalog.WindowsLeftovers.Has(name)):
		k.drop(p, why)
		return true
	}
	return false
}
