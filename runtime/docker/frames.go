package docker

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/amlfix/amlfix/runtime/process"
)

// The frames of an engine's output: a stream number, three zero bytes, a length in four bytes (big-endian), and that
// many bytes. An engine writes one frame for each line of its log.
const (
	frameHeader = 8
	frameBuffer = 64 << 10
	systemError = 3 // the stream on which an engine says why it stops
)

// frames combines frames of one stream that arrived together.
type frames struct {
	in      *bufio.Reader
	pending []byte
	to      io.Writer // where pending goes
}

// copyFrames passes the output on until r ends, and holds nothing back when no more can be read at once.
func copyFrames(r io.Reader, s process.Streams) error {
	f := frames{in: bufio.NewReaderSize(r, frameBuffer), pending: make([]byte, 0, frameBuffer)}
	err := f.copy(s)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, f.flush())
}

// copy returns io.EOF at the end, which may be inside of a frame.
func (f *frames) copy(s process.Streams) error {
	var header [frameHeader]byte
	for {
		if err := f.flushIf(f.in.Buffered() == 0); err != nil {
			return err
		}
		if _, err := io.ReadFull(f.in, header[:]); errors.Is(err, io.ErrUnexpectedEOF) {
			return io.EOF
		} else if err != nil {
			return err
		}
		length := int64(binary.BigEndian.Uint32(header[4:]))
		w := s.Stdout
		switch header[0] {
		case 0, 1:
		case 2:
			w = s.Stderr
		case systemError:
			text, _ := io.ReadAll(io.LimitReader(f.in, min(length, frameBuffer)))
			if int64(len(text)) < min(length, frameBuffer) { // truncated, as any frame can be
				return io.EOF
			}
			return fmt.Errorf("the engine cut the output off: %s", text)
		default:
			return fmt.Errorf("the engine's output has an unknown stream, %d", header[0])
		}
		if err := f.flushIf(w != f.to); err != nil {
			return err
		}
		f.to = w
		if err := f.content(int(length)); err != nil {
			return err
		}
	}
}

// content reads the bytes of one frame.
func (f *frames) content(left int) error {
	for left > 0 {
		if err := f.flushIf(len(f.pending) == cap(f.pending) || f.in.Buffered() == 0); err != nil {
			return err
		}
		n, err := f.in.Read(f.pending[len(f.pending):min(cap(f.pending), len(f.pending)+left)])
		f.pending, left = f.pending[:len(f.pending)+n], left-n
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *frames) flushIf(due bool) error {
	if !due {
		return nil
	}
	return f.flush()
}

// flush passes on what is pending.
func (f *frames) flush() error {
	if len(f.pending) == 0 {
		return nil
	}
	_, err := f.to.Write(f.pending)
	f.pending = f.pending[:0]
	return err
}
