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
// whole returns the length of its beginning. last means that nothing follows b.
func whole(b []byte, last bool) int {
	end := lineEnd(b[:min(len(b), longest)])
	switch {
	case end < 0 && len(b) >= longest:
		return longest
	case end < 0:
		return 0
	}
	return pastEnd(b, end, last)
}

// lineEnd returns the index of the first newline or carriage return in b, or -1 if there is none. The beginning of an
// unfinished line is searched at every write, which bytes.IndexAny does byte by byte.
func lineEnd(b []byte) int {
	newline := bytes.IndexByte(b, '\n')
	if newline < 0 {
		return bytes.IndexByte(b, '\r')
	}
	if end := bytes.IndexByte(b[:newline], '\r'); end >= 0 {
		return end
	}
	return newline
}

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
	for n := whole(rest, last); n > 0; n = whole(rest, last) {
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
	l.held = append(l.held[:0], rest...)
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
		line := rest[head:]
		end := lineEnd(line)
		if head == 0 || end < 0 {
			break
		}
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
		rest = line[n:]
	}
	c.held = append(c.held[:0], rest...)
}
