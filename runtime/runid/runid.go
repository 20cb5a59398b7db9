// Package runid defines the IDs of runs. They become parts of shell scripts, paths, container names and the marker by
// which processes are found and killed, and they are read from records that someone else may have written. So an ID has
// its own type, and only New and Parse create one.
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

// layout is the first part of an ID, its time in UTC; the second part is six hexadecimal digits.
const (
	layout = "20060102-150405"
	form   = "20060102-150405-abcdef"
)

// none is the text of a zero ID. It is not a valid ID, and nothing has this name: a command that gets it finds nothing.
const none = "no-run"

// ErrForm means that a text is not a run ID.
var ErrForm = errors.New("is not a run id: ids look like " + form)

// ID is the ID of a run: "20261122-101112-3f2a7c". IDs sort by time. The zero ID does not identify a run.
type ID struct{ text string }

// New returns an ID for a run that begins now, made of the time and random digits.
func New(now time.Time) ID {
	b := make([]byte, 3)
	_, _ = rand.Read(b) // never fails
	return ID{now.UTC().Format(layout) + "-" + hex.EncodeToString(b)}
}

// Parse parses an ID: a valid time and six lower-case hexadecimal digits, with nothing before, between or after. The
// error quotes the text, escaped.
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

// String returns the ID, or "no-run" for the zero ID.
func (id ID) String() string {
	if id.IsZero() {
		return none
	}
	return id.text
}

// IsZero reports whether id is the zero ID.
func (id ID) IsZero() bool { return id.text == "" }

// Equal reports whether two IDs are the same.
func (id ID) Equal(other ID) bool { return id == other }

// MarshalText returns the ID as it is written to files; the zero ID is an error.
func (id ID) MarshalText() ([]byte, error) {
	if id.IsZero() {
		return nil, errors.New("a run without an id cannot be recorded")
	}
	return []byte(id.text), nil
}

// UnmarshalText is like Parse.
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = Parse(string(text))
	return err
}

// MustParse is like Parse, for IDs in a program's own source; it panics if text is not an ID.
func MustParse(text string) ID {
	id, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return id
}
