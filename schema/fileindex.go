package schema

import (
	"path"
	"sync"
)

// fileIndex finds the files of a project by their names: a folder may hold thousands. The zero value is empty.
type fileIndex struct {
	mutex         sync.Mutex
	count         int // how many files are in it
	byPath, byRel map[string]*File
	folders       map[string]bool // of byRel, once it has been queried
}

// holds reports whether one of the files is below a folder.
func (i *fileIndex) holds(rel string) bool {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if i.folders == nil {
		i.folders = map[string]bool{}
		for name := range i.byRel {
			for dir := path.Dir(name); !i.folders[dir]; dir = path.Dir(dir) {
				i.folders[dir] = true
			}
		}
	}
	return i.folders[rel]
}

// of returns the index of files, to which more may have been added since the last call. Of several with one name, the
// first counts.
func (i *fileIndex) of(files []*File) *fileIndex {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if i.byPath == nil {
		i.byPath, i.byRel = make(map[string]*File, len(files)), make(map[string]*File, len(files))
	}
	if i.count < len(files) {
		i.folders = nil
	}
	for ; i.count < len(files); i.count++ {
		f := files[i.count]
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
