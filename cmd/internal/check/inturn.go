package check

import (
	"bytes"
	"maps"
	"sync"
)

// diffs records what the diffs of a run change, so that the diff of a project that shares a file with an earlier one
// continues from that one's result: all diffs can then be applied one after the other. It keeps only the texts of
// shared files.
type diffs struct {
	by    map[string]Root   // the first project that changes a file, by the file's identity
	lock  sync.RWMutex      // guards texts, which workers read while they plan
	texts map[string][]byte // shared files after the diffs so far
}

// Turn is what must be known about a project's planned repair to make it consistent with those of the preceding
// projects.
type Turn struct {
	changed map[string][]byte // the new texts
	over    map[string][]byte // the texts of earlier repairs on which it was based
	met     []string          // the project's files
}

// InTurn takes the planned repair of a project after those of the preceding projects. If it was based on other texts
// than those leave, InTurn calls again with a project to check once more, and uses the resulting Turn. It must be
// called from one goroutine.
func (c *Checker) InTurn(r Root, t Turn, again func(Root) Turn) {
	d := &c.diffs
	if d.by == nil {
		d.by = map[string]Root{}
	}
	left := map[string][]byte{}
	for _, name := range t.met {
		if first, ok := d.by[name]; ok {
			if d.texts[name] == nil {
				d.keep(name, c.Check(first).Turn.changed[name])
			}
			left[name] = d.texts[name]
		}
	}
	r.changed = left
	if !maps.EqualFunc(left, t.over, bytes.Equal) {
		t = again(r)
	}
	for name, text := range t.changed {
		if _, ok := left[name]; ok {
			d.keep(name, text)
		} else {
			d.by[name] = r
		}
	}
}

// keep records the text of a shared file after the diffs so far.
func (d *diffs) keep(name string, text []byte) {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.texts == nil {
		d.texts = map[string][]byte{}
	}
	d.texts[name] = text
}

// over returns a function that reads a project's files as earlier diffs leave them, as far as known by now, or as
// given. It adds the texts that were read to the returned map.
func (d *diffs) over(given map[string][]byte) (text func(string) ([]byte, bool), read map[string][]byte) {
	read = map[string][]byte{}
	return func(path string) ([]byte, bool) {
		text, ok := given[path]
		if given == nil {
			text, ok = d.text(path)
		}
		if ok {
			read[path] = text
		}
		return text, ok
	}, read
}

func (d *diffs) text(path string) ([]byte, bool) {
	d.lock.RLock()
	defer d.lock.RUnlock()
	text, ok := d.texts[path]
	return text, ok
}
