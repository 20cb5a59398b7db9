// Package console is where amlfix meets its caller: the streams it writes to, what it says about itself, its usage
// errors and its exit statuses.
package console

import (
	"fmt"
	"io"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// Terminal is the environment of a command line.
type Terminal struct {
	Stdin io.Reader
	// Stdout and Stderr are the files behind Out and Err; they may be terminals.
	Stdout, Stderr io.Writer
	Out, Err       *ui.Output
	// Env returns an environment variable, as os.Getenv does.
	Env func(string) string
	// Kill is closed when the user asks to stop for the second time; may be nil.
	Kill <-chan struct{}
	// Version returns amlfix's version, which takes a while to find out.
	Version func() string
	// Job is set if a job was run: the exit status is then the job's own.
	Job bool
}

// Say writes a line about amlfix itself, as opposed to a report, to standard error. A terminal gets it folded.
func (t *Terminal) Say(format string, args ...any) {
	text, columns := "amlfix: "+escape.Lines(secret.Hide(fmt.Sprintf(format, args...))), ui.Columns(t.Stderr)
	for line := range strings.SplitSeq(text, "\n") {
		_, _ = io.WriteString(t.Err, ui.Fold(line, columns, "    ")+"\n")
	}
}

// Style returns the colours and links of standard output.
func (t *Terminal) Style(mode ui.ColourMode) ui.Style {
	return ui.NewStyle(ui.Coloured(mode, t.Stdout, t.Env)).Linking(ui.Linked(mode, t.Stdout, t.Env))
}

// ErrStyle returns the colours of standard error.
func (t *Terminal) ErrStyle(mode ui.ColourMode) ui.Style {
	return ui.NewStyle(ui.Coloured(mode, t.Stderr, t.Env))
}
