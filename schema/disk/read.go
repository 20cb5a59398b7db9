package disk

import (
	"errors"
	"slices"
)

// ErrIrregular is why folders, pipes and devices are not read.
var ErrIrregular = errors.New("it is not a regular file")

// readSized reads a file that probably has the given size, limit bytes at most. At this size it does not ask whether
// there is more, unless that fills what it asked for. It returns the error of read, such as io.EOF.
func readSized(read func(room []byte) (int, error), size int64, limit int) (text []byte, err error) {
	text = make([]byte, 0, min(size+1, int64(limit)))
	for {
		room := text[len(text):min(cap(text), limit)]
		n, err := read(room)
		text = text[:len(text)+n]
		switch {
		case err != nil, n == 0, n < len(room) && int64(len(text)) == size, len(text) == limit:
			return text, err
		case len(text) == cap(text):
			text = slices.Grow(text, max(512, len(text)))
		}
	}
}
