package condaenv

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// sourceOnly moves a package that pip would have to build to conda's list if conda-forge has a build, and asks about it
// otherwise; false for other packages.
func (k *cleaner) sourceOnly(p schema.Package) bool {
	r := p.Requirement
	name := r.Key
	if wrong, misspelt := catalog.Misspelt(r.Manager.String(), r.Name); misspelt && wrong.Right != "" {
		name = wrong.Right
	}
	source, ok := catalog.SourceOnly(name)
	limit := strings.TrimSpace(r.Constraint)
	if !ok || p.Manager != requirement.Pip || r.Kind != requirement.Package || k.cntk || r.Marker != "" || k.searchesElsewhere() {
		return false
	}
	if source.Conda == "" {
		why := source.Why
		if k.in.Scripts.Any() && !k.imports(name) {
			why += "; " + unimported
		}
		k.decideItem(p, "package-"+account.Slug(name), "What replaces "+name+"?", why, "")
		return true
	}
	text := source.Conda
	switch {
	case k.exact(*r) && k.askPins() == "loosen":
		text += ">=" + minimum(*r)
	case k.exact(*r):
		text += "=" + minimum(*r)
	default:
		text += limit
	}
	if k.seen[source.Conda] {
		k.drop(p, source.Conda+" is already listed")
		return true
	}
	k.needsForge = true
	k.put(p, requirement.Conda, text, source.Why, "")
	return true
}
