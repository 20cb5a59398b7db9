package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// checkIndex reports indexes with only CPU builds if pip takes a package from one in an environment for GPU machines.
func checkIndex(p *Pass, e *schema.Environment, items []listed, indexes map[int]pipIndex, jobs []*schema.Job) {
	for _, command := range slices.Sorted(maps.Keys(indexes)) {
		var checked []*document.Node
		for _, name := range slices.Sorted(maps.Keys(indexes[command].best)) {
			if place := indexes[command].best[name]; !slices.Contains(checked, place.item.Node) {
				checked = append(checked, place.item.Node)
				checkPlace(p, e, items, command, indexes[command], place, jobs)
			}
		}
	}
}

func checkPlace(p *Pass, e *schema.Environment, items []listed, command int, index pipIndex, place foundIndex, jobs []*schema.Job) {
	if place.GPU || place.Label == "" || p.full(place.item.src) {
		return
	}
	var taken []listed
	labelled := false
	for _, pkg := range items {
		if pkg.Command != command || pkg.Err != nil || pkg.Manager != requirement.Pip || !slices.Contains(place.Packages, pkg.Requirement.Key) {
			continue
		}
		best, sure := index.of(pkg.Requirement.Key)
		versions, err := pkg.Requirement.Versions()
		if pin, pinned := versions.Pin(); err == nil && pinned && pin.Local() != "" {
			labelled = true
		} else if err == nil && pkg.Requirement.Kind == requirement.Package && pkg.Requirement.Marker == "" && sure && best.item.Node == place.item.Node {
			taken = append(taken, pkg)
		}
	}
	switch {
	case len(taken) > 0:
		reportIndex(p, e, place, taken, labelled || index.count > 1, jobs)
	case !labelled && !index.unknown && index.count == 1 && len(items) > 1:
		p.reportAs(finding.Warning, place.item.at(e, fmt.Sprintf("%s has CPU builds only, and pip takes PyTorch from there if a package needs it, but %s on a GPU target: remove it", shown(place.item.Requirement.OptionValue), usedHere(jobs))), nil, whyGPU(jobs)...)
	}
}

// reportIndex reports such an index. The fix removes it: pip then takes PyPI's builds, which are for GPUs.
func reportIndex(p *Pass, e *schema.Environment, place foundIndex, taken []listed, needed bool, jobs []*schema.Job) {
	option := place.item.Requirement
	at := place.item.at(e, fmt.Sprintf("this index has CPU builds only, and pip takes %q from it, but %s on a GPU target: remove it, or use the index of a CUDA version", taken[0].Requirement.Name, usedHere(jobs)))
	var fix *finding.Fix
	switch used := p.shared.division(p.Project, e, gpuSide).used; {
	case used != "" && place.item.own(e):
		if text, ok := openIndexes(e)[e.At(place.item.Node)]; ok && !needed {
			fix = environmentFix(p, e, gpuSide, &at, fmt.Sprintf("use %q", text), place.item.Package, text)
			break
		}
		fallthrough
	case used != "":
		at.Message += "; not repaired here, because " + used + " on another target"
	case needed || !place.item.own(e) || option.Flags != "" || strings.Contains(option.OptionValue, "nightly") || slices.ContainsFunc(taken, notOnPyPI):
	default:
		fix = removeItem(e, place.item.Node, finding.Safe, "remove the index of CPU builds")
	}
	p.reportAs(certainly(finding.Error, jobs), at, fix, whyGPU(jobs)...)
}

// notOnPyPI reports whether PyPI may lack a build with GPU code for an item.
func notOnPyPI(pkg listed) bool {
	newest, ok := catalog.NewestBuild(pkg.Requirement.Key)
	if versions, err := pkg.Requirement.Versions(); ok && err == nil && versions.Exact() {
		pin, _ := versions.Pin()
		newest, ok = catalog.FrameworkBuild(pkg.Requirement.Key, pin.String())
		return !ok || newest.GPU != catalog.GPUIncluded || pkg.Requirement.Hashed()
	}
	return pkg.Requirement.Hashed() || ok && newest.GPU != catalog.GPUIncluded
}
