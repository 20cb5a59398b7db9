package session

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLined(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", longest)
	for _, test := range []struct{ name, text, want string }{
		{"lines", "a\nb\n", "[7] a\n[7] b\n"},
		{"Windows", "a\r\nb\r\n", "[7] a\r\n[7] b\r\n"},
		{"doubled", "a\r\r\nb\n", "[7] a\r\r\n[7] b\n"},
		{"progress", "1%\r2%\rdone\n", "[7] 1%\r[7] 2%\r[7] done\n"},
		{"no newline", "a\nb", "[7] a\n[7] b\n"},
		{"carriage return at the end", "a\r", "[7] a\r"},
		{"empty lines", "\n\n", "[7] \n[7] \n"},
		{"too long", long + "y\n", "[7] " + long + "\n[7] y\n"},
		{"exactly as long", long + "\n", "[7] " + long + "\n[7] \n"},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, piece := range []int{1, 2, 1000, 1 << 20} {
				var out bytes.Buffer
				l := &lined{mark: mark(7), w: &out}
				for text := []byte(test.text); len(text) > 0; text = text[min(piece, len(text)):] {
					_, _ = l.Write(text[:min(piece, len(text))])
				}
				_ = l.pass(true)
				if diff := cmp.Diff(test.want, out.String()); diff != "" {
					t.Fatalf("in pieces of %d: %s", piece, diff)
				}
			}
		})
	}
}

// TestLinedContinues checks that, after a kill at any write, the rest of each pod's output follows what was passed on
// before.
func TestLinedContinues(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", "bc\n", "\r", "\r\n", "[1] x", "\n", strings.Repeat("z", longest-1), "\x00\xff\n", "y\r"}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		var whole, text [2]string
		for range 40 {
			i := random.IntN(2)
			text[i] += pieces[random.IntN(len(pieces))]
		}
		one := func(w *bytes.Buffer, i int, skip int64, text string) *lined {
			l := &lined{mark: mark(i), w: w, skip: skip}
			_, _ = l.Write([]byte(text))
			return l
		}
		for i := range text {
			var all bytes.Buffer
			_ = one(&all, i, 0, text[i]).pass(true)
			whole[i] = all.String()
		}
		var first bytes.Buffer // both, as far as they came
		for i := range text {
			one(&first, i, 0, text[i][:random.IntN(len(text[i])+1)])
		}
		seen := &passed{of: map[int]int64{}}
		for rest := first.Bytes(); len(rest) > 0; {
			n := min(len(rest), 1+random.IntN(1000))
			_, _ = seen.Write(rest[:n])
			rest = rest[n:]
		}
		seen.count(true)
		for i := range text {
			var begun, after bytes.Buffer
			_ = one(&begun, i, 0, text[i][:seen.of[i]]).pass(true) // at the end of a line
			_ = one(&after, i, seen.of[i], text[i]).pass(true)
			if got := begun.String() + after.String(); got != whole[i] || !strings.Contains(first.String(), begun.String()) {
				t.Fatalf("seed %d, pod %d: %d bytes and %d more, not %d", seed, i, begun.Len(), after.Len(), len(whole[i]))
			}
		}
	}
}
