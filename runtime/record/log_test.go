package record

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/testkit"
)

// heard is what two streams received.
type heard struct{ out, err bytes.Buffer }

func (h *heard) streams() process.Streams { return process.Streams{Stdout: &h.out, Stderr: &h.err} }

func create(t testing.TB) *Run {
	t.Helper()
	r, err := Create(Record{ID: runid.MustParse("20261120-101112-abcdef"), Project: t.TempDir(), Name: "docker", Kind: "docker", Tracked: true})
	testkit.OK(t, err)
	t.Cleanup(r.Close)
	return r
}

func write(t testing.TB, s process.Streams, pieces ...string) {
	t.Helper()
	for i, p := range pieces {
		w := s.Stdout
		if i%2 == 1 {
			w = s.Stderr
		}
		if _, err := w.Write([]byte(p)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLog(t *testing.T) {
	r := create(t)
	var live, again heard
	write(t, r.Log().Tee(live.streams()), "one\n", "two\r", "\xff\x00", "", "three")
	testkit.Same(t, "one\ntwo\r\xff\x00three", testkit.Read(t, r.Dir(), "log"), "the file is not what was printed")
	f, err := Follow(r.Dir())
	testkit.OK(t, err)
	defer f.Close()
	for range 2 { // the second time there is nothing new
		testkit.OK(t, f.CopyTo(again.streams()))
	}
	write(t, r.Log().Tee(live.streams()), "", "more")
	testkit.OK(t, f.CopyTo(again.streams()))
	want := []string{"one\n\xff\x00three", "two\rmore"}
	for name, h := range map[string]*heard{"shown": &live, "followed": &again} {
		testkit.Same(t, want, []string{h.out.String(), h.err.String()}, name)
	}
}

// TestLogAfterAKill truncates both files at every length, as a killed program or a crashed machine may leave them: what
// is left is a prefix of both streams, and writing continues after it.
func TestLogAfterAKill(t *testing.T) {
	r := create(t)
	var all heard
	write(t, r.Log().Tee(all.streams()), "ab", "cde", "f", "ghi", string(bytes.Repeat([]byte("x"), 200)), "y")
	r.Close()
	text, index := testkit.Read(t, r.Dir(), "log"), testkit.Read(t, r.Dir(), "log.index")
	at, err := open(r.Dir())
	testkit.OK(t, err)
	defer at.Close()
	for n := range len(text) + 1 {
		for m := range len(index) + 1 {
			cut(t, r.Dir(), "log", text[:n])
			cut(t, r.Dir(), "log.index", index[:m])
			l, err := openLog(at, logName)
			testkit.OK(t, err)
			var rest heard
			o, e := l.Seen()
			tee := l.Tee(rest.streams())
			_, _ = tee.Stdout.Write(all.out.Bytes()[o:])
			_, _ = tee.Stderr.Write(all.err.Bytes()[e:])
			var whole heard
			testkit.OK(t, l.Replay(whole.streams(), true))
			l.close()
			if whole.out.String() != all.out.String() || whole.err.String() != all.err.String() {
				t.Fatalf("cut at %d and %d: %q, %q", n, m, whole.out.String(), whole.err.String())
			}
		}
	}
}

// TestReplay checks that output stored but not shown comes first when another program continues.
func TestReplay(t *testing.T) {
	r := create(t)
	var first, second heard
	write(t, r.Log().Tee(first.streams()), "shown ", "e1 ")
	r.Log().mu.Lock()
	r.Log().add(0, []byte("not shown")) // killed between storing and showing
	r.Log().mu.Unlock()
	r.Close()
	again, err := Open(r.Dir())
	testkit.OK(t, err)
	defer again.Close()
	testkit.OK(t, again.Log().Replay(second.streams(), false))
	testkit.Same(t, "shown not shown", first.out.String()+second.out.String())
	if second.err.Len() > 0 {
		t.Errorf("shown twice: %q", second.err.String())
	}
}

func TestLogWithoutRoom(t *testing.T) {
	r := create(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no /dev/full here: %v", err)
	}
	r.log.text = full
	var h heard
	write(t, r.Log().Tee(h.streams()), "passed on", "all the same")
	if h.out.String() != "passed on" || h.err.String() != "all the same" || r.Log().Err() == nil {
		t.Errorf("%q, %q, %v", h.out.String(), h.err.String(), r.Log().Err())
	}
}

// TestLogGivesRoomOnce checks that an empty log continues when the disk is full, and that the rest of a cut one is
// kept.
func TestLogGivesRoomOnce(t *testing.T) {
	r, full := create(t), errors.New("no space")
	if r.log.giveRoom(full) || r.Log().Err() != nil {
		t.Errorf("an empty log has given room: %v", r.Log().Err())
	}
	write(t, r.Log().Tee(process.Streams{}.Shared()), strings.Repeat("a", 3*yielded))
	if !r.log.giveRoom(full) || r.log.giveRoom(full) || r.Log().Err() == nil {
		t.Errorf("not cut once: %v", r.Log().Err())
	}
	testkit.Same(t, 2*yielded, len(testkit.Read(t, r.Dir(), "log")))
}

// FuzzLog reads any two files as a log: it must not panic, and an opened log must be consistent.
func FuzzLog(f *testing.F) {
	f.Add([]byte("abc"), []byte{2, 5})
	f.Add([]byte("abc"), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, text, index []byte) {
		dir := t.TempDir()
		cut(t, dir, "log", string(text))
		cut(t, dir, "log.index", string(index))
		at, err := disk.OpenTemp(dir)
		testkit.OK(t, err)
		defer at.Close()
		l, err := openLog(at, logName)
		testkit.OK(t, err)
		defer l.close()
		var h heard
		testkit.OK(t, l.Replay(h.streams(), true))
		if o, e := l.Seen(); int(o) != h.out.Len() || int(e) != h.err.Len() || !bytes.HasPrefix(text, []byte(testkit.Read(t, dir, "log"))) {
			t.Errorf("seen %d, %d; read %d, %d", o, e, h.out.Len(), h.err.Len())
		}
	})
}

// TestFollowWhileWriting reads the log while it is written; at any moment, each stream is read as it was written.
func TestFollowWhileWriting(t *testing.T) {
	r := create(t)
	var live, read heard
	done := make(chan struct{})
	go func() {
		defer close(done)
		tee, rnd := r.Log().Tee(live.streams()), rand.New(rand.NewPCG(1, 2))
		for range 2000 {
			p := bytes.Repeat([]byte{byte('a' + rnd.IntN(26))}, 1+rnd.IntN(300))
			if rnd.IntN(2) == 0 {
				_, _ = tee.Stdout.Write(p)
			} else {
				_, _ = tee.Stderr.Write(p)
			}
		}
	}()
	f, err := Follow(r.Dir())
	testkit.OK(t, err)
	defer f.Close()
	for over := false; !over; {
		select {
		case <-done:
			over = true
		default:
		}
		testkit.OK(t, f.CopyTo(read.streams()))
	}
	if read.out.String() != live.out.String() || read.err.String() != live.err.String() {
		t.Error("the streams differ")
	}
}

func BenchmarkTee(b *testing.B) {
	r := create(b)
	tee := r.Log().Tee(process.Streams{}.Shared())
	p := bytes.Repeat([]byte("x"), 16<<10)
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		_, _ = tee.Stdout.Write(p)
	}
}

func cut(t testing.TB, dir, name, text string) {
	t.Helper()
	testkit.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}
