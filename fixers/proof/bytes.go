package proof

import (
	"bytes"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// bytes is clause (c). Bytes outside the edits are the same; inside, only bytes of declared nodes are removed, and only
// declared nodes and what joins them are added.
func (c *checker) bytes() error {
	if err := c.outside(); err != nil || c.raw {
		return err
	}
	if err := c.ownBytes(); err != nil {
		return err
	}
	if err := c.comments(); err != nil {
		return err
	}
	if err := c.commentPlaces(); err != nil {
		return err
	}
	if err := c.lineEnds(); err != nil {
		return err
	}
	return c.quotes()
}

// outside walks both texts along the edits.
func (c *checker) outside() error {
	before, after := c.Old, c.New
	at := 0
	for _, e := range c.Edits {
		if e.Span.Start < at || e.Span.End < e.Span.Start || e.Span.End > len(c.Old) {
			return c.fail(Bytes, "the edits overlap, or lie outside the file")
		}
		kept := before[:e.Span.Start-at]
		if !bytes.HasPrefix(after, kept) || !bytes.HasPrefix(after[len(kept):], []byte(e.New)) {
			return c.fail(Bytes, "bytes outside the declared edits would change")
		}
		before, after = c.Old[e.Span.End:], after[len(kept)+len(e.New):]
		at = e.Span.End
	}
	if !bytes.Equal(before, after) {
		return c.fail(Bytes, "bytes outside the declared edits would change")
	}
	return nil
}

// ownBytes checks that every byte removed or added belongs to a declared change.
func (c *checker) ownBytes() error {
	gone, come := source.Merge(c.mayGo()), source.Merge(c.mayCome())
	filler := c.filler()
	shift, breaks := 0, 0
	for _, e := range c.Edits {
		head := commonPrefix(c.Old[e.Span.Start:e.Span.End], e.New)
		tail := commonSuffix(c.Old[e.Span.Start+head:e.Span.End], e.New[head:])
		for i := e.Span.Start + head; i < e.Span.End-tail; i++ {
			if !contains(gone, i) {
				return c.fail(Bytes, "the byte %q on line %d, which no change declares, would be lost",
					c.Old[i:i+1], c.oldLine(i))
			}
		}
		for i := head; i < len(e.New)-tail; i++ {
			if !contains(come, e.Span.Start+shift+i) && strings.IndexByte(filler, e.New[i]) < 0 {
				return c.fail(Bytes, "%q would be written, which no change declares", e.New[i:i+1])
			}
		}
		breaks += c.breaks(e, head, tail)
		shift += len(e.New) - e.Span.Len()
	}
	if breaks > c.count(finding.InsertEntry)+c.count(finding.AppendItem)+c.count(finding.InsertComment) {
		return c.fail(Bytes, "more lines would be added than entries are declared")
	}
	return nil
}

// breaks returns how many line ends an edit adds.
func (c *checker) breaks(e text.Edit, head, tail int) int {
	line := "\n"
	if bytes.IndexByte(c.Old, '\n') < 0 && bytes.IndexByte(c.Old, '\r') >= 0 {
		line = "\r"
	}
	return strings.Count(e.New[head:len(e.New)-tail], line)
}

// filler is what may be written around declared nodes.
func (c *checker) filler() (chars string) {
	if c.count(finding.InsertEntry) > 0 {
		chars += " \t\r\n,:"
	}
	if c.count(finding.AppendItem) > 0 {
		chars += " \t\r\n,-"
	}
	if c.count(finding.InsertComment) > 0 {
		chars += " \t\r\n"
	}
	return chars
}

func (c *checker) count(op finding.Op) (n int) {
	for _, change := range c.Changes {
		if change.Op == op {
			n++
		}
	}
	return n
}

// contains reports whether a byte lies in one of merged spans.
func contains(merged []source.Span, offset int) bool {
	i, _ := slices.BinarySearchFunc(merged, offset, func(s source.Span, offset int) int {
		if s.End <= offset {
			return -1
		}
		return 1
	})
	return i < len(merged) && merged[i].Contains(offset)
}

func commonPrefix(a []byte, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a []byte, b string) (n int) {
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
