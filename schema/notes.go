package schema

import "sync"

// notes cache what has been computed from a file alone. Versions of a project with the same file share them (see
// Project.With).
type notes struct {
	mutex sync.Mutex
	seen  classified // the kind as which the file was examined
	known uint64     // one bit for each note
	list  []note     // those that are set
}

// note is a result and its subject.
type note struct {
	of    int
	value any
}

// classified is how a project classifies a file, which another may do differently.
type classified struct {
	rel     string
	kind    Kind
	dialect Dialect
	v2      V2Kind
}

// Note returns what find returned for the file when note n, which is below 64, was first requested. find may read only
// its file, which lacks what depends on other files (Uses), and its result must not be changed: the file may be part of
// several versions of a project. Note is safe for concurrent use.
func Note[T any](f *File, n int, find func(*File) []T) []T {
	if f.notes == nil {
		return find(f) // a file that nobody has read
	}
	if value, known := f.notes.get(f, n); known {
		list, _ := value.([]T) // an empty file keeps none
		return list
	}
	alone := f
	if f.Uses != nil {
		copied := *f
		copied.Uses = nil
		alone = &copied
	}
	found := find(alone)
	if len(found) == 0 {
		f.notes.put(f, n, nil)
	} else {
		f.notes.put(f, n, found)
	}
	return found
}

// look forgets the notes of a file that now counts as another kind.
func (n *notes) look(f *File) {
	if now := (classified{f.Rel, f.Kind, f.Dialect, f.V2}); n.seen != now {
		n.seen, n.known, n.list = now, 0, nil
	}
}

func (n *notes) get(f *File, of int) (value any, known bool) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.look(f); n.known&(1<<of) == 0 {
		return nil, false
	}
	for _, note := range n.list {
		if note.of == of {
			return note.value, true
		}
	}
	return nil, true
}

func (n *notes) put(f *File, of int, value any) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.look(f)
	if n.known |= 1 << of; value != nil {
		n.list = append(n.list, note{of, value})
	}
}
