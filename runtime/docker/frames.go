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

// copyFrames passes the output on until r ends. It combines frames of one stream that arrived together, but holds
// nothing back when no more can be read at once.
func copyFrames(r io.Reader, s process.Streams) error {
	in := bufio.NewReaderSize(r, frameBuffer)
	pending, to := make([]byte, 0, frameBuffer), io.Writer(nil)
	flush := func() error {
		if len(pending) == 0 {
			return nil
		}
		_, err := to.Write(pending)
		pending = pending[:0]
		return err
	}
	var header [frameHeader]byte
	for {
		if in.Buffered() == 0 {
			if err := flush(); err != nil {
				return err
			}
		}
		if _, err := io.ReadFull(in, header[:]); err != nil {
			ferr := flush()
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = nil
			}
			return errors.Join(err, ferr)
		}
		w := s.Stdout
		switch header[0] {
		case 0, 1:
		case 2:
			w = s.Stderr
		case systemError:
			length := int64(binary.BigEndian.Uint32(header[4:]))
			text, _ := io.ReadAll(io.LimitReader(in, min(length, frameBuffer)))
			if int64(len(text)) < min(length, frameBuffer) { // truncated, as any frame can be
				return flush()
			}
			return errors.Join(flush(), fmt.Errorf("the engine cut the output off: %s", text))
		default:
			return errors.Join(flush(), fmt.Errorf("the engine's output has an unknown stream, %d", header[0]))
		}
		if w != to {
			if err := flush(); err != nil {
				return err
			}
			to = w
		}
		for left := int(binary.BigEndian.Uint32(header[4:])); left > 0; {
			if len(pending) == cap(pending) || in.Buffered() == 0 {
				if err := flush(); err != nil {
					return err
				}
			}
			n, err := in.Read(pending[len(pending):min(cap(pending), len(pending)+left)])
			pending, left = pending[:len(pending)+n], left-n
			if err != nil {
				ferr := flush()
				if errors.Is(err, io.EOF) {
					err = nil
				}
				return errors.Join(err, ferr)
			}
		}
	}
}
