package transaction

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/disk"
)

// The files of a transaction's folder. A folder with a journal belongs to an unfinished transaction: the commit mark
// decides whether a recovery finishes or reverts it. One with undo data is finished. One with neither was abandoned,
// and is removed.
const (
	journalName = "journal.json"
	commitName  = "commit"
	undoName    = "undo.json"
)

// journal says what a transaction does, so that another process can finish or revert it.
type journal struct {
	Version int       `json:"version"`
	Root    string    `json:"root"`
	Time    time.Time `json:"time"`
	Files   []entry   `json:"files"`
	// Undoes is the folder of the transaction that this one undoes, "" for none.
	Undoes string `json:"undoes,omitempty"`

	dir string // the transaction's folder in the store
}

const journalVersion = 2

// entry is one file of a journal. Old contents are in files beside the journal, readable by their owner only: they may
// hold what a repair removed, such as a password.
type entry struct {
	Path string      `json:"path"` // as named in messages
	Base string      `json:"base"` // the folder it is below, links followed
	Name string      `json:"name"` // slash-separated from there
	Temp string      `json:"temp"` // the same for the temporary file beside it
	Mode fs.FileMode `json:"mode"` // of a file that is made
	Old  string      `json:"old"`  // hash of the old content, "" for a new file
	New  string      `json:"new"`  // hash of the new content, "" for a removal
}

// with returns the journal with all paths converted.
func (j *journal) with(change func(string) string) *journal {
	c := *j
	c.Root, c.Files = change(j.Root), nil
	for _, e := range j.Files {
		e.Path, e.Base, e.Name, e.Temp = change(e.Path), change(e.Base), change(e.Name), change(e.Temp)
		c.Files = append(c.Files, e)
	}
	return &c
}

// notText begins a path in JSON that is not text there: no path has this byte.
const notText = "\x00"

// inJSON returns a path for JSON, which keeps text alone: elsewhere any bytes may name a file.
func inJSON(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return notText + hex.EncodeToString([]byte(name))
}

func fromJSON(text string) string {
	if digits, ok := strings.CutPrefix(text, notText); ok {
		if name, err := hex.DecodeString(digits); err == nil {
			return string(name)
		}
	}
	return text
}

// target returns the file's absolute path.
func (e entry) target() string { return filepath.Join(e.Base, filepath.FromSlash(e.Name)) }

func hash(text []byte) string {
	if text == nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// saved returns the name of a file's old content in the transaction's folder.
func saved(n int) string { return "old-" + strconv.Itoa(n) }

// errDamaged reports that the saved old content of a file is not what was saved, most likely after a power failure.
var errDamaged = errors.New("its old content, stored for undo, is damaged")

// errUnsaved reports that an old content that is still in the project could not be saved again.
var errUnsaved = errors.New("its old content cannot be stored")

// old returns the saved old content of a file, nil for a new one. The error is errDamaged.
func (s *Store) old(j *journal, n int) ([]byte, error) {
	if j.Files[n].Old == "" {
		return nil, nil
	}
	text, err := s.dir.ReadFile(path.Join(j.dir, saved(n)), sizeLimit)
	if err != nil || hash(text) != j.Files[n].Old {
		return nil, errDamaged
	}
	return text, nil
}

// saveAgain saves a file's old content again if the saved one is damaged and the file, or what is beside it, still
// holds it. The error is errDamaged if nothing does, and errUnsaved if it cannot be saved.
func (s *Store) saveAgain(j *journal, n int, slot *disk.Slot) error {
	if _, err := s.old(j, n); err == nil {
		return nil
	}
	for _, name := range []string{slot.Name, slot.Temp} {
		if text, err := slot.Held(name, sizeLimit); err == nil && hash(text) == j.Files[n].Old {
			s.step("save content again")
			if s.dir.Replace(path.Join(j.dir, saved(n)), text, 0o600) != nil {
				return errUnsaved
			}
			return nil
		}
	}
	return errDamaged
}

const journalLimit = 64 << 20 // bytes; a journal names files, it does not hold them

func (s *Store) readJournal(dir, name string) (*journal, error) {
	text, err := s.dir.ReadFile(path.Join(dir, name), journalLimit)
	if err != nil {
		return nil, err
	}
	j := &journal{dir: dir}
	if err := json.Unmarshal(text, j); err != nil || j.Version != journalVersion {
		return nil, fmt.Errorf("%s: is damaged: make sure that the project's files are as you want them, then remove it", s.dir.Name(path.Join(dir, name)))
	}
	return j.with(fromJSON), nil
}

// journals returns the transactions whose folder holds a file of that name, oldest first.
func (s *Store) journals(name string) (list []*journal, _ error) {
	dirs, err := s.dir.ReadDir(".")
	if err != nil {
		return nil, err
	}
	return s.read(dirs, name)
}

// read is journals for a store that holds dirs.
func (s *Store) read(dirs []fs.DirEntry, name string) (list []*journal, _ error) {
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		j, err := s.readJournal(d.Name(), name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, j)
	}
	return list, nil
}

// begin makes the folder of a new transaction, stores in it what undo needs, and returns it open. If that fails,
// nothing is left of it. Only the journal is synced to the disk: a power failure must not leave half of one, which
// would block every later repair. Old contents are checked again when they are needed.
func (s *Store) begin(j *journal, files []File) (folder *disk.Dir, err error) {
	s.last++
	j.dir = fmt.Sprintf("%08d", s.last)
	s.step("make the transaction's folder")
	if err := s.dir.Mkdir(j.dir, 0o700); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.dir.RemoveAll(j.dir))
		}
	}()
	if folder, err = s.dir.Sub(j.dir); err != nil {
		return nil, err
	}
	if err := s.fill(folder, j, files); err != nil {
		folder.Close()
		return nil, err
	}
	return folder, nil
}

func (s *Store) fill(folder *disk.Dir, j *journal, files []File) error {
	for n, f := range files {
		if f.Old == nil {
			continue
		}
		s.step("save content")
		if err := folder.WriteSoon(saved(n), f.Old, 0o600); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(j.with(inJSON), "", "  ")
	if err != nil {
		return err
	}
	s.step("write journal")
	return folder.Replace(journalName, text, 0o600)
}

// slot returns a file of the journal as it is on disk. done closes its folder.
func (e entry) slot() (slot *disk.Slot, done func(), err error) {
	d, err := disk.OpenReal(e.Base)
	if err != nil {
		return nil, nil, err
	}
	return &disk.Slot{Dir: d, Name: e.Name, Temp: e.Temp, Mode: e.Mode}, d.Close, nil
}
