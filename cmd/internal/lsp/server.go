// Package lsp is a language server (LSP 3.17) based on the checking engine: it shows the findings of projects while
// their files are edited, and makes their repairs in the editor.
package lsp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/lsp/jsonrpc"
)

// Server serves one editor. Its zero value is not usable; see New.
type Server struct {
	// Version is this program's version, which editors show.
	Version string
	// Log receives one line for each request that failed; may be nil. No line contains text from a file.
	Log func(line string)

	engine check.Engine
	out    *jsonrpc.Writer
	wake   chan struct{} // signals that something must be checked

	begun   bool     // initialize was requested; only for handle
	waiting sync.Map // whether a waiting request was cancelled, by its ID
	answers sync.WaitGroup

	// The following fields are guarded by mu. Requests are answered one at a time: each sees one state of all texts.
	mu      sync.Mutex
	client  client
	folders []folder
	buffers map[string]*buffer // open ones, by identity
	found   check.Found
	stale   bool // found must be determined again
	open    map[string]*project
	shown   map[string][]byte // what was last published, by identity
	pulled  map[string]bool   // files whose findings the editor has requested, or got with others
	ending  atomic.Bool
}

// New returns a server that checks with an engine, whose Texts the server sets. Nothing runs before Serve.
func New(engine check.Engine) *Server {
	engine.Texts = map[string][]byte{}
	return &Server{
		engine: engine, wake: make(chan struct{}, 1), buffers: map[string]*buffer{},
		open: map[string]*project{}, shown: map[string][]byte{}, pulled: map[string]bool{}, stale: true,
	}
}

// Serve answers the editor until it sends exit or disconnects, or until ctx ends; then answers may still be under way.
// clean reports whether the editor requested the shutdown first, as it should.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) (clean bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.out = jsonrpc.NewWriter(out)
	var wait sync.WaitGroup
	wait.Go(func() { s.publishing(ctx) })
	read := make(chan error, 1)
	go func() { read <- s.reading(bufio.NewReader(in)) }()
	select {
	case err := <-read:
		if err != nil && s.Log != nil {
			s.Log("the server stops: what was sent is not a message of the Language Server Protocol, or the connection broke")
		}
	case <-ctx.Done():
		return false // at once: what is under way writes no file
	}
	cancel()
	published := make(chan struct{})
	go func() { wait.Wait(); close(published) }()
	select {
	case <-published:
	case <-time.After(patience): // the check of a huge folder, which nobody awaits any more
	}
	return s.ending.Load()
}

// patience is how long an editor that ends the server may wait for a check that is under way.
const patience = time.Second

// reading handles messages until the editor sends exit or disconnects.
func (s *Server) reading(in *bufio.Reader) error {
	defer s.answers.Wait()
	for {
		switch m, err := jsonrpc.Read(in); {
		case errors.Is(err, io.EOF) || m.Method == "exit":
			return nil
		case err != nil:
			return err
		case m.Method != "": // not an answer
			s.handle(m)
		}
	}
}

// guarded answers a request, even if that panics: the server continues.
func (s *Server) guarded(method string, answer func() (any, error)) (result any, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			if s.Log != nil {
				s.Log(method + " failed in amlfix, please report it:\n" + string(debug.Stack()))
			}
			result, err = nil, failed(jsonrpc.InternalError, "amlfix failed on "+method+": please report it")
		}
	}()
	return answer()
}
