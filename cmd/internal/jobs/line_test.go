package jobs

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestLine checks that amlfix's lines start at the left where the job's output goes to the same file, and that nothing
// is added elsewhere.
func TestLine(t *testing.T) {
	t.Parallel()
	open := func() *os.File {
		f, err := os.Create(filepath.Join(t.TempDir(), "screen"))
		testkit.OK(t, err)
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	one, other := open(), open()
	for _, tt := range []struct {
		name           string
		stdout, stderr io.Writer
		job, want      []string
	}{
		{"unfinished", one, one, []string{"a", "\nb"}, []string{"a\namlfix\n", "\nb\namlfix\n"}},
		{"finished", one, one, []string{"a\n", ""}, []string{"a\namlfix\n", "amlfix\n"}},
		{"two files", one, other, []string{"a"}, []string{"aamlfix\n"}},
		{"no file", one, io.Discard, []string{"a"}, []string{"aamlfix\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var screen bytes.Buffer
			l := sharedLine(tt.stdout, tt.stderr, &screen)
			for i, text := range tt.job {
				screen.Reset()
				_, _ = io.WriteString(l.job(&screen), text)
				l.finish()
				screen.WriteString("amlfix\n")
				testkit.Same(t, tt.want[i], screen.String())
			}
		})
	}
}

// TestFolded checks that only whole lines are folded.
func TestFolded(t *testing.T) {
	var b strings.Builder
	w := folded{&b, func() int { return 12 }}
	for _, text := range []string{"\r\x1b[K", "amlfix: one two\n", "amlfix: three 5 of 9"} {
		if n, err := io.WriteString(w, text); n != len(text) || err != nil {
			t.Error(n, err)
		}
	}
	testkit.Same(t, "\r\x1b[Kamlfix: one\n    two\namlfix: three 5 of 9", b.String())
}
