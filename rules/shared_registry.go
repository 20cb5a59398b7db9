package rules

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// addressWords are the words at the odd places of an address in a registry: registries/R/environments/E/versions/1. The
// second is the kind of asset.
var addressWords = [][]string{{"registries"}, nil, {"versions", "labels"}}

// misspeltAddress reports an address in a registry with a misspelt word, or with a version or label as a reference
// without an address has it.
func misspeltAddress(p *Pass, at v2Asset) (found bool) {
	rest, ok := strings.CutPrefix(at.Text, "azureml://")
	if !ok {
		return false
	}
	parts := strings.Split(rest, "/")
	if len(parts) < 4 || !typoOf(parts[0], "registries") {
		return false
	}
	right := slices.Clone(parts)
	for i, words := range addressWords {
		if words == nil {
			words = []string{at.asset}
		}
		if 2*i < len(parts) && !slices.Contains(words, strings.ToLower(parts[2*i])) {
			if n := slices.IndexFunc(words, func(word string) bool { return typoOf(parts[2*i], word) }); n >= 0 {
				right[2*i] = words[n]
			}
		}
	}
	if name, label, ok := strings.Cut(parts[3], "@"); ok && len(parts) == 4 && label != "" {
		right = append(right[:3], name, "labels", label)
	} else if name, version, ok := strings.Cut(parts[3], ":"); ok && len(parts) == 4 && version != "" {
		right = append(right[:3], name, "versions", version)
	}
	address := "azureml://" + strings.Join(right, "/")
	if newest, ok := strings.CutSuffix(address, "/versions/latest"); ok && address == at.Text {
		newest += "/labels/latest"
		p.reportAs(finding.Warning, at.Location("after versions, Azure ML takes latest for the name of one version, not for the newest: write "+shown(newest)),
			at.Fix(finding.Text(newest), finding.Unsafe, "take the latest version"))
		return true
	}
	if address == at.Text {
		return false
	}
	p.report(at.Location("Azure ML finds nothing at this address when the file is submitted: write "+shown(address)),
		at.Fix(finding.Text(address), finding.Safe, "correct the address"))
	return true
}

// typoOf reports whether a word is another, or differs from it in less than a third.
func typoOf(word, right string) bool {
	limit := len(right) / 3
	return plain.DistanceWithin(strings.ToLower(word), right, limit) <= limit
}
