package transaction

import (
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// How long undo data is kept, and how much. It holds old contents, including the secrets that were in them, so it is
// not kept forever.
const defaultDays = 30

// keepSize is in bytes, over all projects; tests change it.
var keepSize = int64(64 << 20)

// Record is a transaction that can be undone, according to its store. It is read without a lock, so another amlfix may
// undo or expire it at any time, and only Undo finds out whether its files were edited since.
type Record struct {
	// Root is the project's folder, links followed.
	Root string
	// Time is when the transaction was made.
	Time time.Time
	// Expires is when it will be forgotten, unless space is needed earlier.
	Expires time.Time
	// Files are the files it changed, as absolute paths.
	Files []string

	dir     string // of the transaction, in its store
	entries []entry
}

// MovedTo reports whether the project was moved to a folder: its original folder is gone, and in the new one all files
// are as the transaction left them.
func (r Record) MovedTo(folder string) bool {
	if _, err := os.Stat(r.Root); err == nil {
		return false
	}
	return r.leftIn(folder)
}

// Undisturbed reports whether all files are as the transaction left them.
func (r Record) Undisturbed() bool { return r.leftIn(r.Root) }

// leftIn reports whether all files in a folder are as the transaction left those of the project.
func (r Record) leftIn(folder string) bool {
	return !slices.ContainsFunc(r.entries, func(e entry) bool {
		rel, err := filepath.Rel(r.Root, e.target())
		text, _, missing := disk.ReadUpTo(filepath.Join(folder, rel), source.MaxSize)
		return err != nil || e.New != "" && (missing != nil || hash(text) != e.New)
	})
}

// List returns the transactions of all projects that can be undone, newest first, without locking or creating anything.
// It skips what cannot be read.
func List(folder string) []Record {
	var list []Record
	for dir := range transactions(folder) {
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
		r := Record{Root: j.Root, Time: j.Time, Expires: j.Time.Add(keepFor()), entries: j.Files, dir: filepath.Base(dir)}
		for _, e := range j.Files {
			r.Files = append(r.Files, e.target())
		}
		list = append(list, r)
	}
	plain.SortFunc(list, func(a, b Record) int { return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(b.dir, a.dir)) })
	return list
}

// transactions yields the folders of the transactions in all stores. Most stores have none: what they had was undone or
// has expired.
func transactions(folder string) iter.Seq[string] {
	return func(yield func(string) bool) {
		stores, _ := os.ReadDir(folder)
		for _, store := range stores {
			dirs, _ := os.ReadDir(filepath.Join(folder, store.Name()))
			for _, d := range dirs {
				if d.IsDir() && !yield(filepath.Join(folder, store.Name(), d.Name())) {
					return
				}
			}
		}
	}
}

// sizeOf returns the space that a transaction takes, in bytes.
func sizeOf(dir string) (size int64) {
	names, _ := os.ReadDir(dir)
	for _, n := range names {
		if info, err := n.Info(); err == nil && n.Name() != commitName { // a second name of the journal
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

// stampName is a file in the folder of the stores, whose time is that of the last expire.
const stampName = "expired"

// ExpireHourly calls expire at most once an hour, because expire reads every store, one for each project that was ever
// repaired, and not in the first hour, when nothing is old. If AMLFIX_UNDO_DAYS is set, it always calls expire.
func ExpireHourly(folder string) {
	stamp, err := os.Lstat(filepath.Join(folder, stampName))
	always, first := os.Getenv("AMLFIX_UNDO_DAYS") != "", errors.Is(err, fs.ErrNotExist)
	if err == nil && time.Since(stamp.ModTime()).Abs() < time.Hour && !always {
		return
	}
	if dir, err := disk.Make(folder); err == nil {
		_ = dir.ReplaceSoon(stampName, nil, 0o600) // looked again the next time
		dir.Close()
	}
	if always || !first {
		expire(folder)
	}
}

// expire forgets, in all stores, the transactions that are too old or exceed the size, oldest first. The newest one is
// kept. A store that another process has locked is left for the next time. No journal is read: its age is that of its
// file.
func expire(folder string) {
	type kept struct {
		store, dir string
		since      time.Time
	}
	var list []kept
	for dir := range transactions(folder) {
		if info, err := os.Lstat(filepath.Join(dir, undoName)); err == nil {
			list = append(list, kept{filepath.Dir(dir), filepath.Base(dir), info.ModTime()})
		}
	}
	plain.SortFunc(list, func(a, b kept) int { return cmp.Or(b.since.Compare(a.since), cmp.Compare(b.dir, a.dir)) })
	size, oldest := int64(0), time.Now().Add(-keepFor())
	for i, k := range list {
		size += sizeOf(filepath.Join(k.store, k.dir))
		if i > 0 && (size > keepSize || k.since.Before(oldest)) {
			forget(k.store, k.dir)
		}
	}
}

// forget removes a transaction of a store that no other process has locked, unless one of the store is unfinished.
func forget(store, dir string) {
	s := &Store{step: func(string) {}}
	var err error
	if s.dir, err = disk.Make(store); err != nil {
		return
	}
	defer s.dir.Close()
	if s.lock, err = s.dir.Lock("lock", 0); err != nil {
		return
	}
	defer s.lock.Close()
	if open, err := s.journals(journalName); err == nil && len(open) == 0 { // a killed undo may need it
		_ = s.forget(dir, undoName) // tried again the next time
	}
}
