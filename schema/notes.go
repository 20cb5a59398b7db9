package schema

import "sync"

// notes cache what has been computed from a file alone. Versions of a project with the same file share them (see
// Project.With).
type notes struct {
	mutex sync.Mutex
	seen  classified // the kind as which the file was examined
	known uint64     // one bit for each note
	list  []note     // those that are set

	common *notes // of all files with the same text, or nil
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
// several versions of a project. Whether there is a result must not depend on where the project is. Note is safe for
// concurrent use.
func Note[T any](f *File, n int, find func(*File) []T) []T { return noted(f, n, find, false) }

// TextNote is Note for results that do not depend on where the project is, either: those that name no file.
func TextNote[T any](f *File, n int, find func(*File) []T) []T { return noted(f, n, find, true) }

func noted[T any](f *File, n int, find func(*File) []T, ofText bool) []T {
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
		f.notes.put(f, n, nil, true)
	} else {
		f.notes.put(f, n, found, ofText)
	}
	return found
}

// KnownClean reports whether NoteClean has noted that nothing is found in the file, or in another one with its text.
func KnownClean(f *File, n int) (known bool) {
	if f.notes != nil {
		_, known = f.notes.get(f, n)
	}
	return known
}

// NoteClean is described at KnownClean. n is below 64, and no number of Note.
func NoteClean(f *File, n int) {
	if f.notes != nil {
		f.notes.put(f, n, nil, true)
	}
}

func (n *notes) get(f *File, of int) (value any, known bool) {
	if n.common != nil {
		if value, known = n.common.find(f, of); known {
			return value, true
		}
	}
	return n.find(f, of)
}

// put keeps a result, with ofText for all files with this text that count as the first one does.
func (n *notes) put(f *File, of int, value any, ofText bool) {
	now := classified{f.Rel, f.Kind, f.Dialect, f.V2}
	if n.common != nil && ofText && n.common.add(now, of, value, false) {
		return
	}
	n.add(now, of, value, true)
}

func (n *notes) find(f *File, of int) (value any, known bool) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if s := &n.seen; n.known&(1<<of) == 0 || s.kind != f.Kind || s.dialect != f.Dialect || s.v2 != f.V2 || s.rel != f.Rel {
		return nil, false
	}
	for i := range n.list {
		if n.list[i].of == of {
			return n.list[i].value, true
		}
	}
	return nil, true
}

// add keeps a result for files that count as one does, and reports whether it could. With replace, it forgets those for
// files that count as something else.
func (n *notes) add(now classified, of int, value any, replace bool) bool {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.seen != now {
		if n.known != 0 && !replace {
			return false
		}
		n.seen, n.known, n.list = now, 0, nil
	}
	if n.known&(1<<of) != 0 {
		return true // another project was faster
	}
	if n.known |= 1 << of; value != nil {
		n.list = append(n.list, note{of, value})
	}
	return true
}
