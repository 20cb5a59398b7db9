package session

import (
	"bytes"
	"io"
	"strconv"
)

// longest is how many bytes of an unfinished line are collected before its beginning is passed on.
const longest = 1 << 16

// whole returns the length of the first complete line in b, including its end, or 0 if there is none yet. A line ends
// with a newline, or with carriage returns not followed by a newline, as in progress bars. For a line that is too long,
// whole returns the length of its beginning. The first bytes of b, searched before, have no end of a line. last means
// that nothing follows b.
func whole(b []byte, searched int, last bool) int {
	end := bytes.IndexAny(b[searched:min(len(b), longest)], "\r\n")
	switch {
	case end < 0 && len(b) >= longest:
		return longest
	case end < 0:
		return 0
	}
	return pastEnd(b, searched+end, last)
}

// unended returns how many bytes at the beginning of an unfinished line need not be searched for its end again.
func unended(line []byte) int { return len(bytes.TrimRight(line, "\r")) }

// pastEnd returns where the next line begins after one whose end begins at end, or 0 if that is not known yet.
func pastEnd(b []byte, end int, last bool) int {
	for end < len(b) && b[end] == '\r' {
		end++
	}
	switch {
	case end == len(b) && !last:
		return 0
	case end < len(b) && b[end] == '\n':
		end++
	}
	return end
}

// lined passes on complete lines, each with the index of its pod.
type lined struct {
	mark string
	w    io.Writer
	skip int64 // bytes that an earlier program passed on
	held []byte

	searched int // bytes of held that need not be searched for the end of a line again
}

func mark(index int) string { return "[" + strconv.Itoa(index) + "] " }

func (l *lined) Write(p []byte) (int, error) {
	n := len(p)
	if l.skip > 0 {
		skipped := min(l.skip, int64(len(p)))
		l.skip -= skipped
		p = p[skipped:]
	}
	l.held = append(l.held, p...)
	return n, l.pass(false)
}

func (l *lined) pass(last bool) error {
	var lines []byte
	rest := l.held
	for n := whole(rest, l.searched, last); n > 0; n = whole(rest, 0, last) {
		lines = append(append(lines, l.mark...), rest[:n]...)
		if rest[n-1] != '\n' && rest[n-1] != '\r' {
			lines = append(lines, '\n') // after the beginning of a line that is too long
		}
		rest = rest[n:]
	}
	if last && len(rest) > 0 {
		lines = append(append(append(lines, l.mark...), rest...), '\n')
		rest = nil
	}
	l.held, l.searched = append(l.held[:0], rest...), unended(rest)
	if len(lines) == 0 {
		return nil
	}
	_, err := l.w.Write(lines)
	return err
}

// passed counts the bytes of each pod in lined's output.
type passed struct {
	of   map[int]int64
	held []byte

	searched int // bytes of held that need not be searched for the end of a line again
}

func (c *passed) Write(p []byte) (int, error) {
	c.held = append(c.held, p...)
	c.count(false)
	return len(p), nil
}

func (c *passed) count(last bool) {
	rest := c.held
	for {
		head := bytes.IndexByte(rest, ' ') + 1
		from := max(head, c.searched)
		end := bytes.IndexAny(rest[from:], "\r\n")
		if head == 0 || end < 0 {
			break
		}
		line, end := rest[head:], from-head+end
		n := pastEnd(line, end, last)
		if n == 0 {
			break
		}
		index, err := strconv.Atoi(string(bytes.Trim(rest[:head], "[] ")))
		if err == nil {
			c.of[index] += int64(n)
			if end == longest {
				c.of[index]-- // the newline was added by lined
			}
		}
		rest, c.searched = line[n:], 0
	}
	c.held, c.searched = append(c.held[:0], rest...), unended(rest)
}
