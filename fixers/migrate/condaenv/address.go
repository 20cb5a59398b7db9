package condaenv

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/secret"
)

// option keeps a pip option unless it contains a password.
func (k *cleaner) option(p schema.Package) {
	if onGoneIndex(p.Requirement.Raw) {
		k.drop(p, "Microsoft's package index for Workbench and SDK v1 tests, which no longer exists")
		return
	}
	if onPyPI(p.Requirement.Raw) && !k.searchesElsewhere() {
		k.drop(p, "PyPI itself, which pip uses anyway")
		return
	}
	if words := strings.Fields(strings.TrimSpace(p.Requirement.Raw)); len(words) > 0 && (strings.HasPrefix(words[0], "-r") || strings.HasPrefix(words[0], "-c") || strings.HasPrefix(words[0], "--req") || strings.HasPrefix(words[0], "--constr")) {
		k.decideItem(p, "pip-list", "What is in the list that pip includes?", "a file next to the old conda file, which is missing when the environment is built: list its packages in the conda file", "")
		return
	}
	if !secret.Contains(p.Requirement.Raw) {
		k.put(p, p.Manager, p.Requirement.Raw, "", "")
		return
	}
	k.decideItem(p, "pip-option", "How does pip get the packages?", "the address contains a password or a signature, which is never copied: use a workspace connection or a public index", "")
}

// onPyPI reports whether an option names PyPI, by its current or its old address.
func onPyPI(text string) bool {
	return strings.Contains(text, "//pypi.org/simple") || strings.Contains(text, "//pypi.python.org/simple")
}

// address decides about a wheel or another package given by URL or path.
func (k *cleaner) address(p schema.Package, name string) {
	r := p.Requirement
	id := "package-" + account.Slug(cmp.Or(name, path.Base(strings.ReplaceAll(secret.HideValue(r.Path+strings.SplitN(r.URL, "?", 2)[0]), `\`, "/"))))
	byName := ""
	if name != "" && catalog.KnownPackage(name) {
		byName = name
	}
	ask := "What should be installed for `" + secret.HideValue(shortRequirement(*r)) + "`?"
	switch {
	case secret.Contains(r.Raw):
		k.decideItem(p, id, ask, "the address contains a signature or a password, which is never copied", byName)
	case r.Wheel != nil && r.Wheel.Windows():
		k.decideItem(p, id, ask, "a Windows wheel, but containers run Linux", byName)
	case r.Wheel != nil && k.python != "" && !fits(r.Wheel, k.python):
		k.decideItem(p, id, ask, "a wheel for a Python version other than "+k.python, byName)
	case r.Kind == requirement.Path:
		k.decideItem(p, id, ask, "a file on one machine: put it next to the script and install it from there, or use the package from PyPI", byName)
	default:
		k.put(p, p.Manager, r.Raw, "", "")
	}
}

// shortRequirement returns a requirement without the folders in its URL.
func shortRequirement(r requirement.Requirement) string {
	if r.Wheel != nil {
		return r.Wheel.String()
	}
	return strings.TrimSpace(r.Raw)
}

// fits reports whether a wheel can be installed for a Python version.
func fits(w *requirement.Wheel, python string) bool {
	digits := strings.ReplaceAll(python, ".", "")
	return slices.ContainsFunc(w.PythonTags(), func(tag string) bool {
		return tag == "cp"+digits || tag == "py3" || tag == "py2.py3" || strings.HasPrefix(tag, "py3")
	}) || w.ABI == "abi3"
}
