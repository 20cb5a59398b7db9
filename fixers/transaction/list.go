package transaction

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// How long, and how much of, what undo needs is kept. It holds old contents, with
// the secrets that were in them, so that it is not kept for ever.
const defaultDays = 30

// keepSize is in bytes, over all projects; tests change it.
var keepSize = int64(64 << 20)

// Record is a transaction that can be undone, as far as its store says: it is read
// without a lock, so another amlfix may undo or expire it at any time, and whether
// its files were edited since only Undo finds out.
type Record struct {
	// Root is the project's folder, links followed.
	Root string
	// Time is when the transaction was made.
	Time time.Time
	// Expires is when it will be forgotten, unless room is needed before.
	Expires time.Time
	// Files are the files it changed, as absolute paths.
	Files []string
	// Size is what it takes, in bytes.
	Size int64

	store, dir string
	entries    []entry
}

// MovedTo reports whether the project was moved to a folder: its own is gone, and
// there all files are as the transaction has left them.
func (r Record) MovedTo(folder string) bool {
	if _, err := os.Stat(r.Root); err == nil {
		return false
	}
	return !slices.ContainsFunc(r.entries, func(e entry) bool {
		rel, err := filepath.Rel(r.Root, e.target())
		text, missing := os.ReadFile(filepath.Join(folder, rel))
		return err != nil || e.New != "" && (missing != nil || hash(text) != e.New)
	})
}

// List returns the transactions of all projects that can be undone, the newest
// first, without locking or creating anything. What cannot be read is passed over.
func List(folder string) []Record {
	var list []Record
	names, _ := filepath.Glob(filepath.Join(folder, "*", "*", undoName))
	for _, name := range names {
		dir := filepath.Dir(name)
		s := &Store{}
		var err error
		if s.dir, err = disk.Make(filepath.Dir(dir)); err != nil {
			continue
		}
		j, err := s.readJournal(filepath.Base(dir), undoName)
		s.dir.Close()
		if err != nil {
			continue
		}
		r := Record{Root: j.Root, Time: j.Time, Expires: j.Time.Add(keepFor()), Size: sizeOf(dir), store: filepath.Dir(dir), dir: filepath.Base(dir), entries: j.Files}
		for _, e := range j.Files {
			r.Files = append(r.Files, e.target())
		}
		list = append(list, r)
	}
	plain.SortFunc(list, func(a, b Record) int { return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(b.dir, a.dir)) })
	return list
}

func sizeOf(dir string) (size int64) {
	names, _ := os.ReadDir(dir)
	for _, n := range names {
		if info, err := n.Info(); err == nil {
			size += info.Size()
		}
	}
	return size
}

// keepFor is how long undo data is kept: AMLFIX_UNDO_DAYS, or 30 days.
func keepFor() time.Duration {
	days, err := strconv.Atoi(os.Getenv("AMLFIX_UNDO_DAYS"))
	if err != nil || days < 0 {
		days = defaultDays
	}
	return time.Duration(days) * 24 * time.Hour
}

// Expire forgets, in all stores, what is too old or more than the size allows,
// the oldest first. The newest one stays. A store that another process holds is
// left for the next time.
func Expire(folder string) {
	size := int64(0)
	for i, r := range List(folder) {
		size += r.Size
		if i > 0 && (size > keepSize || time.Now().After(r.Expires)) {
			r.forget()
		}
	}
}

func (r Record) forget() {
	s := &Store{step: func(string) {}}
	var err error
	if s.dir, err = disk.Make(r.store); err != nil {
		return
	}
	defer s.dir.Close()
	if s.lock, err = s.dir.Lock("lock", 0); err != nil {
		return
	}
	defer s.lock.Close()
	_ = s.forget(r.dir, undoName) // tried again the next time
}
