package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/disk"
)

// Log is a job's output on disk: the bytes of both streams in one file, in the order of arrival, for people and tools
// to read, and beside it an index that says to which stream each piece belongs. An entry of the index is a number in
// the format of encoding/binary.Uvarint: twice the length of the piece, plus one for standard error. The bytes are
// written before their entry, so what a killed program leaves can be cut to the pieces that are certainly complete.
//
// A third file holds the position up to which the output was shown, so that another program can continue there.
type Log struct {
	mu      sync.Mutex // held while a piece is stored and passed on, so that pieces keep their order
	text    *os.File
	index   *os.File
	shown   *os.File
	size    int64
	streams [2]int64
	unseen  bool // what is passed on does not count as shown

	files sync.Mutex // held while the files change, but not while a reader of the output keeps the program waiting
	err   error      // the first failure; from then on nothing is kept
	gave  bool       // the end was cut off to give room
}

// openLog opens the log of a run or of one of its pods for writing, and repairs its end.
func openLog(dir *disk.Dir, base string) (*Log, error) {
	l := &Log{}
	var err error
	open := func(name string) (f *os.File) {
		if err == nil {
			f, err = dir.Edit(name, 0o600, false)
		}
		return f
	}
	l.text, l.index, l.shown = open(base), open(base+indexEnd), open(base+shownEnd)
	if err == nil {
		err = l.recover()
	}
	if err != nil {
		l.close()
		return nil, fmt.Errorf("the log cannot be opened: %w", err)
	}
	return l, nil
}

// recover finds the longest prefix on which both files agree, and truncates the rest.
func (l *Log) recover() error {
	info, err := l.text.Stat()
	if err != nil {
		return err
	}
	pieces := newPieces(l.index, 0)
	for {
		p, err := pieces.next()
		if errors.Is(err, io.EOF) || err == nil && l.size+p.length > info.Size() {
			break
		}
		if err != nil {
			return err
		}
		l.size += p.length
		l.streams[p.stream] += p.length
	}
	if err := l.text.Truncate(l.size); err != nil {
		return err
	}
	if err := l.index.Truncate(pieces.before); err != nil {
		return err
	}
	if _, err := l.text.Seek(l.size, io.SeekStart); err != nil {
		return err
	}
	_, err = l.index.Seek(pieces.before, io.SeekStart)
	return err
}

// Seen returns how many bytes of standard output and standard error the log holds.
func (l *Log) Seen() (out, err int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.streams[0], l.streams[1]
}

// Err returns why the log is incomplete; nil if it is complete.
func (l *Log) Err() error {
	l.files.Lock()
	defer l.files.Unlock()
	return l.err
}

// Unseen says that nobody sees what is passed on, so the next program shows it.
func (l *Log) Unseen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unseen = true
}

// Tee returns streams that store every piece in the log, then pass it on, then record that it was shown. Writing to
// them fails only if passing on fails.
func (l *Log) Tee(s process.Streams) process.Streams {
	return process.Streams{Stdout: &tee{l, 0, s.Stdout}, Stderr: &tee{l, 1, s.Stderr}}
}

type tee struct {
	log    *Log
	stream int
	next   io.Writer
}

func (t *tee) Write(p []byte) (int, error) {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	t.log.add(t.stream, p)
	n, err := t.next.Write(p)
	if !t.log.unseen {
		t.log.show(t.log.size)
	}
	return n, err
}

func (l *Log) add(stream int, p []byte) {
	l.files.Lock()
	defer l.files.Unlock()
	if l.err != nil || len(p) == 0 {
		return
	}
	var b [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(b[:], uint64(len(p))<<1|uint64(stream)) //nolint:gosec // a stream is 0 or 1
	_, err := l.text.Write(p)
	if err == nil {
		_, err = l.index.Write(b[:n])
	}
	if err != nil {
		l.err = err
		l.cut()
		return
	}
	l.size += int64(len(p))
	l.streams[stream] += int64(len(p))
}

// yielded is how many bytes a log gives back when the disk is full.
const yielded = 64 << 10

// cut shortens a log, probably on a full disk, so that the record can still be written, and reports whether it did.
func (l *Log) cut() bool {
	info, err := l.text.Stat()
	return err == nil && info.Size() > 0 && l.text.Truncate(max(0, min(l.size, info.Size())-yielded)) == nil // the index is cut when the log is opened
}

// giveRoom ends the log and cuts it because something else has found the disk full, and reports whether it did. A log
// without output has nothing to give and continues, and one that has given room keeps the rest.
func (l *Log) giveRoom(err error) bool {
	l.files.Lock()
	defer l.files.Unlock()
	if l.gave || !l.cut() {
		return false
	}
	l.gave = true
	if l.err == nil {
		l.err = err
	}
	return true
}

// show records a position. The number always has the same length, so writing it is atomic.
func (l *Log) show(position int64) {
	l.files.Lock()
	defer l.files.Unlock()
	if l.err == nil {
		_, l.err = l.shown.WriteAt(fmt.Appendf(nil, "%020d\n", position), 0)
	}
}

// Replay passes on what was stored but not shown, and records that it was shown. If whole is true, it passes everything
// on again.
func (l *Log) Replay(s process.Streams, whole bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	skip := int64(0)
	if !whole {
		skip = min(shownAt(l.shown), l.size)
	}
	to, err := copyLog(l.text, l.index, cursor{}, skip, l.size, s)
	l.show(to.text)
	return err
}

// Unseen reports whether nobody was shown some of the output in the record in dir.
func Unseen(dir string) bool {
	at, err := open(dir)
	if err != nil {
		return false
	}
	defer at.Close()
	info, err := at.Lstat(logName)
	if err != nil {
		return false
	}
	f, err := at.OpenRead(logName + shownEnd)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	return shownAt(f) < info.Size()
}

func shownAt(f io.ReaderAt) (position int64) {
	var b [20]byte
	if n, _ := f.ReadAt(b[:], 0); n == len(b) {
		_, _ = fmt.Sscanf(string(b[:]), "%020d", &position)
	}
	return max(position, 0)
}

func (l *Log) close() {
	for _, f := range []*os.File{l.text, l.index, l.shown} {
		if f != nil {
			_ = f.Close()
		}
	}
}
