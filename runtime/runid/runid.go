// Package runid holds the ids of runs. They become parts of shell scripts, paths, container names and the mark by which
// processes are found and killed, and they are read from records that somebody else may have written. So an id is a type
// of its own, which only New and Parse make.
package runid

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/amlfix/amlfix/schema/escape"
)

// layout is the first part of an id, its time in UTC; the second are six hexadecimal digits.
const (
	layout = "20060102-150405"
	form   = "20060102-150405-abcdef"
)

// none is what a zero ID is called. It is no id, and nothing has this name: a command that gets it finds nothing.
const none = "no-run"

// ErrForm says that a text is no id.
var ErrForm = errors.New("is not a run id: ids look like " + form)

// ID is the id of a run: "20261122-101112-3f2a7c". Ids sort by time. The zero ID is no id.
type ID struct{ text string }

// New returns an id for a run that begins now: its time and some chance.
func New(now time.Time) ID {
	b := make([]byte, 3)
	_, _ = rand.Read(b) // never fails
	return ID{now.UTC().Format(layout) + "-" + hex.EncodeToString(b)}
}

// Parse reads an id: a time that exists and six small hexadecimal digits, nothing before, between or behind. The error quotes
// the text, escaped.
func Parse(text string) (ID, error) {
	if len(text) == len(form) && text[len(layout)] == '-' {
		_, err := time.Parse(layout, text[:len(layout)])
		hexadecimal := true
		for _, c := range []byte(text[len(layout)+1:]) {
			hexadecimal = hexadecimal && ('0' <= c && c <= '9' || 'a' <= c && c <= 'f')
		}
		if err == nil && hexadecimal {
			return ID{text}, nil
		}
	}
	if len(text) > 2*len(form) {
		text = text[:2*len(form)] + "…"
	}
	return ID{}, fmt.Errorf("%s %w", escape.Terminal(strconv.QuoteToASCII(text)), ErrForm)
}

// String is the id; "no-run" for the zero ID.
func (id ID) String() string {
	if id.IsZero() {
		return none
	}
	return id.text
}

// IsZero reports whether id is no id.
func (id ID) IsZero() bool { return id.text == "" }

// Equal reports whether two ids are the same.
func (id ID) Equal(other ID) bool { return id == other }

// MarshalText is the id as it is written to files; the zero ID is an error.
func (id ID) MarshalText() ([]byte, error) {
	if id.IsZero() {
		return nil, errors.New("a run without an id cannot be recorded")
	}
	return []byte(id.text), nil
}

// UnmarshalText is Parse.
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = Parse(string(text))
	return err
}

// MustParse is Parse for ids in a program's own text; it panics when the text is none.
func MustParse(text string) ID {
	id, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return id
}
