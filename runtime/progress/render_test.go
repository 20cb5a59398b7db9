package progress

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
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
	testkit.Same(t, want, b.String())
}

func wide() int { return 0 }

// TestNarrowTerminal checks that a line on a terminal takes one row, because only that is erased.
func TestNarrowTerminal(t *testing.T) {
	for columns, want := range map[int]string{80: "amlfix: pulling a/b:1 500 B", 28: "amlfix: pulling a/b:1 500 B", 27: "amlfix: pulling a/b… 500 B", 1: "… 500 B"} {
		var b strings.Builder
		Terminal(&b, func() int { return columns }).Move("pulling a/b:1", 500, 0)
		testkit.Same(t, "\r\x1b[K"+want, b.String(), "%d", columns)
	}
}

func TestTerminalClearsItsLine(t *testing.T) {
	var b strings.Builder
	events(Terminal(&b, wide))
	want := "amlfix: pulling image a/b:1\n" +
		"\r\x1b[Kamlfix: pulling a/b:1, 0 of 2 layers 500 B" + // the second one arrived within the redraw time
		"\r\x1b[Kamlfix: the project is large\n" +
		"amlfix: running\n"
	testkit.Same(t, want, b.String())
}

func TestNilSinkDropsEvents(*testing.T) {
	events(nil)
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 25_000_000: "25.0 MB", 3_000_000_000: "3.0 GB"} {
		testkit.Same(t, want, Bytes(n), "Bytes(%d)", n)
	}
}

// TestHostileTexts checks that a run's own messages, which quote files, machines and servers, are always one harmless
// line each.
func TestHostileTexts(t *testing.T) {
	var lines, drawn strings.Builder
	for _, sink := range []Sink{Lines(&lines), Terminal(&drawn, wide)} {
		sink.Enter(Checking, "logging in to %s", "h\x1b[2J\n::error::INJECTED")
		sink.Notice("\u202e##vso[x]\r\n")
		sink.Move("pulling \x1b]0;owned\a", 1, 2)
	}
	want := "amlfix: logging in to h\\x1b[2J\\x0a::error::INJECTED\namlfix: \\u202e#\\x23vso[x]\\x0d\\x0a\n"
	testkit.Same(t, []string{want, want + "\r\x1b[Kamlfix: pulling \\x1b]0;owned\\x07 1 B of 2 B"}, []string{lines.String(), drawn.String()})
}
