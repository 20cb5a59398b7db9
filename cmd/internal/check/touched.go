package check

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/schema"
)

// Touched returns the projects affected by changed files: files of their own, files they refer to, their settings, or
// anything else in their folder that is not in the folder of a nested project. For v2 files, which form one project in
// a whole repository, the scope is limited to the affected ones. The paths are absolute. The error is the cause of ctx.
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
			if r.OnlyV2(r.Dir) && !changed[r.Settings.Path] && (r.scope == nil || len(r.scope.folders) > 0) {
				r.narrow(r.around(changed))
			}
			kept = append(kept, r)
		}
	}
	return kept, err
}

// around returns the scope of changed files in a v2 project: these files, and the project's files in the nearest folder
// above each that has any, as far as they are in the project's scope.
func (r Root) around(changed map[string]bool) *scope {
	s, old := &scope{files: maps.Clone(changed)}, r.scope
	in := map[string][]string{}
	for _, f := range r.Files.All() {
		in[filepath.Dir(f)] = append(in[filepath.Dir(f)], f)
	}
	for p := range changed {
		for dir := filepath.Dir(p); schema.Below(r.Dir, dir); dir = filepath.Dir(dir) {
			if files := in[dir]; len(files) > 0 {
				for _, f := range files {
					s.files[f] = true
				}
				break
			}
		}
	}
	maps.DeleteFunc(s.files, func(f string, _ bool) bool { return old != nil && !old.holds(f) })
	return s
}
