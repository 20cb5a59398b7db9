package main

import (
	"maps"

	"github.com/amlfix/amlfix/schema"
)

// diffs remember what the diffs of a run change, so that the diff of a project
// which shares a file with an earlier one goes on from that one's: all of them can
// then be applied one after the other. Texts are kept of shared files alone.
type diffs struct {
	by    map[string]root   // the first project that changes a file, by the file's identity
	texts map[string][]byte // shared files as the diffs so far leave them
}

// inTurn returns the outcome of a project after those of the projects before it.
func (k *checking) inTurn(r root, o outcome) outcome {
	if k.diffs.by == nil {
		k.diffs = diffs{map[string]root{}, map[string][]byte{}}
	}
	shared := map[string][]byte{}
	for name := range o.changed {
		if first, ok := k.diffs.by[name]; ok {
			if k.diffs.texts[name] == nil {
				k.diffs.texts[name] = k.project(first).changed[name]
			}
			shared[name] = k.diffs.texts[name]
		}
	}
	if len(shared) > 0 {
		r.changed = shared
		o = k.project(r)
	}
	for name, text := range o.changed {
		if _, ok := shared[name]; ok {
			k.diffs.texts[name] = text
		} else {
			k.diffs.by[name] = r
		}
	}
	return o
}

// afterOthers returns a project with the texts that earlier ones have given to
// files it shares with them.
func (r root) afterOthers(p *schema.Project) *schema.Project {
	if len(r.changed) == 0 {
		return p
	}
	return p.With(maps.Clone(r.changed))
}
