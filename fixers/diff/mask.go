package diff

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// Masked is Unified with secrets replaced by secret.Mask, and with a line before it that says so if there were any. A
// secret found in one of the texts is hidden in both, wherever it occurs: if a misspelled key is renamed, only the new
// text shows that the value is a secret. Secrets shorter than secret.Shortest are hidden only in their places. Masked
// lines do not match the file, so "git apply" refuses the diff.
func Masked(name string, a, b []byte) []byte {
	inA, inB := secret.Spans(a), secret.Spans(b)
	if len(inA)+len(inB) == 0 {
		return Unified(name, a, b)
	}
	old, new := lines(a), lines(b)
	changes := compare(old, new)
	if changes == nil {
		return nil
	}
	inA, inB = everywhere(a, b, inA, inB)
	hiddenA, hiddenB := byLine(old, inA), byLine(new, inB)
	shareContext(hiddenA, hiddenB, changes)
	plain := hunks(old, new, changes)
	shown := hunks(masked(old, hiddenA), masked(new, hiddenB), changes)
	var out []byte
	if n := differing(lines(plain), lines(shown)); n > 0 {
		out = fmt.Appendf(nil, "# %s: secrets are shown as %s in %d of the lines below; --raw gives the exact bytes\n", printableName(name), secret.Mask, n)
	}
	return slices.Concat(out, header(name, a == nil), shown)
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
		var shown []byte
		at := 0
		for _, s := range source.Merge(spans) {
			shown = append(append(shown, lines[i][at:s.Start]...), secret.Mask...)
			at = s.End
		}
		out[i] = append(shown, lines[i][at:]...)
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
