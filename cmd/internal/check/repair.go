package check

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/finding"
)

// attemptWith is attempt with a lock held.
func (c *Checker) attemptWith(lock sync.Locker, r Root) (Result, error) {
	lock.Lock()
	defer lock.Unlock()
	return c.attempt(r)
}

// attempt computes a project's repair and writes it if requested. An error means that files were not written; the
// result then says what is on disk.
func (c *Checker) attempt(r Root) (Result, error) {
	r.shared = c.unwritten(r.sharing.Take(r.Dir))
	out, err := c.plan(r, c.Answers, func(f finding.Finding) bool { return c.Repair && c.allow(f) })
	if err != nil {
		return out, err
	}
	if c.Ignores != nil {
		if out.Patch, err = c.withIgnores(r, out.Project, out.Patch); err != nil {
			return out, fmt.Errorf("%s: %w", c.Rel(r.Dir), err)
		}
		out.judge(r, out.Patch.Remaining)
		out.Refused = out.Patch.Refused
	}
	if !c.Write {
		return out, nil
	}
	if len(out.Patch.Files) > 0 && !onDisk(r.shared) {
		return c.attempt(r) // the texts are not taken again
	}
	r.shared = nil
	return c.carryOut(r, c.Answers, out)
}

// unwritten returns the texts, or nil if this run has changed one of their files since.
func (c *Checker) unwritten(texts map[string][]byte) map[string][]byte {
	for path := range texts {
		if c.repaired(path) {
			return nil
		}
	}
	return texts
}

// onDisk reports whether files still hold the texts that were read of them.
func onDisk(texts map[string][]byte) bool {
	for path, text := range texts {
		now, _, err := disk.ReadUpTo(path, len(text)+1)
		if err != nil || !bytes.Equal(now, text) {
			return false
		}
	}
	return true
}

// plan computes a project's repair, with the fixes for which allow returns true.
func (c *Checker) plan(r Root, a Answers, allow func(finding.Finding) bool) (out Result, err error) {
	if !c.Write {
		r.text, out.Turn.over = c.diffs.over(r.changed)
	}
	out.Project = r.Load(a)
	out.Patch, err = fixers.Repair(out.Project, fixers.Options{
		Recheck: r.All,
		Allow:   func(f finding.Finding) bool { return allow(f) && r.Repairs(f) },
	})
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.Rel(r.Dir), err)
	}
	out.judge(r, out.Patch.Remaining)
	out.Refused = out.Patch.Refused
	return out, nil
}

// carryOut writes a repair and adds what it has done to out.
func (c *Checker) carryOut(r Root, a Answers, out Result) (Result, error) {
	if r.scope != nil && r.scope.text != "" {
		out.Text = r.scope.repairedText(out.Patch)
	} else if err := c.write(out.Patch); err != nil {
		out.judge(r, r.All(r.Load(a)))
		return out, err
	}
	out.Made = slices.Concat(out.Patch.Applied, out.Patch.Also)
	return out, nil
}

// write writes a project's repair, completely or not at all. While it waits for the disk, other repairs are written,
// except those of the same files.
func (c *Checker) write(patch *fixers.Patch) error {
	c.claim(patch.Files)
	written := false
	defer func() { c.release(patch.Files, written) }()
	recovery, err := commit(patch)
	written = err == nil
	c.writing.Lock() // for one notice at a time
	defer c.writing.Unlock()
	c.Recovered(recovery)
	return err
}

// claim waits until nobody writes any of the files, and makes this repair the only one that does. It takes all of them
// at once, so no two repairs wait for each other.
func (c *Checker) claim(files []fixers.FilePatch) {
	c.writing.Lock()
	defer c.writing.Unlock()
	for slices.ContainsFunc(files, func(f fixers.FilePatch) bool { return c.claimed[f.Path] }) {
		c.released.Wait()
	}
	for _, f := range files {
		c.claimed[f.Path] = true
	}
}

// release ends a claim, and records whether the files were written.
func (c *Checker) release(files []fixers.FilePatch, written bool) {
	c.writing.Lock()
	defer c.writing.Unlock()
	for _, f := range files {
		delete(c.claimed, f.Path)
		if written {
			c.rewritten[f.Path] = true
		}
	}
	c.released.Broadcast()
}

// repaired reports whether this run changed a file: a change by anyone else is never repaired without the user seeing
// it first.
func (c *Checker) repaired(path string) bool {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.rewritten[path]
}
