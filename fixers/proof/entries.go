package proof

import (
	"bytes"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// newRoots returns the documents of the new text. Of a mapping without anchors whose keys begin lines, yaml.v3 only
// reads the entries that differ from the old text: what is between two such keys means the same whatever is around it.
func (c *checker) newRoots() ([]*yaml.Node, error) {
	if root := c.spliced(); root != nil {
		return []*yaml.Node{root}, nil
	}
	return decode(c.New)
}

// spliced returns the root of the new text with the old nodes of entries that have not changed; nil if it is not
// certain that this is how yaml.v3 would read the whole text.
func (c *checker) spliced() *yaml.Node {
	if !c.Before.blocks() {
		return nil
	}
	root, entries := c.Before.roots[0], c.Before.stream.Documents[0].Entries()
	first, next := c.changedEntries(entries)
	if first < 0 || first == 0 && next == len(entries) {
		return nil
	}
	from, to := entries[first].Key.Properties, len(c.Old)
	if next < len(entries) {
		to = entries[next].Key.Properties
	}
	text := c.New[from : len(c.New)-(len(c.Old)-to)]
	if to < len(c.Old) && len(text) > 0 && text[len(text)-1] != '\n' {
		return nil
	}
	read := alone.Of(string(text), readEntries)
	if !read.certain {
		return nil
	}
	c.part = &part{source.Span{Start: from, End: to}, source.Span{Start: from, End: from + len(text)}}
	return &yaml.Node{Kind: root.Kind, Tag: root.Tag, Content: slices.Concat(root.Content[:2*first], read.content, root.Content[2*next:])}
}

// part is where whole entries are in both texts that differ; those around them are the same, and read in the same way.
type part struct{ old, new source.Span }

// alone keeps how entries are read: copies of a file mostly need the same fixes.
var alone = plain.Memo[entries]{Longest: 1024}

// entries are what yaml.v3 reads from a text of entries alone; nobody changes them.
type entries struct {
	content []*yaml.Node // as in yaml.Node.Content
	certain bool         // they would be the same between other entries
}

func readEntries(text string) entries {
	if !separate([]byte(text)) {
		return entries{}
	}
	read, err := decode([]byte(text))
	switch {
	case err != nil || len(read) > 1:
		return entries{}
	case len(read) == 0:
		return entries{certain: true}
	}
	return entries{read[0].Content, read[0].Kind == yaml.MappingNode && begin(read[0].Content)}
}

// blocks reports whether the text is a mapping in block style without anchors.
func (b *Before) blocks() bool {
	return b.converted && len(b.roots) == 1 && b.roots[0].Kind == yaml.MappingNode && b.stream.Documents[0].Style == document.Block
}

// changedEntries returns the indexes of the first entry that differs between the texts, and of the first one after it
// from which on they are the same; -1 if an entry does not begin with its line.
func (c *checker) changedEntries(entries []document.Entry) (first, next int) {
	start, end := equalEnds(c.Old, c.New)
	first = -1
	for next < len(entries) {
		at := entries[next].Key.Properties
		if at != c.old.Source.Start() && c.Old[at-1] != '\n' {
			return -1, 0
		}
		if at <= start {
			first = next
		} else if at >= len(c.Old)-end {
			break
		}
		next++
	}
	return first, next
}

// equalEnds returns the lengths of what two texts begin with and, apart from that, end with.
func equalEnds(a, b []byte) (start, end int) {
	const block = 64 // compared at once
	most := min(len(a), len(b))
	for start+block <= most && bytes.Equal(a[start:start+block], b[start:start+block]) {
		start += block
	}
	for start < most && a[start] == b[start] {
		start++
	}
	a, b, most = a[start:], b[start:], most-start
	for end+block <= most && bytes.Equal(a[len(a)-end-block:len(a)-end], b[len(b)-end-block:len(b)-end]) {
		end += block
	}
	for end < most && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return start, end
}

// lineStarts are the characters with which the lines of an entry begin, as far as they are known to be harmless.
var lineStarts = []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$\"'# -\r\n")

// separate reports whether a text of whole lines means the same alone as between two entries of a mapping, as far as
// its characters tell: no line of it can belong to what is before it, end the document, or begin another.
func separate(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	if text[0] == ' ' || text[0] == '\r' || text[0] == '\n' || text[0] == '-' {
		return false
	}
	for line := range bytes.Lines(text) {
		if bytes.IndexByte(lineStarts, line[0]) < 0 || bytes.HasPrefix(line, []byte("---")) {
			return false
		}
		for i, b := range line {
			if b >= 0x7f || b == '\t' || b == '\r' && (i+1 == len(line) || line[i+1] != '\n') {
				return false
			}
		}
	}
	return true
}

// begin reports whether all keys of a mapping begin a line.
func begin(content []*yaml.Node) bool {
	for i := 0; i < len(content); i += 2 {
		if content[i].Column != 1 {
			return false
		}
	}
	return true
}
