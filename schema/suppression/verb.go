package suppression

import (
	"bytes"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
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
	if marked && w.joined(d) {
		return true
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

// joined reads a verb with its rules in one word, as other linters want them: "disable=a/b", "ignore[a/b, c/d]".
func (w *words) joined(d *Directive) bool {
	i := strings.IndexAny(d.Verb.Text, "=:[(")
	if i < 0 {
		return false
	}
	word, mark := d.Verb.Text[:i], d.Verb.Text[i]
	rules := words{src: w.src, at: d.Verb.Span.Start + i + 1, end: w.end}
	switch {
	case slices.Contains(synonyms, word):
		word = Ignore
	case word != Ignore && word != IgnoreFile:
		return false
	}
	if !rules.ruled() {
		return false
	}
	meant, after := word+" ", rules.at
	if mark == '[' || mark == '(' {
		list := w.src.Slice(source.Span{Start: rules.at, End: w.end})
		end := bytes.IndexAny(list, "])")
		if end < 0 {
			return false
		}
		meant += string(list[:end])
		if rest := bytes.TrimLeft(list[end+1:], " \t"); len(rest) > 0 && !bytes.HasPrefix(rest, []byte("--")) {
			meant += " --" // the rest is a reason
		}
		after += end + 1
		rules.at = w.end
	}
	d.Meant, d.Verb.Span.End = meant, after
	w.at, d.Verb.Text = rules.at, string(w.src.Slice(d.Verb.Span))
	return true
}

// ruled reports whether the next word may be the name of a rule.
func (w *words) ruled() bool {
	ahead := *w
	group, rule, ok := strings.Cut(ahead.next().Text, "/")
	return ok && group != "" && rule != ""
}
