package schema

import "sync"

// fileIndex finds the files of a project by their names: a folder may hold
// thousands. The zero value is empty.
type fileIndex struct {
	mutex         sync.Mutex
	count         int // how many files are in it
	byPath, byRel map[string]*File
}

// of returns the index of files, to which others may have been added since it was
// last asked for. Of several with one name the first counts.
func (i *fileIndex) of(files []*File) *fileIndex {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if i.byPath == nil {
		i.byPath, i.byRel = make(map[string]*File, len(files)), make(map[string]*File, len(files))
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
