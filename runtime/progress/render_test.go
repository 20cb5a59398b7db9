package progress

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func events(s Sink) {
	s.Enter(Preparing, "pulling image %s", "a/b:1")
	s.Move("pulling a/b:1, 0 of 2 layers", 500, 0)
	s.Move("pulling a/b:1, 1 of 2 layers", 1_500_000, 3_000_000_000)
	s.Notice("the project is large")
	s.Enter(Running, "running")
}

func TestLinesLeavesTransfersOut(t *testing.T) {
	var b strings.Builder
	events(Lines(&b))
	want := "amlfix: pulling image a/b:1\namlfix: the project is large\namlfix: running\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestTerminalClearsItsLine(t *testing.T) {
	var b strings.Builder
	events(Terminal(&b))
	want := "amlfix: pulling image a/b:1\n" +
		"\r\x1b[Kamlfix: pulling a/b:1, 0 of 2 layers 500 B" + // the second one came within the redraw time
		"\r\x1b[Kamlfix: the project is large\n" +
		"amlfix: running\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestNilSinkDropsEvents(*testing.T) {
	events(nil)
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 25_000_000: "25.0 MB", 3_000_000_000: "3.0 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
