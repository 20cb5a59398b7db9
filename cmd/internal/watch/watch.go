// Package watch calls a function again whenever files change. It looks at the
// files from time to time and is not called by the system: that works for every
// file system, also for those of networks and containers, with any number of
// files, and for whatever way an editor writes.
package watch

import (
	"context"
	"maps"
	"os"
	"time"
)

// Watcher says what to watch and what to do. It is for one goroutine.
type Watcher struct {
	// Files returns the paths that matter as things are; a path may lead to nothing.
	Files func() []string
	// Changed is called in the beginning, and after every change. It returns further
	// paths that have turned out to matter.
	Changed func() []string
	// Pause is the shortest time between two looks. Where a look takes long, the
	// pauses are longer, so that it takes a twentieth of the time at most.
	Pause time.Duration
	// Quiet is how long files must stay as they are before Changed is called: an
	// editor writes another file first and renames it then, and formatters write
	// many files.
	Quiet time.Duration

	further map[string]bool // what Changed has returned
}

// Run watches until ctx is cancelled. What changes while Changed runs is a change
// again, for nobody knows whether it was seen.
func (w *Watcher) Run(ctx context.Context) {
	w.further = map[string]bool{}
	for before := (map[string]stamp)(nil); ; {
		now, ok := w.changed(ctx, before)
		if !ok {
			return
		}
		for _, path := range w.Changed() {
			if _, known := now[path]; !known {
				now[path] = stampOf(path)
			}
			w.further[path] = true
		}
		before = now
	}
}

// changed waits for files that differ from those before, and have stayed as they
// are for some time since. Without any before it returns at once.
func (w *Watcher) changed(ctx context.Context, before map[string]stamp) (now map[string]stamp, ok bool) {
	now, took := w.look()
	if before == nil {
		return now, ctx.Err() == nil
	}
	for maps.Equal(before, now) {
		if !sleep(ctx, max(w.Pause, 19*took)) {
			return nil, false
		}
		now, took = w.look()
	}
	for {
		if !sleep(ctx, max(w.Quiet, 19*took)) {
			return nil, false
		}
		last := now
		if now, took = w.look(); maps.Equal(last, now) {
			return now, true
		}
	}
}

// stamp is what tells a file from what it was. The zero value is that of none.
type stamp struct {
	size int64
	time int64
	mode os.FileMode
}

// look returns how the files are, and how long it took to find out.
func (w *Watcher) look() (map[string]stamp, time.Duration) {
	began := time.Now()
	list := map[string]stamp{}
	for path := range w.further {
		list[path] = stampOf(path)
	}
	for _, path := range w.Files() {
		if !w.further[path] {
			list[path] = stampOf(path)
		}
	}
	return list, time.Since(began)
}

func stampOf(path string) stamp {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return stamp{info.Size(), info.ModTime().UnixNano(), info.Mode()}
	}
	return stamp{}
}

// sleep waits; it reports whether ctx was not cancelled meanwhile.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
