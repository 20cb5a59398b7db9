package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

var pipGone = Rule{
	ID:       "pip/gone",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "A package is a placeholder that refuses to be installed, does not exist, or gets no more releases.",
	Why: `When a project changes its name, it leaves behind a package whose installation stops with an error, such as
tensorflow-gpu 2.12, or that is empty. pip takes the newest release that fits, so an item without a version gets that
one. A package without further releases can still be installed: in v2 that is a warning, in SDK v1 a note. CNTK's wheels
are all on record, so the address of another one is a mistake. conda's pytorch-cuda and cudatoolkit ended with CUDA 12.4
and 11: later versions are reported if all channels are well known.`,
	Remedy: "With --unsafe, writes the name of the package that replaced it, if no version is given.",
	Facts:  []string{"retired_packages", "misspelt", "wheels"},
	Bad:    v2Training + "  - pip=24.0\n  - pip:\n      - tensorflow-gpu\n",
	Good:   v2Training + "  - pip=24.0\n  - pip:\n      - tensorflow[and-cuda]==2.15.0\n",
	Check: func(p *Pass) {
		for _, e := range installations(p) {
			unpublishedWheels(p, e)
			if ofWorkbench(p, e) {
				continue // what it installed in its time is not what pip would install today
			}
			elsewhere := searchesElsewhere(e)
			for _, pkg := range e.Packages {
				if row, ok := goneFrom(pkg, e.Built()); ok && (row.Status != "absent" || !elsewhere) && (row.Status != "unbuilt" || fromKnown(e, pkg)) {
					reportGone(p, e, pkg, row)
				}
			}
		}
	},
}

// goneFrom returns the catalog's row for a pip item that installs a release that is gone. Names with a known correction
// are left to conda/misspelt-package, except in Dockerfiles, which that rule does not read; packages of SDK v1 are left
// to pip/sdk-v1.
func goneFrom(pkg schema.Package, built bool) (catalog.RetiredPackage, bool) {
	r := pkg.Requirement
	if pkg.Err != nil || r.Kind != requirement.Package || r.Marker != "" {
		return catalog.RetiredPackage{}, false
	}
	row, ok := catalog.Gone(r.Key)
	if (pkg.Manager == requirement.Conda) != (row.Status == "unbuilt") {
		return catalog.RetiredPackage{}, false
	}
	if _, wrong := catalog.Misspelt(manager(pkg), r.Key); !ok || wrong && !built || row.Action == "sdk" && row.Status != "absent" {
		return catalog.RetiredPackage{}, false
	}
	if row.Versions == "" {
		return row, true
	}
	versions, err := r.Versions()
	meant, bad := requirement.ParseConstraint(requirement.Pip, row.Versions)
	if row.Status == "unbuilt" {
		return row, err == nil && bad == nil && !versions.Empty() && versions.Within(meant)
	}
	return row, err == nil && bad == nil && versions.Overlaps(meant)
}

// fromKnown reports whether conda looks for an item only in well-known channels.
func fromKnown(e *schema.Environment, pkg schema.Package) bool {
	all, _ := e.Channels()
	names := slices.Collect(maps.Keys(all))
	if name := pkg.Requirement.ChannelName(); name != "" {
		names = []string{name}
	}
	return len(names) > 0 && !e.Built() && !slices.ContainsFunc(names, func(name string) bool {
		return name != "defaults" && !catalog.CondaChannels.Has(name)
	})
}

func reportGone(p *Pass, e *schema.Environment, pkg schema.Package, row catalog.RetiredPackage) {
	r := pkg.Requirement
	severity := finding.Error
	if row.Status == "renamed" || row.Status == "retired" {
		severity = finding.Warning
	}
	if !p.isBuilt(e) {
		severity = map[finding.Severity]finding.Severity{finding.Error: finding.Warning, finding.Warning: finding.Info}[severity]
	}
	message := fmt.Sprintf("%s: %s", r.Name, row.Why)
	switch {
	case row.Status == "unbuilt":
		message = fmt.Sprintf("conda does not find %s: %s", inWords(pkg), row.Why)
	case row.Versions != "":
		message = fmt.Sprintf("%s %s: %s", r.Name, row.Versions, row.Why)
	}
	var fix *finding.Fix
	if row.Replacement != "" {
		message += fmt.Sprintf("; use %q", row.Replacement)
		if text, ok := r.Renamed(row.Replacement); ok && strings.TrimSpace(r.Constraint) == "" && !e.Lists(row.Replacement) {
			fix = rewriteItem(e, pkg.Node, finding.Unsafe, fmt.Sprintf("use %q", row.Replacement), text)
		}
	}
	p.reportAs(severity, itemAt(e, pkg.Node, message), fix)
}

// unpublishedWheels reports addresses of CNTK wheels that never existed.
func unpublishedWheels(p *Pass, e *schema.Environment) {
	for _, pkg := range e.Packages {
		w, ok := catalog.ParseCNTKURL(pkg.Requirement.URL)
		if pkg.Err != nil || !ok || w.Published || template.In(pkg.Requirement.Raw) {
			continue
		}
		message := "no CNTK wheel was published at this address: check the version, the Python tag and the platform"
		var fix *finding.Fix
		if right, ok := catalog.WheelVariant(w, w.Flavour, w.Platform); ok {
			message = "no CNTK wheel was published at this address; did you mean " + right.URL + "?"
			fix = rewriteItem(e, pkg.Node, finding.Unsafe, "use "+right.URL, right.URL)
		}
		p.reportAs(finding.Warning, itemAt(e, pkg.Node, message), fix)
	}
}
