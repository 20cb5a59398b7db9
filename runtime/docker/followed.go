package docker

import (
	"bytes"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

// followed counts what has been passed on of each stream, so that a log read from its first byte can be continued
// there.
type followed struct {
	out, err counter
	pieces   atomic.Int64 // received
	writing  atomic.Int64 // of these, how many a writer is still handling
}

// counter passes one stream on. It compares the end of what it has passed on with the log: output that arrives live is
// not in the log yet, and an engine that is killed then never writes it there. Without the comparison, as much of what
// comes next would be taken for it.
type counter struct {
	of         *followed
	w          io.Writer
	seen, skip int64  // positions in the log
	last       []byte // the bytes before seen
	exact      bool   // the log has the very bytes that were passed on, or lacks them
}

// keptOutput is how many of the last bytes are compared.
const keptOutput = 64 << 10

func newFollowed(s process.Streams, out, err int64) *followed {
	f := &followed{out: counter{w: s.Stdout, seen: out}, err: counter{w: s.Stderr, seen: err}}
	f.out.of, f.err.of = f, f
	return f
}

// drained waits until all output has been passed on, however long a writer takes. It does not wait forever for more
// output: a process that escaped may hold the stream open.
func (f *followed) drained(done <-chan struct{}) {
	for last := int64(-1); ; {
		select {
		case <-done:
			return
		case <-time.After(drainTime):
		}
		now := f.pieces.Load()
		if now == last && f.writing.Load() == 0 {
			return
		}
		last = now
	}
}

func (f *followed) current() process.Streams { return process.Streams{Stdout: &f.out, Stderr: &f.err} }

// rewind prepares for a log that begins with its first byte, and reports whether some of it was passed on before.
func (f *followed) rewind(exact bool) bool {
	for _, c := range []*counter{&f.out, &f.err} {
		c.skip, c.exact = c.seen, exact
	}
	return f.out.seen > 0 || f.err.seen > 0
}

func (c *counter) Write(p []byte) (int, error) {
	c.of.pieces.Add(1)
	c.of.writing.Add(1)
	defer c.of.writing.Add(-1)
	n := len(p)
	if p = c.unseen(p); len(p) > 0 {
		c.seen += int64(len(p))
		c.keep(p)
		if _, err := c.w.Write(p); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// unseen returns what was not passed on before. If the log lacks what was, it continues with the line in which it first
// differs.
func (c *counter) unseen(p []byte) []byte {
	n := int(min(c.skip, int64(len(p))))
	at := len(c.last) - int(min(c.skip, int64(len(c.last))+int64(n))) // where p begins in last; negative: before it
	c.skip -= int64(n)
	if !c.exact {
		return p[n:]
	}
	for i := max(0, -at); i < n; i++ {
		if p[i] == c.last[at+i] {
			continue
		}
		line := bytes.LastIndexByte(c.last[:at+i], '\n') + 1
		next := slices.Concat(c.last[line:at+i], p[i:])
		c.seen -= int64(len(c.last) - line)
		c.last, c.skip = c.last[:line], 0
		return next
	}
	return p[n:]
}

// keep keeps the last bytes.
func (c *counter) keep(p []byte) {
	if more := len(c.last) + len(p) - 2*keptOutput; more > 0 {
		c.last = append(c.last[:0], c.last[max(0, len(c.last)-keptOutput):]...)
	}
	c.last = append(c.last, p[max(0, len(p)-2*keptOutput):]...)
}
