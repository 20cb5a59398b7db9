package schema

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// Identity returns the canonical name of a file or folder: absolute, with links followed, and each part spelled as in
// the folder that holds it, so that every way to name a file gives the same name even on a file system that folds case.
// The name of what does not exist is returned as it is written. Hard links are separate files, as they are for git.
func Identity(name string) string { return IdentityFrom("", name) }

// IdentityFrom is Identity for a path that may lie below an absolute folder whose identity is known: that is not looked
// up again.
func IdentityFrom(folder, name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	return (&resolver{folders: map[string]string{folder: folder}}).identity(abs)
}

// Below reports whether a path is a folder or lies in it; both are absolute and spelled alike.
func Below(folder, path string) bool {
	if within(folder, path) && !strings.Contains(path, "..") {
		return true
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// resolver finds identities, and caches those of folders, including missing ones. It must not be used concurrently.
type resolver struct {
	folders map[string]string
	missing map[string]bool // by identity
}

func (r *resolver) identity(abs string) string {
	if known, ok := r.folders[abs]; ok {
		return known
	}
	up := above(abs)
	if up == abs {
		return abs
	}
	folder := r.identity(up)
	name := entryOf(folder, filepath.Base(abs))
	if r.missing[folder] || r.missing[name] {
		return name
	}
	info, err := os.Lstat(name)
	if err != nil {
		if r.missing == nil {
			r.missing = map[string]bool{}
		}
		r.missing[name] = true
		return name
	}
	if info.Mode()&os.ModeSymlink == 0 {
		name = entryOf(folder, spelling(folder, info.Name(), info))
	} else if target, err := filepath.EvalSymlinks(name); err == nil && target != name {
		name = r.identity(target)
	}
	if info.IsDir() || info.Mode()&os.ModeSymlink != 0 {
		if r.folders == nil {
			r.folders = map[string]string{}
		}
		r.folders[abs] = name
	}
	return name
}

// spelling returns the name that a folder's listing has for one of its entries. The folder is read only if the file is
// also found with the case of all letters swapped.
func spelling(folder, name string, info os.FileInfo) string {
	other := strings.Map(otherCase, name)
	if other == name {
		return name
	}
	if _, err := os.Lstat(filepath.Join(folder, other)); err != nil {
		return name
	}
	entries, err := os.ReadDir(folder)
	if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == name }) {
		return name
	}
	for _, e := range entries {
		if strings.EqualFold(e.Name(), name) {
			return e.Name()
		}
	}
	for _, e := range entries { // by a short name, or one with accents in another form
		if found, err := e.Info(); err == nil && os.SameFile(info, found) {
			return e.Name()
		}
	}
	return name
}

func otherCase(r rune) rune {
	if upper := unicode.ToUpper(r); upper != r {
		return upper
	}
	return unicode.ToLower(r)
}

// within reports whether a path is a folder or lies in it; both are identities.
func within(folder, name string) bool {
	rest, ok := strings.CutPrefix(name, folder)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(folder[len(folder)-1]))
}

// readableIn reports whether a file that something in a tree names may be read: it must lie in the tree, and not belong
// to version control or amlfix, whose files hold credentials.
func readableIn(tree, name string) bool {
	if !within(tree, name) {
		return false
	}
	for part := range strings.FieldsFuncSeq(name[len(tree):], func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) }) { //nolint:gosec // ASCII fits
		switch part {
		case ".git", ".hg", ".svn", ".amlfix":
			return false
		}
	}
	return true
}
