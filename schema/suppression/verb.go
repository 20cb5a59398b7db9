package suppression

import (
	"slices"
	"strings"
)

// synonyms are the words of other linters for Ignore.
var synonyms = []string{"disable", "disable-next-line", "disable-line", "noqa", "nolint", "off", "skip", "suppress"}

// The verbs of directives.
const (
	Ignore     = "ignore"
	IgnoreFile = "ignore-file"
)

// verb reads the beginning of a comment, and returns whether it is a directive's.
func (w *words) verb(d *Directive) bool {
	first := w.next()
	marked := strings.HasPrefix(first.Text, marker)
	if !strings.HasPrefix(first.Text, name) {
		return false
	}
	w.at = first.Span.Start + len(marker) // "amlfix:ignore"
	if first.Text == name {
		w.at--
	}
	d.Verb = w.next()
	if d.Verb.Text == ":" {
		d.Verb = w.next()
	}
	known := d.Verb.Text == Ignore || d.Verb.Text == IgnoreFile
	other := slices.Contains(synonyms, d.Verb.Text)
	if word, _, ok := strings.Cut(d.Verb.Text, "="); ok && (word == Ignore || word == IgnoreFile) {
		d.Meant, d.Verb.Text, d.Verb.Span.End = word+" ", word+"=", d.Verb.Span.Start+len(word)+1
		w.at = d.Verb.Span.End
	}
	switch ruled := w.ruled(); {
	case marked && strings.HasPrefix(d.Verb.Text, "ign"):
		d.File = d.Verb.Text == IgnoreFile
	case marked && other && ruled:
		d.Meant = Ignore
	case !marked && known && ruled && strings.Trim(first.Text[len(name):], ":-") == "", !marked && first.Text == name+"-"+d.Verb.Text && known && ruled:
		d.Meant = marker + " " + d.Verb.Text
		d.Verb.Span.Start = first.Span.Start
		d.Verb.Text = string(w.src.Slice(d.Verb.Span))
	default:
		return false
	}
	return true
}

// ruled reports whether the next word may be the name of a rule.
func (w *words) ruled() bool {
	ahead := *w
	group, rule, ok := strings.Cut(ahead.next().Text, "/")
	return ok && group != "" && rule != ""
}
