package store

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"strconv"
	"time"

	"github.com/amlfix/amlfix/runtime/project"
)

// Tree is a copy of a project that stays on a job's machine after a run.
type Tree struct {
	Name    string    `json:"name"`    // of the volume or the folder there
	Owner   string    `json:"owner"`   // whose it is, see Store.Owner
	Project string    `json:"project"` // its folder on this machine
	Place   string    `json:"place"`   // the machine and what keeps the tree there, as shown to people
	Open    bool      `json:"open"`    // see project.TarOptions
	Begun   time.Time `json:"begun"`   // when the job began, by the clock there
	Saved   time.Time `json:"saved"`   // by this machine's clock
	Bytes   int64     `json:"bytes"`   // of its files, as they were sent
	Count   int       `json:"files"`   // the number of Files; set when the tree is written
	// Files are the files as they were sent: what the job has made of them is determined there.
	Files []project.Piece `json:"-"`
}

// words are NUL-terminated texts, because a path can contain any other byte.
type words struct{ bytes.Buffer }

func (w *words) text(s string) {
	w.WriteString(s)
	w.WriteByte(0)
}

func (w *words) number(n int64) { w.text(strconv.FormatInt(n, 10)) }

func (w *words) sum(p project.Piece) {
	if p.Sum == (project.Piece{}).Sum { // not known
		w.text("")
		return
	}
	w.text(hex.EncodeToString(p.Sum[:]))
}

// encode encodes a tree: a line of JSON, and the words of its files.
func (t Tree) encode() ([]byte, error) {
	t.Count = len(t.Files)
	head, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	var w words
	w.Write(append(head, '\n'))
	for _, p := range t.Files {
		w.text(p.Path)
		w.number(p.Size)
		w.number(p.Time)
		w.number(int64(p.Mode))
		w.sum(p)
		w.text(p.Same)
	}
	return w.Bytes(), nil
}

// fields is how many words describe a file.
const fields = 6

// errForm means that a file was not written by encode.
var errForm = errors.New("it is not in the form of a stored tree")

// decodeHead decodes all of a tree but its files, which can be decoded from rest.
func decodeHead(text []byte) (t Tree, rest []byte, err error) {
	head, rest, ok := bytes.Cut(text, []byte("\n"))
	if !ok {
		return t, nil, errForm
	}
	return t, rest, json.Unmarshal(head, &t)
}

// decode is the inverse of encode.
func decode(text []byte) (Tree, error) {
	t, rest, err := decodeHead(text)
	if err != nil {
		return t, err
	}
	list := bytes.Split(rest, []byte{0})
	if len(list) != t.Count*fields+1 || len(list[len(list)-1]) > 0 {
		return t, errForm
	}
	t.Files = make([]project.Piece, 0, t.Count)
	for w := list; len(w) > 1; w = w[fields:] {
		p := project.Piece{Path: string(w[0]), Same: string(w[5])}
		var errs [4]error
		p.Size, errs[0] = strconv.ParseInt(string(w[1]), 10, 64)
		p.Time, errs[1] = strconv.ParseInt(string(w[2]), 10, 64)
		mode, err := strconv.ParseUint(string(w[3]), 10, 9)
		p.Mode, errs[2] = fs.FileMode(mode), err
		if len(w[4]) != 2*len(p.Sum) {
			return t, errForm
		}
		_, errs[3] = hex.Decode(p.Sum[:], w[4])
		if err := errors.Join(errs[:]...); err != nil {
			return t, errors.Join(errForm, err)
		}
		t.Files = append(t.Files, p)
	}
	return t, nil
}
