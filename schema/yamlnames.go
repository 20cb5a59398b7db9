package schema

import (
	"bytes"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// identities finds the identities of what the files of a project name, most of which is in its own folders, whose
// identities are known.
type identities struct {
	around *resolver // for all projects
	dir    string
	own    resolver
}

func (i *identities) of(abs string) string {
	if within(i.dir, abs) {
		return i.own.identity(abs)
	}
	return i.around.identity(abs)
}

// words are the names in files of a folder, which mostly have the same.
type words struct {
	folder string
	met    map[string]bool
}

// isNew adds a name in a file of a folder, and reports whether it is new.
func (w *words) isNew(folder string, name []byte) bool {
	if w.folder != folder || w.met == nil {
		w.folder, w.met = folder, map[string]bool{}
	}
	if w.met[string(name)] {
		return false
	}
	w.met[string(name)] = true
	return true
}

// named adds the identities of the YAML files that a run configuration names outside its own folder, and returns its
// text, nil if it cannot be read. The text is scanned, not parsed: a word too many only costs a check of a project that
// turns out not to use the file.
func named(r *identities, root Root, name string, files map[string]bool, met *words) []byte {
	text, err := readOf(root, name)
	if err != nil {
		return nil
	}
	folder := above(name)
	flat := root.Flat && above(folder) == root.Dir && isConfigFolder(filepath.Base(folder))
	r.own.folders[folder] = folder
	for rel := range yamlNames(text) {
		if !met.isNew(folder, rel) {
			continue
		}
		for _, at := range placesOf(filepath.Clean(filepath.FromSlash(Slashes(string(rel)))), root.Dir, folder) {
			if at == "" || above(at) == folder || flat && within(folder, at) {
				continue
			}
			if id := r.of(at); !r.own.missing[id] && !r.own.missing[above(id)] {
				files[id] = true
			}
		}
	}
	return text
}

// placesOf returns the places that a clean path in a run configuration of a folder may mean; empty ones are
// repetitions.
func placesOf(rel, root, folder string) (places [3]string) {
	if filepath.IsAbs(rel) {
		return [3]string{rel}
	}
	for i, dir := range []string{root, folder, above(folder)} {
		switch {
		case i == 2 && dir == root:
		case os.IsPathSeparator(rel[0]), rel[0] == '.':
			places[i] = filepath.Join(dir, rel)
		default:
			places[i] = entryOf(dir, rel)
		}
	}
	return places
}

// between are the bytes between words.
var between = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, '"': true, '\'': true, ',': true, ':': true, '[': true, ']': true, '{': true, '}': true}

// yamlNames yields the words of a text that end like the names of YAML files.
func yamlNames(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := 0; ; at++ {
			dot := bytes.IndexByte(text[at:], '.')
			if dot < 0 {
				return
			}
			at += dot
			end := at + len(".yml")
			if end > len(text) || text[at+1]|0x20 != 'y' {
				continue // of a number or another name
			}
			if end < len(text) && (text[end-1] == 'm' || text[end-1] == 'M') {
				end++
			}
			if end < len(text) && !between[text[end]] {
				continue
			}
			if suffix := string(text[at:end]); !strings.EqualFold(suffix, ".yml") && !strings.EqualFold(suffix, ".yaml") {
				continue
			}
			start := at
			for start > 0 && !between[text[start-1]] {
				start--
			}
			if !yield(text[start:end]) {
				return
			}
		}
	}
}
