package check

import (
	"bytes"
	"maps"
	"sync"
)

// diffs remember what the diffs of a run change, so that the diff of a project
// which shares a file with an earlier one continues from that one's: all of them can
// then be applied one after the other. Texts are kept of shared files alone.
type diffs struct {
	by    map[string]Root   // the first project that changes a file, by the file's identity
	lock  sync.RWMutex      // guards texts, which workers read while they plan
	texts map[string][]byte // shared files as the diffs so far leave them
}

// Turn is what must be known of one project's planned repair to bring it in line
// with those of the projects before it.
type Turn struct {
	changed map[string][]byte // the new texts
	over    map[string][]byte // the texts of earlier repairs that it was planned over
	met     []string          // the project's files
}

// InTurn takes the planned repair of a project after those of the projects before
// it. Where it was planned over other texts than they leave, again is called with
// what to check once more, and returns the Turn of that. It is for one goroutine.
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

// keep remembers the text that the diffs so far leave of a shared file.
func (d *diffs) keep(name string, text []byte) {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.texts == nil {
		d.texts = map[string][]byte{}
	}
	d.texts[name] = text
}

// over returns how a project's files are read over the texts that earlier diffs
// leave of them, as far as they are known by now, or over the given ones. The map
// comes to hold the texts that were read.
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
