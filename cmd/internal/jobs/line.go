package jobs

import (
	"io"
	"os"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// line makes amlfix's own lines start at the left of a screen that the job writes to as well: a prompt, or an error
// without a final newline, may leave a line of the job unfinished. A nil *line does nothing.
type line struct {
	mu         sync.Mutex
	err        io.Writer
	unfinished bool // the job's last byte is not a newline
}

// sharedLine returns the line that standard output and standard error share, or nil if they are separate: the bytes of
// each are then the job's and amlfix's, and no others.
func sharedLine(stdout, stderr, err io.Writer) *line {
	out, ok1 := stdout.(*os.File)
	errs, ok2 := stderr.(*os.File)
	if !ok1 || !ok2 {
		return nil
	}
	a, err1 := out.Stat()
	b, err2 := errs.Stat()
	if same := err1 == nil && err2 == nil && os.SameFile(a, b); !same && (!ui.IsTerminal(out) || !ui.IsTerminal(errs)) {
		return nil
	}
	return &line{err: err}
}

// job returns a writer for the job's output.
func (l *line) job(w io.Writer) io.Writer {
	if l == nil {
		return w
	}
	return jobWriter{l, w}
}

// finish ends a line that the job left unfinished.
func (l *line) finish() {
	if l != nil {
		_, _ = l.Write(nil)
	}
}

// Write writes what amlfix itself reports to standard error.
func (l *line) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unfinished {
		l.unfinished = false
		_, _ = io.WriteString(l.err, "\n")
	}
	if len(p) == 0 {
		return 0, nil
	}
	return l.err.Write(p)
}

type jobWriter struct {
	*line
	w io.Writer
}

func (j jobWriter) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(p) > 0 {
		j.unfinished = p[len(p)-1] != '\n'
	}
	return j.w.Write(p)
}

// folded folds whole lines for a terminal of some columns.
type folded struct {
	io.Writer
	columns func() int
}

func (f folded) Write(p []byte) (int, error) {
	text, whole := strings.CutSuffix(string(p), "\n")
	if !whole {
		return f.Writer.Write(p)
	}
	_, err := io.WriteString(f.Writer, ui.Fold(text, f.columns(), "    ")+"\n")
	return len(p), err
}
