package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/git"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/schema"
)

// touched returns the projects that have changed since a revision: one of their
// files, a file they refer to, their settings, or anything else in their folder
// that is not in the folder of another project further down.
func (c *Command) touched(ctx context.Context, roots []root, args []string, revision string) ([]root, error) {
	changed := map[string]bool{}
	for _, dir := range c.foldersOf(args) {
		paths, err := git.Changed(ctx, dir, revision)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, usage("check", "--since %s: %v", revision, err)
		}
		for _, p := range paths {
			changed[p], changed[schema.Identity(p)] = true, true
		}
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
	refers := func(r root) bool {
		return slices.ContainsFunc(r.load(answers{}).Files, func(f *schema.File) bool { return changed[f.Path] })
	}
	var rest []int
	for i, r := range roots {
		if hit[i] = hit[i] || r.settings.Path != "" && changed[r.settings.Path]; !hit[i] && len(changed) > 0 {
			rest = append(rest, i)
		}
	}
	next := 0
	err := pool.Each(ctx, rest, func(i int) bool { return refers(roots[i]) }, func(yes bool) bool {
		hit[rest[next]] = yes
		next++
		return true
	})
	var kept []root
	for i, r := range roots {
		if hit[i] {
			kept = append(kept, r)
		}
	}
	return kept, err
}

// foldersOf returns the folders of the paths on the command line, each once.
func (c *Command) foldersOf(args []string) (dirs []string) {
	if len(args) == 0 {
		args = []string{"."}
	}
	for _, arg := range args {
		dir := c.identity(arg)
		if info, err := os.Stat(dir); err != nil {
			continue // it has been said
		} else if !info.IsDir() {
			dir = filepath.Dir(dir)
		}
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}
