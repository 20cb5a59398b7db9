package proof

import (
	"bytes"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// comments checks that both texts hold the same comments, except those on lines of removed entries and those that
// changes declare.
func (c *checker) comments() error {
	removed, declared := c.removedLines(), c.declaredComments()
	var before, after []source.Span
	simple := len(removed)+len(declared)+c.count(finding.InsertComment) == 0
	if simple && c.part != nil { // around it all are the same
		before, after = c.old.CommentsIn(c.part.old), c.new.CommentsIn(c.part.new)
	} else {
		before, after = c.oldComments(), c.newComments()
	}
	if simple { // mostly all are the same
		before, after = c.differentComments(before, after)
	}
	left := map[string]int{}
	for _, span := range after {
		left[string(c.new.Source.Slice(span))]++
	}
	old := c.keptComments(before, declared)
	for _, change := range c.Changes {
		if change.Op.OfComment() && change.Value.Text != "" {
			if left[change.Value.Text]--; left[change.Value.Text] < 0 {
				return c.fail(Bytes, "the declared comment would not be written: %s", change.Value.Text)
			}
		}
	}
	for _, text := range old {
		if left[text.text] > 0 && !removed[text.line] {
			left[text.text]--
		} else if !removed[text.line] {
			return c.fail(Bytes, "the comment on line %d would be lost: %s", text.line, text.text)
		}
	}
	for _, text := range old {
		if left[text.text] > 0 && removed[text.line] {
			left[text.text]-- // it could have gone, but stays
		}
	}
	for text, n := range left {
		if n > 0 {
			return c.fail(Bytes, "a comment would be written: %s", text)
		}
	}
	return nil
}

type comment struct {
	text string
	line int
}

// differentComments returns the comments of both texts without those that are equal at the beginning and the end.
func (c *checker) differentComments(before, after []source.Span) (differBefore, differAfter []source.Span) {
	equal := func(a, b source.Span) bool { return bytes.Equal(c.old.Source.Slice(a), c.new.Source.Slice(b)) }
	for len(before) > 0 && len(after) > 0 && equal(before[0], after[0]) {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && equal(before[len(before)-1], after[len(after)-1]) {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	return before, after
}

// keptComments returns those of the old comments that no change removes.
func (c *checker) keptComments(all []source.Span, declared map[int]string) (list []comment) {
	for _, span := range all {
		text := string(c.old.Source.Slice(span))
		if old, ok := declared[span.Start]; ok && old == text {
			continue
		}
		list = append(list, comment{text, c.oldLine(span.Start)})
	}
	return list
}

// removedLines returns the lines of the old text that removed entries are on.
func (c *checker) removedLines() map[int]bool {
	lines := map[int]bool{}
	for i, change := range c.Changes {
		if change.Op != finding.RemoveEntry {
			continue
		}
		first, last := c.touched[i].extent()
		for n := c.oldLine(first); n <= c.oldLine(last); n++ {
			lines[n] = true
		}
	}
	return lines
}

// lineEnds checks that new lines end as old ones do, and that a final newline is neither added nor removed, unless the
// file only lost its last lines.
func (c *checker) lineEnds() error {
	if !slices.ContainsFunc(c.Edits, c.breaksLines) {
		return nil
	}
	if c.old.Source.FinalNewline() != c.new.Source.FinalNewline() && !bytes.HasPrefix(c.Old, c.New) {
		return c.fail(Bytes, "the newline at the end of the file would be added or lost")
	}
	if bytes.IndexByte(c.Old, '\r') < 0 && bytes.IndexByte(c.New, '\r') < 0 {
		return nil // all lines end in "\n"
	}
	known := lineEnds(c.old.Source)
	if len(known) == 0 {
		return nil
	}
	for _, end := range lineEnds(c.new.Source) {
		if !slices.Contains(known, end) {
			return c.fail(Bytes, "a line would end in %q, which no line of the file does", end)
		}
	}
	return nil
}

// breaksLines reports whether an edit adds or removes a line end, or a part of one.
func (c *checker) breaksLines(e text.Edit) bool {
	return strings.ContainsAny(e.New, "\r\n") || bytes.ContainsAny(c.Old[e.Span.Start:e.Span.End], "\r\n")
}

// lineEnds returns with what lines end, each once.
func lineEnds(s *source.Source) (ends []string) {
	for n := 1; n <= s.LineCount(); n++ {
		if end := s.LineEndAt(n); end != "" && !slices.Contains(ends, end) {
			ends = append(ends, end)
		}
	}
	return ends
}
