// Package page writes what is known about a run as a single HTML page. The page needs nothing else: no network, no
// script, no other file. Everything that it shows from a record was written by others, so it is masked, made visible
// and escaped.
package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// Run is a run as the page shows it.
type Run struct {
	record.Entry
	Job string // what ran, in brief
	// State is how the run is, in a word or two, and Sentence says the same with the reason. Took is how long its job
	// ran; "" if not known.
	State, Sentence, Took string
	// Next is what can be done with a run that is not over; may be empty.
	Next    string
	Metrics []Metric
	Version string    // of this program
	Now     time.Time // times on the page are in its zone
}

// Metric is what a script has logged under one name: numbers, or the last text.
type Metric struct {
	Name   string
	Values []float64
	Text   string
}

//go:embed page.html
var markup string

//go:embed page.css
var styles string

// Limits on what a page shows. It says what it omits.
const (
	mostCharts  = 60
	mostMetrics = 500
	mostItems   = 2000 // rows of any other table
	mostFacts   = 4000 // characters in a value
)

// Write writes the page. It reports files of the record that cannot be read on the page.
func Write(w io.Writer, r Run) error {
	sum := sha256.Sum256([]byte(styles))
	v := view{
		Hash:   base64.StdEncoding.EncodeToString(sum[:]),
		Styles: css(styles),
	}
	v.fill(r)
	list, _, _ := parse(markup)
	out := writer{w: w, templates: map[string][]node{}}
	out.list(list, reflect.ValueOf(v))
	return out.err
}

// safe returns a value from a record as shown. It truncates long values.
func safe(text string) string {
	return escape.Page(secret.HideValue(evidence.PlainText(plain.Cut(text, mostFacts))))
}

// said returns a sentence of amlfix's that may quote others.
func said(text string) string { return escape.Page(secret.Hide(evidence.PlainText(text))) }

// short returns a name with at most n characters.
func short(text string, n int) string {
	return plain.Fit(strings.Join(strings.Fields(safe(text)), " "), n)
}
