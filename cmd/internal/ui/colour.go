package ui

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"
)

// ColourMode says when output is in colour.
type ColourMode string

// The colour modes.
const (
	ColourAuto   ColourMode = "auto"   // on a terminal, unless NO_COLOR is set
	ColourAlways ColourMode = "always" // always, as the user requested
	ColourNever  ColourMode = "never"
)

// ColourModes returns the names of the modes, as written on the command line.
func ColourModes() []string {
	return []string{string(ColourAuto), string(ColourAlways), string(ColourNever)}
}

// ParseColourMode returns the mode called name; the error lists the names.
func ParseColourMode(name string) (ColourMode, error) {
	if slices.Contains(ColourModes(), name) {
		return ColourMode(name), nil
	}
	return "", fmt.Errorf("--color: %q is not one of %s", Printable(name), strings.Join(ColourModes(), ", "))
}

// Coloured reports whether output to w should be in colour. The first of these that applies decides: the mode, unless
// it is ColourAuto; NO_COLOR (https://no-color.org), with any value; FORCE_COLOR, where "0" and "false" mean no;
// CLICOLOR_FORCE, where "0" and "false" have no effect; CLICOLOR=0; TERM=dumb; otherwise, whether w is a terminal.
func Coloured(mode ColourMode, w io.Writer, env func(string) string) bool {
	switch force := env("FORCE_COLOR"); {
	case mode == ColourAlways:
		return true
	case mode == ColourNever, env("NO_COLOR") != "":
		return false
	case force != "":
		return enabled(force)
	case enabled(env("CLICOLOR_FORCE")):
		return true
	}
	return env("CLICOLOR") != "0" && env("TERM") != "dumb" && IsTerminal(w) && enableColour(w)
}

// enabled reports whether the value of a variable enables what it forces.
func enabled(value string) bool { return value != "" && value != "0" && value != "false" }

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f := fileOf(w)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// Columns returns the width of the terminal w at this moment, or 0 if it is not known.
func Columns(w io.Writer) int {
	columns := 0
	if f := fileOf(w); f != nil {
		columns, _, _ = term.GetSize(int(f.Fd()))
	}
	return columns
}

// fileOf returns the file that w writes to, or nil.
func fileOf(w io.Writer) *os.File {
	if o, ok := w.(*Output); ok {
		w = o.w
	}
	f, _ := w.(*os.File)
	return f
}

// IsInteractive reports whether r is a terminal, at which a person can answer.
func IsInteractive(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Style adds colours and links to words, or leaves them unchanged.
type Style struct{ on, links bool }

// NewStyle returns a Style that colours if on is true, and adds no links.
func NewStyle(on bool) Style { return Style{on: on} }

// Linking returns the Style with links if on is true.
func (s Style) Linking(on bool) Style {
	s.links = on
	return s
}

// Links reports whether the Style has links.
func (s Style) Links() bool { return s.links }

func (s Style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold returns text in bold.
func (s Style) Bold(text string) string { return s.paint("1", text) }

// Dim returns text in a dimmer colour.
func (s Style) Dim(text string) string { return s.paint("2", text) }

// Red returns text in bold red.
func (s Style) Red(text string) string { return s.paint("1;31", text) }

// Yellow returns text in bold yellow.
func (s Style) Yellow(text string) string { return s.paint("1;33", text) }

// Green returns text in green.
func (s Style) Green(text string) string { return s.paint("32", text) }

// Removed returns a removed line of a diff in red, as plain as Green.
func (s Style) Removed(text string) string { return s.paint("31", text) }

// Cyan returns text in cyan.
func (s Style) Cyan(text string) string { return s.paint("36", text) }
