// Package watch calls a function whenever files change. It polls the files rather than using notifications: polling
// works for every file system, including network and container file systems, with any number of files, and however an
// editor writes them.
package watch

import (
	"context"
	"maps"
	"os"
	"time"
)

// Watcher describes what to watch and what to do. It must be used from one goroutine.
type Watcher struct {
	// Files returns the paths that currently matter; a path need not exist.
	Files func() []string
	// Changed is called at the start and after every change. It returns additional paths that have turned out to
	// matter.
	Changed func() []string
	// Pause is the minimum time between two polls. If polling takes long, the pauses are longer, so that it takes at
	// most a twentieth of the time.
	Pause time.Duration
	// Quiet is how long files must stay unchanged before Changed is called: an editor writes another file first and
	// then renames it, and formatters write many files.
	Quiet time.Duration

	further map[string]bool // returned by Changed
}

// Run watches until ctx is cancelled. A change while Changed runs causes another call, because it is not known whether
// Changed saw it.
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

// changed waits for files that differ from before and have stayed unchanged for some time since. If before is empty, it
// returns at once.
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

// stamp identifies a state of a file. The zero value stands for a missing file.
type stamp struct {
	size int64
	time int64
	mode os.FileMode
}

// look returns the state of the files, and how long it took to determine.
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

// sleep waits, and reports whether ctx was not cancelled in the meantime.
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
