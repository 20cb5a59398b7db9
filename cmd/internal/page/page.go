// Package page writes what is known of a run as one page for a browser. The page
// needs nothing else: no network, no script, no other file. All that it shows of a
// record was written by others, so it is masked, made visible and escaped.
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
	"github.com/amlfix/amlfix/schema/secret"
)

// Run is a run as the page shows it.
type Run struct {
	record.Entry
	Job string // what ran, in short
	// State is how the run is, in a word or two, and Sentence the same with why. Took is
	// how long its job has run; "" when that is not known.
	State, Sentence, Took string
	// Next is what can be done with a run that is not over; may be empty.
	Next    string
	Metrics []Metric
	Version string    // of this program
	Now     time.Time // the times of the page are in its zone
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

// Limits of what is on a page. What is left out is said.
const (
	mostCharts  = 60
	mostMetrics = 500
	mostItems   = 2000 // rows of any other table
	mostFacts   = 4000 // characters of a value
)

// Write writes the page. Files of the record that cannot be read are said on it.
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

// safe is a value of a record as it is shown. A long one is cut.
func safe(text string) string {
	if runes := []rune(text); len(runes) > mostFacts {
		text = string(runes[:mostFacts]) + "…"
	}
	return escape.Page(secret.HideValue(evidence.PlainText(text)))
}

// said is a sentence of amlfix that may quote others.
func said(text string) string { return escape.Page(secret.Hide(evidence.PlainText(text))) }

// short is a name with at most n characters.
func short(text string, n int) string {
	text = strings.Join(strings.Fields(safe(text)), " ")
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}
