package schema

import (
	"cmp"
	"path/filepath"
	"slices"
)

// place is what is known about the folders above one that is searched.
type place struct {
	home string // the nearest project, "" for none
	tree string // the repository, "" for none
	top  string // where the search began
	only string // the only project whose files are wanted, "" for all
	// all is the folder that counts as the repository if there is none: the one that was named, or "" for the folder of
	// each file.
	all string
	// apart is the nearest folder above with its own settings, or "".
	apart string
}

// ofV2 returns the folder of the project that a v2 file in a folder belongs to. A repository is one project, since its
// files name each other wherever they are, except for folders with their own settings: settings apply to whole
// projects.
func (at place) ofV2(dir string) string {
	if at.tree != "" {
		return cmp.Or(at.apart, at.tree)
	}
	return cmp.Or(deepest(at.apart, deepest(at.home, at.all)), dir)
}

// deepest returns the deeper one of two folders above the same file.
func deepest(a, b string) string {
	if len(a) > len(b) {
		return a
	}
	return b
}

// treeOf returns the folder of the project that v2 files in a folder of a repository belong to.
func treeOf(dir, tree string) string { return cmp.Or(apart(dir, tree), tree) }

// apart returns the nearest folder with its own settings, from a folder up to the root of its repository, or "".
func apart(dir, tree string) string {
	for up := dir; tree != "" && within(tree, up); up = filepath.Dir(up) {
		if slices.ContainsFunc(settingsNames, func(name string) bool { return exists(filepath.Join(up, name)) }) {
			return up
		}
	}
	return ""
}

// boundary returns the folder that no followed link may leave.
func (at place) boundary() string { return cmp.Or(at.tree, at.top) }

// wants reports whether files of one of some projects are wanted.
func (at place) wants(dirs ...string) bool { return at.only == "" || slices.Contains(dirs, at.only) }
