package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
)

// redraw is the minimum time between two updates of the same transfer line.
const redraw = 100 * time.Millisecond

// Lines returns a Sink for logs and pipes: one line for each state and notice, and none for bytes moved. It ignores
// errors of w, because a closed terminal must not end a run.
func Lines(w io.Writer) Sink {
	var mu sync.Mutex
	return func(e Event) {
		if e.Transfer() || e.Text == "" {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.WriteString(w, "amlfix: "+escape.Terminal(e.Text)+"\n")
	}
}

// Terminal returns a Sink that redraws transfers on one line, which it clears before it writes anything else. w must be
// a terminal that supports the escape sequence "erase to end of line", which erases only the last row of a line that is
// too long: columns returns how long it may be; 0: that is not known.
func Terminal(w io.Writer, columns func() int) Sink {
	t := &terminal{w: w, columns: columns}
	return t.event
}

type terminal struct {
	mu      sync.Mutex
	w       io.Writer
	columns func() int
	drawn   bool // the terminal shows a transfer line
	last    time.Time
}

func (t *terminal) event(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.Transfer() {
		if now := time.Now(); now.Sub(t.last) >= redraw {
			t.last, t.drawn = now, true
			_, _ = io.WriteString(t.w, "\r\x1b[K"+fit("amlfix: "+escape.Terminal(e.Text), " "+amount(e.Moved, e.Total), t.columns()))
		}
		return
	}
	if t.drawn {
		t.drawn, t.last = false, time.Time{}
		_, _ = io.WriteString(t.w, "\r\x1b[K")
	}
	if e.Text != "" {
		_, _ = io.WriteString(t.w, "amlfix: "+escape.Terminal(e.Text)+"\n")
	}
}

// fit joins two texts, and shortens the first one if they would not fit into a row.
func fit(text, amount string, columns int) string {
	if columns > 0 {
		text = plain.Fit(text, max(columns-1-utf8.RuneCountInString(amount), 1))
	}
	return text + amount
}

func amount(moved, total int64) string {
	if total <= 0 {
		return Bytes(moved)
	}
	return Bytes(moved) + " of " + Bytes(total)
}

// Bytes formats a number of bytes for people, in decimal units: "512 B", "1.5 MB".
func Bytes(n int64) string {
	const k = 1000
	switch {
	case n < k:
		return fmt.Sprintf("%d B", n)
	case n < k*k:
		return fmt.Sprintf("%.1f kB", float64(n)/k)
	case n < k*k*k:
		return fmt.Sprintf("%.1f MB", float64(n)/(k*k))
	}
	return fmt.Sprintf("%.1f GB", float64(n)/(k*k*k))
}
