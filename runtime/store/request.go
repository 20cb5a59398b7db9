package store

import (
	"bytes"
	_ "embed"
	"errors"
	"strconv"

	"github.com/amlfix/amlfix/runtime/project"
)

// Script is the Python 3 program that handles a tree on its machine. Its arguments are the tree's folder and a file
// with a request; without the latter, it reads the request from standard input.
//
//go:embed tree.py
var Script string

// Mark is the file in a tree that is written after all others: whatever changed after it is not as it was sent.
const Mark = ".amlfix/sent"

// comparison returns a request that asks which of the wanted files a tree lacks, and prepares the tree to receive them.
func comparison(t Tree, wanted []project.Piece, folders []string) []byte {
	w := sent(t)
	w.number(int64(len(wanted)))
	for _, p := range wanted {
		w.text(p.Path)
		w.number(p.Size)
		w.number(p.Time)
		w.number(int64(p.Mode))
		w.sum(p)
	}
	w.number(int64(len(folders)))
	for _, f := range folders {
		w.text(f)
	}
	return w.Bytes()
}

// sent returns a request that asks which files of a tree are not as they were sent.
func sent(t Tree) *words {
	w := new(words)
	w.text(Mark)
	w.number(t.Begun.UnixNano())
	w.number(int64(len(t.Files)))
	for _, p := range t.Files {
		w.text(p.Path)
		w.number(p.Size)
		w.number(p.Time)
		w.sum(p)
	}
	return w
}

// errAnswer means that a machine's answer is not an answer to the request.
var errAnswer = errors.New("it did not compare the project with what it has")

// answer parses the script's output into its words, without what a login shell may have printed before.
func answer(text []byte) ([]string, error) {
	_, text, ok := bytes.Cut(text, []byte("\x00amlfix\x00"))
	text, whole := bytes.CutSuffix(text, []byte("end\x00"))
	if !ok || !whole {
		return nil, errAnswer
	}
	var list []string
	for word := range bytes.SplitSeq(text, []byte{0}) {
		list = append(list, string(word))
	}
	return list[:len(list)-1], nil
}

// missing parses the answer to a comparison: the paths of the wanted files to send.
func missing(text []byte, wanted []project.Piece) (map[string]bool, error) {
	list, err := answer(text)
	if err != nil {
		return nil, err
	}
	paths := make(map[string]bool, len(list))
	for _, word := range list {
		i, err := strconv.Atoi(word)
		if err != nil || i < 0 || i >= len(wanted) {
			return nil, errAnswer
		}
		paths[wanted[i].Path] = true
	}
	return paths, nil
}
