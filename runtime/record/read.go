package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/disk"
)

// piece is an entry of the index.
type piece struct {
	stream int
	length int64
}

// pieces reads an index from a given entry.
type pieces struct {
	r      *bufio.Reader
	before int64 // the start of the entry that next has read, or tried to read
	at     int64
}

func newPieces(index io.ReaderAt, from int64) *pieces {
	return &pieces{r: bufio.NewReader(io.NewSectionReader(index, from, 1<<62)), at: from}
}

// next returns the next entry. io.EOF also stands for an incomplete entry, or one that no program has written.
func (p *pieces) next() (piece, error) {
	p.before = p.at
	var value uint64
	for shift := 0; shift < 63; shift += 7 {
		b, err := p.r.ReadByte()
		if err != nil {
			return piece{}, err
		}
		p.at++
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if length := int64(value >> 1); length > 0 {
				return piece{int(value & 1), length}, nil
			}
			return piece{}, io.EOF
		}
	}
	return piece{}, io.EOF
}

// Follower reads the log of a run, even while another program is writing it.
type Follower struct {
	text, index *os.File
	at          cursor
}

// Files opens the folder of a record for reading, without asking git. The caller must close it. The error is a
// *RefusedError if the folder is a link or belongs to another user.
func Files(dir string) (*disk.Dir, error) { return open(dir) }

// OpenMetrics opens the metrics of the record in dir. The error is fs.ErrNotExist if there are none.
func OpenMetrics(dir string) (*os.File, error) {
	at, err := open(dir)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	return at.OpenRead(metricsName)
}

// Follow opens the log of the record in dir. The caller must close it.
func Follow(dir string) (*Follower, error) {
	at, err := open(dir)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	text, err := at.OpenRead(logName)
	if err != nil {
		return nil, fmt.Errorf("%s: the log cannot be read: %w", filepath.Join(dir, logName), err)
	}
	index, err := at.OpenRead(logName + indexEnd)
	if err != nil {
		_ = text.Close()
		return nil, fmt.Errorf("%s: the log cannot be read: %w", filepath.Join(dir, logName+indexEnd), err)
	}
	return &Follower{text: text, index: index}, nil
}

// CopyTo copies what has been written since the last call, each stream's bytes to the corresponding stream.
func (f *Follower) CopyTo(s process.Streams) error {
	info, err := f.text.Stat()
	if err != nil {
		return err
	}
	f.at, err = copyLog(f.text, f.index, f.at, 0, info.Size(), s)
	return err
}

// Close ends reading.
func (f *Follower) Close() { _ = errors.Join(f.text.Close(), f.index.Close()) }

// cursor is a position between two pieces: how many bytes of the text and of the index precede it.
type cursor struct{ text, index int64 }

// copyLog passes on the pieces from a cursor that end at or before to, without the bytes before skip, and returns how
// far it came.
func copyLog(text, index io.ReaderAt, at cursor, skip, to int64, s process.Streams) (cursor, error) {
	entries := newPieces(index, at.index)
	out := [2]io.Writer{s.Stdout, s.Stderr}
	for {
		p, err := entries.next()
		if errors.Is(err, io.EOF) || err == nil && at.text+p.length > to {
			return at, nil
		}
		if err != nil {
			return at, err
		}
		end := at.text + p.length
		if start := max(at.text, skip); start < end {
			if _, err := io.Copy(out[p.stream], io.NewSectionReader(text, start, end-start)); err != nil {
				return at, err
			}
		}
		at = cursor{text: end, index: entries.at}
	}
}
