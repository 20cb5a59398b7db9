package main

import (
	"bytes"
	"maps"
	"sync"
)

// diffs remember what the diffs of a run change, so that the diff of a project
// which shares a file with an earlier one goes on from that one's: all of them can
// then be applied one after the other. Texts are kept of shared files alone.
type diffs struct {
	by    map[string]root   // the first project that changes a file, by the file's identity
	lock  sync.RWMutex      // guards texts, which workers read while they plan
	texts map[string][]byte // shared files as the diffs so far leave them
}

// inTurn returns the outcome of a project after those of the projects before it.
// It is planned again only where it was planned over other texts than they leave.
func (k *checking) inTurn(r root, o outcome) outcome {
	if k.diffs.by == nil {
		k.diffs.by = map[string]root{}
	}
	left := map[string][]byte{}
	for _, name := range o.met {
		if first, ok := k.diffs.by[name]; ok {
			if k.diffs.texts[name] == nil {
				k.diffs.keep(name, k.project(first).changed[name])
			}
			left[name] = k.diffs.texts[name]
		}
	}
	r.changed = left
	if !maps.EqualFunc(left, o.over, bytes.Equal) {
		o = k.project(r)
	}
	for name, text := range o.changed {
		if _, ok := left[name]; ok {
			k.diffs.keep(name, text)
		} else {
			k.diffs.by[name] = r
		}
	}
	return o
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
