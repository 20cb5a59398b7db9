package diff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// Masked is Unified with secrets replaced by secret.Mask, with what could control a terminal or a CI service replaced
// by an escape sequence, and with a line before it for either that says so if there were any. A secret found in one of
// the texts is hidden in both, wherever it occurs: if a misspelled key is renamed, only the new text shows that the
// value is a secret. Secrets shorter than secret.Shortest are hidden only in their places. Lines that are not exact do
// not match the file, so "git apply" refuses the diff.
func Masked(name string, a, b []byte) []byte {
	old, new := lines(a), lines(b)
	changes := compare(old, new)
	if changes == nil {
		return nil
	}
	shown := hunks(old, new, changes)
	var notes []byte
	note := func(what string, now []byte) {
		if bytes.Equal(shown, now) {
			return
		}
		if n := differing(lines(shown), lines(now)); n > 0 {
			notes = fmt.Appendf(notes, "# %s: %s in %d of the lines below; --raw gives the exact bytes\n", printableName(name), what, n)
		}
		shown = now
	}
	if inA, inB := secret.Spans(a), secret.Spans(b); len(inA)+len(inB) > 0 {
		inA, inB = everywhere(a, b, inA, inB)
		hiddenA, hiddenB := byLine(old, inA), byLine(new, inB)
		shareContext(hiddenA, hiddenB, changes)
		note("secrets are shown as "+secret.Mask, hunks(masked(old, hiddenA), masked(new, hiddenB), changes))
	}
	note("control characters and CI commands are shown as escape sequences", harmless(shown))
	return slices.Concat(notes, header(name, a == nil), shown)
}

// harmless shows what could control a terminal or a CI service in the lines of a diff as escape.Terminal does. Other
// characters that people cannot see stay, so that "git apply" takes the diff of a file with a byte order mark.
func harmless(hunks []byte) []byte {
	out := make([]byte, 0, len(hunks))
	for line := range bytes.Lines(hunks) {
		text, last := string(line), len(bytes.TrimRight(line, "\r\n"))
		if escape.Terminal(text[:last]) == text[:last] { // as nearly all lines
			out = append(out, line...)
			continue
		}
		for at := 0; at < len(text); {
			shown, size := escape.Visible(text, at)
			if c := text[at : at+size]; at >= last || c == "\t" || size > 1 && !strings.ContainsFunc(c, controls) {
				shown = c
			}
			out = append(out, shown...)
			at += size
		}
	}
	return out
}

// controls reports whether a character ends a line, controls a terminal or changes the direction of the text.
func controls(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}

// maxSecrets bounds how many secrets are searched for in all lines; texts with more are hidden as a whole.
const maxSecrets = 256

// everywhere adds to the spans of the secrets in both texts those where a secret of either text recurs; they are in
// order and do not overlap.
func everywhere(a, b []byte, inA, inB []source.Span) (hiddenA, hiddenB []source.Span) {
	known := append(secret.Texts(a, inA), secret.Texts(b, inB)...)
	slices.Sort(known)
	known = slices.Compact(known)
	if len(known) > maxSecrets {
		return []source.Span{{Start: 0, End: len(a)}}, []source.Span{{Start: 0, End: len(b)}}
	}
	for _, s := range known {
		inA = append(inA, places(a, []byte(s))...)
		inB = append(inB, places(b, []byte(s))...)
	}
	return source.Merge(inA), source.Merge(inB)
}

// places returns where a secret is in a text.
func places(text, known []byte) (spans []source.Span) {
	for at := 0; ; at += len(known) {
		i := bytes.Index(text[at:], known)
		if i < 0 {
			return spans
		}
		at += i
		spans = append(spans, source.Span{Start: at, End: at + len(known)})
	}
}

// byLine returns for each line the spans that are hidden in it, counted from its beginning. The character that ends a
// line is never in them.
func byLine(lines [][]byte, hidden []source.Span) [][]source.Span {
	out := make([][]source.Span, len(lines))
	start := 0
	for i, line := range lines {
		end := start + len(bytes.TrimRight(line, "\r\n"))
		for _, s := range hidden {
			if s.Start >= end {
				break
			}
			out[i] = append(out[i], source.Span{Start: max(s.Start, start) - start, End: min(s.End, end) - start})
		}
		start += len(line)
		for len(hidden) > 0 && hidden[0].End <= start {
			hidden = hidden[1:]
		}
	}
	return out
}

// shareContext hides in the unchanged lines of the old text, which a diff shows, what is hidden in the same lines of
// the new one.
func shareContext(old, new [][]source.Span, changes []span) {
	i, j := 0, 0
	for _, c := range append(slices.Clone(changes), span{len(old), len(old), len(new), len(new)}) {
		for ; i < c.aLo; i, j = i+1, j+1 {
			old[i] = append(old[i], new[j]...)
		}
		i, j = c.aHi, c.bHi
	}
}

// masked returns the lines as they are shown.
func masked(lines [][]byte, hidden [][]source.Span) [][]byte {
	out := slices.Clone(lines)
	for i, spans := range hidden {
		if len(spans) == 0 {
			continue
		}
		out[i] = []byte(secret.Masked(lines[i], source.Span{End: len(lines[i])}, source.Merge(spans)))
	}
	return out
}

// differing counts the lines that are not the same in two lists of equal length.
func differing(a, b [][]byte) (n int) {
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			n++
		}
	}
	return n
}
