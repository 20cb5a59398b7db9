package lsp

import (
	"bytes"
	"maps"
	"path/filepath"

	"go.lsp.dev/uri"

	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/source"
)

// buffer is a file open in the editor; its text counts, whatever is on disk.
type buffer struct {
	uri     uri.URI // as written by the editor
	path    string  // its identity
	version int32
	text    []byte
}

// buffer returns an open document; nil for any other.
func (s *Server) buffer(u uri.URI) *buffer {
	path, ok := identityOf(u)
	if !ok {
		return nil
	}
	return s.buffers[path]
}

// opened returns an open document, and its file as read by one of the open projects; the file is nil if there is none.
func (s *Server) opened(u uri.URI) (*buffer, *project, *schema.File) {
	d := s.buffer(u)
	if d == nil {
		return nil, nil, nil
	}
	p, f := s.fileOf(d.path)
	return d, p, f
}

func (s *Server) didOpen(params *protocol.DidOpenParams) (none, error) {
	at := params.TextDocument
	path, ok := identityOf(at.URI)
	if !ok || path == filepath.Dir(path) { // the folder of the root would be searched
		return nil, nil
	}
	d := &buffer{uri: at.URI, path: path, version: at.Version, text: []byte(at.Text)}
	s.buffers[path] = d
	s.setText(path, d.text)
	s.rediscover()
	return nil, nil
}

func (s *Server) didChange(params *protocol.DidChangeParams) (none, error) {
	d := s.buffer(params.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	for _, change := range params.ContentChanges {
		at := source.Span{End: len(d.text)}
		if change.Range != nil {
			at = s.grid(d.path, d.text).spanned(*change.Range)
		}
		// Join returns no nil, which would stand for the text on disk
		d.text = bytes.Join([][]byte{d.text[:at.Start], []byte(change.Text), d.text[at.End:]}, nil)
	}
	d.version = params.TextDocument.Version
	s.setText(d.path, d.text)
	s.changed(d.path)
	return nil, nil
}

func (s *Server) didSave(params *protocol.DocumentParams) (none, error) {
	if path, ok := identityOf(params.TextDocument.URI); ok {
		s.changed(path)
	}
	return nil, nil
}

func (s *Server) didClose(params *protocol.DocumentParams) (none, error) {
	if d := s.buffer(params.TextDocument.URI); d != nil {
		delete(s.buffers, d.path)
		s.setText(d.path, nil)
		s.rediscover()
	}
	return nil, nil
}

// setText sets a text that replaces a file's content on disk; nil removes it. It creates a new map, because projects
// hold the old one.
func (s *Server) setText(path string, text []byte) {
	texts := maps.Clone(s.engine.Texts)
	if text == nil {
		delete(texts, path)
	} else {
		texts[path] = text
	}
	s.engine.Texts = texts
}

// didChangeFiles handles changes on disk that the editor has noticed. Those of open documents are ignored, because the
// editor's text counts.
func (s *Server) didChangeFiles(params *protocol.DidChangeFilesParams) (none, error) {
	for _, event := range params.Changes {
		path, ok := identityOf(event.URI)
		if !ok {
			continue
		}
		if s.buffers[path] == nil || event.Type != protocol.FileChanged {
			s.rediscover()
		}
	}
	return nil, nil
}
