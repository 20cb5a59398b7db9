package report

import (
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/amlfix/amlfix/fixers"
	edit "github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// maxPreviews is how many fixes of one project are computed for a report: each is proved, which takes as long as
// checking the project again.
const maxPreviews = 200

// Previews returns a function for Resolver.Edits: what the fixes of a project replace, each made on its own. found are
// all its findings; nil if unknown.
func Previews(p *schema.Project, found []finding.Finding) func(finding.Finding) ([]fixers.FileEdits, error) {
	var preview *fixers.Preview
	left := maxPreviews
	return func(f finding.Finding) ([]fixers.FileEdits, error) {
		if left--; left < 0 {
			return nil, errors.New("the project has too many findings to work out each fix alone; amlfix --diff shows all of them")
		}
		if preview == nil {
			preview = fixers.NewPreview(p, fixers.Options{Found: found, Recheck: rules.Check, RecheckPart: rules.CheckPart})
		}
		return preview.Edits(f)
	}
}

// edits returns the replacements of a fix, or why they are not reported.
func (r *Resolver) edits(f finding.Finding) (out []Edit, kept string) {
	switch {
	case r.Edits == nil:
		return nil, "this run repairs: check again for the edits of what is left"
	case f.Fix.Applicability == finding.Choice:
		return nil, "the fix leaves a decision to you"
	case r.OnlySafe && f.Fix.Applicability != finding.Safe:
		return nil, "the fix is not safe"
	}
	files, err := r.Edits(f)
	if err != nil {
		return nil, r.hide(f.Source, Relative(r.Dir, fixers.Reason(f, err)))
	}
	for _, file := range files {
		list := smallest(file, r.secretsOf(file.Source).Spans)
		if r.secretIn(file, list) {
			return nil, "the new text contains a secret, or part of one"
		}
		for _, e := range list {
			if !utf8.ValidString(e.New) {
				return nil, "the new text is not UTF-8"
			}
			out = append(out, Edit{
				Path: Rel(r.Dir, file.Source.Path), Region: regionOf(file.Source, e.Span),
				Start: e.Span.Start, End: e.Span.End, Text: e.New, Creates: file.Creates,
			})
		}
	}
	if len(out) == 0 {
		return nil, "the fix changes no file"
	}
	return out, ""
}

// smallest returns the edits of a file without the unchanged text at their ends. No two touch, and it never splits
// characters, line endings or secrets: what a secret and the new text have in common must not show.
func smallest(file fixers.FileEdits, secrets []source.Span) (list []edit.Edit) {
	for _, e := range joined(file.Edits) {
		if slices.ContainsFunc(secrets, e.Span.Overlaps) {
			list = append(list, e)
			continue
		}
		old := string(file.Source.Slice(e.Span))
		n := common(old, e.New)
		e.Span.Start, old, e.New = e.Span.Start+n, old[n:], e.New[n:]
		n = commonEnd(old, e.New)
		e.Span.End, e.New = e.Span.End-n, e.New[:len(e.New)-n]
		if e.Span.Len() > 0 || e.New != "" || file.Creates {
			list = append(list, e)
		}
	}
	return list
}

// joined makes one edit of edits that touch: whoever sorts them by their start could otherwise insert a text after what
// it is inserted before.
func joined(edits []edit.Edit) (list []edit.Edit) {
	for _, e := range edits {
		if n := len(list) - 1; n >= 0 && list[n].Span.End == e.Span.Start {
			list[n].Span.End, list[n].New = e.Span.End, list[n].New+e.New
			continue
		}
		list = append(list, e)
	}
	return list
}

// common returns the length in bytes of the common prefix of two texts, in whole characters.
func common(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (inside(a, n) || inside(b, n)) {
		n--
	}
	return n
}

// commonEnd is like common but for the suffix.
func commonEnd(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && (inside(a, len(a)-n) || inside(b, len(b)-n)) {
		n--
	}
	return n
}

// inside reports whether a text cannot be split at a byte offset: within a character or a line ending.
func inside(s string, at int) bool {
	return at < len(s) && (!utf8.RuneStart(s[at]) || s[at] == '\n' && at > 0 && s[at-1] == '\r')
}

// secretIn reports whether one of the edits of a file writes something that must not be shown: a secret of the file, a
// text that is a secret by itself, or a part of a secret that exists after the edits.
func (r *Resolver) secretIn(file fixers.FileEdits, list []edit.Edit) bool {
	after, err := edit.Apply(file.Source.Text, list)
	if err != nil {
		return true
	}
	if len(list) == 0 {
		return false
	}
	part, moved := source.Span{Start: list[0].Span.Start, End: len(after) - len(file.Source.Text) + list[len(list)-1].Span.End}, 0
	spans := r.secretsOf(file.Source).Near(after, part)
	for _, e := range list {
		at := source.Span{Start: e.Span.Start + moved, End: e.Span.Start + moved + len(e.New)}
		moved += len(e.New) - e.Span.Len()
		if r.hide(file.Source, e.New) != e.New || !harmless.Of(e.New, hasNoSecret) {
			return true
		}
		for _, s := range spans {
			if s.Start < at.End && at.Start < s.End {
				return true
			}
		}
	}
	return false
}

// harmless keeps the answers of hasNoSecret: many fixes write the same.
var harmless = plain.Memo[bool]{Longest: 256}

func hasNoSecret(text string) bool { return len(secret.Spans([]byte(text))) == 0 }
