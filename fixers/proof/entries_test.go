package proof

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// spliceOf returns the values of a new text, and the comments that are compared, if only its changed entries need to be
// read.
func spliceOf(old, after []byte) (list []value, compared *part) {
	c := &checker{File: File{Path: "f.yml", Old: old, New: after}}
	c.Before = Read(document.Parse(source.New("f.yml", old)))
	c.old = c.Before.stream
	if err := c.Before.decode(); err != nil {
		return nil, nil
	}
	root := c.spliced()
	if root == nil {
		return nil, nil
	}
	for i := 0; i < len(root.Content); i += 2 {
		list = append(list, valuesOf(root.Content[i:i+2])...)
	}
	return list, c.part
}

// commentsAround returns the comments of a text outside of a part of it.
func commentsAround(text []byte, part source.Span) (list []string) {
	s := document.Parse(source.New("f.yml", text))
	inside := s.CommentsIn(part)
	for _, span := range s.Comments() {
		if len(inside) > 0 && inside[0] == span {
			inside = inside[1:]
		} else {
			list = append(list, string(s.Source.Slice(span)))
		}
	}
	if len(inside) > 0 {
		list = append(list, "more inside than in all")
	}
	return list
}

// spliced checks that the values are those of the whole text, and that only comments that are compared differ. It
// reports whether only the changed entries were read.
func spliced(t *testing.T, old, after []byte) bool {
	t.Helper()
	got, compared := spliceOf(old, after)
	if compared == nil {
		return false
	}
	testkit.Same(t, commentsAround(old, compared.old), commentsAround(after, compared.new), "comments of %q, made of %q", after, old)
	want, err := decode(after)
	if err != nil || len(want) != 1 {
		t.Fatalf("%q, made of %q, holds %d documents: %v", after, old, len(want), err)
	}
	testkit.Same(t, valuesOf(want[0].Content), got, "%q, made of %q", after, old)
	return true
}

func TestSpliced(t *testing.T) {
	const old = "a: |\n  text\n# note\nb: one\nc:\n- 1\nd: 'x'\n"
	for after, want := range map[string]bool{
		"a: |\n  text\n# note\nb: two\nc:\n- 1\nd: 'x'\n":               true,
		"a: |\n  text\n# note\n# more\nb: one\nc:\n- 1\nd: 'x'\n":       true,
		"a: |\n  text\n# note\nc:\n- 1\nd: 'x'\n":                       true,
		"a: |\n  text\n# note\nb: one\nb2: {e: [1]}\nc:\n- 1\nd: 'x'\n": true,
		"a: |\n  text\n# note\nb: one\nc:\n- 1\n":                       true,
		"a: |\n  text\n# note\n  b: one\nc:\n- 1\nd: 'x'\n":             false,
		"a: |\n  text\n# note\nb: one\n  # more\nc: 2\nd: 'x'\n":        false,
		"a: |\n  text\n# note\nb: 'one\nc:\n- 1\nd: 'x'\n":              false,
		"a: |\n  text\n# note\nb: one\n---\nc:\n- 1\nd: 'x'\n":          false,
		"a: |\n  text\n# note\nb: one\n? c\n: 2\nd: 'x'\n":              false,
		"a: |\n  text\n# note\nb: &x one\nc:\n- *x\nd: 'x'\n":           true,
		"a: |\n  text\n# note\nb: one\nc:\n- *x\nd: 'x'\n":              false,
		"a: |\n  text\n# note\nb: one\nc: 1":                            true,
		"a: |\n  text\n# note\nb: größer\nc:\n- 1\nd: 'x'\n":            false,
		"z: 1\n": false,
	} {
		testkit.Same(t, want, spliced(t, []byte(old), []byte(after)), "%q", after)
	}
}

// pieces are what mistakes are made of.
var pieces = []string{"\n", "  ", " ", "#", "# x\n", "'", "\"", ": ", ":\n", "- ", "-", "? ", "|\n", ">+\n", "k: v\n", "  k: v\n", "- k\n", "{", "}", "[1,", "]", "&a ", "*a",
	"---\n", "...\n", "%YAML 1.1\n", "!!str ", "<<: ", "\r", "\r\n", "\t", "\xc2\x85", "\xef\xbb\xbf", "x", "k:\n- 1\n", "k: |\n  t\n\n", "k: 'a\n  b'\n", "k: a\n  b\n"}

// mistake returns a text with one random change.
func mistake(r *rand.Rand, old []byte) []byte {
	at := r.IntN(len(old) + 1)
	if r.IntN(2) == 0 {
		at = bytes.LastIndexByte(old[:at], '\n') + 1
	}
	end := at + r.IntN(4)
	if i := bytes.IndexByte(old[at:], '\n'); i >= 0 && r.IntN(2) == 0 {
		end = at + i + 1
	}
	piece := pieces[r.IntN(len(pieces))]
	if r.IntN(4) == 0 {
		piece = ""
	}
	return slices.Concat(old[:at], []byte(piece), old[min(end, len(old)):])
}

// TestSplicedAtRandom makes mistakes in real files; AMLFIX_THOROUGH=N makes N times as many.
func TestSplicedAtRandom(t *testing.T) {
	t.Parallel()
	times, seed := 1, uint64(os.Getpid())
	if n, err := strconv.Atoi(os.Getenv("AMLFIX_THOROUGH")); err == nil {
		times = n
	}
	r := rand.New(rand.NewPCG(seed, 3))
	files := testkit.Files(t, testkit.Corpus(t))
	maps.Copy(files, testkit.Files(t, testkit.CorpusV2(t)))
	all, made := slices.Sorted(maps.Keys(files)), 0
	for range 20_000 * times {
		old := files[all[r.IntN(len(all))]]
		if len(old) > 4<<10 {
			continue
		}
		after := mistake(r, old)
		if r.IntN(3) == 0 {
			after = mistake(r, after)
		}
		if spliced(t, old, after) {
			made++
		}
	}
	t.Logf("%d of %d texts read in part, seed %d", made, 20_000*times, seed)
	if made < 1000*times {
		t.Errorf("only %d texts were read in part", made)
	}
}
