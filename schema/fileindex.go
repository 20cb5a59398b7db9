package schema

import (
	"path"
	"slices"
	"sync"
)

// few is the number of files up to which looking at each is faster than a map. A folder may hold thousands.
const few = 16

// fileIndex finds the files of a project by their names. Of several with one name, the first counts. The zero value is
// empty.
type fileIndex struct {
	mutex         sync.Mutex
	list          []*File          // in the order in which they were read
	count         int              // how many of them are in the next two
	byPath, byRel map[string]*File // nil for few files
	walked        int              // how many of them are in the next
	folders       map[string]bool  // of all names, once it has been queried
}

// path returns the file with a Path, or nil.
func (i *fileIndex) path(name string) *File {
	if i.byPath != nil {
		return i.byPath[name]
	}
	return first(i.list, func(f *File) bool { return f.Path == name })
}

// rel returns the file that has a path from the root, or nil.
func (i *fileIndex) rel(name string) *File {
	if i.byRel != nil {
		return i.byRel[name]
	}
	return first(i.list, func(f *File) bool { return f.Rel == name || slices.Contains(f.Also, name) })
}

func first(list []*File, want func(*File) bool) *File {
	if i := slices.IndexFunc(list, want); i >= 0 {
		return list[i]
	}
	return nil
}

// holds reports whether one of the files is below a folder.
func (i *fileIndex) holds(rel string) bool {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if i.folders == nil {
		i.folders = map[string]bool{}
	}
	for ; i.walked < len(i.list); i.walked++ {
		f := i.list[i.walked]
		for _, name := range append([]string{f.Rel}, f.Also...) {
			for dir := path.Dir(name); !i.folders[dir]; dir = path.Dir(dir) {
				i.folders[dir] = true
			}
		}
	}
	return i.folders[rel]
}

// of returns the index of files, to which more may have been added since the last call.
func (i *fileIndex) of(files []*File) *fileIndex {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if n := len(i.list); n < len(files) {
		i.list = append(i.list, files[n:]...)
	}
	if len(i.list) <= few {
		return i
	}
	if i.byPath == nil {
		i.byPath, i.byRel = make(map[string]*File, len(files)), make(map[string]*File, len(files))
	}
	for ; i.count < len(i.list); i.count++ {
		f := i.list[i.count]
		if i.byPath[f.Path] == nil {
			i.byPath[f.Path] = f
		}
		for _, rel := range append([]string{f.Rel}, f.Also...) {
			if i.byRel[rel] == nil {
				i.byRel[rel] = f
			}
		}
	}
	return i
}
