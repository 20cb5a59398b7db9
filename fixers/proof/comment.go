package proof

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// declaredComments returns, by their offsets, the texts of the old comments that changes replace or remove.
func (c *checker) declaredComments() map[int]string {
	declared := map[int]string{}
	for _, change := range c.Changes {
		if change.Op == finding.EditComment {
			declared[change.Offset] = change.Old
		}
	}
	return declared
}

// oldComments and newComments return the comments of both texts, in file order.
func (c *checker) oldComments() []source.Span {
	if c.Before.comments == nil {
		c.Before.comments = c.old.Comments()
	}
	return c.Before.comments
}

func (c *checker) newComments() []source.Span {
	if c.newSpans == nil {
		c.newSpans = c.new.Comments()
	}
	return c.newSpans
}

// compare orders spans by place.
func compare(a, b source.Span) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}

// removableComment returns what may be removed with a comment: the comment and, if nothing replaces it, the spaces
// before it, or its line if it is alone there.
func (c *checker) removableComment(change finding.Change) source.Span {
	span := source.Span{Start: change.Offset, End: change.Offset + len(change.Old)}
	if _, found := slices.BinarySearchFunc(c.oldComments(), span, compare); !found {
		return source.Span{} // no comment, so none of it may go
	}
	if change.Value.Text != "" {
		return span
	}
	line := c.old.Source.FullLine(c.oldLine(span.Start))
	for span.Start > line.Start && (c.Old[span.Start-1] == ' ' || c.Old[span.Start-1] == '\t') {
		span.Start--
	}
	if span.Start == line.Start {
		return line
	}
	return span
}

// freshComments returns the spans of the comments in the new text that changes declare.
func (c *checker) freshComments() (spans []source.Span) {
	declared := map[string]bool{}
	for _, change := range c.Changes {
		if change.Op.OfComment() && change.Value.Text != "" {
			declared[change.Value.Text] = true
		}
	}
	if len(declared) == 0 {
		return nil
	}
	for _, span := range c.newComments() {
		if declared[string(c.new.Source.Slice(span))] {
			spans = append(spans, span)
		}
	}
	return spans
}

// commentPlaces checks that each new comment is where it is declared: one that is inserted, alone on the line above its
// place; one that replaces another, in that one's place.
func (c *checker) commentPlaces() error {
	moved := text.NewMap(c.Edits)
	src := c.new.Source
	for _, change := range c.Changes {
		at := moved.New(change.Offset)
		switch {
		case change.Op == finding.InsertComment:
			// the line itself if one edit adds the comment and what follows it
			number := src.LineAt(at)
			if !c.holdsOnly(number-1, change.Value.Text) && !c.holdsOnly(number, change.Value.Text) {
				return c.fail(Bytes, "the comment would not be directly above line %d", c.oldLine(change.Offset))
			}
		case change.Op == finding.EditComment && change.Value.Text != "":
			line := src.Line(src.LineAt(at))
			if !strings.HasSuffix(string(src.Slice(line)), change.Value.Text) {
				return c.fail(Bytes, "the comment would not be on line %d", c.oldLine(change.Offset))
			}
		}
	}
	return nil
}

// holdsOnly reports whether a line of the new text is a comment and nothing else.
func (c *checker) holdsOnly(number int, comment string) bool {
	line := c.new.Source.Slice(c.new.Source.Line(number))
	return string(bytes.TrimLeft(line, " \t")) == comment
}
