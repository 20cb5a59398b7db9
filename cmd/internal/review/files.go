package review

import (
	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/schema"
)

// countFiles counts the files that were read; those that are not a project's own, which other projects may read as
// well, are listed.
func countFiles(p *schema.Project, own schema.Paths) (n int, outside []string) {
	found := map[string]bool{}
	all := len(p.Files) == own.Len() // nothing joined them, so all are its own
	if !all {
		for _, name := range own.All() {
			found[name] = true
		}
	}
	for _, f := range p.Files {
		switch {
		case f.Kind == schema.Unknown || f.Kind == schema.Settings:
		case (all || found[f.Path]) && schema.Below(p.Root, f.Path):
			n++
		default:
			outside = append(outside, f.Path)
		}
	}
	return n, outside
}

// countOutside returns how many of the files no project has counted yet.
func (k *Review) countOutside(roots []check.Root, names []string) (n int) {
	for _, name := range names {
		if k.counted == nil {
			k.counted = map[string]bool{}
			for _, r := range roots {
				for _, f := range r.Files.All() {
					k.counted[f] = k.counted[f] || schema.Below(r.Dir, f)
				}
			}
		}
		if !k.counted[name] {
			k.counted[name] = true
			n++
		}
	}
	return n
}
