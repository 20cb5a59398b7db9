package check

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/schema"
)

// Touched returns the projects that some changed files concern: one of their own
// files, a file they refer to, their settings, or anything else in their folder
// that is not in the folder of another project further down. The paths are
// absolute. The error is the cause of ctx.
func Touched(ctx context.Context, roots []Root, paths []string) ([]Root, error) {
	changed := map[string]bool{}
	for _, p := range paths {
		changed[p], changed[schema.Identity(p)] = true, true
	}
	owners := map[string]int{}
	for i, r := range roots {
		owners[r.Dir] = i
	}
	hit := make([]bool, len(roots))
	for p := range changed {
		for dir := filepath.Dir(p); ; dir = filepath.Dir(dir) {
			if i, ok := owners[dir]; ok {
				hit[i] = true
				break
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	refers := func(r Root) bool {
		return slices.ContainsFunc(r.Load(Answers{}).Files, func(f *schema.File) bool { return changed[f.Path] })
	}
	var rest []int
	for i, r := range roots {
		if hit[i] = hit[i] || r.Settings.Path != "" && changed[r.Settings.Path]; !hit[i] && len(changed) > 0 {
			rest = append(rest, i)
		}
	}
	next := 0
	err := pool.Each(ctx, rest, func(i int) bool { return refers(roots[i]) }, func(yes bool) bool {
		hit[rest[next]] = yes
		next++
		return true
	})
	var kept []Root
	for i, r := range roots {
		if hit[i] {
			kept = append(kept, r)
		}
	}
	return kept, err
}
