package tracking

import (
	"errors"

	"github.com/amlfix/amlfix/schema/python"
)

// prove compares a changed script with its original: outside the edits, bytes and tokens must be the same, it must
// still be Python 3 as far as that is checked, and nothing may be left to rewrite.
func prove(old, changed string, edits []Edit, o Options) error {
	fault := errors.New("the rewritten form is not as expected, which is a bug in amlfix")
	inside := make([]Edit, 0, len(edits)) // the edits, by their spans in the changed text
	from, to := 0, 0
	for _, e := range edits {
		if e.Start < from || e.End < e.Start || e.End > len(old) || to+e.Start-from > len(changed) || old[from:e.Start] != changed[to:to+e.Start-from] {
			return fault
		}
		to += e.Start - from
		inside = append(inside, Edit{Start: to, End: to + len(e.Text)})
		from, to = e.End, to+len(e.Text)
	}
	if to > len(changed) || old[from:] != changed[to:] {
		return fault
	}
	before, ok1 := outside(old, edits)
	after, ok2 := outside(changed, inside)
	if !ok1 || !ok2 || len(before) != len(after) {
		return fault
	}
	for i := range before {
		if before[i] != after[i] {
			return fault
		}
	}
	p, ok := read(changed)
	if !ok {
		return fault
	}
	if _, why := p.older(); why != "" {
		return fault
	}
	if w := rewriting(p, o); len(w.edits) > 0 {
		return errors.New("rewriting it again would change it again, which is a bug in amlfix")
	}
	return nil
}

// piece is a token without its offset.
type piece struct {
	kind python.Kind
	text string
}

// outside returns the tokens outside spans, which are in order; ok is false if a span cuts a token, or the text cannot
// be parsed.
func outside(text string, spans []Edit) (list []piece, ok bool) {
	tokens, ok := python.Scan(text)
	if !ok {
		return nil, false
	}
	for _, k := range tokens {
		if k.Kind == python.Newline {
			continue
		}
		for len(spans) > 0 && spans[0].End <= k.At {
			spans = spans[1:]
		}
		if k.Kind == python.Other && len(spans) > 0 && k.At < spans[0].Start && spans[0].End < k.End { // within an f-string
			rest, at := "", k.At
			for ; len(spans) > 0 && spans[0].End < k.End; spans = spans[1:] {
				rest, at = rest+text[at:spans[0].Start]+"\x00", spans[0].End
			}
			list = append(list, piece{k.Kind, rest + text[at:k.End]})
			continue
		}
		if len(spans) > 0 && spans[0].Start < k.End {
			if k.At < spans[0].Start || k.End > spans[0].End {
				return nil, false
			}
			continue
		}
		list = append(list, piece{k.Kind, text[k.At:k.End]})
	}
	return list, true
}
