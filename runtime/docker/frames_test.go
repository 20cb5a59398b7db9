//go:build linux

package docker

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/docker/docker/pkg/stdcopy"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

// FuzzFrames compares the reader with Docker's own on arbitrary bytes, read in pieces of any size, up to the first
// error.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x00\x03abc\x02\x00\x00\x00\x00\x00\x00\x01d\x01\x00\x00\x00\x00\x00\x00\x00"), 3)
	f.Add([]byte("\x03\x00\x00\x00\x00\x00\x00\x03bad"), 100)
	f.Add([]byte("\x09\x00\x00\x00\xff\xff\xff\xffx"), 1)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		var out, errs, wantOut, wantErr bytes.Buffer
		err := copyFrames(&slow{text, max(1, size)}, process.Streams{Stdout: &out, Stderr: &errs})
		if longFrame(text) {
			return // Docker's reader allocates all of it at once
		}
		_, wantFailure := stdcopy.StdCopy(&wantOut, &wantErr, bytes.NewReader(text))
		if err == nil && wantFailure != nil { // Docker's reader accepts a longer message from the engine that is truncated
			t.Fatalf("no error, want %v", wantFailure)
		}
		// the part of a truncated frame that arrived is passed on
		if !strings.HasPrefix(out.String(), wantOut.String()) || !strings.HasPrefix(errs.String(), wantErr.String()) {
			t.Errorf("%q %q, want %q %q", out.String(), errs.String(), wantOut.String(), wantErr.String())
		}
	})
}

// longFrame reports whether a frame claims to hold more than a megabyte.
func longFrame(text []byte) bool {
	for len(text) >= frameHeader {
		length := int64(binary.BigEndian.Uint32(text[4:]))
		if length > 1<<20 {
			return true
		}
		text = text[min(int64(len(text)), frameHeader+length):]
	}
	return false
}

// slow returns at most size bytes per read.
type slow struct {
	text []byte
	size int
}

func (s *slow) Read(p []byte) (int, error) {
	if len(s.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.text[:min(s.size, len(s.text))])
	s.text = s.text[n:]
	return n, nil
}

// TestFramesAreLive checks that the start of a frame is passed on before the rest arrives.
func TestFramesAreLive(t *testing.T) {
	r, w := io.Pipe()
	got := new(testkit.Buffer)
	done := make(chan error, 1)
	go func() { done <- copyFrames(r, process.Streams{Stdout: got, Stderr: io.Discard}) }()
	_, _ = w.Write([]byte("\x01\x00\x00\x00\x00\x00\x00\x06abc"))
	got.Await(t, "abc")
	_, _ = w.Write([]byte("def"))
	got.Await(t, "abcdef")
	_ = w.Close()
	testkit.OK(t, testkit.Receive(t, "copying ends", done))
}
