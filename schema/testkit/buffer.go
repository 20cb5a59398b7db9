package testkit

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// Patience is how long tests wait for what comes for certain. It is much longer than that takes on a machine that does
// much else, and costs nothing there: only a test that fails waits so long.
const Patience = 2 * time.Minute

// Buffer collects what a process writes. It can be waited on, and have something done when a text has come. Its zero
// value is empty; all of it may be used from several goroutines.
type Buffer struct {
	mu    sync.Mutex
	b     bytes.Buffer
	after map[string]func()
}

// Doing returns a Buffer for which After was called with each text.
func Doing(after map[string]func()) *Buffer {
	b := new(Buffer)
	for text, do := range after {
		b.After(text, do)
	}
	return b
}

// After has do called once in a goroutine of its own, when text has been written; at once if it has been already. A
// text has one do, the last one.
func (b *Buffer) After(text string, do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.after == nil {
		b.after = map[string]func(){}
	}
	b.after[text] = do
	b.look()
}

func (b *Buffer) look() {
	for text, do := range b.after {
		if strings.Contains(b.b.String(), text) {
			delete(b.after, text)
			go do()
		}
	}
}

// Write never fails.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, err := b.b.Write(p)
	b.look()
	return n, err
}

// String is all that was written so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// Await waits until text has been written; when Patience is over the test fails.
func (b *Buffer) Await(t testing.TB, text string) {
	t.Helper()
	came := make(chan struct{})
	b.After(text, func() { close(came) })
	select {
	case <-came:
	case <-time.After(Patience):
		t.Fatalf("%q did not come; there is %q", text, b)
	}
}

// Receive waits until a channel has a value, or is closed, and returns it; when Patience is over the test fails. what
// is for that.
func Receive[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(Patience):
		t.Fatalf("%s: it has not come to that", what)
		panic("not reached")
	}
}

// Until waits until something is so; when Patience is over the test fails. It is for what tells nobody when it happens.
func Until(t testing.TB, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(Patience); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: it has not come to that", what)
		}
	}
}
