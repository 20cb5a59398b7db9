// Package store tracks the copies of projects that stay on the machines of jobs after a run, so that the next run sends
// only what has changed since. It keeps its knowledge in the user's cache, one file for each copy, called a tree: the
// files that were sent, with their sums. The machine itself keeps only the tree; Script compares it before it is used
// again.
//
// A tree belongs to one run at a time. A run takes it by removing its file in the cache, and gives it back when the job
// has ended properly; a tree without such a file is never used again, and is removed. So it does not matter when an
// amlfix process is killed, and two runs at the same time have separate trees.
package store

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// Limits on the trees that are kept. GBVariable names the environment variable that overrides the size; 0 keeps none.
const (
	defaultGB  = 20
	GBVariable = "AMLFIX_STORE_GB"
	// Age is how long a tree is kept that no run uses.
	Age = 30 * 24 * time.Hour
	// perProject is how many trees a project has on one machine: as many as usually run at the same time.
	perProject = 2
)

// fileLimit is the maximum size in bytes of a file about a tree: some two million files.
const fileLimit = 512 << 20

// suffix is the suffix of a file about a tree.
const suffix = ".tree"

// limit returns how many bytes may be kept on one machine.
func limit() int64 {
	gb, err := strconv.ParseFloat(os.Getenv(GBVariable), 64)
	if err != nil || gb < 0 {
		gb = defaultGB
	}
	return int64(gb * 1e9)
}

// Store gives access to what is known about all trees.
type Store struct {
	dir *disk.Dir
	id  string // of this user on this machine: others may have projects with the same name
}

// Open opens this user's store. The error says why there can be none.
func Open() (*Store, error) {
	folder, err := disk.CacheFolder()
	if err != nil {
		return nil, fmt.Errorf("no cache folder: %w", err)
	}
	dir, err := disk.Make(filepath.Join(folder, "store"))
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir}
	if s.id, err = s.identify(); err != nil {
		dir.Close()
		return nil, err
	}
	return s, nil
}

// identify returns the store's ID, and creates it the first time.
func (s *Store) identify() (string, error) {
	id, err := s.dir.ReadFile("id", 100)
	if !errors.Is(err, fs.ErrNotExist) {
		return string(id), err
	}
	temp := disk.TempName()
	if err := s.dir.WriteNew(temp, []byte(newName()), 0o600); err != nil {
		return "", err
	}
	if err := s.dir.MoveNew(temp, "id"); err != nil { // another process was first
		_ = s.dir.Remove(temp)
	}
	id, err = s.dir.ReadFile("id", 100)
	return string(id), err
}

// Owner identifies the project that trees belong to, without revealing the user, the machine or the project. mark is
// the result of docker.ProjectMark.
func (s *Store) Owner(mark string) string {
	sum := sha256.Sum256([]byte(s.id + "\x00" + mark))
	return hex.EncodeToString(sum[:8])
}

// Close closes the store's folder.
func (s *Store) Close() { s.dir.Close() }

// newName returns an unused name for a tree.
func newName() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

// List returns the trees, without their files, most recently used first. It skips what cannot be read.
func (s *Store) List() (list []Tree) {
	entries, _ := s.dir.ReadDir(".")
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			if t, err := s.read(e.Name(), false); err == nil {
				list = append(list, t)
			}
		}
	}
	plain.SortFunc(list, func(a, b Tree) int { return b.Saved.Compare(a.Saved) })
	return list
}

func (s *Store) read(name string, whole bool) (t Tree, err error) {
	text, err := s.dir.ReadFile(name, fileLimit)
	if err != nil {
		return t, err
	}
	if whole {
		t, err = decode(text)
	} else {
		t, _, err = decodeHead(text)
	}
	if err == nil && t.Name+suffix != name {
		err = errForm
	}
	return t, err
}

// Take takes the most recently used tree of a project, which no other run can then use. ok is false if there is none.
func (s *Store) Take(place, owner string, open bool) (t Tree, ok bool) {
	for _, head := range s.List() {
		if head.Place != place || head.Owner != owner || head.Open != open {
			continue
		}
		whole, err := s.read(head.Name+suffix, true)
		if s.Forget(head) && err == nil { // only one run can remove it
			return whole, true
		}
	}
	return Tree{}, false
}

// Forget removes the file about a tree, which then belongs to the caller. ok is false if another run was first.
func (s *Store) Forget(t Tree) (ok bool) { return s.dir.Remove(t.Name+suffix) == nil }

// Give returns a tree to the store.
func (s *Store) Give(t Tree) error {
	t.Saved = time.Now()
	text, err := t.encode()
	if err == nil {
		err = s.dir.Replace(t.Name+suffix, text, 0o600)
	}
	if errors.Is(err, fs.ErrExist) { // never: its name is new, or it was taken
		return nil
	}
	return err
}

// Excess takes those trees of one place that are too many, too large or too old, and returns them so that they can be
// removed there.
func (s *Store) Excess(place string) (taken []Tree) {
	left, of := limit(), map[string]int{}
	for _, t := range s.List() {
		if t.Place != place {
			continue
		}
		of[t.Owner]++
		if left -= t.Bytes; left >= 0 && of[t.Owner] <= perProject && !t.Expired() {
			continue
		}
		if s.Forget(t) {
			taken = append(taken, t)
		}
	}
	return taken
}

// Expired reports whether no run has used a tree for too long. A time in the future comes from a wrong clock.
func (t Tree) Expired() bool {
	age := time.Since(t.Saved)
	return age > Age || age < -Age
}

// Names returns the names of all known trees of a place.
func (s *Store) Names(place string) (names []string) {
	for _, t := range s.List() {
		if t.Place == place {
			names = append(names, t.Name)
		}
	}
	slices.Sort(names)
	return names
}
