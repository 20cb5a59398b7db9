package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema/plain"
)

// Use is the use of a tree by one run.
type Use struct {
	// Tree is the tree that the run has taken or begun: no other run knows about it until Keep.
	Tree Tree

	store    *Store
	wanted   []project.Piece
	folders  []string
	mu       sync.Mutex
	toSend   map[string]bool // nil: everything
	sentNow  map[string]project.Piece
	comparer []byte
}

// Begin takes a tree for a run, or begins a new one. place is as in Tree, mark as in Store.Owner. Of the files that the
// tree may contain, it reads those that have changed since they were sent. It returns nil if nothing is to be kept, or
// nothing can be.
func Begin(ctx context.Context, place, mark string, snap project.Snapshot, open bool) *Use {
	if snap.Bytes > limit() || limit() == 0 {
		return nil
	}
	s, err := Open()
	if err != nil {
		return nil
	}
	u := &Use{store: s, wanted: snap.Pieces(open), folders: snap.Folders(), sentNow: map[string]project.Piece{}}
	owner := s.Owner(mark)
	t, taken := s.Take(place, owner, open)
	if u.Tree = t; !taken {
		u.Renew()
	}
	u.Tree.Place, u.Tree.Owner, u.Tree.Project, u.Tree.Open, u.Tree.Bytes = place, owner, snap.Root, open, snap.Bytes
	if taken {
		u.know(ctx, t)
		u.comparer = comparison(t, u.wanted, u.folders)
	}
	return u
}

// know determines the content of the files that the tree may contain.
func (u *Use) know(ctx context.Context, t Tree) {
	same, sizes := map[string]project.Piece{}, map[int64]bool{}
	for _, p := range t.Files {
		sizes[p.Size] = true
		if p.Same != "" {
			same[p.Same] = p
		}
	}
	for i, p := range u.wanted {
		if was, ok := same[p.Same]; ok && p.Same != "" {
			u.wanted[i].Sum = was.Sum
		} else if sizes[p.Size] {
			if summed, err := p.Summed(ctx); err == nil { // otherwise the file is sent, which fails as well
				u.wanted[i] = summed
			}
		}
	}
}

// Renew begins a new tree after the one that was taken has turned out to be unusable.
func (u *Use) Renew() {
	u.Tree.Name, u.Tree.Files, u.toSend, u.comparer = newName(), nil, nil, nil
}

// Lost records that the tree was removed after the comparison: it is empty.
func (u *Use) Lost() { u.toSend = nil }

// Request returns the request for Script to compare the tree with; nil: the tree is new.
func (u *Use) Request() []byte { return u.comparer }

// Found takes the answer to Request. After an error the tree is unusable.
func (u *Use) Found(said []byte) (err error) {
	u.toSend, err = missing(said, u.wanted)
	return err
}

// Options returns options that send only what the tree lacks.
func (u *Use) Options(o project.TarOptions) project.TarOptions {
	o.Mark = Mark
	o.Sent = func(p project.Piece) {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.sentNow[p.Path] = p
	}
	if u.toSend != nil {
		known := make(map[string]bool, len(u.wanted))
		for _, p := range u.wanted {
			known[p.Path] = true
		}
		o.Has = func(path string) bool { return known[path] && !u.toSend[path] }
	}
	return o
}

// Sending returns how many bytes are sent.
func (u *Use) Sending() int64 {
	_, size := u.lacking()
	return size
}

// lacking counts the files that are sent.
func (u *Use) lacking() (files int, size int64) {
	for _, p := range u.wanted {
		if u.toSend == nil || u.toSend[p.Path] {
			files++
			size += p.Size
		}
	}
	return files, size
}

// Summary describes what is sent.
func (u *Use) Summary() string {
	files, size := u.lacking()
	if files == 0 {
		return fmt.Sprintf("no files are sent: all %d are already there", len(u.wanted))
	}
	return fmt.Sprintf("%d of %s %s sent (%s): the others are already there", files, plain.Count(len(u.wanted), "file"), plain.Is(files), progress.Bytes(size))
}

// files returns the files in the tree now, before the job has begun.
func (u *Use) files() (list []project.Piece) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, p := range u.wanted {
		if now, ok := u.sentNow[p.Path]; ok {
			list = append(list, now)
		} else if u.toSend != nil && !u.toSend[p.Path] {
			list = append(list, p)
		}
	}
	return list
}

// Changed returns a request that asks which files of the tree are not as they were sent. begun is as in Tree.
func (u *Use) Changed(begun time.Time) []byte {
	t := u.Tree
	t.Begun, t.Files = begun, u.files()
	return sent(t).Bytes()
}

// Paths parses the answer to Changed.
func Paths(said []byte) ([]string, error) { return answer(said) }

// Keep gives the tree back once the job has ended and nothing uses the tree any more. begun is as in Tree.
func (u *Use) Keep(begun time.Time) error {
	u.Tree.Begun, u.Tree.Files = begun, u.files()
	return u.store.Give(u.Tree)
}

// Excess takes the trees of the place that should be removed there, and returns them.
func (u *Use) Excess() []Tree { return u.store.Excess(u.Tree.Place) }

// Known returns the names of the place's trees.
func (u *Use) Known() []string { return u.store.Names(u.Tree.Place) }

// Close ends the use.
func (u *Use) Close() { u.store.Close() }
