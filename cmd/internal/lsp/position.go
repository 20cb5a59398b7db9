package lsp

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/uri"

	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/source"
)

// pathOf returns the path of the file that a URI names; ok is false for anything else, such as a text that has no file
// yet.
func pathOf(u uri.URI) (path string, ok bool) {
	if !strings.HasPrefix(string(u), "file:") {
		return "", false
	}
	path = u.FsPath()
	return path, path != ""
}

// identityOf returns the identity of the file that a URI names.
func identityOf(u uri.URI) (path string, ok bool) {
	path, ok = pathOf(u)
	return schema.Identity(path), ok
}

// uriOf returns the URI of a file as the editor knows it, or would: that of its document, or one below the folder that
// the editor has opened.
func (s *Server) uriOf(path string) uri.URI {
	if d := s.buffers[path]; d != nil {
		return d.uri
	}
	for _, f := range s.folders {
		if schema.Below(f.identity, path) {
			if rel, err := filepath.Rel(f.identity, path); err == nil {
				return uri.File(filepath.Join(f.given, rel))
			}
		}
	}
	return uri.File(path)
}

// grid converts positions in a text to the editor's and back: in lines that end with \n, \r\n or \r, whatever a YAML
// reader considers a line end, and in UTF-16 units or bytes.
type grid struct {
	text   []byte
	starts []int // the start of each line
	bytes  bool
	hidden int // bytes at the start that the editor does not show
}

// grid returns the grid of a file's text. Editors do not show the byte order mark of a file that they read; the text of
// a document is as they sent it.
func (s *Server) grid(path string, text []byte) *grid {
	g := &grid{text: text, bytes: s.client.utf8}
	if bom := []byte("\xef\xbb\xbf"); s.buffers[path] == nil && bytes.HasPrefix(text, bom) {
		g.hidden = len(bom)
	}
	g.starts = []int{g.hidden}
	for i, b := range text {
		if b == '\n' || b == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			g.starts = append(g.starts, i+1)
		}
	}
	return g
}

// position returns the editor's position of a byte offset.
func (g *grid) position(offset int) protocol.Position {
	offset = min(max(offset, g.hidden), len(g.text))
	line, found := slices.BinarySearch(g.starts, offset)
	if !found {
		line--
	}
	return protocol.Position{Line: uint32(line), Character: uint32(g.width(g.text[g.starts[line]:offset]))} //nolint:gosec // no text is that long
}

// width returns the length of a text in the editor's units.
func (g *grid) width(text []byte) (n int) {
	if g.bytes {
		return len(text)
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		n += units(r)
		text = text[size:]
	}
	return n
}

// units returns how many UTF-16 units a character takes.
func units(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// offset returns the byte offset of a position, or the nearest one before it if it does not exist.
func (g *grid) offset(at protocol.Position) int {
	if int64(at.Line) >= int64(len(g.starts)) {
		return len(g.text)
	}
	i := g.starts[at.Line]
	end := i
	for end < len(g.text) && g.text[end] != '\n' && g.text[end] != '\r' {
		end++
	}
	for n := 0; i < end; {
		r, size := utf8.DecodeRune(g.text[i:])
		step := size
		if !g.bytes {
			step = units(r)
		}
		if int64(n+step) > int64(at.Character) {
			break
		}
		n, i = n+step, i+size
	}
	return i
}

// ranged returns a part of the text as the editor's range.
func (g *grid) ranged(at source.Span) protocol.Range {
	return protocol.Range{Start: g.position(at.Start), End: g.position(at.End)}
}

// spanned returns the part of the text that an editor's range denotes.
func (g *grid) spanned(r protocol.Range) source.Span {
	start := g.offset(r.Start)
	return source.Span{Start: start, End: max(start, g.offset(r.End))}
}
